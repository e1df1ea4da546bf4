package lecas

import (
	"cmp"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kernelkmeans"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	used := *o
	if err := used.settle(in); err != nil {
		return nil, err
	}
	g := &used.LE.Graph
	if g.Epsilon == 0 {
		g.Neighbors = cmp.Or(g.Neighbors, max(1, min(DefaultNeighbors, in.Len()-1)))
	}
	stages, err := used.LE.Planned(used.LE.Dims).Stages(in, at)
	if err != nil {
		return nil, err
	}
	adjusted := graph.KeptBytes(in.Len(), g.Neighbors)
	solve := &stages[1]
	solve.Bytes = memory.Sum(solve.Bytes, adjusted)
	if used.Search.Clustering == GivenLabels {
		return stages, nil
	}
	return []method.Stage{stages[0], used.Search.planned(in, at), *solve}, nil
}

// planned is the stage of the first clustering.
func (s Search) planned(in *method.Input, at method.Rates) method.Stage {
	lo, hi := s.bounds(in.Len())
	if s.Clusters > 0 {
		lo, hi = s.Clusters, s.Clusters
	}
	var ks []int
	clusters := 0 // of all starts
	for k := lo; k <= hi; k++ {
		ks = append(ks, k)
		clusters += k * s.starts()
	}
	n, runs := in.Len(), len(ks)*s.starts()
	var first method.Stage
	if s.Clustering == KMeans {
		first = kmeans.Planned(in.X, at, kmeans.Options{K: hi, Restarts: 1})
		first.Seconds *= float64(runs)
	} else {
		opt := s.kernelOptions()
		opt.Restarts = s.starts()
		first = kernelkmeans.Planned("", in, at, opt, ks)
	}
	first.Keeps = memory.Bytes(8, n, runs) // labels
	compared := method.Stage{}
	if len(ks) > 1 && !s.Simplified {
		compared = method.Stage{Bytes: metrics.SilhouetteBytes(n, clusters), Seconds: 2 * at.Pairs(float64(n)*float64(n), n), Helps: []string{"‹simplified›"}}
	}
	return method.AsOne("first", memory.Bytes(8, n), first, compared)
}
