package pca

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Plan implements method.Planner. A share of the variance is planned as a third of all dimensions.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	used := *o
	if err := used.settle(in); err != nil {
		return nil, err
	}
	n, d := in.X.Dims()
	k := used.Dims
	if used.Amount.Share > 0 {
		k = max(1, min(in.Len(), d)/3)
	}
	stage := svd.Planned(in.Share, n, d, k, !in.Sparse(), o.Solver, at)
	if !in.Sparse() { // a centred copy
		stage.Bytes = memory.Sum(stage.Bytes, memory.Bytes(8, n, d))
	}
	return []method.Stage{stage}, nil
}
