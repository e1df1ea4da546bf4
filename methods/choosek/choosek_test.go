package choosek_test

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/choosek"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

var background = context.Background()

// blobs draws n rows around k centres on a line of the given step, with unit noise.
func blobs(n, k int, step float64, seed uint64) (*mat.Dense, []int) {
	rng := rand.New(rand.NewPCG(seed, 1))
	x, labels := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		labels[i] = i % k
		x.Set(i, 0, step*float64(labels[i])+rng.NormFloat64())
		x.Set(i, 1, step*float64(labels[i]*labels[i])/float64(k)+rng.NormFloat64())
	}
	return x, labels
}

func ks(points []choosek.Point) (list []int) {
	for _, p := range points {
		list = append(list, p.K)
	}
	return list
}

// The best point comes first by the direction of the rule; equal scores go to the smaller k, and
// points without a score are left out.
func TestRank(t *testing.T) {
	points := []choosek.Point{{K: 2, Score: 3}, {K: 3, Score: 7}, {K: 4, Score: math.NaN()}, {K: 5, Score: 7}, {K: 6, Score: 1}}
	for rule, want := range map[choosek.Rule][]int{choosek.Eigengap: {3, 5, 2, 6}, choosek.Silhouette: {3, 5, 2, 6}, choosek.BIC: {6, 2, 3, 5}} {
		if got := ks(choosek.Rank(rule, points)); !slices.Equal(got, want) {
			t.Errorf("%s: %v, not %v", rule, got, want)
		}
	}
	stable := []choosek.Point{{K: 2, Score: 0.99, Error: 0.02}, {K: 3, Score: 0.5}, {K: 5, Score: 0.98}, {K: 6, Score: 0.90}}
	if got := ks(choosek.Rank(choosek.Stability, stable)); !slices.Equal(got, []int{5, 2, 6, 3}) {
		t.Errorf("the largest of those within an error of the best is not first: %v", got)
	}
	if got := choosek.Rank(choosek.Stability, nil); len(got) != 0 {
		t.Errorf("of no points: %v", got)
	}
}

// The gap after λ_k is the score of k; zeros left out count, and a missing eigenvalue gives no
// score.
func TestEigengaps(t *testing.T) {
	values := []float64{0, 0.01, 0.02, 0.5, 0.6}
	for leftOut, own := range map[int][]float64{0: values, 1: values[1:]} {
		got := choosek.Eigengaps(own, leftOut, 2, 5)
		for i, want := range []float64{0.01, 0.48, 0.1, math.NaN()} {
			if p := got[i]; p.K != i+2 || !(math.Abs(p.Score-want) < 1e-15 || math.IsNaN(want) && math.IsNaN(p.Score)) {
				t.Errorf("%d left out: %+v, not %v", leftOut, p, want)
			}
		}
		if best := choosek.Rank(choosek.Eigengap, got)[0].K; best != 3 {
			t.Errorf("%d left out: k = %d", leftOut, best)
		}
	}
}

// A sample has the size asked for, no row twice, ascends, and depends on the seed alone.
func TestSample(t *testing.T) {
	one := choosek.Sample(1000, 100, 5)
	if len(one) != 100 || !slices.IsSorted(one) || len(slices.Compact(slices.Clone(one))) != 100 || one[99] > 999 {
		t.Errorf("%v", one)
	}
	if !slices.Equal(one, choosek.Sample(1000, 100, 5)) || slices.Equal(one, choosek.Sample(1000, 100, 6)) {
		t.Error("the seed does not decide the sample")
	}
	if all := choosek.Sample(7, 100, 5); !slices.Equal(all, []int{0, 1, 2, 3, 4, 5, 6}) {
		t.Errorf("%v", all)
	}
}

// Silhouettes on a sample equal package metrics' of the same rows, dense and sparse.
func TestSilhouettes(t *testing.T) {
	x, labels := blobs(120, 4, 12, 3)
	pairs := make([]int, len(labels))
	for i, l := range labels {
		pairs[i] = l / 2
	}
	rows := choosek.Sample(120, 50, 1)
	csr := must.Get(sparse.FromMatrix(x))(t)
	for _, data := range []mat.Matrix{x, csr, mat.Matrix(x.T()).T()} {
		got := must.Get(choosek.Silhouettes(background, data, rows, [][]int{labels, pairs, make([]int, 120)}, nil))(t)
		part := mat.NewDense(50, 2, nil)
		own := make([]int, 50)
		for to, i := range rows {
			part.SetRow(to, x.RawRowView(i))
			own[to] = labels[i]
		}
		want := must.Get(metrics.Silhouette(background, part, own, nil))(t)
		if math.Abs(got[0]-want.Mean) > 1e-12 || got[0] <= got[1] || !math.IsNaN(got[2]) {
			t.Errorf("%T: %v, the first should be %v", data, got, want.Mean)
		}
	}
}

// Clusters of two parts agree fully at the true k of blobs far apart, and less at a larger one.
func TestAgreement(t *testing.T) {
	x, truth := blobs(300, 4, 14, 2)
	of := func(k int) (mean, stderr float64) {
		mean, stderr, err := choosek.Agreement(background, 300, 8, 0.8, 3, func(ctx context.Context, rows []int, seed uint64) ([]int, error) {
			m, err := kmeans.Fit(ctx, choosek.Rows(x, rows), kmeans.Options{K: k, Restarts: 5, Seed: seed})
			if err != nil {
				return nil, err
			}
			return m.Labels, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return mean, stderr
	}
	if mean, stderr := of(4); mean != 1 || stderr != 0 {
		t.Errorf("k = 4: %v ± %v", mean, stderr)
	}
	if mean, stderr := of(7); mean > 0.95 || stderr <= 0 {
		t.Errorf("k = 7: %v ± %v", mean, stderr)
	}
	// the truth itself always agrees, whatever the numbers of the clusters are
	mean, _, err := choosek.Agreement(background, 300, 3, 0.5, 1, func(_ context.Context, rows []int, seed uint64) ([]int, error) {
		own := make([]int, len(rows))
		for to, i := range rows {
			own[to] = (truth[i] + int(seed)) % 4
		}
		return own, nil
	})
	if err != nil || mean != 1 {
		t.Errorf("renumbered clusters: %v, %v", mean, err)
	}
	if _, _, err := choosek.Agreement(background, 2, 3, 0.5, 1, nil); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("two documents: %v", err)
	}
}

// The mean and its standard error follow the formula.
func TestMeanError(t *testing.T) {
	mean, stderr := choosek.MeanError([]float64{1, 2, 3, 6})
	if math.Abs(mean-3) > 1e-15 || math.Abs(stderr-math.Sqrt(14.0/3/4)) > 1e-15 {
		t.Errorf("%v ± %v", mean, stderr)
	}
	if mean, stderr := choosek.MeanError([]float64{4}); mean != 4 || stderr != 0 {
		t.Errorf("%v ± %v", mean, stderr)
	}
	if mean, _ := choosek.MeanError(nil); !math.IsNaN(mean) {
		t.Errorf("of none: %v", mean)
	}
}
