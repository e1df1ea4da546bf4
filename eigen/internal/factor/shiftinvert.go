package factor

import (
	"context"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/dense"
	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/invalid"
)

// ShiftInvert solves by Lanczos on the inverse of a shifted operator, which is factored once.
//
// Memory: the factor (predicted before it is made), and a basis of about 5k/2 + 20 vectors, at
// least k + 40; of a problem that is no larger, its dense matrix. Time: Flops of the factorisation,
// 4·Entries per vector of the basis, and one or two further factorisations for the count.
func ShiftInvert(ctx context.Context, t problem.Task) (problem.Pairs, error) {
	s, err := Analyse(t.Op, t.Fixed, t.Observer)
	if err != nil {
		return problem.Pairs{}, err
	}
	if s == nil {
		return problem.Pairs{}, invalid.Errorf("solver shift-invert needs the entries of the matrix, and this problem is known by its products only; use lanczos or dense")
	}
	return InvertOver(ctx, t, s)
}

// InvertOver is ShiftInvert with an analysis of the operator that is there already.
func InvertOver(ctx context.Context, t problem.Task, s *Spectrum) (problem.Pairs, error) {
	began := time.Now()
	v := &inverted{Task: t, s: s, audit: newAudit(t, s, true)}
	v.Task.Block = min(max(1, t.Block), t.Room())
	if t.Block == 0 {
		// Narrow blocks need fewer vectors; copies of values are found by the count anyway.
		v.Task.Block = min(2, t.Room())
		if t.K > 40 {
			v.Task.Block = min(4, t.Room())
		}
	}
	if t.Subspace == 0 {
		v.Task.Subspace = max(5*t.K/2, t.K+30) + 4*v.Task.Block
	}
	if t.K >= t.Room() || t.Room() < 8 || t.Subspace == 0 && v.Task.Subspace >= t.Room() {
		return everything(ctx, t, s)
	}
	v.Task.Subspace = min(max(v.Task.Subspace, t.K+4*v.Task.Block), t.Room())
	if err := v.invert(ctx); err != nil {
		return problem.Pairs{}, err
	}
	v.rounding = v.f.Error()
	v.basis = space.NewBasis(t.N, 0, t.Known, t.Seed)
	v.basis.Grow(min(v.Task.Subspace, t.Room()) + v.Task.Block)
	v.x, v.w = space.NewBlock(t.N, v.Task.Block), space.NewBlock(t.N, v.Task.Block)
	v.basis.Spare = v.x.Data // which is free while columns are made orthonormal
	v.stats = problem.Stats{Solver: problem.ShiftInvert, Subspace: v.Task.Subspace, Block: v.Task.Block}
	p, err := v.run(ctx)
	v.stats.Total = time.Since(began)
	p.Stats = v.stats
	return p, err
}

// everything solves a problem by LAPACK, which finds all pairs. A basis as large as the problem
// takes as much memory and time, and pairs whose values of T are 1e-10 of the largest are lost in
// rounding.
func everything(ctx context.Context, t problem.Task, s *Spectrum) (problem.Pairs, error) {
	k := t.K
	t.K = t.Room()
	p, err := dense.Solve(ctx, t)
	if err != nil {
		return problem.Pairs{}, err
	}
	p.Errors = residualsOf(t.Op, p)
	c, err := newAudit(t, s, false).check(ctx, claimOf(t, s, p, k))
	if err != nil {
		return problem.Pairs{}, named(t, err)
	}
	p.Stats.Inertia = inTerms(t, c)
	return firstPairs(p, k), nil
}

func (v *inverted) run(ctx context.Context) (problem.Pairs, error) {
	capacity := v.basis.Capacity()
	v.t = space.NewBlock(capacity, capacity)
	if v.Start.Cols > 0 {
		v.basis.AppendOneByOne(space.Columns(v.Start, 0, min(v.Start.Cols, v.Task.Block)), min(v.Start.Cols, v.Task.Block), 1e-8*v.Space.Longest(v.Start))
	}
	v.refill()
	for {
		r, err := v.cycle(ctx)
		if err != nil {
			return problem.Pairs{}, err
		}
		if r.done {
			before := len(v.locked)
			v.lock(r)
			if p, done, err := v.judge(ctx, before); done || err != nil {
				return p, err
			}
			continue
		}
		if v.stats.Restarts++; v.stats.Restarts > v.MaxIter {
			v.stats.Restarts--
			v.lock(r)
			p := firstPairs(v.result(len(v.locked)), v.K)
			p.Unsearched = true
			return p, nil
		}
		if !v.loose && v.stale() { // what was found before may do
			v.loose, v.audit.pending = true, nil
			if p, done, err := v.compare(ctx, 0); done || err != nil {
				return p, err
			}
			continue
		}
		if !v.lockApart(r) {
			v.restart(r, r.keep)
		}
	}
}
