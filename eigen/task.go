package eigen

import (
	"context"

	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/blas/blas64"
)

// task is what every solver gets: the k largest eigenpairs of op in the orthogonal complement of known.
type task struct {
	op    Operator
	n     int
	known *nullspace
	k     int // at most n − known.size()
	// tol bounds ‖op·u − μu‖ for unit u; relative to the operator's norm where scaled is set.
	tol    float64
	scaled bool
	// measure, where it is not nil, turns unit vectors u and their residuals r = op·u − μu, column by
	// column, into numbers that have to stay within measured. It never exceeds ‖r‖·measured/tol, so tol alone would
	// do, at the price of more iterations.
	measure  func(u, r blas64.General) []float64
	measured float64

	subspace, block, maxIter int
	seed                     uint64
	start                    blas64.General // n×s approximate eigenvectors, s may be 0
	observer                 progress.Observer
}

// pairs is what every solver returns: values descending, vectors unit columns of an n×k row-major
// matrix, converged the number of pairs that met tol, norm an estimate from below of the operator's norm. The
// vectors need not have canonical signs.
type pairs struct {
	values    []float64
	norm      float64
	vectors   blas64.General
	converged int
	// unsearched says that the iteration's limit came before the search for missed pairs had ended.
	unsearched bool
	stats      Stats
}

// solver is the common form of the solvers. A solver that runs out of iterations returns what it has.
type solver func(ctx context.Context, t task) (pairs, error)

// stage is the name under which the solvers report.
const stage = "eigenvectors"

// room is the dimension of the complement of the known vectors.
func (t task) room() int { return t.n - t.known.size() }

func newBlock(rows, cols int) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: max(1, cols), Data: make([]float64, rows*cols)}
}

// columns is the view of the columns [from, to) of a.
func columns(a blas64.General, from, to int) blas64.General {
	if a.Rows == 0 || from == to {
		return blas64.General{Rows: a.Rows, Cols: to - from, Stride: max(1, a.Stride)}
	}
	return blas64.General{Rows: a.Rows, Cols: to - from, Stride: a.Stride, Data: a.Data[from : (a.Rows-1)*a.Stride+to]}
}

// rows is the view of the rows [from, to) of a.
func rows(a blas64.General, from, to int) blas64.General {
	if from == to {
		return blas64.General{Cols: a.Cols, Stride: a.Stride}
	}
	return blas64.General{Rows: to - from, Cols: a.Cols, Stride: a.Stride, Data: a.Data[from*a.Stride : (to-1)*a.Stride+a.Cols]}
}

// copyBlock copies src to dst, both of one shape.
func copyBlock(dst, src blas64.General) {
	for i := 0; src.Cols > 0 && i < src.Rows; i++ {
		copy(dst.Data[i*dst.Stride:][:src.Cols], src.Data[i*src.Stride:][:src.Cols])
	}
}
