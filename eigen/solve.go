package eigen

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/eigen/internal/dense"
	"github.com/eigenmap/eigenmap/eigen/internal/factor"
	"github.com/eigenmap/eigenmap/eigen/internal/krylov"
	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"gonum.org/v1/gonum/blas/blas64"
)

func newTask(op problem.Operator, n int, known *space.Nullspace, k int, opt Options) problem.Task {
	t := problem.Task{
		Op: op, N: n, Known: known, K: k, Tol: opt.Tol, Scaled: true,
		Subspace: opt.Subspace, Block: opt.Block, MaxIter: opt.MaxIter, Seed: opt.Seed, Observer: opt.Observer,
		Start: blas64.General{Rows: n},
	}
	if opt.Start != nil {
		t.Start = opt.Start.RawMatrix()
	}
	return t
}

// solve runs the solver that the options name, or chooses one.
func solve(ctx context.Context, t problem.Task, opt Options) (problem.Pairs, error) {
	name, why := opt.Solver, ""
	if t.Space.Divided() {
		if name == Auto {
			name, why = Lanczos, fmt.Sprintf("%d of %d eigenpairs of rows that %d ranks divide", t.K, t.Whole(), t.Space.Size())
			t.Observer.Detailf(problem.Stage, "solver %s: %s", name, why)
		}
		t.Ranks = 1 // n is the number of own rows
		if err := ranks.Agree(t.Space.Share, t.Fits(ctx, string(name))); err != nil {
			return problem.Pairs{}, err
		}
		p, err := solveShared(ctx, t, name)
		p.Stats.Why = why
		p.Stats.Deflated = t.Known.Size()
		return p, err
	}
	var analysis *factor.Spectrum // of the operator, if it is known to be easy to factor
	if name == Auto {
		size, reason := problem.Pick(t)
		name, why = Solver(size), reason
		if name == Lanczos {
			if easy, reason := factor.Easy(t); easy != nil {
				analysis, name, why = easy, ShiftInvert, reason
			}
		}
		t.Observer.Detailf(problem.Stage, "solver %s: %s", name, why)
	}
	if name == SLEPc {
		t.Ranks = ranks.From(ctx).Size()
	}
	team := ranks.From(ctx)
	if err := ranks.Agree(team, t.Fits(ctx, string(name))); err != nil {
		return problem.Pairs{}, err
	}
	run := map[Solver]problem.Solver{Dense: dense.Solve, ARPACK: krylov.ARPACK, Lanczos: krylov.Lanczos, ShiftInvert: factor.ShiftInvert, SLEPc: solveBySLEPc}[name]
	if analysis != nil {
		run = func(ctx context.Context, t problem.Task) (problem.Pairs, error) {
			return factor.InvertOver(ctx, t, analysis)
		}
	}
	if name != SLEPc { // every rank solves it by itself
		ctx = ranks.With(ctx, nil)
	}
	p, err := run(ctx, t)
	if opt.Solver == Auto && ctx.Err() == nil {
		p, why, err = rescue(ctx, t, name, p, why, err)
	}
	p.Stats.Why = why
	p.Stats.Deflated = t.Known.Size()
	// Ranks that each solve it by themselves stop in different places.
	if err = ranks.Agree(team, err); err == nil {
		p = sharedPairs(p, team)
	}
	return p, public(err)
}

// rescue solves a problem on which the solver that auto chose has failed or did not converge by the
// others: lanczos after shift-invert, shift-invert after lanczos where the factor has memory, and
// LAPACK at last. Up to MediumProblem rows LAPACK comes before shift-invert.
func rescue(ctx context.Context, t problem.Task, name Solver, p problem.Pairs, why string, err error) (problem.Pairs, string, error) {
	next := map[Solver][]Solver{ShiftInvert: {Lanczos, Dense}, Lanczos: {ShiftInvert, Dense}}[name]
	if name == Lanczos && t.N <= problem.MediumProblem {
		next = []Solver{Dense}
	}
	for _, other := range next {
		if err == nil && !p.Unsearched || name == Lanczos && err != nil || ctx.Err() != nil {
			break // a solver that needs products only has no failure of its own
		}
		run := prepared(ctx, t, other)
		if run == nil {
			continue
		}
		reason := fmt.Sprintf("%s did not converge in %s", name, words.Plural(p.Stats.Restarts, "restart", "restarts"))
		say := t.Observer.Detailf
		if err != nil {
			say, reason = t.Observer.Notef, fmt.Sprintf("%s failed (%v)", name, err)
		}
		say(problem.Stage, "%s; %s solves the problem", reason, other)
		why = fmt.Sprintf("%s; %s, so %s solved it", why, reason, other)
		q, failed := run(ctx)
		if failed != nil && err == nil && ctx.Err() == nil {
			continue // the pairs that there are are better than none
		}
		q.Stats.After(p.Stats)
		p, err, name = q, failed, other
	}
	return p, why, err
}

// prepared returns a solver of the task if it can solve it within the memory, else nil.
func prepared(ctx context.Context, t problem.Task, name Solver) func(ctx context.Context) (problem.Pairs, error) {
	switch name {
	case Dense:
		if t.N > problem.RescueProblem || t.Fits(ctx, problem.Dense) != nil {
			return nil
		}
		return func(ctx context.Context) (problem.Pairs, error) { return dense.Solve(ctx, t) }
	case ShiftInvert:
		s, err := factor.Analyse(t.Op, t.Fixed, t.Observer)
		if s == nil || err != nil || !s.Affordable(ctx) {
			return nil
		}
		return func(ctx context.Context) (problem.Pairs, error) { return factor.InvertOver(ctx, t, s) }
	}
	return func(ctx context.Context) (problem.Pairs, error) { return krylov.Lanczos(ctx, t) }
}

// sharedPairs returns rank 0's pairs on every rank, each of which has found them by itself.
func sharedPairs(p problem.Pairs, team ranks.Team) problem.Pairs {
	if len(p.Values) > 0 {
		team.Share(p.Values)
		team.Share(p.Vectors.Data)
	}
	return p
}
