// Package semile is semi-supervised Laplacian Eigenmaps: edges between labelled documents get the
// weight 1 within a class and 0 across, then Laplacian Eigenmaps.
//
// Source: the rival "Semi-LE" of Chen, Zhang, Bu, Wang and Chen 2010, sections 2.4 and 4.3. Labels
// are soft here: documents of one class are drawn together, not put into one point as package cle
// does.
package semile

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"gonum.org/v1/gonum/mat"
)

// Fit embeds the rows of x: graph.Build, then FitGraph.
func Fit(ctx context.Context, x mat.Matrix, known []int, classes int, opt le.Options) (*le.Model, error) {
	n, _ := x.Dims()
	_, unfit := labels.Check(known, n, classes, nil)
	if err := invalid.Join(opt.Validate(), unfit, nystrom.NoLandmarks(opt.Landmarks)); err != nil { // before the long work
		return nil, err
	}
	g, err := opt.Kind.Build(ctx, x, opt.Graph)
	if err != nil {
		return nil, err
	}
	return FitGraph(ctx, g, known, classes, opt)
}

// FitGraph embeds the points of a graph; known holds a label 0 to classes−1 or labels.Unknown for
// each, at least one of each class. Between labelled points only the labels count: weight 1 within
// a class (the graph's largest weight, where that is more, since the paper assumes that 1 is the
// largest), no edge across.
//
// The joined classes are never written out, so memory stays O(edges) however many labels there are.
// The model and the errors are as for le.FitGraph; Model.Graph is the graph as it was given.
func FitGraph(ctx context.Context, g *graph.Graph, known []int, classes int, opt le.Options) (*le.Model, error) {
	of, err := members(g, known, classes)
	if err != nil {
		return nil, err
	}
	labelled := make([]bool, len(known))
	for i, k := range known {
		labelled[i] = k != labels.Unknown
	}
	changed, err := g.Apart(labelled)
	if err != nil {
		return nil, err
	}
	m, err := le.FitJoined(ctx, changed, of, InsideWeight(g), opt)
	if m != nil {
		m.Graph = g
	}
	return m, err
}

// InsideWeight is the weight of edges that labels make: 1, or the largest of the graph where that
// is more.
func InsideWeight(g *graph.Graph) float64 {
	if g.IsComplete() { // cosines are at most 1
		return 1
	}
	return max(1, g.Most())
}

// members are the points of each class, of a shared graph the own ones: then some rank has a point
// of each class.
func members(g *graph.Graph, known []int, classes int) ([][]int32, error) {
	if !g.Share.Divided() {
		return labels.Check(known, g.Len(), classes, nil)
	}
	of := make([][]int32, classes)
	for i, k := range known {
		if k != labels.Unknown {
			of[k] = append(of[k], int32(i))
		}
	}
	return of, nil
}
