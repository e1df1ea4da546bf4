package svm

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel/paralleltest"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var ctx = context.Background()

// sample draws n rows of d columns with zeros, copies, rows without entries, and targets that
// depend on the first column.
func sample(n, d int, seed uint64) (*mat.Dense, []float64) {
	rng := rand.New(rand.NewPCG(seed, 7))
	x, y := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		for j := range d {
			if rng.IntN(2) == 0 {
				x.Set(i, j, rng.NormFloat64())
			}
		}
		switch rng.IntN(12) {
		case 0:
			x.SetRow(i, make([]float64, d))
		case 1:
			x.SetRow(i, x.RawRowView(rng.IntN(i+1)))
		}
		y[i] = 1
		if x.At(i, 0)+0.5*rng.NormFloat64() < 0 {
			y[i] = -1
		}
	}
	return x, y
}

func csr(x mat.Matrix) *sparse.CSR {
	s, err := sparse.FromMatrix(x)
	if err != nil {
		panic(err)
	}
	return s
}

// value is the kernel by its formula.
func value(x, z mat.Vector, opt Options) float64 {
	switch opt.Kernel {
	case Gaussian:
		var diff mat.VecDense
		diff.SubVec(x, z)
		return math.Exp(-mat.Dot(&diff, &diff) / opt.Sigma)
	case Polynomial:
		return math.Pow(opt.Gamma*mat.Dot(x, z)+opt.Offset, float64(opt.Degree))
	}
	return mat.Dot(x, z)
}

// literal checks a model against the problem as it is printed: the box, Σβ = 0, values, both
// objectives, and that every row keeps its condition to tol.
func literal(t interface{ Fatalf(string, ...any) }, x *mat.Dense, y, cost []float64, m *Model, tol float64) {
	n, _ := x.Dims()
	opt := m.Options
	extra := 0.0
	if opt.Bias == Feature {
		extra = opt.BiasScale * opt.BiasScale
	}
	primal, dual, sum, total := 0.0, 0.0, 0.0, 0.0
	for i := range n {
		own, f := 0.0, 0.0
		for j, b := range m.Beta {
			if b != 0 {
				f += b * value(x.RowView(i), x.RowView(j), opt)
				own += b * (value(x.RowView(i), x.RowView(j), opt) + extra)
			}
		}
		f += m.Bias
		size := 1 + math.Abs(f)
		if math.Abs(f-m.Values[i]) > 1e-9*size {
			t.Fatalf("f(%d) = %v, by the formula %v", i, m.Values[i], f)
		}
		b := m.Beta[i]
		primal += b * own / 2
		dual += y[i]*b - b*own/2
		sum += b
		total += cost[i]
		slack := max(0, 1-y[i]*f)
		upper := cost[i]
		g := f - y[i]
		if opt.Loss == SquaredHinge {
			primal += cost[i] * slack * slack
			if cost[i] > 0 {
				upper = math.Inf(1)
				dual -= b * b / (4 * cost[i])
				g += b / (2 * cost[i])
			}
		} else {
			primal += cost[i] * slack
		}
		a := b * y[i]
		if a < 0 || a > upper {
			t.Fatalf("α(%d) = %v leaves [0, %v]", i, a, upper)
		}
		if g *= y[i]; a < upper && g < -tol || a > 0 && g > tol {
			t.Fatalf("row %d with α = %v of %v has the gradient %v", i, a, upper, g)
		}
	}
	if opt.Bias == Free && math.Abs(sum) > tol*(1+total) {
		t.Fatalf("Σβ = %v", sum)
	}
	if opt.Bias == Feature && math.Abs(m.Bias-extra*sum) > 1e-9*(1+math.Abs(m.Bias)) || opt.Bias == None && m.Bias != 0 {
		t.Fatalf("b = %v, Σβ = %v", m.Bias, sum)
	}
	size := 1e-9 * (1 + primal + math.Abs(m.Bias*sum))
	if math.Abs(primal-m.Primal) > size || math.Abs(dual-m.Dual) > size {
		t.Fatalf("objectives %v and %v, by the formula %v and %v", m.Primal, m.Dual, primal, dual)
	}
	if primal-dual < -size-math.Abs(m.Bias*sum) {
		t.Fatalf("the primal objective %v is below the dual one %v", primal, dual)
	}
}

