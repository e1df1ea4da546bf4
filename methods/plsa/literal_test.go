package plsa

import (
	"context"
	"math"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var ctx = context.Background()

// literal is EM as the equations say it, on dense counts, from the start that labels of all classes
// give. It returns what Fit does after exactly so many M-steps.
type literal struct {
	x        *mat.Dense
	n, p, k  int
	labels   []int
	s        float64 // pseudo-counts of a term in a cluster
	pi       []float64
	theta, q [][]float64 // K×p; n×K
	history  []float64
}

func matrix(r, c int) [][]float64 {
	m := make([][]float64, r)
	for i := range m {
		m[i] = make([]float64, c)
	}
	return m
}

func newLiteral(x *mat.Dense, k int, labels []int, smoothing float64) *literal {
	n, p := x.Dims()
	entries := 0.0
	for i := range n {
		for j := range p {
			if x.At(i, j) > 0 {
				entries++
			}
		}
	}
	l := &literal{x: x, n: n, p: p, k: k, labels: labels, s: smoothing * mat.Sum(x) / entries, pi: make([]float64, k), theta: matrix(k, p), q: matrix(n, k)}
	for c := range k {
		l.pi[c] = 1 / float64(k)
		seeds, words := 0.0, 0.0
		for i, y := range labels {
			length := mat.Sum(x.Slice(i, i+1, 0, p))
			if y != c || length == 0 {
				continue
			}
			seeds++
			words += length
			for j := range p {
				l.theta[c][j] += x.At(i, j) / length
			}
		}
		for j := range p {
			if seeds > 0 {
				l.theta[c][j] *= words / seeds
			}
			l.theta[c][j] += l.s
		}
		normalize(l.theta[c])
	}
	return l
}

func (l *literal) prior() float64 {
	sum := 0.0
	for _, row := range l.theta {
		for _, v := range row {
			sum += l.s * math.Log(v)
		}
	}
	return sum
}

func (l *literal) clustering(iterations int) {
	for it := 0; ; it++ {
		objective := l.prior()
		for i := range l.n {
			for c := range l.k {
				l.q[i][c] = l.pi[c]
				for j := range l.p {
					l.q[i][c] *= math.Pow(l.theta[c][j], l.x.At(i, j))
				}
			}
			if y := l.labels[i]; y >= 0 {
				objective += math.Log(l.q[i][y])
				clear(l.q[i])
				l.q[i][y] = 1
				continue
			}
			sum := 0.0
			for _, v := range l.q[i] {
				sum += v
			}
			objective += math.Log(sum)
			normalize(l.q[i])
		}
		l.history = append(l.history, objective)
		if it == iterations {
			return
		}
		for c := range l.k {
			l.pi[c] = 0
			for i := range l.n {
				l.pi[c] += l.q[i][c] / float64(l.n)
			}
			for j := range l.p {
				l.theta[c][j] = l.s
				for i := range l.n {
					l.theta[c][j] += l.q[i][c] * l.x.At(i, j)
				}
			}
			normalize(l.theta[c])
		}
	}
}

// aspect stores every responsibility P(z|d,w).
func (l *literal) aspect(iterations int) {
	for i := range l.n {
		for c := range l.k {
			l.q[i][c] = 1 / float64(l.k)
		}
		if y := l.labels[i]; y >= 0 {
			clear(l.q[i])
			l.q[i][y] = 1
		}
	}
	for it := 0; ; it++ {
		resp := make([][][]float64, l.n)
		objective := l.prior()
		for i := range l.n {
			resp[i] = matrix(l.p, l.k)
			for j := range l.p {
				sum := 0.0
				for c := range l.k {
					resp[i][j][c] = l.q[i][c] * l.theta[c][j]
					sum += resp[i][j][c]
				}
				objective += l.x.At(i, j) * math.Log(sum)
				normalize(resp[i][j])
			}
		}
		l.history = append(l.history, objective)
		if it == iterations {
			return
		}
		clear(l.pi)
		for c := range l.k {
			for j := range l.p {
				l.theta[c][j] = l.s
				for i := range l.n {
					l.theta[c][j] += l.x.At(i, j) * resp[i][j][c]
				}
			}
			normalize(l.theta[c])
		}
		for i := range l.n {
			length := mat.Sum(l.x.Slice(i, i+1, 0, l.p))
			for c := range l.k {
				if l.labels[i] < 0 && length > 0 {
					l.q[i][c] = 0
					for j := range l.p {
						l.q[i][c] += l.x.At(i, j) * resp[i][j][c] / length
					}
				}
				l.pi[c] += length * l.q[i][c]
			}
		}
		normalize(l.pi)
	}
}

// drawCounts draws small counts, integers or not, with empty documents and terms that no document
// uses.
func drawCounts(t *rapid.T, rows, cols int) *mat.Dense {
	unit := rapid.SampledFrom([]float64{1, 0.37, 1e-3}).Draw(t, "unit")
	x := mat.NewDense(rows, cols, nil)
	for i := range rows {
		for j := range cols {
			x.Set(i, j, unit*float64(max(0, rapid.IntRange(-4, 5).Draw(t, "count"))))
		}
	}
	return x
}

// drawLabels gives each class one label at least.
func drawLabels(t *rapid.T, n, k int) []int {
	y := make([]int, n)
	for i := range y {
		y[i] = rapid.IntRange(-k, k-1).Draw(t, "label")
		if i < k {
			y[i] = i
		}
	}
	return y
}

func near(a, b, tol float64) bool { return math.Abs(a-b) <= tol*math.Max(1, math.Abs(a)) }

func TestAgainstLiteral(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 5).Draw(t, "k")
		x := drawCounts(t, rapid.IntRange(k+1, 9).Draw(t, "n"), rapid.IntRange(1, 7).Draw(t, "p"))
		if mat.Sum(x) == 0 {
			x.Set(0, 0, 1)
		}
		labels := drawLabels(t, x.RawMatrix().Rows, k)
		smoothing := rapid.SampledFrom([]float64{0.01, 0.1, 2}).Draw(t, "smoothing")
		kind := rapid.SampledFrom([]Kind{Clustering, Aspect}).Draw(t, "kind")
		m := must.Get(Fit(ctx, x, Options{K: k, Kind: kind, Labels: labels, Smoothing: smoothing, MaxIter: 6, Tol: 1e-13}))(t)
		l := newLiteral(x, k, labels, smoothing)
		if kind == Aspect {
			l.aspect(m.Iterations)
			for i := range l.n { // a document without words says nothing: it gets the weights
				if mat.Sum(x.Slice(i, i+1, 0, l.p)) == 0 && labels[i] < 0 {
					copy(l.q[i], l.pi)
				}
			}
		} else {
			l.clustering(m.Iterations)
		}
		for i, v := range l.history {
			if !near(v, m.History[i], 1e-11) {
				t.Fatalf("%s: objective %d is %v, literally %v", kind, i, m.History[i], v)
			}
		}
		for c := range k {
			if !near(m.Weights[c], l.pi[c], 1e-10) {
				t.Fatalf("%s: weights %v, literally %v", kind, m.Weights, l.pi)
			}
			for j := range l.p {
				if !near(m.Terms.At(c, j), l.theta[c][j], 1e-10) {
					t.Fatalf("%s: P(w%d|z%d) = %v, literally %v", kind, j, c, m.Terms.At(c, j), l.theta[c][j])
				}
			}
			for i := range l.n {
				if !near(m.Posterior.At(i, c), l.q[i][c], 1e-10) {
					t.Fatalf("%s: P(z%d|d%d) = %v, literally %v", kind, c, i, m.Posterior.At(i, c), l.q[i][c])
				}
			}
		}
	})
}

