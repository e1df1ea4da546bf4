package spectral

import (
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
)

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	same := le.Options{Dims: o.Dims, NormalizeRows: true}
	dims, err := same.DimsFor(in)
	if err != nil {
		return nil, err
	}
	return nystrom.Planned{Kind: o.Kind, Graph: Neighbors(in, o.Graph), Eigen: o.Eigen, Dims: dims}.Stages(in, at)
}
