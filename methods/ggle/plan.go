package ggle

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
)

// bytesPerEdge is the memory of a geodesic neighbour: lists, their transpose, the union, weights
// and the graph's copy.
const bytesPerEdge = 52

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	used := *o
	stages, own, err := used.LE.PlanChanged(in, at)
	if err != nil {
		return nil, err
	}
	used.LE.Graph = own
	n := in.Len()
	reach, edges := used.ReachOf(n), graph.KeptBytes(n, own.Neighbors) // with their lengths
	g := &stages[0]
	g.Bytes = max(g.Bytes, memory.Sum(edges, memory.Bytes(bytesPerEdge, n, reach)))
	g.Keeps, g.Helps = graph.KeptBytes(n, reach), append([]string{"‹reach›"}, g.Helps...)
	return stages, nil
}
