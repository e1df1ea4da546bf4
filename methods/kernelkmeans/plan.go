package kernelkmeans

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/internal/pairs"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	used := *o
	if in.Clusters > 0 {
		used.K = in.Clusters
	}
	return []method.Stage{Planned("kmeans", in, at, used, []int{used.K})}, nil
}

// Planned is a stage of a name in which [FitEach] runs for several numbers of clusters.
func Planned(name string, in *method.Input, at method.Rates, opt Options, ks []int) method.Stage {
	const moves = 20 // of a start
	opt = opt.withDefaults()
	n, d := in.X.Dims()
	all := int64(0)
	sums, most := 0, int64(0)
	for _, k := range ks {
		all = memory.Sum(all, memory.Bytes(runBytes(n, k), opt.Restarts))
		most = max(most, runBytes(n, k))
		sums += k * opt.Restarts
	}
	bytes, times := pairs.PanelBytes(n, d, in.Sparse()), 1.0
	if storageFor(int64(n), matrixBytes) == Matrix {
		bytes = memory.Sum(bytes, memory.Bytes(8, n, n))
	} else {
		times = moves
	}
	bytes = memory.Sum(bytes, min(all, max(most, matrixBytes/4)))
	return method.Stage{Name: name, Bytes: bytes, Keeps: memory.Bytes(8, n),
		Seconds: times*at.Pairs(float64(n)*float64(n), n) + at.Passes(float64(n)*float64(n), float64(sums)), Helps: []string{"‹restarts›"}}
}
