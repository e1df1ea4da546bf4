package ckmeans

import (
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Plan implements method.Planner: one start, at the means of the labels.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	_, d := in.X.Dims()
	return []method.Stage{kmeans.Planned(in.X, at, kmeans.Options{K: in.Clusters, Restarts: 1, Start: method.Shape(in.Clusters, d)})}, nil
}
