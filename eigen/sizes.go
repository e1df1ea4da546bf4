package eigen

import (
	"cmp"
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/words"
)

// slack is the distance, in units of the tolerance, by which a value must exceed the k-th to count
// as missing; slackRounding is its least, relative to the norm of the operator.
const (
	slack         = 10
	slackRounding = 1e-9
)

// maxBlock is the largest number of vectors that are multiplied at once.
const maxBlock = 64

// The names of the solvers, as the options and the statistics have them.
const (
	autoName        = "auto"
	denseName       = "dense"
	arpackName      = "arpack"
	lanczosName     = "lanczos"
	shiftInvertName = "shift-invert"
	slepcName       = "slepc"
)

// Sizes that decide between the dense and the iterative solver, measured with the benchmark
// program; rescueProblem is the largest that LAPACK solves where the others did not.
const (
	smallProblem  = 400
	mediumProblem = 4000
	rescueProblem = 12000
)

// pick chooses a solver by size: LAPACK is faster for small problems and for a large part of the
// spectrum.
func pick(t task) (name, why string) {
	switch {
	case t.n <= smallProblem:
		return denseName, fmt.Sprintf("the problem has only %d rows", t.n)
	case t.n <= mediumProblem && t.k > t.n/8:
		return denseName, fmt.Sprintf("%d of %d eigenpairs are a large share", t.k, t.n)
	}
	return lanczosName, fmt.Sprintf("%d of %d eigenpairs, a small share of a large problem", t.k, t.n)
}

// wideRows is the number of rows from which a block has 8 columns in place of 4. A wider block
// needs more products, but the matrix comes from memory, and is read once for all columns.
const wideRows = 500_000

// lanczosSizes chooses the block and the number of basis vectors.
func lanczosSizes(t task, locked int) (block, subspace int) {
	block = cmp.Or(t.block, 4)
	if t.block == 0 && t.whole() >= wideRows {
		block = 8
	}
	subspace = t.subspace
	if subspace == 0 {
		subspace = max(8*t.k/3, t.k+32)
	}
	subspace = max(subspace, t.k+2*block, locked+4*block)
	return min(block, t.room()), min(subspace, t.room())
}

// bytes estimates the memory of a solver; in bytes; an empty name chooses as auto does.
func (t task) bytes(name string) int64 {
	if name == autoName || name == "" {
		name, _ = pick(t)
	}
	returned := memory.Bytes(8, t.n, 3*t.k) // on every rank: pairs, scaled vectors and their product for residuals
	if name == denseName {
		// The matrix, LAPACK's copy in columns, and the vectors in both orders.
		return memory.Sum(memory.Bytes(16, t.n, t.n), memory.Bytes(16, t.n, t.k), returned)
	}
	block, subspace := lanczosSizes(t, 0)
	if name == arpackName {
		subspace = max(subspace, 2*t.k+1, t.subspace)
	}
	// Besides the basis: the packed block, its product, two for a filter of an operator that is no
	// matrix alone, the basis' columns for a search, and a block that a search begins with; the locked
	// vectors once more.
	here := t.n
	if t.ranks > 1 {
		here = t.n/t.ranks + 1
	}
	vectors := memory.Bytes(8, here, subspace+6*block+t.k)
	projected := memory.Bytes(8*6, subspace+block, subspace+block)
	return memory.Sum(vectors, projected, returned)
}

// fits refuses a solver that would take more memory than is left.
func (t task) fits(ctx context.Context, name string) error {
	way := "ask for fewer eigenpairs (‹dims›)"
	if name == denseName {
		way = "use ‹solver› lanczos"
	}
	return memory.Check(t.bytes(name), memory.Left(ctx), way, "%d eigenpairs of a problem of size %s by the solver %s", t.k, words.Thousands(t.whole()), name)
}
