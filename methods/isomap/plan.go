package isomap

import (
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
)

// pathSeconds is what a shortest-path search takes for an edge and a doubling of the points, in
// seconds of a core, roughly: paths and coordinates of 1,797 digits took 1.1 s, of 3,743 articles
// of Reuters 5.6.
const pathSeconds = 1.2e-9

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
	paths := method.Stage{Name: "paths", Bytes: memory.Sum(lengths, table, scaled, places, rows.NormalizedBytes(n, used.Dims, o.NormalizeRows)), Keeps: memory.Sum(lengths, places), Helps: []string{"‹landmarks›"},
		Seconds: pathSeconds*float64(l)*edges*math.Log2(float64(n))/float64(max(1, at.Threads)) + at.Passes(float64(l)*float64(n), float64(4*used.Dims))}
	return []method.Stage{stages[0], paths}, nil
}
