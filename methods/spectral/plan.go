package spectral

import (
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	same := le.Options{Dims: o.Dims, NormalizeRows: true}
	dims, err := same.DimsFor(in)
	if err != nil {
		return nil, err
	}
	p := o.Planned(dims)
	p.Graph = Neighbors(in, o.Problem)
	return p.Stages(in, at)
}
