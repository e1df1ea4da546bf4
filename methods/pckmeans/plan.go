package pckmeans

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Plan implements method.Planner: one start of k-means at a time from centres that are known, and
// the costs of the documents that links or labels are of. Links are not counted before they are
// read: they may be of all documents.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	_, d := in.X.Dims()
	k, linked := max(1, in.Clusters), in.Len()
	if in.Given != nil {
		k = max(k, len(in.Given.Names))
	}
	if in.Links == nil {
		linked = in.Labelled()
	}
	stage := kmeans.Planned(in.X, at, kmeans.Options{K: k, Restarts: 1, Start: method.Shape(k, d)})
	stage.Bytes = memory.Sum(stage.Bytes, memory.Bytes(8, linked, k+2), memory.Bytes(16, in.Len()))
	return []method.Stage{stage}, nil
}
