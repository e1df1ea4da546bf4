package labelprop

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/internal/cg"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
)

// Bytes estimates the memory that [FitGraph] takes besides a graph of a number of entries.
func Bytes(n, classes, entries int) int64 {
	return memory.Whole(cg.Bytes(n, classes) + 3*8*float64(n)*float64(classes) + 20*float64(entries))
}

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	const products = 100
	classes := max(1, in.Clusters)
	joined := nystrom.Planned{Problem: nystrom.Problem{Graph: o.Graph}, Dims: 1}
	both, err := joined.Stages(in, at)
	if err != nil {
		return nil, err
	}
	n := in.Len()
	entries := 2 * n * in.CompleteGraph(in.X, o.Graph).Neighbors
	return []method.Stage{both[0], {Name: "propagation", Bytes: Bytes(n, classes, entries), Keeps: memory.Bytes(8, n, classes),
		Seconds: at.Passes(float64(entries), float64(products*classes))}}, nil
}
