package svm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

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
		tr, err := NewTrainer(ctx, csr(x), opt)
		if err != nil {
			t.Fatal(err)
		}
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
				if err := m.Set(ctx, y, cost, beta); err != nil {
					t.Fatal(err)
				}
				if _, err := m.Solve(ctx, 0); err != nil {
					t.Fatal(err)
				}
				beta = nil
			}
			if err := m.Refresh(ctx, values); err != nil {
				t.Fatal(err)
			}
			primal, dual := m.Objective(values)
			exact := make([]float64, n)
			if err := fresh.Values(ctx, exact); err != nil {
				t.Fatal(err)
			}
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
	tr, err := NewTrainer(ctx, x, Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, cost, f := tr.Machine(0), slices.Repeat([]float64{0.01}, n), make([]float64, n)
	solve := func(beta []float64) {
		t.Helper()
		if err := m.Set(ctx, y, cost, beta); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Solve(ctx, 0); err != nil {
			t.Fatal(err)
		}
		if err := m.Refresh(ctx, f); err != nil {
			t.Fatal(err)
		}
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
		{200, 20, 1, 1, CD}, {200, 20, 1e3, 1, SMO}, {200, 20, 1e3, 1e-6, CD}, {40, 20, 1, 1, SMO}, {200, 20, 1, 1e4, SMO},
	} {
		x, _ := sample(c.rows, c.columns, 1)
		x.Scale(c.scale/math.Sqrt(float64(c.columns)), x)
		tr, err := NewTrainer(ctx, x, Options{C: c.c})
		if err != nil {
			t.Fatal(err)
		}
		if got := tr.Options().Solver; got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
