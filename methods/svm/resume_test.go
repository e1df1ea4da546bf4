package svm

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// However targets, costs and coefficients change between two solutions, a machine that goes on has
// the objective of a machine that begins anew, and Refresh has f where the row has a coefficient or
// is inside the margin. It leaves some rows alone, all of which are outside.
func TestGoingOn(t *testing.T) {
	const n = 300
	x, y := sample(n, 15, 6)
	left := 0
	for _, opt := range []Options{{Solver: CD}, {Solver: CD, Loss: SquaredHinge}, {Solver: CD, Bias: Feature}, {Solver: CD, Bias: None}, {Solver: SMO}} {
		opt.Tol, opt.MaxIter = 1e-6, 100_000
		tr := must.Get(NewTrainer(ctx, csr(x), opt))(t)
		rng := rand.New(rand.NewPCG(4, 4))
		m, values := tr.Machine(0), make([]float64, n)
		y, cost := slices.Clone(y), slices.Repeat([]float64{0.1}, n)
		for round := range 24 {
			beta := m.Beta()
			switch round % 4 {
			case 0: // as a search for labels begins a level
				for i := range cost {
					cost[i] = min(1, 1.3*cost[i])
					beta[i] *= 1.3
				}
			case 1:
				a, b := rng.IntN(n), rng.IntN(n)
				y[a], y[b] = -y[a], -y[b]
				beta[a], beta[b] = -beta[a], -beta[b]
			case 2:
				cost[rng.IntN(n)] = 0
			case 3:
				cost[rng.IntN(n)] = 0.1
				beta[rng.IntN(n)] = 0.05
			}
			fresh := tr.Machine(1)
			for _, m := range []*Machine{m, fresh} {
				must.Do(t, m.Set(ctx, y, cost, beta))
				if _, err := m.Solve(ctx, 0); err != nil {
					t.Fatal(err)
				}
				beta = nil
			}
			must.Do(t, m.Refresh(ctx, values))
			primal, dual := m.Objective(values)
			exact := make([]float64, n)
			must.Do(t, fresh.Values(ctx, exact))
			want, _ := fresh.Objective(exact)
			if math.Abs(primal-want) > 1e-4*want || math.Abs(primal-dual) > 1e-4*want {
				t.Fatalf("%+v, round %d: objective %v, dual %v, of a machine that began anew %v", opt, round, primal, dual, want)
			}
			for i, v := range values {
				f := m.dotOrValue(i)
				if math.Abs(v-f) <= 1e-9*max(1, math.Abs(f)) {
					continue
				}
				if left++; m.beta[i] != 0 || !(y[i]*v > 1 && y[i]*f > 1) {
					t.Fatalf("%+v, round %d: row %d has %v, and f is %v", opt, round, i, v, f)
				}
			}
		}
	}
	if left < 600 {
		t.Errorf("only %d values were left alone", left)
	}
}

// dotOrValue is f at a training row.
func (m *Machine) dotOrValue(i int) float64 {
	if m.f != nil {
		return m.f[i] + m.bias
	}
	return m.dot(i) + m.bias
}

// Two rows that change places in a solution move it little: fewer rows are visited than there are,
// most of which lie far outside the margin. Each was visited twice before.
func TestFewVisitsAfterAnExchange(t *testing.T) {
	const n, d = 2000, 20
	rng := rand.New(rand.NewPCG(2, 2))
	x, y := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		y[i] = float64(1 - 2*(i%2))
		for j := range d {
			x.Set(i, j, rng.NormFloat64()/3+0.5*y[i])
		}
	}
	tr := must.Get(NewTrainer(ctx, x, Options{}))(t)
	m, cost, f := tr.Machine(0), slices.Repeat([]float64{0.01}, n), make([]float64, n)
	solve := func(beta []float64) {
		t.Helper()
		must.Do(t, m.Set(ctx, y, cost, beta))
		if _, err := m.Solve(ctx, 0); err != nil {
			t.Fatal(err)
		}
		must.Do(t, m.Refresh(ctx, f))
	}
	solve(nil)
	first := m.visits
	y[0], y[1] = -1, 1
	solve(m.Beta())
	if visits := m.visits - first; visits > n {
		t.Errorf("%d visits of %d rows after an exchange, %d before it", visits, n, first)
	}
}

