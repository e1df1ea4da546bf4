package eigen

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/memory"
)

// A basis that cannot hold the crowd of eigenvalues around the last wanted ones converges slowly:
// each restart drops what separates them. With more columns in place of restarts the same graph
// needs fewer products (1,000,000 points in 20 blobs: see docs/performance.md), but each new vector
// is orthogonalised against more. So the basis is larger from the beginning if the estimate of the
// spectrum shows the crowd (tryFilter), and grows when the cycles show that many more would follow.

// Limits of the growth: the cycles that must still be expected; the cost of a basis vector in
// products with one vector, relative to the degree of the filter; and the part of all dimensions.
const (
	manyCycles = 2
	dearVector = 1.2
	mostRoom   = 4
)

// affords reports whether the basis may have so many vectors: that they are few beside the
// dimensions, do not cost more than a filter's products, and have memory, on all ranks.
func (k *krylov) affords(ctx context.Context, size int) bool {
	degree := maxDegree
	if k.filter != nil {
		degree = k.filter.degree
	}
	if size > k.room()/mostRoom || k.basisProducts(size) > dearVector*float64(degree) {
		return false
	}
	lacks := 0.0
	if memory.Bytes(8, k.n, size-k.task.subspace) > memory.Left(ctx)/2 {
		lacks = 1
	}
	return k.space.largest(lacks) == 0
}

// crowded decides at the end of a cycle whether the basis grows by half in place of a restart. It
// extrapolates the number of cycles left from the residual of the worst wanted pair and that of the
// cycle before.
func (k *krylov) crowded(ctx context.Context, r *ritz) bool {
	before := k.worst
	k.worst = 0
	for _, excess := range r.excess[:min(r.wanted(k), len(r.excess))] {
		k.worst = max(k.worst, excess)
	}
	if !k.free || k.filter == nil || before == 0 || k.next == 0 {
		return false
	}
	gain := math.Log(before / k.worst)
	left := math.Log(k.worst / k.lockShare())
	more := k.task.subspace / 2
	if left <= manyCycles*gain || !k.affords(ctx, k.task.subspace+more) {
		return false
	}
	k.grow(more)
	return true
}