func draw(t *rapid.T) Options {
	opt := Options{
		Kernel: rapid.SampledFrom([]Kernel{"", Gaussian, Polynomial}).Draw(t, "kernel"),
		Gamma:  rapid.SampledFrom([]float64{0, 0.3, 2}).Draw(t, "gamma"),
		Sigma:  rapid.SampledFrom([]float64{0, 1 / 0.3, 0.5}).Draw(t, "sigma"),
		C:      rapid.SampledFrom([]float64{0, 0.01, 2}).Draw(t, "C"),
		Loss:   rapid.SampledFrom([]Loss{"", SquaredHinge}).Draw(t, "loss"),
		Bias:   rapid.SampledFrom([]Bias{"", Feature, None}).Draw(t, "bias"),
		Solver: SMO,
		Seed:   rapid.Uint64().Draw(t, "order"),
	}
	if opt.Kernel == "" && rapid.Bool().Draw(t, "cd") {
		opt.Solver = CD
	}
	if opt.Bias == Feature {
		opt.BiasScale = rapid.SampledFrom([]float64{0, 0.5, 3}).Draw(t, "scale")
	}
	return opt
}

func TestConditionsHold(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		x, y := sample(n, rapid.IntRange(1, 8).Draw(t, "d"), rapid.Uint64().Draw(t, "seed"))
		opt := draw(t)
		cost := make([]float64, n)
		for i := range cost {
			if cost[i] = opt.C; opt.C == 0 {
				cost[i] = DefaultC
			}
		}
		if rapid.Bool().Draw(t, "costs") {
			for i := range cost {
				cost[i] *= float64(i % 4)
			}
			opt.Cost = cost
		}
		var data mat.Matrix = x
		if rapid.Bool().Draw(t, "sparse") {
			data = csr(x)
		}
		opt.MaxIter = 200_000
		m := must.Get(Fit(ctx, data, y, opt))(t)
		tol := 2 * DefaultTol // at the last sweep of cd the others have moved
		if opt.Solver == CD {
			tol = 20 * DefaultTol
		}
		literal(t, x, y, cost, m, tol)
		if m.Violation > tol {
			t.Fatalf("violation %v", m.Violation)
		}
		f := must.Get(m.Decision(ctx, data))(t)
		for i, v := range f {
			if math.Abs(v-m.Values[i]) > 1e-9*(1+math.Abs(v)) {
				t.Fatalf("row %d decides %v as a new one and %v in the training", i, v, m.Values[i])
			}
		}
	})
}

// Both solvers end within each other's gap: Dual ≤ optimum ≤ Primal.
func TestSolversAgree(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		x, y := sample(rapid.IntRange(2, 40).Draw(t, "n"), rapid.IntRange(1, 30).Draw(t, "d"), rapid.Uint64().Draw(t, "seed"))
		opt := draw(t)
		opt.Kernel, opt.MaxIter, opt.Tol = Linear, 300_000, 1e-6
		opt.Solver = SMO
		pairwise := must.Get(Fit(ctx, x, y, opt))(t)
		opt.Solver = CD
		descent := must.Get(Fit(ctx, csr(x), y, opt))(t)
		if a, b := pairwise.Primal, descent.Primal; math.Abs(a-b) > 1e-4*(1+a) {
			t.Fatalf("objectives %v of smo and %v of cd", a, b)
		}
		var diff mat.VecDense
		diff.SubVec(mat.NewVecDense(len(pairwise.Weights), pairwise.Weights), mat.NewVecDense(len(descent.Weights), descent.Weights))
		// ½‖w − w*‖² ≤ Primal − optimum, because the objective is strongly convex in w.
		gap := max(0, pairwise.Primal-pairwise.Dual) + max(0, descent.Primal-descent.Dual) + 1e-6*(1+pairwise.Primal)
		if d := mat.Norm(&diff, 2); d*d > 8*gap {
			t.Fatalf("weights differ by %v, gaps sum to %v", d, gap)
		}
	})
}

// While all β are at their bounds, a free b goes all the way from 0 to -1 and nothing else changes.
// Two of the rows are the same with different targets: what is left to do then changes their β, and
// leaves Σβ unchanged.
func TestBiasGoesFarFirst(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{0, 0.36, 0, 0.36, 0, 0.22})
	m := must.Get(Fit(ctx, csr(x), []float64{1, -1, -1}, Options{Solver: CD, C: 0.01, Tol: 1e-6, MaxIter: 1000}))(t)
	for i, want := range []float64{0.01, -0.01, 0} {
		if math.Abs(m.Beta[i]-want) > 1e-5 || math.Abs(m.Values[i]+1) > 1e-6 {
			t.Errorf("row %d: β = %v, f = %v, want %v and -1", i, m.Beta[i], m.Values[i], want)
		}
	}
}

