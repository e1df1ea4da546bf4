package svm

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// However w and b move, a row that look leaves out has no gradient that points into its box, the
// worst violation is the worst of all rows, and rows inside their boxes are active. Some rows are
// left out without a look at them.
func TestScreen(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	const n, d = 400, 20
	x, y := sample(n, d, 11)
	spared := 0
	for _, loss := range []Loss{Hinge, SquaredHinge} {
		for _, bias := range []Bias{Free, Feature, None} {
			tr := must.Get(NewTrainer(ctx, csr(x), Options{Solver: CD, Loss: loss, Bias: bias}))(t)
			cost := make([]float64, n)
			for i := range cost {
				cost[i] = rng.Float64()
			}
			m := tr.Machine(0)
			must.Do(t, m.Set(ctx, y, cost, nil))
			descent := m.newDescent()
			descent.active = append(descent.active[:0], descent.all...)
			for round := range 60 {
				// Some visits near the solution move w little, at first they move it far.
				for range max(1, 2*n>>(round/6)) {
					i := rng.IntN(n)
					if m.lo[i] < m.hi[i] && (round < 20 || m.beta[i] != 0) {
						descent.visit(i)
						if m.beta[i] != m.lo[i] && m.beta[i] != m.hi[i] {
							descent.state.slack[i] = 0
						}
					}
				}
				if bias == Free && round%9 == 8 {
					m.recentre()
				}
				visits := m.visits
				worst := must.Get(descent.look(ctx))(t)
				spared += n - (m.visits - visits)
				active := make([]bool, n)
				for _, i := range descent.active {
					active[i] = true
				}
				b, want := m.centre+m.length*m.sum, 0.0
				for _, i := range descent.all {
					inward := math.Abs(m.inward(int(i), m.slope(int(i), m.dot(int(i))+b)))
					want = max(want, inward)
					if inside := m.beta[i] > m.lo[i] && m.beta[i] < m.hi[i]; (inward > 0 || inside) && !active[i] {
						t.Fatalf("%s, bias %s, round %d: row %d, β = %v, is left out, its gradient into the box is %v", loss, bias, round, i, m.beta[i], inward)
					}
				}
				if worst != want {
					t.Fatalf("%s, bias %s, round %d: worst violation %v, of all rows %v", loss, bias, round, worst, want)
				}
			}
		}
	}
	if spared < 1000 {
		t.Errorf("only %d rows were left out without a look", spared)
	}
}

// The conditions hold to the tolerance itself, not only during the last sweep.
func TestViolationBelowTolerance(t *testing.T) {
	for seed := range uint64(20) {
		x, y := sample(200, 15, seed)
		for _, loss := range []Loss{Hinge, SquaredHinge} {
			for _, bias := range []Bias{Free, Feature, None} {
				m := must.Get(Fit(ctx, csr(x), y, Options{Loss: loss, Bias: bias, Seed: seed}))(t)
				if m.Violation > DefaultTol {
					t.Errorf("seed %d, %s, bias %s: violation %v", seed, loss, bias, m.Violation)
				}
			}
		}
	}
}

// A budget that ends between the aim of the descent and the tolerance gives a machine, and a
// violation above the tolerance gives an error.
func TestBudgetEndsAtTheTolerance(t *testing.T) {
	x, y := sample(400, 60, 1)
	const tol = 0.1
	failed, solved := 0, 0
	for _, bias := range []Bias{Free, Feature, None} {
		for sweeps := 1; sweeps < 200; sweeps += 2 {
			m, err := Fit(ctx, csr(x), y, Options{Solver: CD, Bias: bias, Tol: tol, MaxIter: sweeps})
			var stopped *NotConvergedError
			switch {
			case errors.As(err, &stopped):
				if failed++; stopped.Violation <= tol {
					t.Errorf("bias %s, %d sweeps: %v", bias, sweeps, err)
				}
			case err != nil:
				t.Fatal(err)
			default:
				if solved++; m.Violation > tol {
					t.Errorf("bias %s, %d sweeps: violation %g", bias, sweeps, m.Violation)
				}
			}
		}
	}
	if failed == 0 || solved == 0 {
		t.Errorf("%d runs failed and %d ended, so one side was not tested", failed, solved)
	}
}
