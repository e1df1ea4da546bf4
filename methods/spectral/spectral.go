// Package spectral is normalised symmetric spectral clustering: the rows of the top eigenvectors of
// D^-½ W D^-½, scaled to unit length, are clustered by k-means.
//
// Source: Ng, Jordan and Weiss 2002, "On spectral clustering: analysis and an algorithm", steps 2
// to 5.
//
// The eigenvectors u of S = D^-½ W D^-½ with eigenvalue μ are D^½ y for the solutions y of L y = λ
// D y with λ = 1 − μ, so the eigenproblem is package le's: its null space, one vector per connected
// component, is known without iteration. Scaling row i of U by 1/√d_i does not change its
// direction, so a new document is placed by the rows of Y (package nystrom).
package spectral

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
)

// Spec is normalised symmetric spectral clustering as a method.
var Spec = method.Spec{
	Name:    "spectral",
	Grows:   "n²",
	Summary: "normalised spectral clustering: rows of the top eigenvectors of D^-½WD^-½, then k-means",
	About: "Takes the eigenvectors of the largest eigenvalues of S = D^-½ W D^-½, where W are the weights of\n" +
		"the neighbour graph and D its row sums, scales each document's row of them to unit length, and\n" +
		"clusters the rows by k-means.",
	Reference: "Ng, Jordan and Weiss 2002, On spectral clustering: analysis and an algorithm",
	Cost:      "as le",
	Needs:     method.Needs{Affinity: true, Roots: true},
	Yields:    method.Yields{Coordinates: true, Nested: true, UnitRows: true},
	Divided:   true,
	Single:    true,
	New:       func() method.Options { return new(Options) },
	Placer:    func() method.Placer { return new(nystrom.Extension) },
}

// DenseNeighbors is the number of neighbours of dense data if the options give none; sparse data
// have graph.DefaultNeighbors. On images and small measurements fewer neighbours follow thin
// classes better, and with 5 the graph of two moons of 400 points falls apart
// (docs/studies/default.md has the figures).
const DenseNeighbors = 7

// Options of the method. The zero value of every field is its default.
type Options struct {
	// Dims is the number of eigenvectors; 0 = the number of clusters or classes.
	Dims int `json:"dims" flag:"dims" short:"d" range:">=1" unset:"the number of clusters or classes" help:"eigenvectors, which are the dimensions of the embedding" group:"method"`
	// Problem is the graph and how its eigenpairs are found. The neighbour graph of dense data has
	// [DenseNeighbors] neighbours unless others are given.
	nystrom.Problem `flags:"*" defaults:"neighbors=(15 of sparse data, 7 of dense data, or all others if there are fewer)"`
}

// Validate implements method.Options.
func (o *Options) Validate() error {
	return invalid.Join(option.Check(o), o.Graph.Validate())
}

// Neighbors are the options of the graph of a problem, with the neighbours of dense data if they
// give none, bounded by the other documents or landmarks.
func Neighbors(in *method.Input, p nystrom.Problem) graph.Options {
	g := p.Graph
	if in.Graph == nil && !in.Sparse() && g.Neighbors == 0 && g.Epsilon == 0 {
		g.Neighbors = in.FewNeighbors(0, DenseNeighbors)
		if p.Landmarks > 1 {
			g.Neighbors = min(g.Neighbors, p.Landmarks-1)
		}
	}
	return g
}

// Fit implements method.Options.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used := *o
	used.Graph = Neighbors(in, o.Problem)
	same := le.Options{Dims: o.Dims, NormalizeRows: true}
	var err error
	if same.Dims, err = same.DimsFor(in); err != nil {
		return nil, err
	}
	used.Dims = same.Dims
	out, err := used.OnGraph(ctx, in, used.Dims, &used, func(ctx context.Context, in *method.Input, g *graph.Graph) (*method.Fitted, error) {
		same.Problem = used.Problem
		if o.Dims == 0 {
			same.LowerDims(g)
			used.Dims = same.Dims
		}
		return same.EmbedAll(in, g, func(opt le.Options) (*le.Model, error) { return le.FitGraph(ctx, g, opt) })
	})
	if out != nil && out.Values != nil {
		v := out.Values
		of := make([]float64, len(v.Values)) // of S
		for k, lambda := range v.Values {
			of[k] = 1 - lambda
		}
		v.Values, v.Own, v.OneMinus = of, true, true
	}
	return out, err
}
