package eigen

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"github.com/eigenmap/eigenmap/eigen/eigentest"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/parallel"
)

// nearSuite is the number of pencils of TestNearMultiple; with EIGENMAP_LONG it is longSuite.
const nearSuite, shortNearSuite = 64, 24

// inverseLimit is the largest error of a value that the inverse finds.
const inverseLimit = 8e-9

// nearRun is a way to solve a pencil. limit is the largest error of a value in a result without an
// error, stops the largest share in percent of solves that may end without convergence.
type nearRun struct {
	solver Solver
	verify bool
	limit  float64
	stops  int
}

// nearRuns are the ways to solve near-multiple pencils. Residuals of the iterative solvers are
// below 1e-8; the inverse has its own, 1e-9 of the distance from the shift.
func nearRuns() []nearRun {
	var runs []nearRun
	for _, solver := range solvers() {
		limit := map[Solver]float64{Dense: 1e-12, Lanczos: 2e-8, ARPACK: 2e-8}[solver]
		stops := map[Solver]int{ARPACK: 10}[solver]
		runs = append(runs, nearRun{solver, false, limit, stops}, nearRun{solver, true, limit, stops})
	}
	return append(runs, nearRun{ShiftInvert, false, inverseLimit, 0}, nearRun{Auto, false, inverseLimit, 0}, nearRun{Auto, true, inverseLimit, 0})
}

func (r nearRun) String() string {
	if r.verify {
		return fmt.Sprintf("%s, verified", r.solver)
	}
	return string(r.solver)
}

// Pencils with values that are nearly multiple, with couplings down to 1e-10: every solver, with
// and without a count, has all values in their places, or an error says that they may not be.
func TestNearMultiple(t *testing.T) {
	size := nearSuite
	if os.Getenv("EIGENMAP_LONG") != "" {
		size = longSuite
	} else if testing.Short() {
		size = shortNearSuite
	}
	runs := nearRuns()
	type outcome struct{ solves, stopped, wrong int }
	parts := make([][]outcome, size)
	var done atomic.Int64
	must.Do(t, parallel.For(context.Background(), size, 1, func(_, i, _ int) error {
		p, err := eigentest.DrawNear(uint64(i))
		if err != nil {
			return err
		}
		parts[i] = make([]outcome, len(runs))
		for at, run := range runs {
			stopped, wrong := run.solve(t, p, uint64(i+at))
			parts[i][at] = outcome{1, stopped, wrong}
		}
		if n := done.Add(1); n%500 == 0 {
			t.Logf("%d of %d pencils are solved", n, size)
		}
		return nil
	}))
	for at, run := range runs {
		var all outcome
		for _, part := range parts {
			all.solves, all.stopped, all.wrong = all.solves+part[at].solves, all.stopped+part[at].stopped, all.wrong+part[at].wrong
		}
		t.Logf("%s: %d pencils, %d wrong, %d not converged", run, all.solves, all.wrong, all.stopped)
		if 100*all.stopped > run.stops*all.solves {
			t.Errorf("%s did not converge on %d of %d pencils", run, all.stopped, all.solves)
		}
	}
}

// Nine copies of a value 5.6e-8, of which Lanczos knows some better than others: the count below
// them has to keep clear of the one that is known worst, at a shift that is found at once.
func TestCountKeepsClearOfAllErrors(t *testing.T) {
	p := must.Get(eigentest.DrawNear(773))(t)
	pencil := must.Get(NewPencil(p.W, p.Mass))(t)
	res := must.Get(pencil.Solve(context.Background(), Options{K: p.K, SkipNull: true, Solver: Lanczos, Verify: true, Seed: 778}))(t)
	if c := res.Stats.Inertia; c.Factorisations > 4 || p.Misfit(res.Values, p.Zeros) > 2e-8 {
		t.Errorf("%d factorisations, values %v", c.Factorisations, res.Values)
	}
}

// solve solves a pencil and compares its values with the closed form. It returns 1 if the solver
// stopped without convergence, and 1 if values are wrong without an error.
func (r nearRun) solve(t *testing.T, p eigentest.Problem, seed uint64) (stopped, wrong int) {
	pencil, err := NewPencil(p.W, p.Mass)
	if err != nil {
		t.Errorf("%s: %v", p.Name, err)
		return 0, 0
	}
	res, err := pencil.Solve(context.Background(), Options{K: p.K, SkipNull: true, Solver: r.solver, Verify: r.verify, Seed: seed})
	var unmet *NotConvergedError
	if errors.As(err, &unmet) {
		if r.stops == 0 {
			t.Logf("%s, %s, k = %d, seed %d: %v", p.Name, r, p.K, seed, err)
		}
		return 1, 0
	}
	if err != nil && r.stops > 0 { // after restarts that ran out, or a count that rounding leaves open
		return 1, 0
	}
	if err != nil {
		t.Errorf("%s, %s, k = %d, seed %d: %v", p.Name, r, p.K, seed, err)
		return 0, 0
	}
	limit := r.limit
	if r.verify && res.Stats.Solver == ShiftInvert { // which goes on where a count does not agree
		limit = max(limit, inverseLimit)
	}
	if off := p.Misfit(res.Values, p.Zeros); !(off <= limit) {
		t.Errorf("%s, %s, k = %d, seed %d: a value is off by %g (%s, %s)", p.Name, r, p.K, seed, off, res.Stats.Solver, res.Stats.Why)
		wrong = 1
	}
	checkOrthonormal(t, p.Name, pencil, res)
	if c := res.Stats.Inertia; c == nil && (r.verify || r.solver == ShiftInvert) {
		t.Errorf("%s, %s, k = %d, seed %d: nothing was counted", p.Name, r, p.K, seed)
	} else if c != nil && c.Below != p.Zeros+p.K && c.Copies == 0 && c.Returned != p.Zeros+p.K {
		t.Errorf("%s, %s, k = %d, seed %d: %+v", p.Name, r, p.K, seed, *c)
	}
	return 0, wrong
}

// A search for some of the missing pairs of a cluster does not end with any of them: problems 587,
// 612 and 3260 had values off by 3e-8 to 1.3e-7, certified as copies within a wide cluster, and the
// search of 2731 did not end, since the pairs that it found have the errors of those locked before.
func TestNearClustersAreFoundWhole(t *testing.T) {
	for _, i := range []uint64{587, 612, 2041, 2731, 3260} {
		p := must.Get(eigentest.DrawNear(i))(t)
		for _, run := range nearRuns() {
			if stopped, _ := run.solve(t, p, i+6); stopped > run.stops {
				t.Errorf("%s, %s: it did not converge", p.Name, run)
			}
		}
	}
}

// Pairs that the first pass finds beyond those that are wanted may be far off where other values of
// the inverse are far larger: kept without a measure, they left their errors to all that the search
// beside them found, and the solve ended as not converged.
func TestSearchBesideExactPairsAlone(t *testing.T) {
	for at, seeds := range map[uint64][]uint64{3758: {3764, 3812}, 5104: {0, 1, 2, 4}, 5699: {17, 21, 22}, 6194: {1, 2, 6200}, 7622: {7628}} {
		p := must.Get(eigentest.DrawNear(at))(t)
		run := nearRun{ShiftInvert, false, inverseLimit, 0}
		for _, seed := range seeds {
			if stopped, wrong := run.solve(t, p, seed); stopped+wrong > 0 {
				t.Errorf("%s, seed %d: not converged, or wrong", p.Name, seed)
			}
		}
	}
}
