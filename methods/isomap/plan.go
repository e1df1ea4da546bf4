package isomap

import (
	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/geodesic"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
)

// pathSeconds is what the lengths of the shortest paths take for an edge and a source, in seconds
// of a core, roughly, where 16 sources near each other pass over the edges together.
const pathSeconds = 1.5e-9

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	used := *o
	var err error
	if used.Dims, err = o.dimsFor(in); err != nil {
		return nil, err
	}
	if err = used.checkLandmarks(in); err != nil {
		return nil, err
	}
	stages, err := nystrom.Planned{Problem: nystrom.Problem{Graph: used.Graph}, Dims: 1}.Stages(in, at)
	if err != nil {
		return nil, err
	}
	n := in.Len()
	l, k := used.LandmarksOf(n), in.CompleteGraph(in.X, used.Graph).Neighbors
	table, scaled := memory.Bytes(8, l, n), eigen.Bytes(l, used.Dims, used.Eigen)
	if l < n {
		scaled = memory.Sum(scaled, memory.Bytes(8, l, l))
	}
	lengths, places := graph.KeptBytes(n, k), memory.Bytes(8, n, used.Dims)
	edges := 1.5 * float64(n) * float64(k)
	searched := memory.Sum(table, memory.Bytes(geodesic.WorkerBytes(n), at.Threads))
	paths := method.Stage{Name: "paths", Bytes: memory.Sum(lengths, max(searched, memory.Sum(table, scaled, places)), rows.NormalizedBytes(n, used.Dims, o.NormalizeRows)), Keeps: memory.Sum(lengths, places), Helps: []string{"‹landmarks›"},
		Seconds: pathSeconds*float64(l)*edges/float64(max(1, at.Threads)) + at.Passes(float64(l)*float64(n), float64(4*used.Dims))}
	return []method.Stage{stages[0], paths}, nil
}
