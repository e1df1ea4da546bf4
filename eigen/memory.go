package eigen

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/words"
)

// Bytes estimates the peak memory, in bytes, of finding k eigenpairs of a problem of size n with
// opt's solver, block and subspace: basis, projected problems, scratch and the vectors that are
// returned. The operator itself is not counted, and not what lanczos adds to its basis where
// eigenvalues crowd, up to half of the memory that is left.
func Bytes(n, k int, opt Options) int64 {
	t := task{n: n, k: min(k, n), subspace: opt.Subspace, block: opt.Block}
	return t.bytes(opt.Solver)
}

// SharedBytes estimates what [Bytes] does for a rank that has own rows of a graph ([Shared]), with
// the matrices: the own edges in the new numbers, scaled, and PETSc's, of 12 bytes each, and rows
// of vectors of other ranks, of which it reads so many.
func SharedBytes(own, entries, ghosts, k int, opt Options) int64 {
	if opt.Solver != SLEPc {
		opt.Solver = Lanczos
	}
	found := 0 // pairs of SLEPc that block Lanczos begins with
	if opt.Solver == SLEPc {
		found = k
	}
	return memory.Sum(Bytes(own, k, opt), memory.Bytes(3*12, entries), memory.Bytes(8*ghostColumns+4, ghosts), memory.Bytes(8, own, found))
}

// WholeBytes is [Bytes] for a problem that every rank has whole: SLEPc alone divides the basis.
func WholeBytes(n, k, ranks int, opt Options) int64 {
	if opt.Solver != SLEPc {
		ranks = 1
	}
	return task{n: n, k: min(k, n), subspace: opt.Subspace, block: opt.Block, ranks: ranks}.bytes(opt.Solver)
}

// bytes estimates the memory of a solver; see [Bytes].
func (t task) bytes(name Solver) int64 {
	if name == Auto || name == "" {
		name, _ = pick(t)
	}
	returned := memory.Bytes(8, t.n, 3*t.k) // on every rank: pairs, scaled vectors and their product for residuals
	if name == Dense {
		// The matrix, LAPACK's copy in columns, and the vectors in both orders.
		return memory.Sum(memory.Bytes(16, t.n, t.n), memory.Bytes(16, t.n, t.k), returned)
	}
	block, subspace := lanczosSizes(t, 0)
	if name == ARPACK {
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
func (t task) fits(ctx context.Context, name Solver) error {
	way := "ask for fewer eigenpairs (‹dims›)"
	if name == Dense {
		way = "use ‹solver› lanczos"
	}
	return memory.Check(t.bytes(name), memory.Left(ctx), way, "%d eigenpairs of a problem of size %s by the solver %s", t.k, words.Thousands(t.whole()), name)
}
