package semildc

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/softlda"
)

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	used := *o
	if err := used.settleFor(in, nil); err != nil {
		return nil, err
	}
	n, d := in.X.Dims()
	if used.unreduced(n, d) != "" {
		used.Reduction = Raw
	}
	used = used.withDefaults()
	classes := len(in.Given.Names)
	stages, err := used.plannedLabels(in, at, classes)
	if err != nil {
		return nil, err
	}
	places := memory.Bytes(8, n, classes-1)
	if used.Discriminant == Kernel {
		stages = append(stages, method.Stage{Bytes: memory.Sum(kernelBytes(n), memory.Bytes(16, n, classes)), Keeps: places, Helps: []string{"‹discriminant› linear"},
			Seconds: at.Pairs(float64(n)*float64(n)/2, n) + at.Passes(float64(n)*float64(n), float64(n)/6)})
	} else {
		reduced, err := used.plannedDirections(in, at, classes)
		if err != nil {
			return nil, err
		}
		stages = append(stages, reduced...)
	}
	at.Entries = n * (classes - 1)
	stages = append(stages, kmeans.Planned(method.Shape(n, classes-1), at, kmeans.Options{K: classes, Restarts: 1, Start: method.Shape(classes, classes-1)}))
	return []method.Stage{method.AsOne("fit", places, stages...)}, nil
}

// plannedLabels are the stages of the soft labels.
func (o Options) plannedLabels(in *method.Input, at method.Rates, classes int) ([]method.Stage, error) {
	rows := *in
	switch n := in.Len(); o.SoftLabels {
	case Hard:
		labels := memory.Bytes(8, n, classes)
		return []method.Stage{{Bytes: labels, Keeps: labels}}, nil
	case Propagation:
		return o.Propagation.Plan(&rows, at)
	}
	rows.X = in.Raw()
	p := o.plsa(classes, nil)
	return p.Plan(&rows, at)
}

// plannedDirections are the stages of the reduction and of the linear directions.
func (o Options) plannedDirections(in *method.Input, at method.Rates, classes int) ([]method.Stage, error) {
	n, d := in.X.Dims()
	if o.Reduction == Raw {
		stage := softlda.Planned(in.X, at, classes)
		if o.LDA.Tol >= trialTol { // 3.8 s of a fit of TDT2 in place of 8
			stage.Seconds *= 0.4
		}
		return []method.Stage{stage}, nil
	}
	by := o.principals(n, d)
	stages, err := by.Plan(in, at)
	if err != nil {
		return nil, err
	}
	for i := range stages {
		if at.Again {
			stages[i].Seconds = 0
		}
	}
	k := by.Most(in)
	if o.Reduction == ICA {
		stages = append(stages, method.Stage{Bytes: memory.Bytes(16, n, k)})
	}
	at.Entries, at.Dense = n*k, true
	return append(stages, softlda.Planned(method.Shape(n, k), at, classes)), nil
}
