package layout

import (
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Planned returns the stage of a map of n documents whose graph has as many neighbours as the
// default.
func Planned(n int, at method.Rates) method.Stage {
	edges := 2 * n * min(graph.DefaultNeighbors, max(1, n-1)) // at most: of the union of the lists
	return method.Stage{Name: Stage, Bytes: Bytes(n, edges), Keeps: 16 * int64(n),
		Seconds: at.Passes(float64(edges+pushes*n), 1.5*Passes), Helps: []string{"‹map› false"}}
}
