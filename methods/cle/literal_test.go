package cle

import (
	"context"
	"errors"
	"flag"
	"io/fs"
	"math"
	"os"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// literal is map k by the paper's formulas in dense LAPACK: W_k, D_k, L_k, P_k with its entries 0
// and ±1, and the eigenpairs of P_kᵀL_kP_k z = λ P_kᵀD_kP_k z. Unlabelled points without neighbours
// are left out, since P_kᵀD_kP_k is singular with them.
type literal struct {
	kept   []int
	values []float64
	y      *mat.Dense // kept×(number of values), P_k z
	degree []float64
	l      *mat.Dense
}

func newLiteral(t require, g *graph.Graph, known []int, k int) *literal {
	lit := &literal{}
	for i, d := range g.Degrees {
		if d > 0 || known[i] != labels.Unknown {
			lit.kept = append(lit.kept, i)
		}
	}
	n := len(lit.kept)
	w := mat.NewDense(n, n, nil)
	for a, i := range lit.kept {
		for b, j := range lit.kept {
			switch {
			case known[i] == labels.Unknown || known[j] == labels.Unknown:
				w.Set(a, b, g.W.At(i, j))
			case (known[i] == k) == (known[j] == k):
				w.Set(a, b, 1)
			}
		}
	}
	lit.degree, lit.l = make([]float64, n), mat.NewDense(n, n, nil)
	for a := range n {
		for b := range n {
			lit.degree[a] += w.At(a, b)
			lit.l.Set(a, b, -w.At(a, b))
		}
	}
	free := 0
	for a, i := range lit.kept {
		lit.l.Set(a, a, lit.l.At(a, a)+lit.degree[a])
		if known[i] == labels.Unknown {
			free++
		}
	}
	p := mat.NewDense(n, 2+free, nil)
	next := 2
	for a, i := range lit.kept {
		p.Set(a, 0, 1)
		switch known[i] {
		case labels.Unknown:
			p.Set(a, next, 1)
			next++
		case k:
			p.Set(a, 1, 1)
		default:
			p.Set(a, 1, -1)
		}
	}
	var lp, a, dp, b mat.Dense
	lp.Mul(lit.l, p)
	a.Mul(p.T(), &lp)
	dp.Apply(func(i, _ int, v float64) float64 { return lit.degree[i] * v }, p)
	b.Mul(p.T(), &dp)
	values, z, err := native.Default().SymDefEig(symmetric(&a), symmetric(&b), native.EigRange{}, true)
	if err != nil {
		t.Fatalf("the literal pencil: %v", err)
	}
	lit.values, lit.y = values, new(mat.Dense)
	lit.y.Mul(p, mat.NewDense(z.Rows, z.Cols, z.Data))
	return lit
}

type require interface {
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

func symmetric(a *mat.Dense) blas64.Symmetric {
	n, _ := a.Dims()
	s := blas64.Symmetric{N: n, Stride: n, Uplo: blas.Upper, Data: make([]float64, n*n)}
	for i := range n {
		for j := range n {
			s.Data[i*n+j] = (a.At(i, j) + a.At(j, i)) / 2
		}
	}
	return s
}

// eigenvector tests L_k y = λ D_k y in the subspace of P_k: the residual's sum over each merged
// point vanishes. It returns the largest entry.
func (lit *literal) residual(y []float64, value float64, known []int, k int) float64 {
	var merged [2]float64
	worst := 0.0
	for a, i := range lit.kept {
		r := -value * lit.degree[a] * y[a]
		for b := range lit.kept {
			r += lit.l.At(a, b) * y[b]
		}
		switch known[i] {
		case labels.Unknown:
			worst = max(worst, math.Abs(r))
		case k:
			merged[0] += r
		default:
			merged[1] += r
		}
	}
	return max(worst, math.Abs(merged[0]), math.Abs(merged[1]))
}

func randomGraph(t *rapid.T) (*graph.Graph, []int, int) {
	n := rapid.SampledFrom([]int{4, 5, 7, 10, 20, 40, 100}).Draw(t, "n")
	n += rapid.IntRange(0, 3).Draw(t, "more")
	classes := rapid.IntRange(2, min(5, n/2)).Draw(t, "classes")
	density := rapid.SampledFrom([]float64{0.03, 0.1, 0.3, 0.8}).Draw(t, "density")
	share := rapid.SampledFrom([]float64{0, 0.2, 0.6, 1}).Draw(t, "share")
	blocks := rapid.IntRange(1, 3).Draw(t, "blocks") // no edges between points that differ in this
	uniform := func(name string) float64 { return float64(rapid.IntRange(0, 1<<20).Draw(t, name)) / (1 << 20) }
	b := sparse.NewBuilder(n, n)
	for i := range n {
		for j := range i {
			if i%blocks == j%blocks && uniform("edge") < density {
				v := 0.05 + 0.95*uniform("weight")
				b.Add(i, j, v)
				b.Add(j, i, v)
			}
		}
	}
	w := must.Get(b.Build())(t)
	g := must.Get(graph.FromAffinity(w))(t)
	known := make([]int, n)
	for i := range known {
		known[i] = labels.Unknown
		if i < classes { // at least one label of each class
			known[i] = i
		} else if uniform("label") < share {
			known[i] = rapid.IntRange(0, classes-1).Draw(t, "class")
		}
	}
	return g, known, classes
}

// The maps equal the solutions of the paper's own matrices: eigenvalues to 1e-10, coordinates up to
// sign to 1e-8 if the eigenvalue differs from the next. One label per class, all labelled,
// disconnected graphs and isolated points occur. rapid draws at least 200 graphs.
func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue {
		f.Value.Set("250") // graphs
	}
	os.Exit(m.Run())
}

func TestContractionIsTheLiteralFormula(t *testing.T) {
	checked, maps, disconnected, all := 0, 0, 0, 0
	property.Check(t, func(t *rapid.T) {
		g, known, classes := randomGraph(t)
		solver := rapid.SampledFrom([]eigen.Solver{eigen.Auto, eigen.Lanczos}).Draw(t, "solver")
		exact := must.Get(FitGraph(context.Background(), g, known, classes, Options{Literal: true, Problem: nystrom.Problem{Eigen: eigen.Options{Solver: solver, Tol: 1e-11}}}))(t)
		maps++
		if len(exact.Apart) == len(known) {
			all++
		}
		for k := range classes {
			lit := newLiteral(t, g, known, k)
			if math.Abs(exact.Values[k]-lit.values[1]) > 1e-10 {
				t.Errorf("map %d: λ = %v, the literal formula gives %v", k, exact.Values[k], lit.values[1])
			}
			y := make([]float64, len(lit.kept))
			for a, i := range lit.kept {
				y[a] = exact.Coordinates.At(i, k)
			}
			if r := lit.residual(y, exact.Values[k], known, k); r > 1e-9 {
				t.Errorf("map %d: ‖Pᵀ(L − λD)y‖ = %g", k, r)
			}
			if lit.values[1] < 1e-12 {
				disconnected++
			}
			if lit.values[1]-lit.values[0] > 1e-3 && (len(lit.values) == 2 || lit.values[2]-lit.values[1] > 1e-3) ||
				lit.values[1] < 1e-12 && (len(lit.values) == 2 || lit.values[2] > 1e-3) {
				// If λ = 0 twice, LAPACK returns any basis: compare the part orthogonal to the constant.
				want := withoutConstant(lit, 1)
				if lit.values[1] < 1e-12 && norm(lit, want) < 0.5 {
					want = withoutConstant(lit, 0)
				}
				if gap := apart(lit, y, want); gap > 1e-8 {
					t.Errorf("map %d: coordinates differ by %g", k, gap)
				}
				checked++
			}
		}
	})
	t.Logf("%d graphs, %d maps compared vector by vector, %d with a second zero", maps, checked, disconnected)
	if !testing.Short() && (maps < 200 || checked < 200 || disconnected < 10) {
		t.Errorf("too few cases: %d graphs, %d vectors, %d disconnected", maps, checked, disconnected)
	}
}

func norm(lit *literal, y []float64) float64 {
	s := 0.0
	for a, v := range y {
		s += lit.degree[a] * v * v
	}
	return math.Sqrt(s)
}

// withoutConstant is literal vector j less its constant part.
func withoutConstant(lit *literal, j int) []float64 {
	y := make([]float64, len(lit.kept))
	along, volume := 0.0, 0.0
	for a := range y {
		y[a] = lit.y.At(a, j)
		along, volume = along+lit.degree[a]*y[a], volume+lit.degree[a]
	}
	for a := range y {
		y[a] -= along / volume
	}
	return y
}

// apart is the largest difference of an entry between y and want, the latter scaled to y's norm, up
// to sign.
func apart(lit *literal, y, want []float64) float64 {
	s, plus, minus := norm(lit, y)/norm(lit, want), 0.0, 0.0
	for a := range y {
		plus, minus = max(plus, math.Abs(y[a]-s*want[a])), max(minus, math.Abs(y[a]+s*want[a]))
	}
	return min(plus, minus)
}

// By default a map is the second smallest of the exact eigenvectors of the literal pencil that are
// 0 on parts without a label.
func TestMapsLeaveUnlabelledPartsOut(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		g, known, classes := randomGraph(t)
		solver := rapid.SampledFrom([]eigen.Solver{eigen.Auto, eigen.Lanczos}).Draw(t, "solver")
		m := must.Get(FitGraph(context.Background(), g, known, classes, Options{Problem: nystrom.Problem{Eigen: eigen.Options{Solver: solver, Tol: 1e-11}}}))(t)
		// On the part of the graph that has labels the literal maps and the default ones agree.
		inside := make([]bool, len(known))
		for i := range inside {
			inside[i] = true
		}
		for _, i := range m.Apart {
			inside[i] = false
			for k := range classes {
				if m.Coordinates.At(i, k) != 0 {
					t.Errorf("point %d is apart from all labels and has coordinate %v", i, m.Coordinates.At(i, k))
				}
			}
		}
		w := g.W.Filter(func(i, j int, _ float64) bool { return inside[i] && inside[j] })
		part := must.Get(graph.FromAffinity(w))(t)
		for k := range classes {
			lit := newLiteral(t, part, known, k)
			if math.Abs(m.Values[k]-lit.values[1]) > 1e-10 {
				t.Errorf("map %d: λ = %v, the literal formula gives %v on the labelled components", k, m.Values[k], lit.values[1])
			}
			y := make([]float64, len(lit.kept))
			for a, i := range lit.kept {
				y[a] = m.Coordinates.At(i, k)
			}
			if r := lit.residual(y, m.Values[k], known, k); r > 1e-9 {
				t.Errorf("map %d: ‖Pᵀ(L − λD)y‖ = %g", k, r)
			}
			if d := math.Abs(norm(lit, y) - 1); d > 1e-9 {
				t.Errorf("map %d: yᵀDy differs from 1 by %g", k, d)
			}
			checkOnePoint(t, m.Coordinates, known, k)
		}
	})
}

