package eigen

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/native/slepc"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/blas/blas64"
)

// task is the input of every solver: find the k largest eigenpairs of op in the orthogonal
// complement of known.
type task struct {
	op    Operator // of all rows, or of those of this rank
	n     int      // rows of this process
	known *nullspace
	space space // says which rows these are
	ranks int   // among how many the basis is divided; 0: it is not
	// outer is the context of the work if ranks divide it: they look at it together, and the solver's
	// own is never cancelled.
	outer context.Context
	k     int // at most n − known.size()
	// tol bounds ‖op·u − μu‖ for unit u, relative to the operator's norm if scaled is set.
	tol    float64
	scaled bool
	// measure, if not nil, maps unit vectors u and their residuals r = op·u − μu, column by column,
	// to numbers that must not exceed measured. They never exceed ‖r‖·measured/tol, so tol alone
	// would suffice, with more iterations. The space is that of the rows.
	measure  func(s space, u, r blas64.General) []float64
	measured float64
	// matrix is op as SLEPc's; nil without.
	matrix slepc.Matrix

	// top is the upper end of the spectrum, or a guess; fixed marks points that are eigenvectors
	// with the value 1; spectrum is the analysis of op, if there is one. For shift-invert.
	top float64
	// pencil: eigenvalues are 1 − those of op; largest: those of op; else their negatives.
	pencil, largest bool
	fixed           func(i int) bool
	spectrum        *spectrum

	subspace, block, maxIter int
	seed                     uint64
	start                    blas64.General // n×s approximate eigenvectors, s may be 0
	observer                 progress.Observer
}

// pairs is the output of every solver: values descending; vectors as the unit columns of an n×k
// row-major matrix; converged, the number of pairs that met tol; norm, a lower estimate of the
// operator's norm. The vectors need not have canonical signs.
type pairs struct {
	values    []float64
	norm      float64
	vectors   blas64.General
	converged int
	// errors bounds the errors of the values; nil if the residuals are the best bounds.
	errors []float64
	lack
	stats Stats
}

// lack says what a result may lack.
type lack struct {
	// unsearched is true if the iteration limit was reached before the search for missed pairs had
	// ended.
	unsearched bool
	// missing is the number of eigenvalues that a count says are missing and no search found.
	missing int
}

// solver is the signature of all solvers. At the iteration limit a solver returns the pairs it has.
type solver func(ctx context.Context, t task) (pairs, error)

// stage is the progress stage of the solvers.
const stage = "eigenvectors"

// room is the dimension of the complement of the known vectors.
func (t task) room() int { return t.whole() - t.known.size() }

// whole is the number of rows of the problem.
func (t task) whole() int { return t.space.Among(t.n) }

// stopped returns the context's error; with ranks, that of any rank.
func (t task) stopped(ctx context.Context) error {
	if !t.space.Divided() || t.outer == nil {
		return ctx.Err()
	}
	return ranks.Agree(t.space.Share, t.outer.Err())
}

func newBlock(rows, cols int) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: max(1, cols), Data: memory.Large(make([]float64, rows*cols))}
}

// columns returns the view of the columns [from, to) of a.
func columns(a blas64.General, from, to int) blas64.General {
	if a.Rows == 0 || from == to {
		return blas64.General{Rows: a.Rows, Cols: to - from, Stride: max(1, a.Stride)}
	}
	return blas64.General{Rows: a.Rows, Cols: to - from, Stride: a.Stride, Data: a.Data[from : (a.Rows-1)*a.Stride+to]}
}

// rows returns the view of the rows [from, to) of a.
func rows(a blas64.General, from, to int) blas64.General {
	if from == to {
		return blas64.General{Cols: a.Cols, Stride: a.Stride}
	}
	return blas64.General{Rows: to - from, Cols: a.Cols, Stride: a.Stride, Data: a.Data[from*a.Stride : (to-1)*a.Stride+a.Cols]}
}

// copyWhole is copyBlock for contiguous blocks of many rows, in parallel.
func copyWhole(dst, src blas64.General) {
	size := src.Rows * src.Cols
	mustRun(parallel.For(context.Background(), size, max(1<<15, size/64), func(_, lo, hi int) error {
		copy(dst.Data[lo:hi], src.Data[lo:hi])
		return nil
	}))
}

// copyBlock copies src to dst, which have the same shape.
func copyBlock(dst, src blas64.General) {
	rows, cols := src.Rows, src.Cols
	switch {
	case cols == 0 || rows == 0:
	case cols == src.Stride && cols == dst.Stride:
		copy(dst.Data[:rows*cols], src.Data[:rows*cols])
	case cols == 4:
		for i := range rows {
			moveFour(dst.Data[i*dst.Stride:], src.Data[i*src.Stride:])
		}
	default:
		for i := range rows {
			copy(dst.Data[i*dst.Stride:][:cols], src.Data[i*src.Stride:][:cols])
		}
	}
}

// moveFour copies four numbers. An assignment of arrays would be a call, since they may overlap.
func moveFour(dst, src []float64) {
	a, b, c, d := src[0], src[1], src[2], src[3]
	_ = dst[3]
	dst[0], dst[1], dst[2], dst[3] = a, b, c, d
}
