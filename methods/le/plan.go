package le

import (
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
)

// PlanChanged is the plan of a method that changes the neighbour graph: that of Laplacian Eigenmaps
// on as many neighbours as the data decide, with the options of that graph.
func (o Options) PlanChanged(in *method.Input, at method.Rates) ([]method.Stage, graph.Options, error) {
	dims, err := o.DimsFor(in)
	if err != nil {
		return nil, o.Graph, err
	}
	o.Graph = in.CompleteGraph(in.X, o.Graph)
	stages, err := o.Planned(dims).Stages(in, at)
	return stages, o.Graph, err
}

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	used := *o
	used.SettleSkip(in)
	dims, err := used.DimsFor(in)
	if err != nil {
		return nil, err
	}
	return o.Planned(dims).Stages(in, at)
}
