package lapgmm

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel/paralleltest"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/methods/gmm"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var ctx = context.Background()

// moons are two half circles of n points each, interleaved, with normal noise.
func moons(n int, noise float64, seed uint64) (*mat.Dense, []int) {
	rng := rand.New(rand.NewPCG(seed, 4))
	x, truth := mat.NewDense(2*n, 2, nil), make([]int, 2*n)
	for i := range 2 * n {
		at := math.Pi * rng.Float64()
		u, v := math.Cos(at), math.Sin(at)
		if truth[i] = i / n; truth[i] == 1 {
			u, v = 1-u, 0.5-v
		}
		x.SetRow(i, []float64{u + noise*rng.NormFloat64(), v + noise*rng.NormFloat64()})
	}
	return x, truth
}

// blobs draws n rows of unit noise around k centres.
func blobs(n, d, k int, spread float64, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 5))
	centres := mat.NewDense(k, d, nil)
	centres.Apply(func(_, _ int, _ float64) float64 { return spread * rng.NormFloat64() }, centres)
	x := mat.NewDense(n, d, nil)
	x.Apply(func(i, j int, _ float64) float64 { return centres.At(i%k, j) + rng.NormFloat64() }, x)
	return x
}

func fit(t interface{ Fatal(...any) }, x mat.Matrix, opt Options) *Model {
	m := must.Get(Fit(ctx, x, opt))(t)
	return m
}

// The mixture alone mixes the moons; the graph separates them. In two columns λ is smaller, and on
// curves 200 points long walks are longer, than in the paper's tables. The starts are the paper's:
// from others the fit reaches larger values of the criterion with clusters that are nearer to
// Gaussians and cut the moons.
func TestTwoMoons(t *testing.T) {
	for seed := range uint64(4) {
		x, truth := moons(200, 0.05, seed)
		m := fit(t, x, Options{K: 2, Lambda: 100, MaxGamma: 0.999, Seed: seed, StartFrom: StartKMeans})
		g := must.Get(gmm.Fit(ctx, x, gmm.Options{K: 2, Seed: seed}))(t)
		ours := must.Get(metrics.Score(truth, m.Labels))(t)
		theirs := must.Get(metrics.Score(truth, g.Labels))(t)
		if ours.Accuracy < 0.99 || theirs.Accuracy > 0.95 {
			t.Errorf("seed %d: accuracy %.4f, of the mixture alone %.4f", seed, ours.Accuracy, theirs.Accuracy)
		}
	}
}

// Without smoothing, and with a penalty that does not count, the steps equal EM's from the same
// means.
func TestUnsmoothedIsEM(t *testing.T) {
	for _, kind := range []gmm.Covariance{gmm.Full, gmm.Tied, gmm.Diagonal, gmm.Spherical} {
		x := blobs(200, 4, 3, 2, 7)
		start := mat.DenseCopyOf(x.Slice(0, 3, 0, 4))
		m := fit(t, x, Options{K: 3, Covariance: kind, Start: start, Schedule: Unsmoothed, Lambda: 1e-300, MaxIter: 12, Tol: 1e-12})
		g := must.Get(gmm.Fit(ctx, x, gmm.Options{K: 3, Covariance: kind, Start: start, MaxIter: 12, Tol: 1e-300}))(t)
		if len(m.Steps) != 12 {
			t.Fatalf("%s: %d steps", kind, len(m.Steps))
		}
		for i, s := range m.Steps {
			if b := g.History[i+1]; s.LogLikelihood != b.LogLikelihood || s.Objective != b.Objective || s.Penalty > 1e-299 {
				t.Errorf("%s, step %d: %+v, EM has %+v", kind, i, s, b)
			}
		}
		if !mat.Equal(m.MixturePosterior, g.Posterior) || m.LogLikelihood != g.LogLikelihood || m.BIC != g.BIC {
			t.Errorf("%s: another mixture", kind)
		}
	}
}

// The fields of a model agree: rows of F sum to one, Θ is the M-step on F, the values follow eq.
// (6), labels and sizes belong to F, the new-point posterior is the mixture's, and the steps rise.
func TestModelHoldsTogether(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 4).Draw(t, "k")
		n := rapid.IntRange(max(k, 3), 70).Draw(t, "n")
		d := rapid.IntRange(1, 6).Draw(t, "d")
		x := blobs(n, d, rapid.IntRange(1, 4).Draw(t, "clusters"), rapid.Float64Range(0, 6).Draw(t, "spread"), rapid.Uint64().Draw(t, "seed"))
		opt := Options{
			K: k, Lambda: rapid.SampledFrom([]float64{0.1, 10, 1000}).Draw(t, "lambda"), Tol: 1e-12, MaxIter: 15, Starts: 2, StartIter: 3,
			Schedule:   rapid.SampledFrom([]Schedule{Restart, Literal, Unsmoothed}).Draw(t, "schedule"),
			Covariance: rapid.SampledFrom([]gmm.Covariance{gmm.Full, gmm.Tied, gmm.Diagonal, gmm.Spherical}).Draw(t, "covariance"),
			RidgeKind:  rapid.SampledFrom([]gmm.RidgeKind{gmm.RidgePrior, gmm.RidgeAbsolute}).Draw(t, "ridge kind"),
			Ridge:      rapid.SampledFrom([]*float64{nil, number(0)}).Draw(t, "ridge"),
			Graph:      graph.Options{Neighbors: rapid.IntRange(1, min(8, n-1)).Draw(t, "p")},
		}
		if rapid.Bool().Draw(t, "duplicates") {
			for i := range n / 2 {
				x.SetRow(i, x.RawRowView(0))
			}
		}
		if rapid.Bool().Draw(t, "constant column") {
			for i := range n {
				x.Set(i, 0, 3)
			}
		}
		m := fit(t, x, opt)
		check(t, m, x, opt)
	})
}