// Of two points the machine is the middle: w = 2(p − q)/‖p − q‖², f(p) = 1, f(q) = −1.
func TestTwoPoints(t *testing.T) {
	x := mat.NewDense(2, 2, []float64{1, 3, 5, 0})
	for _, solver := range []Solver{CD, SMO} {
		for _, loss := range []Loss{Hinge, SquaredHinge} {
			m := must.Get(Fit(ctx, x, []float64{1, -1}, Options{Solver: solver, Loss: loss, C: 1e6, Tol: 1e-9}))(t)
			for j, want := range []float64{-8. / 25, 6. / 25} {
				if math.Abs(m.Weights[j]-want) > 1e-6 {
					t.Errorf("%s, %s: w = %v", solver, loss, m.Weights)
				}
			}
			middle, err := m.Decision(ctx, mat.NewDense(1, 2, []float64{3, 1.5}))
			if err != nil || math.Abs(middle[0]) > 1e-6 || math.Abs(m.Values[0]-1) > 1e-6 || math.Abs(m.Values[1]+1) > 1e-6 {
				t.Errorf("%s, %s: f = %v, in the middle %v, %v", solver, loss, m.Values, middle, err)
			}
		}
	}
	// The bounded machine: β = C on either side, w = C(p − q).
	m, err := Fit(ctx, x, []float64{1, -1}, Options{C: 0.01})
	if err != nil || m.Beta[0] != 0.01 || m.Beta[1] != -0.01 || math.Abs(m.Weights[0]+0.04) > 1e-15 {
		t.Errorf("%v, β = %v, w = %v", err, m.Beta, m.Weights)
	}
}

// XOR is beyond a linear machine and easy for kernels.
func TestKernelsBendTheBoundary(t *testing.T) {
	x, y := mat.NewDense(4, 2, []float64{1, 1, -1, -1, 1, -1, -1, 1}), []float64{1, 1, -1, -1}
	for _, kernel := range []Kernel{Gaussian, Polynomial} {
		m := must.Get(Fit(ctx, x, y, Options{Kernel: kernel, C: 100}))(t)
		for i, f := range m.Values {
			if f*y[i] < 0.99 {
				t.Errorf("%s: f = %v", kernel, m.Values)
			}
		}
	}
}

// The scale of the Gaussian kernel makes it blind to the unit of the data.
func TestDefaultGamma(t *testing.T) {
	x, y := sample(50, 6, 1)
	m := must.Get(Fit(ctx, x, y, Options{Kernel: Gaussian}))(t)
	all := x.RawMatrix().Data
	mean, square := 0.0, 0.0
	for _, v := range all {
		mean += v / float64(len(all))
	}
	for _, v := range all {
		square += (v - mean) * (v - mean) / float64(len(all))
	}
	if want := 1 / (6 * square); math.Abs(1/m.Options.Sigma-want) > 1e-12*want {
		t.Errorf("γ = %v, want %v", 1/m.Options.Sigma, want)
	}
	var big mat.Dense
	big.Scale(1<<20, x)
	scaled, err := Fit(ctx, &big, y, Options{Kernel: Gaussian})
	if err != nil || math.Abs(scaled.Primal-m.Primal) > 1e-9*m.Primal {
		t.Errorf("%v: objective %v in other units, %v before", err, scaled.Primal, m.Primal)
	}
}

// Rows that are made when needed, with room for a few, give what the whole matrix gives.
func TestCacheOfRows(t *testing.T) {
	x, y := sample(300, 10, 4)
	for _, data := range []mat.Matrix{x, csr(x)} {
		whole := must.Get(Fit(ctx, data, y, Options{Kernel: Gaussian, C: 10, Tol: 1e-7}))(t)
		for _, bytes := range []int64{1, 300 * 8 * 20} {
			rows := must.Get(Fit(ctx, data, y, Options{Kernel: Gaussian, C: 10, Tol: 1e-7, CacheBytes: bytes}))(t)
			if math.Abs(rows.Primal-whole.Primal) > 1e-6*whole.Primal || math.Abs(rows.Bias-whole.Bias) > 1e-5 {
				t.Errorf("%d bytes: objective %v and b %v, with the whole matrix %v and %v", bytes, rows.Primal, rows.Bias, whole.Primal, whole.Bias)
			}
		}
	}
}

