// Package krylov finds the largest eigenpairs of an operator from its products alone: block Lanczos
// with thick restart, on the operator or on a polynomial of it, and ARPACK and SLEPc, whose pairs
// it checks. All of them end with a search for missed pairs, whose certificate "Completeness" in
// the comment of package eigen derives.
package krylov

import (
	"context"
	"math"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/memory"
	"gonum.org/v1/gonum/blas/blas64"
)

// Lanczos solves with the block Lanczos method.
//
// Cost of one restart cycle with m basis vectors: (m − kept) operator products (degree times as
// many with a filter) and about 2·n·m·(m − kept) + 2·n·m·kept flops in gemm. Memory:
// (m + 2·block)·8n bytes, and 2·block·8n more with a filter of an operator that is no matrix alone.
func Lanczos(ctx context.Context, t problem.Task) (problem.Pairs, error) {
	return continueLanczos(ctx, t, blas64.General{Rows: t.N}, nil)
}

// continueLanczos is lanczos with some known pairs: locked holds orthonormal vectors that meet the
// tolerance, in the complement of the null space; values are their eigenvalues.
func continueLanczos(ctx context.Context, t problem.Task, locked blas64.General, values []float64) (problem.Pairs, error) {
	began := time.Now()
	free := t.Subspace == 0
	t.Block, t.Subspace = problem.LanczosSizes(t, locked.Cols)
	wide := widest(t)
	k := &krylov{
		Task:   t,
		basis:  t.NewBasis(0, t.Seed),
		locked: append([]float64(nil), values...),
		t:      space.NewBlock(t.Subspace+wide, t.Subspace+wide),
		x:      memory.Large(make([]float64, t.N*wide)),
		w:      memory.Large(make([]float64, t.N*wide)),
		state:  lanczosState(ctx),
		free:   free,
	}
	k.basis.Spare = k.x // which is free while columns are made orthonormal
	k.stats = problem.Stats{Solver: problem.Lanczos, Subspace: t.Subspace, Block: t.Block}
	for _, v := range values {
		k.scale = max(k.scale, math.Abs(v))
	}
	resumed, err := k.resume(ctx)
	if err == nil && !resumed {
		err = k.begin(ctx, locked)
	}
	if err != nil {
		return problem.Pairs{}, err
	}
	p, err := k.run(ctx, !resumed && len(k.locked) >= k.K)
	if err == nil {
		k.state.End()
	}
	k.stats.Total = time.Since(began)
	p.Stats, p.Norm = k.stats, k.scale
	return p, err
}

// begin makes the first block.
func (k *krylov) begin(ctx context.Context, locked blas64.General) error {
	k.basis.V, k.basis.More = space.NewBlock(k.N, 0), nil
	if k.filterable() {
		// The basis takes its memory only later.
		if err := k.arrange(ctx, (memory.Left(ctx)-k.Task.Bytes(problem.Lanczos))/2); err != nil {
			return err
		}
	}
	k.basis.Grow(min(k.Subspace, k.Task.Room()) + widest(k.Task))
	if locked.Cols > 0 {
		k.basis.Push(space.InOrder(locked, k.Space.Order))
	}
	k.most = k.mostGrown(ctx)
	err := k.tryFilter(ctx)
	if err == nil && len(k.locked) < k.Task.K {
		k.startFrom(k.Start)
	}
	return err
}

// run iterates until k pairs are locked and a search of the complement from a fresh random block
// has shown that nothing larger is missing. searching begins with the search.
func (k *krylov) run(ctx context.Context, searching bool) (problem.Pairs, error) {
	if searching {
		k.searchComplement(aside{})
	}
	for {
		if !searching {
			if err := k.save(); err != nil {
				return problem.Pairs{}, err
			}
		}
		r, err := k.cycle(ctx, searching)
		if err != nil {
			return problem.Pairs{}, err
		}
		k.Observer.Report(problem.Stage, int64(min(len(k.locked)+r.lock, k.K)), int64(k.K), "pairs")
		found := r.satisfied && (k.next == 0 && k.aside == 0 || searching && r.nothingAbove(k))
		if !found && k.hides(r) {
			k.basis.Size, k.next = len(k.locked), 0
			k.searchComplement(aside{})
			continue
		}
		if found {
			k.proof = nil
			k.restart(r, 0)
			return k.result(k.K), nil
		}
		if k.stats.Restarts++; k.stats.Restarts > k.MaxIter {
			k.stats.Restarts--
			return k.partial(r), nil
		}
		if r.satisfied && !searching {
			searching = true
			k.searchAfter(r)
			continue
		}
		if k.changed(r, searching) {
			continue
		}
		if r.lock > 0 && searching {
			k.stats.Recovered += r.lock
			searching, k.proof = false, nil // add what the search found, then search again
		}
		k.restart(r, r.keep)
	}
}

// hides reports whether vectors that were set aside keep the search from ending: a value is
// missing, and they would count in its residual; or the space is invariant, and they hide whether
// anything is missing; or the search finds copies of the k-th value that were not set aside, and
// what was hides too much beside them.
func (k *krylov) hides(r *ritz) bool {
	return k.aside > 0 && (r.wanted(k) > 0 || k.next == 0 || k.proof.spent(r))
}

// changed reports whether another cycle from the same vectors comes next: with more room for a
// crowd, another filter, or a larger basis where the values stagnate.
func (k *krylov) changed(r *ritz, searching bool) bool {
	if !searching && (k.crowded(r) || k.refilter(r)) {
		return true
	}
	return (r.lock == 0 || !searching) && k.stagnant(searching)
}

// cycle fills the basis and solves the projected problem. It solves it from time to time on the way
// as well, and stops early if more vectors would not help.
func (k *krylov) cycle(ctx context.Context, searching bool) (*ritz, error) {
	if k.next > 0 {
		k.widen(3)
	}
	look := 2 * (max(0, k.K-len(k.locked)) + k.Task.Block)
	if searching {
		look = min(k.active+k.Task.Block, max(k.active, firstLook*k.Task.Block))
	}
	for k.next > 0 && k.basis.Size+k.Task.Block <= k.basis.Capacity() {
		if err := k.extend(ctx); err != nil {
			return nil, err
		}
		if k.active < look {
			continue
		}
		look = k.active + max(4*k.Task.Block, k.active/2)
		if searching {
			look = k.active + max(k.Task.Block, k.active/8)
		}
		r, err := k.ritz()
		if err != nil {
			return nil, err
		}
		if r.plan(k); r.satisfied && (!searching || r.nothingAbove(k)) {
			return r, nil
		}
	}
	r, err := k.ritz()
	if err != nil {
		return nil, err
	}
	r.plan(k)
	return r, nil
}
