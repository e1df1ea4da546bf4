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
	stages, own, err := o.LE.PlanChanged(in, at)
	if err != nil {
		return nil, err
	}
	n, k := in.Len(), own.Neighbors
	stages[0].Keeps = graph.KeptBytes(n, k) / 2
	stages[0].Bytes = max(graph.NearestBytes(n, k, at.Entries, in.Sparse()), memory.Bytes(bytesPerNeighbour, n, k))
	return stages, nil
}
