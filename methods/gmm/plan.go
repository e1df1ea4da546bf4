package gmm

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/pca"
)

// Plan implements method.Planner.
func (o *ReducedOptions) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	const iterations = 50
	used := *o
	if err := used.Reduce.settle(in); err != nil {
		return nil, err
	}
	var stages []method.Stage
	n, d := in.X.Dims()
	x := in.X
	if a := used.Reduce.Amount; !a.IsZero() {
		first, err := (&pca.Options{Amount: a, Solver: used.Reduce.Solver}).Plan(in, at)
		if err != nil {
			return nil, err
		}
		stages = first
		if d = a.Count; d == 0 {
			_, terms := in.X.Dims()
			d = max(1, min(n, terms)/3)
		}
		x = method.Shape(n, d)
	}
	opt := used.Mixture
	opt.K = in.Clusters
	return append(stages, method.Stage{Name: "mixture", Bytes: Memory(x, opt), Keeps: memory.Bytes(8, n, opt.K),
		Seconds: at.Passes(float64(n)*float64(d), float64(iterations*opt.K*d)), Helps: []string{"‹pca›", "‹covariance› diag"}}), nil
}
