package ckmeans

import (
	"cmp"

	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Plan implements method.Planner: one start, at the means of the labels, or the restarts if there
// are more clusters than classes.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	_, d := in.X.Dims()
	k := in.Clusters
	planned := kmeans.Options{K: k, Restarts: o.Restarts}
	if in.Given != nil && k <= len(in.Given.Names) {
		k = cmp.Or(k, len(in.Given.Names))
		planned = kmeans.Options{K: k, Restarts: 1, Start: method.Shape(k, d)}
	}
	return []method.Stage{kmeans.Planned(in.X, at, planned)}, nil
}
