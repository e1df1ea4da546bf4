package method

import "errors"

// NotConvergedError says that iterative work ended at its limit before it met its tolerance. It is
// the one type for all solvers; it wraps the solver's own error, which it repeats. Fit returns what
// was found beside it.
type NotConvergedError struct {
	Iterations    int // restarts, sweeps or steps, as the solver counts
	Residual, Tol float64
	Err           error
}

// Error implements error.
func (e *NotConvergedError) Error() string { return e.Err.Error() }

// Unwrap returns the solver's error.
func (e *NotConvergedError) Unwrap() error { return e.Err }

// notConverged wraps the error of a solver that did not converge; other errors stay as they are.
func notConverged(err error) error {
	var solver interface {
		error
		Reached() (iterations int, residual, tol float64)
	}
	if !errors.As(err, &solver) {
		return err
	}
	out := &NotConvergedError{Err: err}
	out.Iterations, out.Residual, out.Tol = solver.Reached()
	return out
}
