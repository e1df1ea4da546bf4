package problem

import (
	"cmp"
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/words"
)

// A value counts as missing if it exceeds the k-th by more than Slack times the tolerance, and by
// more than SlackRounding times the norm of the operator.
const (
	Slack         = 10
	SlackRounding = 1e-9
)

// MaxBlock is the largest number of vectors that are multiplied at once.
const MaxBlock = 64

// The names of the solvers, as the options and the statistics have them.
const (
	Auto        = "auto"
	Dense       = "dense"
	ARPACK      = "arpack"
	Lanczos     = "lanczos"
	ShiftInvert = "shift-invert"
	SLEPc       = "slepc"
)

// Sizes that decide between the dense and the iterative solver, measured with the benchmark
// program; RescueProblem is the largest that LAPACK solves where the others did not.
const (
	SmallProblem  = 400
	MediumProblem = 4000
	RescueProblem = 12000
)

// Pick returns the solver for the sizes of a task, and the reason: LAPACK is faster for small
// problems and for a large part of the spectrum.
func Pick(t Task) (name, why string) {
	switch {
	case t.N <= SmallProblem:
		return Dense, fmt.Sprintf("the problem has only %d rows", t.N)
	case t.N <= MediumProblem && t.K > t.N/8:
		return Dense, fmt.Sprintf("%d of %d eigenpairs are a large share", t.K, t.N)
	}
	return Lanczos, fmt.Sprintf("%d of %d eigenpairs, a small share of a large problem", t.K, t.N)
}

// wideRows is the number of rows from which a block has 8 columns in place of 4. A wider block
// needs more products, but the matrix comes from memory, and is read once for all columns.
const wideRows = 500_000

// LanczosSizes returns the width of a block and the number of basis vectors of block Lanczos, if
// locked vectors are given to it.
func LanczosSizes(t Task, locked int) (block, subspace int) {
	block = cmp.Or(t.Block, 4)
	if t.Block == 0 && t.Whole() >= wideRows {
		block = 8
	}
	subspace = t.Subspace
	if subspace == 0 {
		subspace = max(8*t.K/3, t.K+32)
	}
	subspace = max(subspace, t.K+2*block, locked+4*block)
	return min(block, t.Room()), min(subspace, t.Room())
}

// Bytes estimates the peak memory of a solver, in bytes. An empty name means auto.
func (t Task) Bytes(name string) int64 {
	if name == Auto || name == "" {
		name, _ = Pick(t)
	}
	returned := memory.Bytes(8, t.N, 3*t.K) // on every rank: pairs, scaled vectors and their product for residuals
	if name == Dense {
		// The matrix, LAPACK's copy in columns, and the vectors in both orders.
		return memory.Sum(memory.Bytes(16, t.N, t.N), memory.Bytes(16, t.N, t.K), returned)
	}
	block, subspace := LanczosSizes(t, 0)
	if name == ARPACK {
		subspace = max(subspace, 2*t.K+1, t.Subspace)
	}
	// Besides the basis: the packed block, its product, two for a filter of an operator that is no
	// matrix alone, the basis' columns for a search, and a block that a search begins with; the locked
	// vectors once more.
	here := t.N
	if t.Ranks > 1 {
		here = t.N/t.Ranks + 1
	}
	vectors := memory.Bytes(8, here, subspace+6*block+t.K)
	projected := memory.Bytes(8*6, subspace+block, subspace+block)
	return memory.Sum(vectors, projected, returned)
}

// Fits returns an error if the solver would take more memory than is left.
func (t Task) Fits(ctx context.Context, name string) error {
	way := "ask for fewer eigenpairs (‹dims›)"
	if name == Dense {
		way = "use ‹solver› lanczos"
	}
	return memory.Need(ctx, t.Bytes(name), way, "%d eigenpairs of a problem of size %s by the solver %s", t.K, words.Thousands(t.Whole()), name)
}
