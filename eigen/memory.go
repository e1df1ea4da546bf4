package eigen

import (
	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/internal/memory"
)

// Bytes estimates the peak memory, in bytes, of finding k eigenpairs of a problem of size n with
// opt's solver, block and subspace: basis, projected problems, scratch and the vectors that are
// returned. The operator itself is not counted, and not what lanczos adds to its basis where
// eigenvalues crowd, up to half of the memory that is left.
func Bytes(n, k int, opt Options) int64 {
	t := problem.Task{N: n, K: min(k, n), Subspace: opt.Subspace, Block: opt.Block}
	return t.Bytes(string(opt.Solver))
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
	return problem.Task{N: n, K: min(k, n), Subspace: opt.Subspace, Block: opt.Block, Ranks: ranks}.Bytes(string(opt.Solver))
}
