package sle

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
)

// bytesPerNeighbour is the memory of a candidate after the search: lists, ratios, and the graph,
// which keeps about half of them.
const bytesPerNeighbour = 48

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	used := *o
	dims, err := used.LE.DimsFor(in)
	if err != nil {
		return nil, err
	}
	used.LE.Graph = in.CompleteGraph(in.X, used.LE.Graph)
	stages, err := used.LE.Planned(dims).Stages(in, at)
	if err != nil {
		return nil, err
	}
	n, k := in.Len(), used.LE.Graph.Neighbors
	stages[0].Keeps = graph.KeptBytes(n, k) / 2
	stages[0].Bytes = max(graph.NearestBytes(n, k, at.Entries, in.Sparse()), memory.Bytes(bytesPerNeighbour, n, k))
	return stages, nil
}
