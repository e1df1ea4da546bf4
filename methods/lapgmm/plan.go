package lapgmm

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/gmm"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
)

// Plan implements method.Planner.
func (o *ReducedOptions) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	x, stages, err := o.Reduce.Planned(in, at)
	if err != nil {
		return nil, err
	}
	n, d := x.Dims()
	if x != in.X {
		at.Entries = in.Len() * d
	}
	rows := *in
	rows.X = x
	joined := nystrom.Planned{Problem: nystrom.Problem{Graph: o.Mixture.graphOptions(in.Len())}, Dims: 1}
	both, err := joined.Stages(&rows, at)
	if err != nil {
		return nil, err
	}
	opt := o.Mixture
	opt.K, opt.Share = in.Clusters, in.Share
	edges := memory.Bytes(8, 2*n, in.CompleteGraph(x, joined.Graph).Neighbors)
	return append(stages, both[0], gmm.PlannedMixture(x, in.Len(), memory.Sum(Memory(x, nil, opt), edges), opt.K, at)), nil
}
