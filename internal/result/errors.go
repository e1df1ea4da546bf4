package result

import (
	"errors"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/methods/graph"
)

// WayOut says in terms of options what can be done about an error of the engine.
func WayOut(err error) error {
	if errors.Is(err, graph.ErrNoEdges) {
		return fault.Reword(err, "no two documents have a term or a value in common that counts, so there are no neighbours to cluster by: give more documents, ‹min-df› 1 to keep terms of single documents, or a ‹method› without neighbours such as kmeans")
	}
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
