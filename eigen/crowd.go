package eigen

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/memory"
)

// A basis that cannot hold the crowd of eigenvalues around the last wanted ones converges slowly:
// each restart drops what separates them. With more columns in place of restarts the same graph
// needs fewer products (1,000,000 points in 20 blobs: see docs/performance.md), but each new vector
// is orthogonalised against more. So the basis grows when the cycles show that many more would
// follow.

// Limits of the growth: the cycles that must still be expected, and the cost of a basis vector in
// products with one vector, relative to the degree of the filter.
const (
	manyCycles = 2
	dearVector = 1.2
)

// crowded decides at the end of a cycle whether the basis grows by half in place of a restart. It
// extrapolates the number of cycles left from the residual of the worst wanted pair and that of the
// cycle before.
func (k *krylov) crowded(ctx context.Context, r *ritz) bool {
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
	if left <= manyCycles*gain {
		return false
	}
	more := (k.basis.capacity() - k.task.block) / 2
	vector := basisCost * float64(k.basis.capacity()+more) * float64(k.whole()) / float64(max(k.op.(matrix).NNZ(), 1))
	if vector > dearVector*float64(k.filter.degree) || k.basis.capacity()+more > k.room()/4 {
		return false
	}
	lacks := 0.0
	if memory.Bytes(8, k.n, more) > memory.Left(ctx)/2 {
		lacks = 1
	}
	if k.space.largest(lacks) > 0 {
		return false
	}
	k.grow(more)
	return true
}
