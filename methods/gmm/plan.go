package gmm

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/pca"
	"gonum.org/v1/gonum/mat"
)

// Plan implements method.Planner.
func (o *ReducedOptions) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	x, stages, err := o.Reduce.Planned(in, at)
	if err != nil {
		return nil, err
	}
	opt := o.Mixture
	opt.K, opt.Share = in.Clusters, in.Share
	return append(stages, PlannedMixture(x, in.Len(), Memory(x, opt), opt.K, at)), nil
}

// Planned are the rows that a mixture is fitted to, with their sizes alone, and the stages that
// make them.
func (r *Reduction) Planned(in *method.Input, at method.Rates) (mat.Matrix, []method.Stage, error) {
	used := *r
	if err := used.settle(in); err != nil {
		return nil, nil, err
	}
	if used.Amount.IsZero() {
		return in.X, nil, nil
	}
	by := &pca.Options{Amount: used.Amount, Solver: used.Solver}
	stages, err := by.Plan(in, at)
	for i := range stages {
		stages[i].Helps = []string{"‹pca›"}
	}
	n, _ := in.X.Dims()
	return method.Shape(n, by.Most(in)), stages, err
}

// PlannedMixture is the stage of a mixture of K components on the rows x that are here, of so many
// of all ranks, which takes the given bytes.
func PlannedMixture(x mat.Matrix, all int, bytes int64, components int, at method.Rates) method.Stage {
	const iterations = 100 // and products of small matrices, which take half as long again
	n, d := x.Dims()
	return method.Stage{Name: "mixture", Bytes: bytes, Keeps: memory.Bytes(8, n, components),
		Seconds: 1.5 * at.Blocks(float64(iterations)*float64(all)*float64(components)*float64(d)*float64(d)), Helps: []string{"‹pca›", "‹covariance› diag"}}
}
