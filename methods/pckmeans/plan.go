package pckmeans

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Plan implements method.Planner: one start of k-means at a time, and the costs of linked
// documents.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	k := max(1, in.Clusters)
	stage := kmeans.Planned(in.X, at, kmeans.Options{K: k, Restarts: 1})
	stage.Bytes = memory.Sum(stage.Bytes, memory.Bytes(8, in.Len(), k+2))
	return []method.Stage{stage}, nil
}