func check(t interface {
	Fatal(...any)
	Errorf(string, ...any)
}, m *Model, x *mat.Dense, opt Options) {
	n, _ := x.Dims()
	g := must.Get(graph.Build(ctx, x, opt.graphOptions(n)))(t)
	sizes := make([]int, opt.K)
	for i := range n {
		sum := 0.0
		for _, v := range m.Posterior.RawRowView(i) {
			sum += v
			if !(v >= 0) {
				t.Errorf("row %d holds %v", i, v)
			}
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("row %d sums to %v", i, sum)
		}
		sizes[m.Labels[i]]++
		if m.Posterior.At(i, m.Labels[i]) != slices.Max(m.Posterior.RawRowView(i)) {
			t.Errorf("label of row %d is not its greatest component", i)
		}
	}
	if !slices.Equal(sizes, m.Sizes) || !slices.IsSortedFunc(m.Sizes, func(a, b int) int { return b - a }) {
		t.Errorf("sizes %v, labels give %v", m.Sizes, sizes)
	}
	evaluated, _, err := m.Evaluate(ctx, x)
	if err != nil {
		t.Fatal(err)
	}
	if !mat.EqualApprox(evaluated, m.MixturePosterior, 1e-6) {
		t.Errorf("the mixture's posterior is another one")
	}
	want := opt.withDefaults().Lambda * literalPenalty(g, m.Posterior)
	if math.Abs(want-m.Penalty) > 1e-9*(1+want) || math.Abs(m.Objective-m.Penalty-m.Regularized) > 1e-9*(1+math.Abs(m.Objective)+want) {
		t.Errorf("penalty %v, literally %v; %v − %v is not %v", m.Penalty, want, m.Objective, m.Penalty, m.Regularized)
	}
	for i, s := range m.Steps {
		if i > 0 && !s.Raised && s.Objective < m.Steps[i-1].Objective {
			t.Errorf("step %d: %v after %v", i, s.Objective, m.Steps[i-1].Objective)
		}
		if s.Refits < 1 || s.Gamma < 0 || s.Gamma > 0.99 {
			t.Errorf("step %d: %+v", i, s)
		}
	}
	if last := m.Steps[len(m.Steps)-1]; last.Objective*float64(n) != m.Regularized && math.Abs(last.Objective*float64(n)-m.Regularized) > 1e-12*math.Abs(m.Regularized) {
		t.Errorf("the last step has %v, the model %v", last.Objective*float64(n), m.Regularized)
	}
}

// The best start goes on: more starts never end lower after as many iterations of each.
func TestMoreStartsAreNotWorse(t *testing.T) {
	x := blobs(150, 3, 6, 2, 3)
	last := math.Inf(-1)
	for _, starts := range []int{1, 2, 4, 8} {
		m := fit(t, x, Options{K: 6, Lambda: 1, Starts: starts, StartIter: 5, MaxIter: 5, Tol: 1e-12})
		if m.Regularized < last {
			t.Errorf("%d starts reach %v, fewer %v", starts, m.Regularized, last)
		}
		last = m.Regularized
	}
}

func TestSameBitsAtAnyThreads(t *testing.T) {
	for _, schedule := range []Schedule{Restart, Literal} {
		x := blobs(3000, 5, 4, 2, 9)
		paralleltest.Same(t, schedule, []int{1, 2, 3}, func() *Model {
			return fit(t, x, Options{K: 4, Seed: 3, Starts: 2, StartIter: 2, MaxIter: 4, Schedule: schedule})
		})
	}
}

func number(x float64) *float64 { return &x }

// With hardly any penalty every smoothing lowers the log-likelihood: the first search begins next
// to firstGamma and goes down the grid to 0.
func TestSearchGoesDown(t *testing.T) {
	m := fit(t, blobs(120, 3, 3, 6, 1), Options{K: 3, Lambda: 1e-9, Starts: 1})
	down := 0
	for i, s := range m.Steps {
		if i == 0 && s.Gamma >= firstGamma/2 {
			t.Errorf("the first step keeps γ = %v", s.Gamma)
		}
		if s.Gamma < firstGamma/2 {
			down++
		}
	}
	if down == 0 {
		t.Errorf("γ never falls: %+v", m.Steps)
	}
}

// The literal schedule tries the last γ first, and makes it smaller by a tenth after each trial
// that fails; below literalLeast it is 0.
func TestLiteralDecay(t *testing.T) {
	fell := false
	for seed := range uint64(3) {
		m := fit(t, blobs(120, 3, 3, 2, seed), Options{K: 3, Lambda: 1, Schedule: Literal, Seed: seed, Starts: 1})
		gamma := firstGamma
		for i, s := range m.Steps {
			if s.Raised {
				break
			}
			for range s.Refits - 1 {
				gamma *= 0.9
				fell = true
			}
			if gamma < 0.05 {
				gamma = 0
			}
			if math.Abs(s.Gamma-gamma) > 1e-12 {
				t.Fatalf("seed %d, step %d: γ = %v after %d trials, want %v", seed, i, s.Gamma, s.Refits, gamma)
			}
		}
	}
	if !fell {
		t.Error("no trial ever failed")
	}
}
