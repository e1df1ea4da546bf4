package le

import "github.com/eigenmap/eigenmap/methods/method"

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
