package ggle

import (
	"cmp"
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Spec is the geodesic, generalised Gaussian Laplacian Eigenmap as a method.
var Spec = method.Spec{
	Name:    "ggle",
	Grows:   "n²",
	Summary: "le on a graph of the nearest along the neighbour graph, with generalised Gaussian weights",
	About: "Measures distances d along shortest paths over the neighbour graph, joins each document to its\n" +
		"nearest by d, more than the graph has neighbours, with the weight exp(−d^p/t), and embeds that graph\n" +
		"by Laplacian Eigenmaps. p = 2 is the heat kernel.",
	Reference: "Zeng, Luo, Wang and Zhao 2009, as described by Zhou and Wang 2019",
	Cost:      "one neighbour graph, n·reach·k·log(reach) for the paths, 52 bytes per edge, then as le",
	Needs:     method.Needs{Roots: true},
	Yields:    method.Yields{Coordinates: true, Nested: true},
	Whole:     "the shortest paths from a document lead through the documents of all ranks",
	New:       func() method.Options { return new(Options) },
	Closed:    "ggle weighs documents by paths through all others, and has no rule for those that are not on them",
}

// Fit implements method.Options.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used := *o
	if err := used.Validate(); err != nil {
		return nil, err
	}
	var err error
	if used.LE.Dims, err = used.LE.DimsFor(in); err != nil {
		return nil, err
	}
	n := in.Len()
	if used.Reach >= n {
		return nil, invalid.Errorf("‹reach› %d is more than the %s that each has: give at most %d", used.Reach, words.Plural(n-1, "other document", "other documents"), n-1)
	}
	used.LE.Graph.Weight = graph.Heat // which counts for nothing: paths have lengths
	used.LE.Graph = in.CompleteGraph(in.X, used.LE.Graph)
	g, err := used.graph(ctx, in)
	if err != nil {
		return nil, err
	}
	used.Reach, used.Width, used.Shape = used.ReachOf(n), g.HeatWidth, cmp.Or(used.Shape, DefaultShape)
	out, err := used.LE.Embed(in, g, func(opt le.Options) (*le.Model, error) { return le.FitGraph(ctx, g, opt) })
	out.Used, out.Placer = &used, nil
	out.Facts = []method.Fact{
		method.Line("reach", fmt.Sprintf("each joined to its %d nearest along the graph, weights exp(-d^%g/%.4g)", used.Reach, used.Shape, used.Width)),
		method.Found("reach", used.Reach), method.Found("shape", used.Shape), method.Found("heat_width", used.Width),
	}
	return out, err
}

func (o Options) graph(ctx context.Context, in *method.Input) (*graph.Graph, error) {
	defer in.Stage("graph")()
	return Graph(ctx, in.X, o)
}
