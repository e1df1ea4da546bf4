package logistic

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/scikit"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

var ctx = context.Background()

// groups are n points of d columns in classes that overlap, and labels of two thirds of them, more
// of class 0 than of the others.
func groups(n, d, classes int, seed uint64) (x *mat.Dense, truth, known []int) {
	rng := rand.New(rand.NewPCG(seed, 1))
	x, truth, known = mat.NewDense(n, d, nil), make([]int, n), make([]int, n)
	for i := range n {
		truth[i] = max(0, rng.IntN(classes+2)-2)
		if known[i] = truth[i]; i%3 == 0 {
			known[i] = labels.Unknown
		}
		for j := range d {
			x.Set(i, j, 3+rng.NormFloat64())
		}
		x.Set(i, truth[i]%d, x.At(i, truth[i]%d)+1.5)
	}
	return x, truth, known
}

func fit(t *testing.T, x mat.Matrix, known []int, classes int, opt Options) *Model {
	t.Helper()
	m := must.Get(Fit(ctx, x, known, classes, opt))(t)
	return m
}

// literal is the objective of weights and scores at zero in the units of the data, term by term,
// and the largest entry of its gradient by V and b as a share of C Σ c_i.
func literal(x *mat.Dense, known []int, classes int, m *Model) (value, slope float64) {
	n, d := x.Dims()
	counts, labelled := make([]float64, classes), 0.0
	for _, k := range known {
		if k >= 0 {
			labelled++
			counts[k]++
		}
	}
	mean, sigma := spread(x, known)
	gv, gb := mat.NewDense(d, classes, nil), make([]float64, classes)
	for j := range d {
		for k := range classes {
			v := m.Weights.At(j, k) * sigma
			value += v * v / 2
			gv.Set(j, k, v)
		}
	}
	total := 0.0
	for i := range n {
		y := known[i]
		if y < 0 {
			continue
		}
		c := m.Options.C
		if m.Options.ClassWeights == Balanced {
			c *= labelled / (float64(classes) * counts[y])
		}
		total += c
		score, sum := make([]float64, classes), 0.0
		for k := range score {
			score[k] = m.Bias[k]
			for j := range d {
				score[k] += (x.At(i, j) - m.Mean[j]) * m.Weights.At(j, k)
			}
			sum += math.Exp(score[k])
		}
		value -= c * (score[y] - math.Log(sum))
		for k := range score {
			r := math.Exp(score[k]) / sum
			if k == y {
				r--
			}
			gb[k] += c * r
			for j := range d {
				gv.Set(j, k, gv.At(j, k)+c*r*(x.At(i, j)-mean[j])/sigma)
			}
		}
	}
	for k := range classes {
		slope = max(slope, math.Abs(gb[k]))
		for j := range d {
			slope = max(slope, math.Abs(gv.At(j, k)))
		}
	}
	return value, slope / total
}

// The weights are the least value of the objective as it is written down: its gradient is 0 there.
func TestOptimum(t *testing.T) {
	x, _, known := groups(90, 6, 4, 1)
	for _, opt := range []Options{{}, {C: 30}, {C: 0.01}, {ClassWeights: Equal}} {
		for _, data := range []mat.Matrix{x, csr(x)} {
			m := fit(t, data, known, 4, opt)
			value, slope := literal(x, known, 4, m)
			if slope > 2e-7 || math.Abs(value-m.Objective) > 1e-9*value || math.Abs(slope-m.Gradient) > 1e-10 {
				t.Errorf("%+v, %T: objective %v, literally %v; gradient %.2g, literally %.2g", opt, data, m.Objective, value, m.Gradient, slope)
			}
		}
	}
}

func csr(x *mat.Dense) *sparse.CSR {
	a, err := sparse.FromMatrix(x)
	if err != nil {
		panic(err)
	}
	return a
}

// Two points at ±1 have the probability that solves 2v = C·(1 − p)·2, p = 1/(1 + exp(−2v)), of V =
// (−v, v).
func TestTwoPoints(t *testing.T) {
	x := mat.NewDense(2, 1, []float64{-1, 1})
	for _, c := range []float64{0.1, 1, 50} {
		m := fit(t, x, []int{0, 1}, 2, Options{C: c})
		v, p := m.Weights.At(0, 1), m.Posterior.At(1, 1)
		if math.Abs(p-1/(1+math.Exp(-2*v))) > 1e-12 || math.Abs(v-2*c*(1-p)) > 1e-6*c || math.Abs(m.Weights.At(0, 0)+v) > 1e-6*c {
			t.Errorf("C %g: weights %v, probability %v", c, mat.Formatted(m.Weights), p)
		}
	}
}

// The probabilities do not depend on the units of the data and on where 0 is, nor on documents
// without a label; columns that no labelled document has get no weight.
func TestWhatDoesNotMatter(t *testing.T) {
	x, _, known := groups(80, 5, 3, 2)
	want := fit(t, x, known, 3, Options{}).Posterior
	moved := mat.DenseCopyOf(x)
	moved.Apply(func(_, j int, v float64) float64 { return 1e5*v - 3e4*float64(j) }, x)
	if got := fit(t, moved, known, 3, Options{}).Posterior; !mat.EqualApprox(got, want, 1e-6) {
		t.Error("probabilities depend on units or origin")
	}
	wide := mat.NewDense(81, 6, nil)
	wide.Slice(0, 80, 0, 5).(*mat.Dense).Copy(x)
	wide.Set(80, 5, 1e3)
	m := fit(t, csr(wide), append(slices.Clone(known), labels.Unknown), 3, Options{})
	if !mat.EqualApprox(m.Posterior.Slice(0, 80, 0, 3), want, 1e-6) || mat.Norm(m.Weights.Slice(5, 6, 0, 3), 2) > 0 {
		t.Error("probabilities depend on a document without a label")
	}
}

