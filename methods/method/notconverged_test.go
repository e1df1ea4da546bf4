package method

import (
	"errors"
	"fmt"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
)

func TestNotConverged(t *testing.T) {
	solver := &eigen.NotConvergedError{Result: &eigen.Result{Stats: eigen.Stats{Restarts: 7}}, Worst: 1e-3, Tol: 1e-8}
	err := notConverged(fmt.Errorf("in a step: %w", solver))
	var e *NotConvergedError
	if !errors.As(err, &e) || e.Iterations != 7 || e.Residual != 1e-3 || e.Tol != 1e-8 {
		t.Errorf("%v is %+v", err, e)
	}
	var own *eigen.NotConvergedError
	if !errors.As(err, &own) || own != solver {
		t.Error("the solver's error is lost")
	}
	other := errors.New("other")
	if notConverged(other) != other || notConverged(nil) != nil {
		t.Error("other errors are wrapped")
	}
}
