package krylov

import (
	"cmp"
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/memory"
)

// filterable reports whether a filter may serve: the operator is a matrix with few entries per row,
// and is large enough that estimating its spectrum does not exhaust it.
func (k *krylov) filterable() bool {
	a, ok := k.Op.(problem.Matrix)
	return ok && k.Room() >= 20*ScoutSteps && a.NNZ() <= maxRowEntries*k.Whole() && k.Task.K <= k.Room()/10
}

// tryFilter decides whether to use a filter and makes the first one.
func (k *krylov) tryFilter(ctx context.Context) error {
	if !k.filterable() {
		return nil
	}
	below := roomy * float64(k.Task.Subspace)
	seen, err := k.scout(ctx, below)
	if err != nil || !(seen.top > seen.low) {
		return err
	}
	wanted := seen.where(float64(k.Task.K))
	if len(k.locked) >= k.Task.K {
		wanted = k.locked[k.byValue()[k.Task.K-1]]
	}
	fit := func(size int) (*filter, bool) {
		return fitted(seen.low, seen.where(roomy*float64(size)), wanted, max(seen.top, wanted), k.basisProducts(size), k.Known.Size() > 0)
	}
	// If the crowd around the wanted values is larger than the basis, its filter is weak or there is
	// none. A basis that holds the crowd has a better one.
	size := k.Task.Subspace
	f, near := fit(size)
	for next := size + size/2; near && k.affords(next); next += next / 2 {
		larger, still := fit(next)
		if larger != nil {
			f, size = larger, next
		}
		near = still
	}
	if f == nil {
		return nil // a filtered cycle, degree times as many products, would only confirm that
	}
	if more := size - k.Task.Subspace; more > 0 {
		k.grow(more)
	}
	k.useFilter(f)
	return nil
}

// useFilter takes a filter where there was none. A matrix alone needs no further memory for it.
func (k *krylov) useFilter(f *filter) {
	k.filter = f
	if _, ok := problem.MatrixOf(k.Op); !ok {
		k.y, k.z = memory.Large(make([]float64, len(k.x))), memory.Large(make([]float64, len(k.x)))
	}
}

// patience is the number of cycles after which a filter is judged: Ritz values rise from below.
const patience = 3

// refilter checks the filter after a cycle, by its value at the last wanted Ritz value. If that is
// too small or far too large, it makes another one from the Ritz values, or takes the safe one, or
// none. Then pairs that have converged are locked, the Krylov space begins anew with random
// combinations of the other wanted Ritz vectors, and refilter returns true. That loses most of what
// the space knew, so a filter that serves well enough stays.
func (k *krylov) refilter(r *ritz) bool {
	wanted := min(k.K-len(k.locked), len(r.values))
	if k.filter == nil || wanted < 1 {
		return false
	}
	reached := r.theta[wanted-1]
	weak := reached < useful && k.stats.Restarts-k.filterSince >= patience
	if !weak && reached <= steep {
		return false
	}
	values := k.byFalling(r)
	f := k.filter.refitted(values, len(k.locked)+wanted, k.basisProducts(k.Task.Subspace), k.Known.Size() > 0)
	if f == nil && weak {
		f = safeFilter(k.filter.low, values[0])
		if f.high >= k.filter.high || k.Known.Size() > 0 && f.at(knownValue) > largestKnown {
			f = nil
		}
	} else if f == nil || !weak && f.degree < 2*k.filter.degree {
		return false
	}
	open := wanted
	for _, j := range r.order[:r.lock] {
		if j < wanted {
			open--
		}
	}
	if open < 1 {
		return false
	}
	k.restart(r, open)
	k.filter, k.filterSince = f, k.stats.Restarts
	mixture := space.NewBlock(open, k.Task.Block)
	for i := range mixture.Data {
		mixture.Data[i] = k.basis.Common.NormFloat64()
	}
	locked := len(k.locked)
	start := k.basis.Combine(locked, mixture)
	k.basis.Size = locked
	k.basis.AppendOneByOne(start, start.Cols, 1e-8)
	k.growth = 0
	clear(k.t.Data)
	k.fillRandom(locked)
	return true
}

// byFalling lists the values of locked and active vectors, descending.
func (k *krylov) byFalling(r *ritz) []float64 {
	values := slices.Concat(k.locked, r.values)
	slices.SortFunc(values, func(a, b float64) int { return cmp.Compare(b, a) })
	return values
}
