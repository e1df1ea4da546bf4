package pca

import (
	"cmp"
	"math"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Most is the number of components of a fit: of a share of the variance the most that it can be,
// the same share of all, since the first components explain the most.
func (o *Options) Most(in *method.Input) int {
	if o.Amount.Share > 0 {
		_, d := in.X.Dims()
		return int(math.Ceil(o.Amount.Share * float64(min(in.Len(), d))))
	}
	return cmp.Or(o.Amount.Count, o.Dims)
}

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	used := *o
	if err := used.settle(in); err != nil {
		return nil, err
	}
	n, d := in.X.Dims()
	stage := svd.Planned(in.Share, n, d, used.Most(in), !in.Sparse(), o.Solver, at)
	centring := svd.PanelBytes(n, d)
	if in.Sparse() {
		centring = memory.Bytes(8, at.Of(n, in.Len()).Entries)
	}
	stage.Bytes = memory.Sum(stage.Bytes, centring)
	return []method.Stage{stage}, nil
}
