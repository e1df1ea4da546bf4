package ckmeans

import (
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	return []method.Stage{kmeans.Planned(in.X, at, kmeans.Options{K: in.Clusters})}, nil
}
