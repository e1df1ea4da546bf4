package cle

import (
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
)

// Plan implements method.Planner. All maps together take about as much as twice as many eigenpairs.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	dims, err := o.dimsFor(in)
	if err != nil {
		return nil, err
	}
	stages, err := nystrom.Planned{Kind: o.Kind, Graph: o.Graph, Eigen: o.Eigen, Landmarks: o.Landmarks, Dims: dims, Solved: 2 * dims, Whole: true}.Stages(in, at)
	if err == nil && o.Landmarks == 0 && o.Kind != "complete" {
		stages[0].Helps = append(stages[0].Helps, "‹landmarks›")
	}
	return stages, err
}
