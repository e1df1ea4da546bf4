package native

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// NotPositiveDefiniteError is the error of a Cholesky factorisation if a leading minor is not
// positive.
type NotPositiveDefiniteError struct {
	// Minor is the order of the first leading minor that is not positive, from 1.
	Minor int
}

func (e *NotPositiveDefiniteError) Error() string {
	return fmt.Sprintf("the matrix is not positive definite: its leading minor of order %d is not positive", e.Minor)
}

// ConvergenceError is the error if an iteration inside LAPACK did not converge.
type ConvergenceError struct {
	// Routine is the LAPACK name, such as "dsyevd".
	Routine string
	// Info is the routine's own code, which is positive, or 0 if the routine has none.
	Info int
}

func (e *ConvergenceError) Error() string {
	return fmt.Sprintf("the iteration in %s did not converge (info %d)", e.Routine, e.Info)
}

// NotFiniteError is the error if a matrix holds NaN or an infinity. It gives the first place in row
// order.
type NotFiniteError struct {
	Row, Col int
	Value    float64
}

func (e *NotFiniteError) Error() string {
	return fmt.Sprintf("the matrix holds %v at row %d, column %d (from 0): every entry must be finite", e.Value, e.Row, e.Col)
}

// notFinite returns the first column of row that is NaN or infinite, or -1. One multiply-add per
// entry.
func notFinite(row []float64) int {
	var sum float64
	for _, x := range row {
		sum += x * 0
	}
	if sum == 0 {
		return -1
	}
	for j, x := range row {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return j
		}
	}
	return -1
}

// checkGeneral returns a *NotFiniteError for the first entry of a that is not finite. mn flops.
func checkGeneral(a blas64.General) error {
	if a.Cols == 0 {
		return nil
	}
	for i := range a.Rows {
		row := a.Data[i*a.Stride:][:a.Cols]
		if j := notFinite(row); j >= 0 {
			return &NotFiniteError{Row: i, Col: j, Value: row[j]}
		}
	}
	return nil
}

// checkSymmetric is checkGeneral for the stored triangle of a.
func checkSymmetric(a blas64.Symmetric) error {
	for i := range a.N {
		lo, hi := i, a.N
		if a.Uplo == blas.Lower {
			lo, hi = 0, i+1
		}
		row := a.Data[i*a.Stride:][lo:hi]
		if j := notFinite(row); j >= 0 {
			return &NotFiniteError{Row: i, Col: lo + j, Value: row[j]}
		}
	}
	return nil
}
