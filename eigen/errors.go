package eigen

import (
	"fmt"
	"math"

	"github.com/eigenmap/eigenmap/internal/words"
)

// NotConvergedError is the error if not all pairs met the tolerance within the iteration limit.
// Result holds the converged pairs and the best approximations of the others, as far as there are
// any.
type NotConvergedError struct {
	Result *Result
	Wanted int
	// Unsearched is true if eigenvalues may be missing: the limit was reached before the search for
	// them had its certificate, even if all pairs in Result meet the tolerance.
	Unsearched bool
	// Missing is the number of eigenvalues that a count by inertia finds missing in Result, and that
	// no search found.
	Missing int
	// Worst is the largest residual of the pairs in Result, which are fewer than Wanted if a solver
	// has no approximation of the others; Tol is the requested tolerance.
	Worst, Tol float64
}

// Error says what was reached and what can be done.
func (e *NotConvergedError) Error() string {
	way := "allow more iterations, a larger subspace or a larger tolerance"
	if e.Unsearched && e.Result.Converged == e.Wanted {
		way = "allow more iterations"
		if e.Missing > 0 {
			way = "use another solver"
		}
	}
	return e.State() + "; " + way
}

// State says what was reached and what is missing.
func (e *NotConvergedError) State() string {
	r := e.Result
	restarts := words.Plural(r.Stats.Restarts, "restart", "restarts")
	switch {
	case e.Unsearched && r.Converged == e.Wanted && e.Missing > 0:
		return fmt.Sprintf("%d eigenpairs converged, but a count by inertia says that %s missing among them, which no search found", e.Wanted,
			words.Plural(e.Missing, "eigenvalue is", "eigenvalues are"))
	case e.Unsearched && r.Converged == e.Wanted:
		return fmt.Sprintf("all %d eigenpairs converged, but the search for missed ones did not finish within the limit of restarts (%d), so one may be missing", e.Wanted, r.Stats.Restarts)
	}
	text := fmt.Sprintf("%d of %d eigenpairs converged after %s of %s", r.Converged, e.Wanted, restarts, r.Stats.Solver)
	known := len(r.Values)
	switch none := e.Wanted - known; {
	case none <= 0:
		return text + fmt.Sprintf(" (largest residual %.1e, tolerance %.1e)", e.Worst, e.Tol)
	case known <= r.Converged:
		return text + fmt.Sprintf(", and there is no approximation of the other %d", e.Wanted-r.Converged)
	default:
		return text + fmt.Sprintf(" (largest residual of the %d found %.1e, tolerance %.1e), and there is no approximation of the other %d", known, e.Worst, e.Tol, none)
	}
}

// Reached returns the restarts made, the largest residual and the tolerance. The residual is
// infinite if there are pairs without any approximation.
func (e *NotConvergedError) Reached() (iterations int, residual, tol float64) {
	if e.Result != nil {
		iterations = e.Result.Stats.Restarts
	}
	residual = e.Worst
	if e.Result != nil && max(len(e.Result.Values), e.Result.Converged) < e.Wanted {
		residual = math.Inf(1)
	}
	return iterations, residual, e.Tol
}
