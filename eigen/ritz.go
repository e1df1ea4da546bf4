package eigen

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
)

// ritz is the outcome of one projected problem and what the restart shall do with it.
type ritz struct {
	values    []float64 // descending
	vectors   blas64.General
	residuals []float64

	order     []int // first those to lock, then the others by falling value
	lock      int
	keep      int
	satisfied bool // the k largest of all values known are locked or about to be
}

// limit is the residual below which a pair counts as converged: the tolerance, or what rounding allows.
func (k *krylov) limit() float64 {
	tol := k.tol
	if k.scaled {
		tol *= k.scale
	}
	return max(tol, 1e-14*k.scale)
}

// plan decides which Ritz pairs to lock and how many to keep. A locked vector's own residual
// disturbs everything that is orthogonalised against it, so pairs are locked below the limit: k of them then
// stay within it together.
func (r *ritz) plan(k *krylov) {
	lockLimit := max(k.limit()*min(0.5, 1/math.Sqrt(float64(k.k))), 1e-14*k.scale)
	wanted := r.wanted(k)
	r.order, r.lock = make([]int, 0, len(r.values)), 0
	for j := range wanted {
		if r.residuals[j] <= lockLimit {
			r.order = append(r.order, j)
		}
	}
	r.lock = len(r.order)
	for j := range r.values {
		if j >= wanted || r.residuals[j] > lockLimit {
			r.order = append(r.order, j)
		}
	}
	r.satisfied = r.lock == wanted && len(k.locked)+r.lock >= k.k
	locked := len(k.locked) + r.lock
	keep := max(k.k-locked, 0) + (k.subspace-k.k)*2/5
	r.keep = max(0, min(keep, len(r.values)-r.lock, k.subspace-locked-2*k.task.block))
}

// wanted counts the Ritz values that belong to the k largest of locked and active values together;
// they are the first ones. An active value must be larger by more than the limit to displace a locked one.
func (r *ritz) wanted(k *krylov) int {
	locked := slices.Clone(k.locked)
	slices.SortFunc(locked, func(a, b float64) int { return cmp.Compare(b, a) })
	wanted, fromLocked := 0, 0
	for wanted+fromLocked < k.k && (wanted < len(r.values) || fromLocked < len(locked)) {
		if fromLocked == len(locked) || wanted < len(r.values) && r.values[wanted] > locked[fromLocked]+k.limit() {
			wanted++
		} else {
			fromLocked++
		}
	}
	return wanted
}

// nothingAbove tells whether the search of the complement has shown that no eigenvalue above the
// k-th locked one is left: the largest Ritz value, which lies below by more than its own uncertainty, or whose
// vector is good enough that the value (accurate to the square of the residual) can be believed.
func (r *ritz) nothingAbove(k *krylov) bool {
	if r.lock > 0 || len(r.values) == 0 {
		return len(r.values) == 0
	}
	locked := slices.Clone(k.locked)
	slices.SortFunc(locked, func(a, b float64) int { return cmp.Compare(b, a) })
	least := locked[k.k-1]
	return r.values[0]+r.residuals[0] < least ||
		r.values[0] <= least+k.limit() && r.residuals[0] <= math.Sqrt(k.tol)*k.scale
}

// result collects the best count pairs of the locked ones.
func (k *krylov) result(r *ritz, count int) pairs {
	order := make([]int, len(k.locked))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(k.locked[b], k.locked[a]) })
	order = order[:count]
	p := pairs{vectors: newBlock(k.n, count), converged: count}
	for to, from := range order {
		p.values = append(p.values, k.locked[from])
		copyBlock(columns(p.vectors, to, to+1), columns(k.basis.v, from, from+1))
	}
	return p
}

// partial collects what there is when the iteration's limit came: locked pairs and the best Ritz pairs.
func (k *krylov) partial(r *ritz) pairs {
	converged := len(k.locked) + r.lock
	r.lock = min(len(r.values), r.lock+max(0, k.k-converged))
	k.restart(r, 0)
	p := k.result(r, min(k.k, len(k.locked)))
	p.converged = min(converged, k.k)
	return p
}
