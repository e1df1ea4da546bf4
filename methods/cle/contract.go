// Package cle is the Constrained Laplacian Eigenmap: one map a class, in which the labelled documents of the class are one point and all other
// labelled documents another.
package cle

import (
	"context"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/links"
	"gonum.org/v1/gonum/mat"
)

// Options of Fit; the zero value is the default.
type Options struct {
	NormalizeRows bool          `json:"normalize_rows,omitempty" yaml:"normalize_rows,omitempty"`
	Graph         graph.Options `json:"graph" yaml:"graph"`
	Eigen         eigen.Options `json:"eigen" yaml:"eigen"`
}

// Model is a fitted embedding.
type Model struct {
	Embedding         *mat.Dense // n×classes (FitLinks: n×dims)
	Values, Residuals []float64  // of each map
	Isolated          []int
	Graph             *graph.Graph
	Stats             eigen.Stats
}

// Fit embeds the rows of x.
func Fit(ctx context.Context, x mat.Matrix, known []int, classes int, opt Options) (*Model, error) {
	panic("contract")
}

// FitGraph embeds the points of a graph; known holds labels 0..classes−1 or labels.Unknown.
func FitGraph(ctx context.Context, g *graph.Graph, known []int, classes int, opt Options) (*Model, error) {
	panic("contract")
}

// FitLinks embeds the points of a graph in dims dimensions under pairwise constraints.
func FitLinks(ctx context.Context, g *graph.Graph, groups *links.Groups, dims int, opt Options) (*Model, error) {
	panic("contract")
}