// checkOnePoint wants the labelled documents of a class to be one point in map k, exactly, and the
// others to be another, which is not above it.
func checkOnePoint(t require, y *mat.Dense, known []int, k int) {
	of, others := math.NaN(), math.NaN()
	for i, c := range known {
		switch {
		case c == labels.Unknown:
		case c == k && math.IsNaN(of):
			of = y.At(i, k)
		case c != k && math.IsNaN(others):
			others = y.At(i, k)
		case c == k && y.At(i, k) != of, c != k && y.At(i, k) != others:
			t.Errorf("map %d: labelled point %d of class %d is at %v, not at %v or %v", k, i, c, y.At(i, k), of, others)
		}
	}
	if of < others {
		t.Errorf("map %d: its class is at %v, below the others' %v", k, of, others)
	}
}

func TestRefuses(t *testing.T) {
	w, _ := sparse.NewCSR(4, 4, []int{0, 1, 2, 3, 4}, []int32{1, 0, 3, 2}, []float64{1, 1, 1, 1})
	g := must.Get(graph.FromAffinity(w))(t)
	for name, c := range map[string]struct {
		known   []int
		classes int
	}{
		"a class without a label": {[]int{0, -1, 1, -1}, 3},
		"one class":               {[]int{0, -1, 0, -1}, 1},
		"too few labels":          {[]int{0, 1}, 2},
		"a label beyond":          {[]int{0, 1, 7, -1}, 2},
	} {
		if _, err := FitGraph(context.Background(), g, c.known, c.classes, Options{}); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: error %v, want one that is the request's fault", name, err)
		}
	}
	if _, err := FitGraph(context.Background(), g, []int{0, -1, 1, -1}, 2, Options{Problem: nystrom.Problem{Eigen: eigen.Options{Tol: 2}}}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a tolerance of 2: error %v", err)
	}
}
