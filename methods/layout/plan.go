package layout

import (
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
)

// passes is how many passes over the edges and the documents that are pushed away a pass of the map
// takes, counted as products: 27 to 34 µs of 8,000 to 55,000 documents with 15 neighbours.
const passes = 1.9

// Planned returns the stage of a map of n documents: its time by a graph of so many neighbours, and
// its memory by one of as many as the default, at least.
func Planned(n, neighbours int, at method.Rates) method.Stage {
	edges := 2 * n * min(graph.DefaultNeighbors, max(1, n-1)) // at most: of the union of the lists
	timed := 2 * n * min(neighbours, max(1, n-1))
	return method.Stage{Name: Stage, Bytes: Bytes(n, edges), Keeps: 16 * int64(n),
		Seconds: at.Passes(float64(timed+pushes*n), passes*Passes), Helps: []string{"‹map› false"}}
}
