package krylov

import (
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/memory"
	"gonum.org/v1/gonum/blas/blas64"
)

// judge computes the residuals of the wanted pairs relative to their limits. If the task has its
// own measure, or if the operator is filtered and the residual is only a bound, judge measures the
// pairs whose bound exceeds the limit: 2·n·(active + next) flops each, and one product with a
// filter.
func (r *ritz) judge(k *krylov, wanted int) {
	r.excess = make([]float64, len(r.residuals))
	worth, measure, limit := 1.0, k.Measure, k.Measured // worth is the most that measuring can gain
	if measure == nil {
		measure, limit = space.Space.Norms, k.limit()
	} else {
		worth = k.Measured / k.Tol
	}
	if k.filter != nil {
		worth *= 100
	}
	var doubtful []int
	for j, res := range r.residuals {
		r.excess[j] = res / k.limit()
		if j < wanted && r.excess[j] > k.lockShare() && r.excess[j] < worth*k.lockShare() {
			doubtful = append(doubtful, j)
		}
	}
	began := time.Now()
	for width := widest(k.Task); len(doubtful) > 0; {
		part := doubtful[:min(width, len(doubtful))]
		doubtful = doubtful[len(part):]
		u, residual := k.vectorsOf(r, part)
		for to, m := range measure(k.Space, u, residual) {
			// What rounding allows the bound to exceed its share by does not hold for the measure.
			r.excess[part[to]] = min(r.excess[part[to]], m/limit*k.share()/k.lockShare())
		}
	}
	k.stats.BasisTime += time.Since(began)
}

// vectorsOf returns the given Ritz vectors, at most a widest block, and their residuals, in scratch
// memory.
func (k *krylov) vectorsOf(r *ritz, list []int) (u, residual blas64.General) {
	c := len(list)
	s := space.NewBlock(k.active, c)
	for to, from := range list {
		for i := range k.active {
			s.Data[i*c+to] = r.vectors.Data[i*r.vectors.Stride+from]
		}
	}
	u, residual = space.AsBlock(k.x[:k.N*c], k.N, c), space.AsBlock(k.w[:k.N*c], k.N, c)
	k.basis.CombineInto(u, k.fixed(), s)
	if k.filter == nil {
		k.basis.CombineInto(residual, k.basis.Size-k.next, k.times(s))
		return u, residual
	}
	k.Op.MulBlock(residual, u)
	k.stats.Products += c
	k.basis.Panels(func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row := residual.Data[i*c:][:c]
			for j, x := range u.Data[i*c:][:c] {
				row[j] -= r.values[list[j]] * x
			}
		}
	})
	return u, residual
}

// plan decides which Ritz pairs to lock and how many to keep.
func (r *ritz) plan(k *krylov) {
	wanted := r.wanted(k)
	r.judge(k, wanted)
	share := k.share()
	r.order, r.lock = make([]int, 0, len(r.values)), 0
	for j := range wanted {
		if r.excess[j] <= share {
			r.order = append(r.order, j)
		}
	}
	r.lock = len(r.order)
	for j := range r.values {
		if j >= wanted || r.excess[j] > share {
			r.order = append(r.order, j)
		}
	}
	r.satisfied = r.lock == wanted && len(k.locked)+r.lock >= k.K
	locked := len(k.locked) + r.lock
	keep := max(k.K-locked, 0) + (k.Subspace-k.K)*2/5
	r.keep = max(0, min(keep, len(r.values)-r.lock, k.Subspace-locked-k.aside-2*k.Task.Block))
}

// wanted counts the Ritz values that belong to the k largest of all locked and active values; they
// are the first ones. An active value displaces a locked one only if it is larger by more than the
// limit.
func (r *ritz) wanted(k *krylov) int {
	locked := k.byValue()
	wanted, fromLocked := 0, 0
	for wanted+fromLocked < k.K && (wanted < len(r.values) || fromLocked < len(locked)) {
		if fromLocked == len(locked) || wanted < len(r.values) && r.values[wanted] > k.locked[locked[fromLocked]]+k.limit() {
			wanted++
		} else {
			fromLocked++
		}
	}
	return wanted
}

// nothingAbove reports whether the certificate of the search holds: no eigenvalue above the k-th
// locked one is missing.
func (r *ritz) nothingAbove(k *krylov) bool {
	if r.lock > 0 || len(r.values) == 0 {
		return len(r.values) == 0
	}
	floor, least := k.missing()
	k.proof.settle(floor, least, k.growth)
	return k.proof.holds(r, k.growth)
}

// result collects the best count pairs of the locked ones, and ends the basis. The memory of all
// but the locked vectors is free before the result takes its own.
func (k *krylov) result(count int) problem.Pairs {
	order := k.byValue()[:count]
	p := problem.Pairs{Converged: count}
	for _, from := range order {
		p.Values = append(p.Values, k.locked[from])
	}
	b, parts := k.basis, k.basis.Parts(0, len(k.locked))
	free := memory.Bytes(8, k.N, b.Capacity()-len(k.locked))
	k.x, k.w, k.y, k.z, k.basis = nil, nil, nil, nil, nil
	b.V, b.More, b.Spare = space.NewBlock(k.N, 0), nil, nil
	memory.Dropped(free)
	if p.Vectors = space.NewBlock(k.N, count); count == 0 {
		return p
	}
	b.More = parts
	b.Pick(p.Vectors, order, k.place)
	return p
}

// partial collects the result at the iteration limit: locked pairs and the best Ritz pairs, without
// those in the band of a filter, about which it gives no information.
func (k *krylov) partial(r *ritz) problem.Pairs {
	converged := len(k.locked) + r.lock
	known := len(r.values)
	if k.filter != nil {
		for known > r.lock && r.theta[r.order[known-1]] <= 1 {
			known--
		}
	}
	if k.aside > 0 {
		r.lock, converged = 0, len(k.locked) // in a search, which has found nothing
	}
	r.lock = min(known, r.lock+max(0, k.K-converged))
	k.restart(r, 0)
	p := k.result(min(k.K, len(k.locked)))
	p.Converged = min(converged, k.K)
	p.Unsearched = true
	return p
}
