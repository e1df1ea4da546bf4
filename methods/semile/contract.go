// Package semile is semi-supervised Laplacian Eigenmaps: edges between labelled documents get weight 1 within a class and 0 across, then LE.
package semile

import (
	"context"

	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/le"
	"gonum.org/v1/gonum/mat"
)

// Fit embeds the rows of x; labels as in FitGraph.
func Fit(ctx context.Context, x mat.Matrix, known []int, classes int, opt le.Options) (*le.Model, error) {
	panic("contract")
}

// FitGraph embeds the points of a graph; known holds labels 0..classes−1 or labels.Unknown.
func FitGraph(ctx context.Context, g *graph.Graph, known []int, classes int, opt le.Options) (*le.Model, error) {
	panic("contract")
}
