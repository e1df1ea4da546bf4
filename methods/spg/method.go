package spg

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/linear"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Spec is sparse projections over graphs as a method.
var Spec = method.Spec{
	Name:    "spg",
	Grows:   "n²",
	Summary: "sparse projections over a graph: few terms per direction, listed by name, then k-means",
	About: "Takes the eigenvectors y of a graph with Wy = λ' Dy, λ' the largest, and finds for each the\n" +
		"direction a of few terms that minimises ‖y − Xa‖² + β ‖a‖₁, by the lasso path to the number of\n" +
		"terms wanted. The graph joins neighbours, with or without labels; the labels alone and\n" +
		"principal components give responses y too.",
	Reference: "Cai, He and Han 2008, Sparse projections over graph, AAAI",
	Cost:      "the graph n²·(entries per document) and its eigenvectors; then one lasso path per direction",
	Needs:     method.Needs{Labels: method.Optional},
	Yields:    method.Yields{Coordinates: true},
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
	r, err := used.respond(ctx, in, out)
	if err != nil {
		return out, err
	}
	defer in.Stage("regression")()
	m, err := FitResponses(ctx, in.X, r, used.running(in))
	if m == nil {
		return out, err
	}
	out.Model, out.Embedding, out.Placer = m, m.Embedding, m.Placer()
	out.Values = &method.Values{Kind: method.Eigenvalue, Values: r.Values, Residuals: r.Residuals,
		How: fmt.Sprintf("%s of %s, %s per direction, %.4g %% zeros", words.Counted(len(m.Cardinality), "direction"), used.Responses, linear.TermRange(m.Cardinality), 100*m.Sparsity())}
	out.Directions = linear.Weights(m.Projection, in.Terms, 0)
	return out, err
}

// running are the options with seed and observer of the input.
func (o Options) running(in *method.Input) Options {
	o.Eigen.Seed, o.Eigen.Observer, o.Observer, o.Share = in.Seed, in.Observer, in.Observer, in.Share
	return o
}

// Shares implements method.Sharer.
func (o *Options) Shares() bool {
	if o.Responses == FromPCA && o.Eigen.Solver == eigen.ARPACK {
		return false
	}
	return o.Graph.Shares()
}

// settle decides the responses, the dimensions and the number of terms, and refuses what
// contradicts the labels.
func (o *Options) settle(in *method.Input) error {
	if o.Responses == "" {
		o.Responses = FromNeighbors
		if in.Given != nil {
			o.Responses = FromLabels
		}
	}
	if err := o.settleDims(in); err != nil {
		return err
	}
	switch labelled := in.Given != nil; {
	case labelled && (o.Responses == FromNeighbors || o.Responses == FromPCA):
		return invalid.Errorf("‹responses› %s does not look at labels: leave ‹labels› and ‹labeled-fraction› out, or give ‹responses› semi or classes", o.Responses)
	case !labelled && (o.Responses == FromLabels || o.Responses == FromClasses):
		return invalid.Errorf("‹responses› %s needs labels of a part of the documents: give ‹labels› or ‹labeled-fraction›", o.Responses)
	}
	if err := o.Validate(); err != nil {
		return err
	}
	if o.Terms.IsZero() && o.Penalty != Ridge {
		o.Terms.Count = DefaultTerms
	}
	return nil
}

// settleDims decides the number of directions: without the constant, c clusters have c − 1.
func (o *Options) settleDims(in *method.Input) error {
	var err error
	switch {
	case o.Responses == FromClasses && in.Given != nil && len(in.Given.Names) > 1:
		o.Dims, err = method.FixedDims(Spec.Name, "one direction fewer than classes given", len(in.Given.Names)-1, o.Dims)
	case o.Dims == 0 && in.Clusters > 1:
		o.Dims = in.Clusters - 1
	}
	if err != nil {
		return err
	}
	if o.Dims, err = in.Dims(o.Dims); err != nil {
		return err
	}
	return in.MostDims(o.Dims, in.Len())
}

// respond makes the responses, with the graph if they are of one.
func (o *Options) respond(ctx context.Context, in *method.Input, out *method.Fitted) (*Responses, error) {
	switch o.Responses {
	case FromClasses:
		r, err := ClassResponses(ranks.GatherInts(in.Share, in.Given.Labels), len(in.Given.Names))
		if err != nil {
			return nil, err
		}
		return r.ofShare(in.Share), nil
	case FromPCA:
		return PCAResponses(ctx, in.X, o.running(in))
	}
	if o.Graph.Neighbors == 0 && o.Graph.Epsilon == 0 {
		o.Graph.Neighbors = in.FewNeighbors(0, DefaultNeighbors)
	}
	var err error
	if out.Graph, o.Graph, err = in.Affinity(ctx, o.Graph); err != nil {
		return nil, err
	}
	defer in.Stage("eigen")()
	if o.Responses == FromLabels {
		return SemiResponses(ctx, out.Graph, in.Given.Labels, len(in.Given.Names), o.running(in))
	}
	return NeighborResponses(ctx, out.Graph, o.running(in))
}
