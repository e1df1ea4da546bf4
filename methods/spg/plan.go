package spg

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/lars"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
)

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	used := *o
	if err := used.settle(in); err != nil {
		return nil, err
	}
	stages, err := used.plannedResponses(in, at)
	if err != nil {
		return nil, err
	}
	return append(stages, used.plannedRegression(in, at)), nil
}

// plannedResponses are the stages that make the responses.
func (o Options) plannedResponses(in *method.Input, at method.Rates) ([]method.Stage, error) {
	n, p := in.X.Dims()
	switch o.Responses {
	case FromClasses:
		return nil, nil
	case FromPCA:
		stage := svd.Planned(in.Share, n, p, o.Dims, !in.Sparse(), o.Eigen.Solver, at)
		stage.Name = "regression"
		return []method.Stage{stage}, nil
	}
	if o.Graph.Neighbors == 0 && o.Graph.Epsilon == 0 {
		o.Graph.Neighbors = in.FewNeighbors(0, DefaultNeighbors)
	}
	// The constant is found too, and left out.
	return nystrom.Planned{Problem: nystrom.Problem{Graph: o.Graph, Eigen: o.Eigen}, Dims: o.Dims + 1}.Stages(in, at)
}

// plannedRegression is the stage of the directions.
func (o Options) plannedRegression(in *method.Input, at method.Rates) method.Stage {
	n, p := in.X.Dims()
	terms := p
	if o.Penalty != Ridge {
		terms = o.terms(p)
	}
	entries := at.Of(n, in.Len()).Entries
	paths := lars.Bytes(n, p, entries, !in.Sparse(), o.Dims, terms)
	if o.Penalty == Ridge {
		paths = lars.RidgeBytes(n, p, entries, !in.Sparse(), o.Dims)
	}
	places := memory.Bytes(8, n, o.Dims) // of the embedding, and the responses
	return method.Stage{Name: "regression", Bytes: memory.Sum(paths, places, rows.NormalizedBytes(n, o.Dims, o.NormalizeRows)), Keeps: memory.Sum(places, places), Helps: []string{"‹dims›", "‹cardinality›"},
		Seconds: at.Passes(lars.Work(in.Len(), at.Entries, o.Dims, terms), 1)}
}