// A class of 3 labels among 80 gets its documents with balanced weights, and few of them with equal
// ones.
func TestRareClass(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	const n, rare = 1000, 100
	x, truth, known := mat.NewDense(n, 4, nil), make([]int, n), make([]int, n)
	for i := range n {
		if i < rare {
			truth[i] = 1
		}
		if known[i] = labels.Unknown; i < 3 || i >= n-77 {
			known[i] = truth[i]
		}
		for j := range 4 {
			x.Set(i, j, rng.NormFloat64())
		}
		x.Set(i, 0, x.At(i, 0)+4*float64(truth[i]))
	}
	found := func(w ClassWeights) (right int) {
		m := fit(t, x, known, 2, Options{ClassWeights: w, C: 0.1})
		for i := range rare {
			if m.Labels[i] == 1 {
				right++
			}
		}
		return right
	}
	if balanced, equal := found(Balanced), found(Equal); balanced < 80 || equal > 20 {
		t.Errorf("of %d documents of the rare class %d are found with balanced weights, %d with equal ones", rare, balanced, equal)
	}
}

// Known labels stay, whatever the probabilities are.
func TestLabelsStay(t *testing.T) {
	x, _, known := groups(90, 6, 4, 3)
	m := fit(t, x, known, 4, Options{C: 1e-3})
	differ := 0
	for i, k := range known {
		best := 0
		for c, p := range m.Posterior.RawRowView(i) {
			if p > m.Posterior.At(i, best) {
				best = c
			}
		}
		if k >= 0 && m.Labels[i] != k || k < 0 && m.Labels[i] != best {
			t.Errorf("document %d of class %d is in %d, the most probable is %d", i, k, m.Labels[i], best)
		}
		if k >= 0 && k != best {
			differ++
		}
	}
	if differ == 0 {
		t.Error("no known label differs from the most probable class: the test shows nothing")
	}
}

// A search that ends early gives what it has beside a typed error.
func TestStopsEarly(t *testing.T) {
	x, _, known := groups(90, 6, 4, 4)
	m, err := Fit(ctx, x, known, 4, Options{MaxIter: 1, C: 100})
	var stopped *NotConvergedError
	if !errors.As(err, &stopped) || m == nil || m.Posterior == nil || stopped.Steps != 1 || stopped.Gradient <= stopped.Tol {
		t.Errorf("%v: %+v", err, stopped)
	}
	for _, wrong := range []Options{{C: -1}, {ClassWeights: "some"}, {Tol: 2}} {
		if _, err := Fit(ctx, x, known, 4, wrong); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
	if _, err := Fit(ctx, nil, known, 4, Options{}); !errors.Is(err, fs.ErrInvalid) {
		t.Error(err)
	}
}

// Newton's steps end where tol says in every version; L-BFGS ends earlier before scikit-learn 1.3.
const scikitFit = `
import sys, json
import numpy as np
from sklearn.linear_model import LogisticRegression
a = json.load(sys.stdin)
x, y = np.array(a["x"]), np.array(a["y"])
out = {}
for name, weight in (("balanced", "balanced"), ("equal", None)):
    m = LogisticRegression(C=a["c"], class_weight=weight, solver="newton-cg", tol=1e-10, max_iter=1000).fit(x[y >= 0], y[y >= 0])
    out[name] = m.predict_proba(x).tolist()
json.dump(out, sys.stdout)
`

// scikit-learn has the same probabilities for rows of mean squared distance 1 from their mean.
func TestAgainstScikit(t *testing.T) {
	x, _, known := groups(120, 7, 3, 6)
	_, sigma := spread(x, known)
	x.Scale(1/sigma, x)
	rows := make([][]float64, 120)
	for i := range rows {
		rows[i] = x.RawRowView(i)
	}
	const c = 5
	var answer map[string][][]float64
	scikit.Ask(t, scikitFit, map[string]any{"x": rows, "y": known, "c": c}, &answer)
	for name, want := range answer {
		m := fit(t, x, known, 3, Options{C: c, ClassWeights: ClassWeights(name), Tol: 1e-9})
		for i, row := range want {
			for k, p := range row {
				if math.Abs(p-m.Posterior.At(i, k)) > 1e-5 {
					t.Fatalf("%s: document %d has probability %v of class %d, scikit-learn's is %v", name, i, m.Posterior.At(i, k), k, p)
				}
			}
		}
	}
}

// spread is the mean of the labelled rows, and the root of their mean squared distance from
// it.
func spread(x *mat.Dense, known []int) (mean []float64, sigma float64) {
	_, d := x.Dims()
	mean = make([]float64, d)
	n := 0.0
	for i, k := range known {
		if k >= 0 {
			n++
			for j := range d {
				mean[j] += x.At(i, j)
			}
		}
	}
	for j := range mean {
		mean[j] /= n
	}
	for i, k := range known {
		if k >= 0 {
			for j := range d {
				sigma += (x.At(i, j) - mean[j]) * (x.At(i, j) - mean[j]) / n
			}
		}
	}
	return mean, math.Sqrt(sigma)
}
