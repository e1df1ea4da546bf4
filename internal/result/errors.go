package result

import (
	"errors"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/fault"
)

// WayOut says in terms of options what can be done about an error of the engine.
func WayOut(err error) error {
	var nc *eigen.NotConvergedError
	if !errors.As(err, &nc) || nc.Result == nil {
		return err
	}
	way := "give a larger ‹max-iter› or ‹tol›, or another ‹solver›"
	if nc.Unsearched && nc.Result.Converged == nc.Wanted {
		way = "give a larger ‹max-iter›"
		if nc.Missing > 0 {
			way = "give another ‹solver›"
		}
	}
	return fault.Reword(err, nc.State()+": "+way)
}
