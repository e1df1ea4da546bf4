package krylov

import (
	"math"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/store"
	"gonum.org/v1/gonum/blas/blas64"
)

// krylov is block Lanczos with thick restart (Wu and Simon 2000, in blocks), full
// reorthogonalisation and locking. The basis holds, in this order,
//
//	locked   vectors that met the tolerance; the rest is kept orthogonal to them,
//	aside    in a search, approximate eigenvectors that the rest is kept orthogonal to as well,
//	active   V, with the projected matrix T = VᵀAV and AV = VT + QB up to the tolerance,
//	next     Q, the block to be multiplied next.
//
// T and B are full matrices, so V may hold any combination of restarted, random and new columns. If
// products are cheap, A is replaced by a Chebyshev polynomial of it ([filter]); T then belongs to
// the polynomial, and its values are converted back.
type krylov struct {
	problem.Task
	basis  *space.Basis
	filter *filter // nil without a filter
	// filterSince counts the restarts before the filter was made.
	filterSince int
	locked      []float64      // eigenvalues of the locked vectors
	aside       int            // vectors set aside
	t           blas64.General // capacity×capacity, the leading active×active part is T
	b           blas64.General // next×active, B
	active      int
	next        int // columns of Q
	// First column at which the next product has coefficients that are not just rounding.
	chain  int
	scale  float64      // estimate of the norm of A
	growth float64      // norm of the multiplied operator, A or p(A)
	proof  *certificate // of the search that runs, nil outside of one
	free   bool         // the size of the basis was not given, so it may grow
	most   int          // largest size that it may grow to
	worst  float64      // excess of the worst wanted pair at the end of the last cycle
	past   milestone    // see stagnant
	state  *store.Progress
	stats  problem.Stats
	// scratch memory, n×block each: the packed block, its product, and with a filter of an operator
	// that is no matrix alone two for its recurrence
	x, w, y, z []float64
}

// milestone is what a solve had at a multiple of pace restarts.
type milestone struct {
	locked int
	worst  float64
}

// widest returns the width of the widest block, which is the block of a search.
func widest(t problem.Task) int { return max(t.Block, min(searchBlock, t.Room())) }

// missing returns the smallest value, in terms of T, that counts as missing beside the k-th locked
// one, and the latter.
func (k *krylov) missing() (floor, least float64) {
	least = k.locked[k.byValue()[k.K-1]]
	floor = least + max(problem.Slack*k.limit(), problem.SlackRounding*k.scale)
	if f := k.filter; f != nil {
		return f.at(floor), f.at(least)
	}
	return floor, least
}

// fixed is the number of basis vectors that are not part of the Krylov space.
func (k *krylov) fixed() int { return len(k.locked) + k.aside }

// limit is the residual below which a pair counts as converged: the tolerance, or the limit of
// rounding.
func (k *krylov) limit() float64 {
	tol := k.Tol
	if k.Scaled {
		tol *= k.scale
	}
	return max(tol, 1e-14*k.scale, math.SmallestNonzeroFloat64)
}

// lockShare is the fraction s of the tolerance that a pair must reach to be locked. What is found
// later is kept orthogonal to it, and so has the residual of its own search, s, and a component of
// at most s along each of the pairs before it: √(k−1)·s together, since these are orthonormal. In
// the weighted norm of a measure both may add up.
func (k *krylov) lockShare() float64 { return min(0.5, 1/(1+math.Sqrt(float64(k.K-1)))) }

// share is lockShare for bounds: more if rounding does not allow it.
func (k *krylov) share() float64 { return max(k.lockShare(), 1e-14*k.scale/k.limit()) }

// times returns B·s: the residuals of the vectors V·s in terms of the next block.
func (k *krylov) times(s blas64.General) blas64.General {
	bs := space.NewBlock(k.next, s.Cols)
	if s.Cols == 0 {
		return bs
	}
	for q := range k.next {
		row := bs.Data[q*bs.Stride:][:s.Cols]
		for i, v := range k.b.Data[q*k.b.Stride:][:k.active] {
			for j, x := range s.Data[i*s.Stride:][:s.Cols] {
				row[j] += v * x
			}
		}
	}
	return bs
}

// byValue lists the locked vectors by falling value, ties in the order of locking.
func (k *krylov) byValue() []int { return indices.Falling(k.locked) }

// place returns the number, in the problem, of row i of the vectors.
func (k *krylov) place(i int) int {
	if k.Space.Order == nil {
		return i
	}
	return int(k.Space.Order[i])
}
