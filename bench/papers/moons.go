package papers

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/lapgmm"
	"gonum.org/v1/gonum/mat"
)

// moonsOptions has a smaller λ than the tables, since the log-likelihood of two columns is a
// hundredth of an image's, and a larger γ, since walks along curves of 200 points are longer.
var moonsOptions = lapgmm.ReducedOptions{Mixture: lapgmm.Options{Lambda: 50, MaxGamma: 0.999, StartFrom: lapgmm.StartKMeans}}

// moonsMethods are the columns of the figure.
var moonsMethods = []string{"kmeans", "gmm", "lapgmm"}

const (
	moonsPoints = 200 // in each moon
	moonsShown  = 0.05
)

// moonsView is figure 1 of the paper.
func moonsView() *View {
	e := &Experiment{
		Name: "lapgmm-moons", Version: 1, Corpus: Dataset{Name: "two moons", File: "drawn by the program", Made: true}, Param: "noise", Tests: 10, Cases: 1,
		Metrics: agreementMetrics,
		Protocol: "Two half circles of radius 1 and 200 points each at equal distances, the second upside down with its centre at (1, 0.5), both coordinates with normal noise of the row's standard deviation; " +
			"the paper does not say how its points were drawn. k-means and GMM (full covariances) as in the tables; LapGMM: graph of 8 neighbours, 0-1 weights, " +
			"λ = 50, γ by line search in [0, 0.999]. The picture shows noise 0.05.",
		Rows: []Row{{Key: "0.02", Value: 0.02}, {Key: "0.05", Value: 0.05}, {Key: "0.08", Value: 0.08}},
		load: func(context.Context, string) (*corpus.Corpus, string, error) { return &corpus.Corpus{}, "", nil },
		prepare: func(_ context.Context, _ *corpus.Corpus, row Row, test int, seed uint64) (*Unit, error) {
			return moonsUnit(row.Value, seed+uint64(test)), nil
		},
	}
	for _, c := range lapgmmColumns(&moonsOptions) {
		if slices.Contains(moonsMethods, c.Method) {
			e.Columns = append(e.Columns, c)
		}
	}
	return &View{Name: "lapgmm/figure1", Title: "figure 1: two moons", Shows: "points of two moons, clustered with and without the graph", Paper: lapgmmPaper,
		Kind: KindScatter, Experiment: e, Source: "figure 1, which has no numbers", scatter: moonsScatter(e.Columns)}
}

func moonsUnit(noise float64, seed uint64) *Unit {
	rng := rand.New(rand.NewPCG(seed, math.Float64bits(noise)))
	x, truth := mat.NewDense(2*moonsPoints, 2, nil), make([]int, 2*moonsPoints)
	for i := range truth {
		at := math.Pi * float64(i%moonsPoints) / (moonsPoints - 1)
		u, v := math.Cos(at), math.Sin(at)
		if truth[i] = i / moonsPoints; truth[i] == 1 {
			u, v = 1-u, 0.5-v
		}
		x.SetRow(i, []float64{u + noise*rng.NormFloat64(), v + noise*rng.NormFloat64()})
	}
	return &Unit{X: x, Points: x, Truth: truth, K: 2, Seed: seed, Starts: seed, compare: agreement}
}

// moonsScatter shows the classes of the first draw, and its clusters by the columns but k-means.
func moonsScatter(columns []Column) func(context.Context, uint64) (*mat.Dense, []clustering, error) {
	return func(ctx context.Context, seed uint64) (*mat.Dense, []clustering, error) {
		u := moonsUnit(moonsShown, seed)
		all := []clustering{{"two moons", u.Truth}}
		for _, c := range columns[1:] {
			found, _, err := c.clusters(ctx, u, 0)
			if err != nil {
				return nil, nil, err
			}
			all = append(all, clustering{c.Name, found})
		}
		return u.X.(*mat.Dense), all, nil
	}
}
