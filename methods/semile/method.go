package semile

import (
	"context"

	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
)

// Spec is semi-supervised Laplacian Eigenmaps as a method.
var Spec = method.Spec{
	Name:    "semi-le",
	Grows:   "n²",
	Summary: "le on a graph whose edges follow the known labels",
	About: "Edges between labelled documents get the weight 1 within a class and are removed across classes;\n" +
		"then Laplacian Eigenmaps. Documents of one class are drawn together, not merged as in cle.",
	Reference: "Chen, Zhang, Bu, Wang and Chen 2010, sections 2.4 and 4.3",
	Cost:      "as le",
	Needs:     method.Needs{Labels: method.Required, Affinity: true, Roots: true},
	Yields:    method.Yields{Coordinates: true, Nested: true, FromLabels: true},
	Paper:     []method.Setting{{Name: "init", Value: "k-means++"}},
	Divided:   true,
	Single:    true,
	New:       func() method.Options { return new(Options) },
	Placer:    func() method.Placer { return new(nystrom.Extension) },
}

// Options are the options of Laplacian Eigenmaps.
type Options struct {
	le.Options `flags:"*"`
}

// Fit implements method.Options.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used := *o
	used.SettleSkip(in)
	var err error
	if used.Dims, err = used.DimsFor(in); err != nil {
		return nil, err
	}
	return used.FitLandmarks(ctx, in, &used, func(ctx context.Context, in *method.Input, g *graph.Graph, opt le.Options) (*le.Model, error) {
		return FitGraph(ctx, g, in.Given.Labels, len(in.Given.Names), opt)
	})
}
