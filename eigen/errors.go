package eigen

import "fmt"

// NotConvergedError tells that the iteration's limit came before all pairs met the tolerance.
// Result holds what was found: the converged pairs and the best approximations of the others.
type NotConvergedError struct {
	Result *Result
	Wanted int
	// Worst is the largest residual among the pairs and Tol what was asked.
	Worst, Tol float64
}

func (e *NotConvergedError) Error() string {
	return fmt.Sprintf("%d of %d eigenpairs converged after %d restarts of %s (largest residual %.1e, tolerance %.1e); allow more iterations, a larger subspace or a larger tolerance",
		e.Result.Converged, e.Wanted, e.Result.Stats.Restarts, e.Result.Stats.Solver, e.Worst, e.Tol)
}
