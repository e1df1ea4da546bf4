package cle

import "github.com/eigenmap/eigenmap/methods/method"

// Plan implements method.Planner. All maps together take about as much as twice as many eigenpairs.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	dims, err := o.dimsFor(in)
	if err != nil {
		return nil, err
	}
	p := o.Planned(dims)
	p.Solved, p.Whole = 2*dims, true
	return p.Stages(in, at)
}
