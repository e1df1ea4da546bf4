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

// mostGrown is the largest basis that the memory allows, on all ranks: half of what is left when
// the solve begins. A resumed solve keeps the number, since another size has other bits.
func (k *krylov) mostGrown(ctx context.Context) int {
	size := k.task.subspace
	if !k.free {
		return size
	}
	for most := memory.Left(ctx) / 2; size < k.room()/mostRoom; size += size / 2 {
		lacks := 0.0
		if next := size + size/2; memory.Bytes(8, k.n, next-k.task.subspace) > most {
			lacks = 1
		}
		if k.space.largest(lacks) > 0 {
			break
		}
	}
	return size
}

// affords reports whether the basis may have so many vectors: that they are few beside the
// dimensions, have memory, and do not cost more than a filter's products.
func (k *krylov) affords(size int) bool {
	degree := maxDegree
	if k.filter != nil {
		degree = k.filter.degree
	}
	return size <= min(k.most, k.room()/mostRoom) && k.basisProducts(size) <= dearVector*float64(degree)
}

// crowded decides at the end of a cycle whether the basis grows by half in place of a restart. It
// extrapolates the number of cycles left from the residual of the worst wanted pair and that of the
// cycle before.
func (k *krylov) crowded(r *ritz) bool {
	before := k.worst
	k.worst = 0
	for _, excess := range r.excess[:min(r.wanted(k), len(r.excess))] {
		k.worst = max(k.worst, excess)
	}
	if k.filter == nil || before == 0 || k.next == 0 {
		return false
	}
	gain := math.Log(before / k.worst)
	left := math.Log(k.worst / k.lockShare())
	more := k.task.subspace / 2
	if left <= manyCycles*gain || !k.affords(k.task.subspace+more) {
		return false
	}
	k.grow(more)
	return true
}
