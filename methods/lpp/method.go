package lpp

import (
	"context"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/linear"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Spec is locality preserving projections as a method, with linear discriminant analysis and
// principal components as embeddings of other graphs.
var Spec = method.Spec{
	Name:    "lpp",
	Grows:   "n²",
	Summary: "locality preserving projections: linear coordinates that follow the graph, then k-means",
	About: "Finds linear coordinates X·a that vary least over the edges of a graph W of the documents:\n" +
		"XᵀLX a = λ XᵀDX a with the smallest λ, where D holds the row sums of W, L = D − W and the rows\n" +
		"of X are centred. With weights 1/m within each class of m documents in place of the neighbour\n" +
		"graph this is linear discriminant analysis; the largest values of XᵀLX a = λ a for the complete\n" +
		"graph are the principal components.",
	Reference: "He and Niyogi 2003; Cai, He and Han 2008 (SPG), eq. (3); He, Yan, Hu, Niyogi and Zhang 2005",
	Cost:      "the graph n²·(entries per document); then 9·q³ for the smaller side q of the data, or some ten to thousand products with the data",
	Needs:     method.Needs{Labels: method.Optional},
	Yields:    method.Yields{Coordinates: true, Nested: true},
	Divided:   true,
	New:       func() method.Options { return new(Options) },
	Placer:    func() method.Placer { return new(linear.Placer) },
}

// Fit implements method.Options.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used := *o
	if err := used.settle(in); err != nil {
		return nil, err
	}
	out := &method.Fitted{Used: &used}
	var g Graph
	var err error
	switch used.Kind {
	case Classes:
		g, err = ClassGraph(ranks.GatherInts(in.Share, in.Given.Labels), len(in.Given.Names))
	case PCA:
		g = PCAGraph(in.Len())
	default:
		var neighbors *graph.Graph
		if neighbors, used.Graph, err = in.Affinity(ctx, used.Graph); err == nil {
			g, out.Graph = Of(neighbors), neighbors
		}
	}
	if err != nil {
		return out, err
	}
	defer in.Stage("regression")()
	opt := used
	opt.Seed, opt.Observer, opt.Share = in.Seed, in.Observer, in.Share
	m, err := FitGraph(ctx, in.X, g, opt)
	if m == nil {
		return out, err
	}
	out.Model, out.Embedding, out.Placer = m, m.Embedding, m.Placer()
	out.Values = &method.Values{Kind: method.Eigenvalue, Values: m.Values, Residuals: m.Residuals, Stats: &m.Stats}
	if used.Kind == PCA {
		out.Values.Own = true // of the scatter matrix
	}
	return out, err
}

// Shares implements method.Sharer.
func (o *Options) Shares() bool { return o.Solver != eigen.ARPACK && o.Graph.Shares() }

// settle decides the kind of graph, checks it against the labels, and decides the numbers of
// neighbours and dimensions.
func (o *Options) settle(in *method.Input) error {
	if o.Kind == "" {
		o.Kind = Neighbors
		if in.Given != nil {
			o.Kind = Classes
		}
	}
	if o.Kind == Neighbors && o.Graph.Neighbors == 0 && o.Graph.Epsilon == 0 {
		o.Graph.Neighbors = in.FewNeighbors(0, DefaultNeighbors)
	}
	switch {
	case o.Kind == Classes && in.Given == nil:
		return invalid.Errorf("‹edges› classes needs labels of a part of the documents: give ‹labels› or ‹labeled-fraction›")
	case o.Kind != Classes && in.Given != nil:
		return invalid.Errorf("‹edges› %s does not look at labels: leave ‹labels› and ‹labeled-fraction› out, or give ‹edges› classes", o.Kind)
	}
	var err error
	if o.Kind == Classes {
		o.Dims, err = linear.ClassDims(in, Spec.Name, o.Dims)
		return err
	}
	if o.Dims, err = in.Dims(o.Dims); err != nil {
		return err
	}
	return in.MostDims(o.Dims, in.Len())
}
