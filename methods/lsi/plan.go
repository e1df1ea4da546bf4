package lsi

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	dims, err := in.Dims(o.Dims)
	if err == nil {
		err = in.CheckRank(dims, "dims")
	}
	if err != nil {
		return nil, err
	}
	n, d := in.X.Dims()
	stage := svd.Planned(in.Share, n, d, dims, !in.Sparse(), o.Solver, at)
	stage.Bytes = memory.Sum(stage.Bytes, rows.NormalizedBytes(n, dims, o.NormalizeRows))
	return []method.Stage{stage}, nil
}
