package lapgmm

import (
	"math"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/gmm"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// fitterOf is a fit of x that has not begun.
func fitterOf(t *testing.T, x *mat.Dense, opt Options) *fitter {
	t.Helper()
	n, _ := x.Dims()
	opt = opt.withDefaults()
	g := must.Get(graph.Build(ctx, x, opt.graphOptions(n)))(t)
	e := must.Get(gmm.NewEstimator(ctx, x, opt.mixture()))(t)
	return &fitter{opt: opt, n: n, all: n, e: e, m: e.NewMixture(), smoother: newSmoother(g, opt.K), grid: gammas(opt.MaxGamma)}
}

// ruled is the λ that a fit sets by the rule.
func ruled(t *testing.T, x *mat.Dense, opt Options) float64 {
	t.Helper()
	f := fitterOf(t, x, opt)
	if _, err := f.origins(ctx, x); err != nil {
		t.Fatal(err)
	}
	return f.opt.Lambda
}

// oneGaussian is the log-likelihood of the rows under the Gaussian of their own mean and
// covariance: −n/2·(d·log 2π + log det Σ + d).
func oneGaussian(x *mat.Dense) float64 {
	n, d := x.Dims()
	var s mat.SymDense
	stat.CovarianceMatrix(&s, x, nil)
	s.ScaleSym(float64(n-1)/float64(n), &s)
	logDet, _ := mat.LogDet(&s)
	return -float64(n) / 2 * (float64(d)*math.Log(2*math.Pi) + logDet + float64(d))
}

// expectedCut is the mean of Σ_k f_kᵀLf_k over labels that are drawn for each node alone: over all
// edges and all pairs of labels.
func expectedCut(g *graph.Graph, sizes []int) float64 {
	n := g.W.NumRows
	total := 0.0
	for i := range n {
		for j := range i {
			for a, p := range sizes {
				for b, q := range sizes {
					if a != b { // two components differ by one each
						total += float64(p*q) / float64(n*n) * 2 * g.W.At(i, j)
					}
				}
			}
		}
	}
	return total
}

// λ follows the rule of the package comment: half of the clusters' gain over one Gaussian per unit
// of their penalty, or per hundredth of the penalty of labels at random.
func TestLambdaByTheLiteralRule(t *testing.T) {
	bounded := 0
	for _, spread := range []float64{1, 2, 12} {
		x := blobs(120, 3, 3, spread, 4)
		opt := Options{K: 3, Seed: 2, Ridge: number(0), Graph: graph.Options{Neighbors: 6}}
		mixture := must.Get(gmm.Fit(ctx, x, gmm.Options{K: 3, Seed: 2, Ridge: number(0)}))(t)
		g := must.Get(graph.Build(ctx, x, opt.graphOptions(120)))(t)
		cut, least := literalPenalty(g, mixture.Posterior), expectedCut(g, mixture.Sizes)/100
		if cut < least {
			bounded++
		}
		want := (mixture.LogLikelihood - oneGaussian(x)) / max(cut, least) / 2
		if got := ruled(t, x, opt); math.Abs(got-want) > 1e-6*want {
			t.Errorf("spread %v: λ = %v, by the formula %v", spread, got, want)
		}
	}
	if bounded != 1 {
		t.Errorf("%d of 3 have hardly any penalty", bounded)
	}
}

// λ is a log-likelihood over a penalty: other units of the data change neither.
func TestLambdaHasNoUnits(t *testing.T) {
	x := blobs(120, 3, 3, 2, 6)
	moved := times(x, 1)
	moved.Apply(func(_, j int, v float64) float64 { return v + 5*float64(j) }, moved)
	want := ruled(t, x, Options{K: 3, Seed: 1})
	for what, y := range map[string]*mat.Dense{"× 1000": times(x, 1000), "× 0.01": times(x, 0.01), "moved": moved} {
		if got := ruled(t, y, Options{K: 3, Seed: 1}); math.Abs(got-want) > 1e-6*want {
			t.Errorf("%s: λ = %v, not %v", what, got, want)
		}
	}
}

// If all weights of the graph are multiplied by a number, λ is divided by it, and the fit stays.
func TestLambdaOfHeavierGraph(t *testing.T) {
	x := blobs(120, 3, 3, 2, 6)
	var first *Model
	for _, by := range []float64{1, 8} {
		f := fitterOf(t, x, Options{K: 3, Seed: 1})
		g := *f.smoother.g
		w := *g.W
		w.Val = slices.Clone(w.Val)
		g.Degrees = slices.Clone(g.Degrees)
		for e := range w.Val {
			w.Val[e] *= by
		}
		for i := range g.Degrees {
			g.Degrees[i] *= by
		}
		g.W = &w
		m := must.Get(FitGraph(ctx, x, &g, Options{K: 3, Seed: 1}))(t)
		if first == nil {
			first = m
			continue
		}
		if math.Abs(m.Lambda*by-first.Lambda) > 1e-12*first.Lambda || !slices.Equal(m.Labels, first.Labels) || math.Abs(m.Penalty-first.Penalty) > 1e-9*first.Penalty {
			t.Errorf("weights × %v: λ = %v after %v, penalty %v after %v", by, m.Lambda, first.Lambda, m.Penalty, first.Penalty)
		}
	}
}

// The gain of clear clusters with diagonal covariances is −n·H of their shares and a part for each
// column. Columns twice double that part; the graph and the penalty stay.
func TestLambdaOfColumnsTwice(t *testing.T) {
	x := blobs(90, 3, 3, 15, 2)
	var twice mat.Dense
	twice.Augment(x, x)
	opt := Options{K: 3, Seed: 1, Covariance: gmm.Diagonal, Ridge: number(0)}
	once, both := fitterOf(t, x, opt), fitterOf(t, &twice, opt)
	for _, f := range []*fitter{once, both} {
		for i := range f.n {
			if f.smoother.g.W.At(i, (i+1)%f.n) != 0 {
				t.Fatal("the clusters are not clear") // row i is of cluster i mod 3
			}
		}
	}
	entropy := 90 * math.Log(3)
	a, b := ruled(t, x, opt), ruled(t, &twice, opt)
	unit := 0.01 * 2 / 3 * sum(once.smoother.g.Degrees) // no penalty: a hundredth of the penalty of labels at random
	gain := 2 * a * unit
	if want := (2*(gain+entropy) - entropy) / unit / 2; math.Abs(b-want) > 1e-6*want {
		t.Errorf("columns once λ = %v, twice %v, want %v", a, b, want)
	}
}

func sum(x []float64) float64 {
	total := 0.0
	for _, v := range x {
		total += v
	}
	return total
}

// Where λ means nothing it is 1: one component, and a graph without edges. A λ that is given stays.
func TestLambdaWithoutMeaning(t *testing.T) {
	x := blobs(40, 3, 2, 3, 1)
	if got := ruled(t, x, Options{K: 1}); got != 1 {
		t.Errorf("one component: λ = %v", got)
	}
	bare := &graph.Graph{W: &sparse.CSR{NumRows: 40, NumCols: 40, RowPtr: make([]int, 41)}, Degrees: make([]float64, 40)}
	m, err := FitGraph(ctx, x, bare, Options{K: 2, Seed: 3})
	if err != nil || m.Lambda != 1 || m.Penalty != 0 {
		t.Errorf("no edges: %v, %+v", err, m)
	}
	for _, from := range []StartFrom{StartClusters, StartKMeans, StartAll} {
		if got := ruled(t, x, Options{K: 2, Lambda: 3.5, StartFrom: from}); got != 3.5 {
			t.Errorf("%s: λ = %v, 3.5 was given", from, got)
		}
		if got, want := ruled(t, x, Options{K: 2, StartFrom: from}), ruled(t, x, Options{K: 2}); got != want || got <= 0 {
			t.Errorf("%s: λ = %v, from other starts %v", from, got, want)
		}
	}
}