// Whatever the data, labels and kind: the objective never falls, distributions are distributions,
// and clamped rows are exact.
func TestInvariants(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 6).Draw(t, "k")
		n := rapid.IntRange(k, 14).Draw(t, "n")
		x := drawCounts(t, n, rapid.IntRange(1, 10).Draw(t, "p"))
		opt := Options{K: k, Kind: rapid.SampledFrom([]Kind{Clustering, Aspect}).Draw(t, "kind"),
			Smoothing: rapid.SampledFrom([]float64{1e-12, 1e-3, 0.1, 1, 1e6}).Draw(t, "smoothing"), Restarts: 2, MaxIter: 40, Tol: 1e-9,
			Seed: rapid.Uint64().Draw(t, "seed")}
		if rapid.Bool().Draw(t, "labelled") {
			opt.Labels = make([]int, n)
			for i := range opt.Labels {
				opt.Labels[i] = rapid.IntRange(-3, k-1).Draw(t, "label")
			}
		}
		m := must.Get(Fit(ctx, x, opt))(t)
		checkModel(t, m, x, opt)
	})
}

type failer interface {
	Helper()
	Fatalf(string, ...any)
}

func checkModel(t failer, m *Model, x mat.Matrix, opt Options) {
	t.Helper()
	words := 1.0
	if a, ok := x.(*sparse.CSR); ok {
		words += floats.Sum(a.Val)
	} else {
		words += mat.Sum(x)
	}
	for i := 1; i < len(m.History); i++ {
		if m.History[i] < m.History[i-1]-1e-14*(words+math.Abs(m.History[i-1])) {
			t.Fatalf("the objective falls from %v to %v at M-step %d", m.History[i-1], m.History[i], i)
		}
	}
	if len(m.History) != m.Iterations+1 || len(m.LogLikelihoods) != len(m.History) {
		t.Fatalf("%d objectives and %d likelihoods of %d iterations", len(m.History), len(m.LogLikelihoods), m.Iterations)
	}
	distribution := func(what string, at int, v []float64, positive bool) {
		for _, x := range v {
			if !(x >= 0) || positive && x == 0 {
				t.Fatalf("%s %d: %v", what, at, v)
			}
		}
		if sum := floats.SumCompensated(v); math.Abs(sum-1) > 1e-12 {
			t.Fatalf("%s %d sums to %v", what, at, sum)
		}
	}
	distribution("weights", 0, m.Weights, false)
	for c := range opt.K {
		distribution("terms", c, m.Terms.RawRowView(c), true)
	}
	for i, label := range m.Labels {
		row := m.Posterior.RawRowView(i)
		distribution("posterior", i, row, false)
		if label != largest(row) {
			t.Fatalf("document %d has label %d by the posterior %v", i, label, row)
		}
		if opt.Labels != nil && opt.Labels[i] >= 0 && (label != opt.Labels[i] || row[label] != 1) {
			t.Fatalf("document %d of class %d has the posterior %v", i, opt.Labels[i], row)
		}
	}
}
