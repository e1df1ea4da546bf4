package krylov

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/internal/memory"
)

// A basis that cannot hold the crowd of eigenvalues around the last wanted ones converges slowly:
// each restart drops what separates them. With more columns in place of restarts the same graph
// needs fewer products (1,000,000 points in 20 blobs: see docs/performance-notes.md), but each new
// vector is orthogonalised against more. So the basis is larger from the beginning if the estimate
// of the spectrum shows the crowd (tryFilter), and grows when the cycles show that many more would
// follow.

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
	size := k.Task.Subspace
	if !k.free {
		return size
	}
	most := min(k.Room(), max(stagnantGrowth*size, stagnantRoom))
	for left := memory.Left(ctx) / 2; size < max(k.Room()/mostRoom, most); size += size / 2 {
		lacks := 0.0
		if next := size + size/2; memory.Bytes(8, k.N, next-k.Task.Subspace) > left {
			lacks = 1
		}
		if k.Space.Largest(lacks) > 0 {
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
	return size <= min(k.most, k.Room()/mostRoom) && k.basisProducts(size) <= dearVector*float64(degree)
}

// crowded decides at the end of a cycle whether the basis grows by half in place of a restart. It
// extrapolates the number of cycles left from the residuals of the worst wanted pair in this cycle
// and in the one before.
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
	more := k.Task.Subspace / 2
	if left <= manyCycles*gain || !k.affords(k.Task.Subspace+more) {
		return false
	}
	k.grow(more)
	return true
}

// A solve that stagnates would end at the limit of restarts: within a group of nearly equal values
// a basis of the usual size gains next to nothing from one restart to the next, with or without a
// filter. It grows by half each time that the progress of the last pace restarts would not do, up
// to stagnantGrowth times its size, or stagnantRoom vectors if that is more. A basis of all
// dimensions has all eigenpairs.
const (
	pace           = 10
	stagnantGrowth = 8
	stagnantRoom   = 4000
)

// stagnant decides every pace restarts whether the basis grows by half because the restarts left
// would not do: by the pairs locked since the last time, and if there is none by the residual of
// the worst wanted pair, which crowded has set. In a search, whose end is not foreseen, it always
// does.
func (k *krylov) stagnant(searching bool) bool {
	if k.next == 0 || k.stats.Restarts%pace != 0 {
		return false
	}
	before := k.past
	k.past = milestone{len(k.locked), k.worst}
	left := float64(k.MaxIter - k.stats.Restarts)
	if gain := k.past.locked - before.locked; !searching && gain > 0 {
		if pace*float64(k.K-k.past.locked) <= left*float64(gain) {
			return false
		}
	} else if !searching && before.worst == 0 {
		return false
	} else if !searching && pace*math.Log(k.worst/k.lockShare()) <= left*math.Log(before.worst/k.worst) {
		return false
	}
	more := min(k.Task.Subspace/2, min(k.most, k.Room())-k.Task.Subspace)
	if more <= 0 {
		return false
	}
	k.Observer.Detailf(problem.Stage, "after %d restarts the basis grows to %d vectors", k.stats.Restarts, k.Task.Subspace+more)
	k.grow(more)
	return true
}

// basisProducts is the cost of a vector in a basis of so many, in products with one vector.
func (k *krylov) basisProducts(size int) float64 {
	return BasisCost * float64(size) * float64(k.Whole()) / float64(max(k.Op.(problem.Matrix).NNZ(), 1))
}
