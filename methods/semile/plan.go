package semile

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Plan implements method.Planner: that of Laplacian Eigenmaps, and a second complete graph, whose
// labelled documents are apart.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	stages, err := o.Options.Plan(in, at)
	if err == nil && o.Kind == graph.KindComplete {
		n, _ := in.X.Dims()
		stages[1].Bytes = memory.Sum(stages[1].Bytes, graph.ApartBytes(at.Of(n, in.Len()).Entries))
	}
	return stages, err
}
