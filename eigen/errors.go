package eigen

import "fmt"

// NotConvergedError tells that the iteration's limit came before all pairs met the tolerance.
// Result holds what was found: the converged pairs and the best approximations of the others.
type NotConvergedError struct {
	Result *Result
	Wanted int
	// Unsearched says that copies of multiple eigenvalues may be missing: the limit came before the search for them
	// had ended, even if all pairs in Result meet the tolerance.
	Unsearched bool
	// Worst is the largest residual among the pairs and Tol what was asked.
	Worst, Tol float64
}

func (e *NotConvergedError) Error() string {
	if e.Unsearched && e.Result.Converged == e.Wanted {
		return fmt.Sprintf("%d eigenpairs converged, but the limit of restarts (%d were made) ended the search for missed copies of eigenvalues, so that one may be missing; allow more iterations",
			e.Wanted, e.Result.Stats.Restarts)
	}
	return fmt.Sprintf("%d of %d eigenpairs converged after %d restarts of %s (largest residual %.1e, tolerance %.1e); allow more iterations, a larger subspace or a larger tolerance",
		e.Result.Converged, e.Wanted, e.Result.Stats.Restarts, e.Result.Stats.Solver, e.Worst, e.Tol)
}
