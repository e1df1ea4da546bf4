package tsvm

import "github.com/eigenmap/eigenmap/methods/method"

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	const trainings = 17 * 3 // of a class: levels, and steps of each
	return []method.Stage{o.SVM.Planned("tsvm", in, at, in.Len(), len(in.Given.Names), trainings)}, nil
}