// A machine that goes on from the solution of nearby targets ends where one from nothing does, in
// fewer sweeps.
func TestWarmStart(t *testing.T) {
	x, y := sample(400, 20, 9)
	for _, opt := range []Options{{Solver: CD}, {Solver: SMO}, {Kernel: Gaussian}, {Solver: CD, Bias: Feature}, {Kernel: Gaussian, Bias: None}, {Solver: CD, Loss: SquaredHinge}} {
		tr := must.Get(NewTrainer(ctx, x, opt))(t)
		cost := slices.Repeat([]float64{0.5}, 400)
		m := tr.Machine(0)
		solve := func(m *Machine, y, beta []float64) float64 {
			t.Helper()
			must.Do(t, m.Set(ctx, y, cost, beta))
			if _, err := m.Solve(ctx, 1e-5); err != nil {
				t.Fatal(err)
			}
			f := make([]float64, 400)
			must.Do(t, m.Values(ctx, f))
			primal, _ := m.Objective(f)
			return primal
		}
		solve(m, y, nil)
		other := slices.Clone(y)
		for i := range 5 {
			other[i] = -other[i]
		}
		warm := solve(m, other, nil)
		if cold := solve(tr.Machine(1), other, nil); math.Abs(warm-cold) > 1e-4*cold {
			t.Errorf("%+v: %v after a warm start, %v after a cold one", opt, warm, cold)
		}
	}
}

func TestSameBitsAtAnyThreadCount(t *testing.T) {
	x, _ := sample(700, 12, 2)
	known := make([]int, 700)
	for i := range known {
		known[i] = i%4 - 1
	}
	for _, data := range []mat.Matrix{x, csr(x)} {
		for _, opt := range []Options{{Solver: CD, C: 0.1}, {Kernel: Gaussian}, {Kernel: Gaussian, CacheBytes: 1 << 16}} {
			paralleltest.Same(t, opt, []int{1, 2, 3}, func() *Ensemble {
				return must.Get(OneVsRest(ctx, data, known, 3, opt))(t)
			})
		}
	}
}

// One against all is a fit for each class, on labelled rows only.
func TestOneVsRest(t *testing.T) {
	x, _ := sample(120, 8, 5)
	known := make([]int, 120)
	var rows []int
	for i := range known {
		if known[i] = i%5 - 2; known[i] < 0 {
			known[i] = -1
		} else {
			rows = append(rows, i)
		}
	}
	s := csr(x)
	for _, opt := range []Options{{}, {Kernel: Gaussian}, {Kernel: Polynomial, Gamma: 0.5}} {
		e := must.Get(OneVsRest(ctx, s, known, 3, opt))(t)
		for c := range 3 {
			y := make([]float64, len(rows))
			for q, i := range rows {
				y[q] = -1
				if known[i] == c {
					y[q] = 1
				}
			}
			m := must.Get(Fit(ctx, s.SelectRows(rows), y, opt))(t)
			if d := math.Abs(m.Primal - e.Machines[c].Primal); d > 2*DefaultTol*m.Primal {
				t.Errorf("%s, class %d: objective %v alone, %v among others", opt.Kernel, c, m.Primal, e.Machines[c].Primal)
			}
			f, err := e.Machines[c].Decision(ctx, x) // dense rows into a sparse machine
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range f {
				if math.Abs(v-e.Scores.At(i, c)) > 1e-9*(1+math.Abs(v)) {
					t.Fatalf("%s: row %d, class %d: %v and %v", opt.Kernel, i, c, v, e.Scores.At(i, c))
				}
			}
		}
	}
}

func TestCancelled(t *testing.T) {
	x, y := sample(500, 10, 3)
	gone, cancel := context.WithCancel(ctx)
	cancel()
	for _, opt := range []Options{{Solver: CD}, {Solver: SMO}, {Kernel: Gaussian, Bias: None}, {Kernel: Gaussian, CacheBytes: 1}} {
		if _, err := Fit(gone, x, y, opt); !errors.Is(err, context.Canceled) {
			t.Errorf("%+v: %v", opt, err)
		}
		tr := must.Get(NewTrainer(ctx, x, opt))(t)
		m := tr.Machine(0)
		must.Do(t, m.Set(ctx, y, slices.Repeat([]float64{1}, 500), nil))
		if _, err := m.Solve(gone, 0); !errors.Is(err, context.Canceled) {
			t.Errorf("%+v: %v within the solver", opt, err)
		}
	}
}

func TestRunsOutOfSweeps(t *testing.T) {
	x, y := sample(200, 10, 3)
	for _, opt := range []Options{{Solver: CD}, {Solver: SMO}, {Solver: SMO, Bias: Feature}} {
		opt.MaxIter, opt.Tol, opt.C = 1, 1e-12, 1000
		m, err := Fit(ctx, x, y, opt)
		var stopped *NotConvergedError
		if !errors.As(err, &stopped) || m == nil || !(m.Primal > m.Dual) || m.Violation <= 1e-12 {
			t.Errorf("%+v: %v, %v", opt, m, err)
		} else if !strings.Contains(err.Error(), "lower ‹c›") {
			t.Errorf("%v names no option", err)
		}
	}
}
