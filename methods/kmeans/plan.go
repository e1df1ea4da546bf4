package kmeans

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	used := *o
	if in.Clusters > 0 {
		used.K = in.Clusters
	}
	return []method.Stage{Planned(in.X, at, used)}, nil
}

// Planned is the stage of k-means on rows that hold their sizes alone.
func Planned(x mat.Matrix, at method.Rates, opt Options) method.Stage {
	passes := 8 // of a start over all centres, beside those that bounds save
	if sparse.Is(x) {
		passes = 60
	}
	n, d := x.Dims()
	return method.Stage{Name: "kmeans", Bytes: Memory(x, opt), Keeps: memory.Sum(memory.Bytes(8, opt.K, d), memory.Bytes(8, n)),
		Seconds: at.Passes(float64(at.Entries), float64(passes*opt.withDefaults().Restarts*opt.K)), Helps: []string{"‹restarts›"}}
}
