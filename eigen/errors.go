package eigen

import (
	"fmt"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"gonum.org/v1/gonum/blas/blas64"
)

// notFinite returns the error for a product that is not finite, or too long for its norm.
func notFinite(product blas64.General) error {
	for i := range product.Rows {
		for _, v := range product.Data[i*product.Stride:][:product.Cols] {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return invalid.Errorf("the operator's product with a finite vector is %v in row %d; look for NaN, Inf or overflow in its entries", v, i+1)
			}
		}
	}
	return invalid.Errorf("the operator's products overflow; scale its entries down")
}

// NotConvergedError is the error if not all pairs met the tolerance within the iteration limit.
// Result holds the converged pairs and the best approximations of the others.
type NotConvergedError struct {
	Result *Result
	Wanted int
	// Unsearched is true if eigenvalues may be missing: the limit was reached before the search for
	// them had its certificate, even if all pairs in Result meet the tolerance.
	Unsearched bool
	// Worst is the largest residual of the pairs; Tol is the requested tolerance.
	Worst, Tol float64
}

func (e *NotConvergedError) Error() string {
	if e.Unsearched && e.Result.Converged == e.Wanted {
		return fmt.Sprintf("%d eigenpairs converged, but the search for missed eigenvalues reached the limit of restarts (%d), so one may be missing; allow more iterations",
			e.Wanted, e.Result.Stats.Restarts)
	}
	return fmt.Sprintf("%d of %d eigenpairs converged after %d restarts of %s (largest residual %.1e, tolerance %.1e); allow more iterations, a larger subspace or a larger tolerance",
		e.Result.Converged, e.Wanted, e.Result.Stats.Restarts, e.Result.Stats.Solver, e.Worst, e.Tol)
}

// Reached returns the restarts made, the largest residual and the tolerance.
func (e *NotConvergedError) Reached() (iterations int, residual, tol float64) {
	if e.Result != nil {
		iterations = e.Result.Stats.Restarts
	}
	return iterations, e.Worst, e.Tol
}
