package cocluster

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	used := *o
	option.Default(&used)
	dims, err := used.dims(in)
	if err != nil {
		return nil, err
	}
	n, d := in.X.Dims()
	copied := memory.Bytes(8, at.Entries) // weights of the scaled matrix
	first := svd.Planned(in.Share, n, d, dims+1, !in.Sparse(), "", at)
	first.Bytes, first.Keeps = memory.Sum(first.Bytes, copied), memory.Sum(first.Keeps, memory.Bytes(8, n, dims))
	stages := []method.Stage{first}
	if in.Clusters > 0 {
		at.Entries = (n + d) * dims
		second := kmeans.Planned(method.Shape(n+d, dims), at, kmeans.Options{K: in.Clusters, Restarts: used.Restarts})
		second.Bytes = memory.Sum(second.Bytes, memory.Bytes(8, n+2*d, dims))
		stages = append(stages, second)
	}
	return stages, nil
}
