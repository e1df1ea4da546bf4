package sle

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Spec is the Laplacian Eigenmap of self-regulated neighbourhoods as a method.
var Spec = method.Spec{
	Name:    "s-le",
	Grows:   "n²",
	Summary: "le on a graph whose neighbourhoods end where the data bend, then k-means",
	About: "Takes the nearest documents one after the other into a neighbourhood, which ends before the first\n" +
		"one whose shortest path over the graph of the very nearest is more than a threshold times its\n" +
		"straight distance; then Laplacian Eigenmaps on the graph of these neighbourhoods.",
	Reference: "Raducanu and Dornaika 2012, as described by Zhou and Wang 2019",
	Cost:      "one neighbour graph and a bounded search of paths per document, then as le",
	Needs:     method.Needs{Roots: true},
	Yields:    method.Yields{Coordinates: true, Nested: true},
	Whole:     "the shortest paths that bound a neighbourhood lead through the documents of all ranks",
	New:       func() method.Options { return new(Options) },
	Closed:    "s-le lets the documents themselves decide how far a neighbourhood reaches, and has no rule for new ones",
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
	used.LE.Graph.Weight = cmp.Or(used.LE.Graph.Weight, graph.Heat)
	used.LE.Graph = in.CompleteGraph(in.X, used.LE.Graph)
	g, h, err := used.graph(ctx, in)
	if err != nil {
		return nil, err
	}
	if used.LE.Graph.Weight == graph.Heat {
		used.LE.Graph.HeatWidth = g.HeatWidth
	}
	out, err := used.LE.Embed(in, g, func(opt le.Options) (*le.Model, error) { return le.FitGraph(ctx, g, opt) })
	out.Used, out.Placer, out.Facts = &used, nil, h.facts()
	return out, err
}

func (o Options) graph(ctx context.Context, in *method.Input) (*graph.Graph, *Neighborhoods, error) {
	defer in.Stage("graph")()
	return Graph(ctx, in.X, o)
}

// facts describes the sizes of the neighbourhoods, without documents that have no entries.
func (h *Neighborhoods) facts() []method.Fact {
	sizes := slices.DeleteFunc(slices.Sorted(slices.Values(h.Sizes)), func(size int) bool { return size == 0 })
	var spread [3]int
	if len(sizes) > 0 {
		spread = [3]int{sizes[0], sizes[len(sizes)/2], sizes[len(sizes)-1]}
	}
	text := fmt.Sprintf("neighbourhoods of %d, %d, %d (smallest, median, largest)", spread[0], spread[1], spread[2])
	var ratio any // nil if there is no other candidate, or no path to any
	if !math.IsInf(h.Threshold, 1) {
		text += fmt.Sprintf(", where paths are at most %.4g times the straight way", h.Threshold)
		ratio = h.Threshold
	}
	return []method.Fact{method.Line("sizes", text), method.Found("ratio", ratio), method.Found("neighborhoods_min_median_max", spread)}
}