// Dense rows of a linear machine are learnt by coordinate descent if they are many and not long,
// whatever the unit of the data.
func TestSolverOfDenseRows(t *testing.T) {
	for _, c := range []struct {
		rows, columns int
		scale, c      float64
		want          Solver
	}{
		{1000, 20, 1, 1, CD}, {1000, 21, 1e3, 1, CD}, {1000, 20, 1e3, 1, CD}, {1000, 20, 1e3, 1e-6, CD}, {1000, 20, 1, 1e4, SMO}, {1000, 20, 0, 1, SMO},
		{999, 20, 1, 1, SMO}, {1199, 400, 1, 1, SMO}, {1200, 400, 1, 1, CD},
	} {
		x, _ := sample(c.rows, c.columns, 1)
		x.Scale(c.scale/math.Sqrt(float64(c.columns)), x)
		tr := must.Get(NewTrainer(ctx, x, Options{C: c.c}))(t)
		if got := tr.Options().Solver; got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// What the screen holds is true after Values at any w, and after a Refresh that was cancelled; and
// a row without a cost has its f, however often the machine goes on.
func TestScreenIsTrue(t *testing.T) {
	const n = 300
	x, y := sample(n, 15, 6)
	tr, err := NewTrainer(ctx, csr(x), Options{Solver: CD, Tol: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	m, cost, values := tr.Machine(0), slices.Repeat([]float64{0.1}, n), make([]float64, n)
	for i := range n / 3 {
		cost[3*i] = 0
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(m.Set(ctx, y, cost, nil))
	_, err = m.Solve(ctx, 0)
	must(err)
	must(m.Values(ctx, values))
	solved := m.Beta()

	half := slices.Clone(solved)
	for i := range half {
		half[i] /= 2
	}
	must(m.Set(ctx, y, cost, half))
	must(m.Refresh(ctx, values))
	screenHolds(t, m)
	must(m.Set(ctx, y, cost, solved))
	must(m.Values(ctx, values))
	screenHolds(t, m)
	must(m.Set(ctx, y, cost, half))
	must(m.Refresh(ctx, values))
	screenHolds(t, m)
	must(m.Set(ctx, y, cost, solved))

	// Solved more closely without Set between.
	for tol := 0.01; tol > 1e-6; tol /= 10 {
		_, err = m.Solve(ctx, tol)
		must(err)
		must(m.Refresh(ctx, values))
		for i := range n {
			if f := m.dot(i) + m.bias; cost[i] == 0 && math.Abs(values[i]-f) > 1e-9*max(1, math.Abs(f)) {
				t.Fatalf("tolerance %v: row %d without a cost has %v, and f is %v", tol, i, values[i], f)
			}
		}
	}

	must(m.Set(ctx, y, cost, half))
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if err := m.Refresh(cancelled, values); err == nil {
		t.Fatal("Refresh was not cancelled")
	}
	must(m.Refresh(ctx, values))
	screenHolds(t, m)
}

// screenHolds checks that no row may move farther than its gradient is from 0, which points out of
// its box.
func screenHolds(t *testing.T, m *Machine) {
	t.Helper()
	if m.state == nil {
		return
	}
	some := false
	for i, slack := range m.state.slack {
		if slack > 0 && m.lo[i] < m.hi[i] {
			some = true
			if g := m.slope(i, m.dotOrValue(i)); m.inward(i, g) != 0 || slack > math.Abs(g)+1e-9 {
				t.Fatalf("row %d may move by %v, and its gradient is %v", i, slack, g)
			}
		}
	}
	if !some {
		t.Fatal("no row may move")
	}
}

// Rows whose columns have much different scales, with labels at random, are hard for coordinate
// descent, which is solved all the same where smo would be. It gave up before.
func TestDenseRowsOfManyScales(t *testing.T) {
	const n, d, c = 1000, 20, 290.0
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		for j := range d {
			x.Set(i, j, math.Pow(10, -float64(j%8))*rng.NormFloat64()/math.Sqrt(3))
		}
		y[i] = float64(1 - 2*min(1, rng.IntN(3)))
	}
	m := must.Get(Fit(ctx, x, y, Options{C: c}))(t)
	if m.Options.Solver != CD || m.Primal-m.Dual > 1e-3*m.Primal {
		t.Errorf("the solver %s has the objective %v, and its dual %v", m.Options.Solver, m.Primal, m.Dual)
	}
}
