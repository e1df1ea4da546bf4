package nystrom

import (
	"context"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Problem is the part of a method's options that says which eigenproblem of which graph is solved:
// the kind of the graph, how it is built, of how many documents it is, and how its eigenpairs are
// found. Methods embed it. The zero value of every field is its default.
type Problem struct {
	// Kind is graph.KindNearest unless set.
	Kind graph.Kind `json:"graph_kind,omitempty" flag:"graph-kind" choices:"knn|complete" default:"knn" help:"join the nearest neighbours, or all documents by their cosine, without ever forming the graph: linear in the documents" group:"graph"`
	// Graph says how the neighbour graph is built. The complete graph has no options.
	Graph graph.Options `json:"graph" flags:"*" when:"graph-kind!=complete" group:"graph"`
	// Landmarks is the number of documents that the graph and the eigenproblem are of; the others
	// are placed by them ([OnLandmarks]). 0 means all. Functions that take a graph ignore it, and
	// functions that take rows refuse it.
	Landmarks int `json:"landmarks,omitempty" flag:"landmarks" range:">=1" unset:"none: all documents" when:"graph-kind!=complete" help:"embed this many documents, drawn at random, and place the others by them; documents with labels or constraints are always among them" group:"graph"`
	// Eigen says how the eigenpairs are found; the method sets K, Which and SkipNull.
	Eigen eigen.Options `json:"eigen" flags:"*" group:"eigenproblem"`
}

// Shares implements method.Sharer: a graph of nearest neighbours, the complete one, or landmarks.
func (p *Problem) Shares() bool {
	return p.Landmarks > 0 || p.Kind == graph.KindComplete || p.Graph.Shares()
}

// OnGraph builds the graph of the documents, or of the landmarks, embeds it by fit in dims
// dimensions, and places the other documents. Graph gets what was decided about the graph. used are
// the method's own options, which contain p. It returns the errors of [OnLandmarks], of the graph
// and of fit.
func (p *Problem) OnGraph(ctx context.Context, in *method.Input, dims int, used method.Options, fit func(context.Context, *method.Input, *graph.Graph) (*method.Fitted, error)) (*method.Fitted, error) {
	out, err := OnLandmarks(ctx, in, p.Landmarks, dims, func(ctx context.Context, in *method.Input) (*method.Fitted, error) {
		g, opt, err := in.AffinityKind(ctx, p.Kind, p.Graph)
		if err != nil {
			return nil, err
		}
		p.Graph = opt
		return fit(ctx, in, g)
	})
	if out != nil {
		out.Used = used
	}
	return out, err
}

// Planned is the work that p takes for dims dimensions.
func (p *Problem) Planned(dims int) Planned { return Planned{Problem: *p, Dims: dims} }
