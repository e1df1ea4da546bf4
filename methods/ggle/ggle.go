// Package ggle is the geodesic, generalised Gaussian Laplacian Eigenmap: affinities fall with the
// distance along the neighbour graph.
//
// Source: Zeng, Luo, Wang and Zhao 2009 ("Geodesic distance-based generalized Gaussian Laplacian
// Eigenmap"), as described by Zhou and Wang 2019, who compare with it: similarity is measured by
// "different generalized Gaussian functions" of geodesic distances over a graph of k nearest
// neighbours, and Laplacian Eigenmaps follows. Nothing else is known here. Assumed:
//
//   - The geodesic distance d_G is Isomap's: the shortest path over the k-nearest-neighbour graph
//     with Euclidean lengths (package geodesic).
//   - The generalised Gaussian is w = exp(−d_G^p/t) with the shape p: 2 is the heat kernel, 1 the
//     Laplace density, a large p a box. If no width is given, t is the mean of d_G^p over the
//     edges, as graph.Options.HeatWidth is the mean of d².
//   - An edge of a neighbour graph is the shortest path itself, so on these edges alone geodesic
//     distances are Euclidean: with p = 2 the method would be LE. Instead each point is joined to
//     its Reach nearest by geodesic distance, more than the k of the graph (either way, ties to the
//     lower number). The literal reading, all pairs that a path joins, is Reach ≥ n − 1 with n²
//     edges, and is refused if it takes more memory than allowed.
//   - Points without a path between them are not joined.
package ggle

import (
	"cmp"
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/geodesic"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Defaults of Options.
const (
	DefaultShape = 2
	reachFactor  = 3
)

// Options of Fit. The zero value of every field but LE.Dims is its default. Through the contract of
// package method LE.Dims may be 0 too.
type Options struct {
	// Reach is how many points, nearest by geodesic distance, a point is joined to; 0 = three times
	// the neighbours of the graph, or all others if there are fewer.
	Reach int `json:"reach,omitempty" flag:"reach" range:">=1" unset:"three times the neighbors" help:"documents, nearest by paths along the graph, that each document is joined to" group:"method"`
	// Shape is p in exp(−d^p/t); 0 = 2.
	Shape float64 `json:"shape,omitempty" flag:"shape" range:">0" default:"2" help:"p in the generalised Gaussian exp(-d^p/t)" group:"method"`
	// Width is t; 0 = the mean of d^p over the edges.
	Width float64 `json:"width,omitempty" flag:"heat-width" range:">0" unset:"the mean of d^p over the edges" help:"t in the generalised Gaussian exp(-d^p/t)" group:"method"`
	// LE says how to embed. LE.Graph describes the graph that paths lead over and the memory for
	// edges; its weights have no effect.
	LE le.Options `json:"le" flags:"dims,drop-first,drop-zeros,normalize-rows,neighbors,epsilon,symmetry,solver,tol,max-iter"`
}

// Validate lists everything that is wrong with the options.
func (o Options) Validate() error {
	return invalid.Join(o.validateOwn(), o.LE.Validate())
}

// validateOwn is Validate without LE, which checks itself.
func (o Options) validateOwn() error {
	o.LE = le.Options{}
	return option.Check(&o)
}

func (o Options) validateGraph() error { return invalid.Join(o.validateOwn(), o.LE.Graph.Validate()) }

// Fit embeds the rows of x: Graph, then le.FitGraph. New points have no affinities, so they cannot
// be placed.
func Fit(ctx context.Context, x mat.Matrix, opt Options) (*le.Model, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	g, err := Graph(ctx, x, opt)
	if err != nil {
		return nil, err
	}
	return le.FitGraph(ctx, g, opt.LE)
}

// Graph is the affinity graph of the rows of x. Besides graph.Build it costs one search around each
// point, O(Reach·k·log Reach), and 52 bytes per edge. opt.LE.Dims has no effect. The graph's
// HeatWidth is t. Errors: a request that is wrong (errors.Is(err, fs.ErrInvalid)), and the
// context's.
func Graph(ctx context.Context, x mat.Matrix, opt Options) (*graph.Graph, error) {
	if err := opt.validateGraph(); err != nil {
		return nil, err
	}
	lengths, err := geodesic.FromPoints(ctx, x, opt.LE.Graph)
	if err != nil {
		return nil, err
	}
	return FromLengths(ctx, lengths, opt)
}

// FromLengths is Graph over a graph of lengths (package geodesic).
func FromLengths(ctx context.Context, lengths *sparse.CSR, opt Options) (*graph.Graph, error) {
	if err := invalid.Join(opt.validateGraph(), geodesic.Check(lengths)); err != nil {
		return nil, err
	}
	n := lengths.NumRows
	reach := opt.ReachOf(n)
	if err := memory.Need(ctx, memory.Bytes(bytesPerEdge, n, reach), "choose a smaller reach",
		"%d geodesic neighbours of %s", reach, words.Counted(n, "point")); err != nil {
		return nil, err
	}
	edges, err := geodesic.Nearest(ctx, lengths, reach, opt.LE.Graph.Observer)
	if err != nil {
		return nil, err
	}
	w, t, err := weigh(geodesic.Union(edges), opt)
	if err != nil {
		return nil, err
	}
	g, err := graph.FromAffinity(w)
	if err != nil {
		return nil, err
	}
	g.HeatWidth = t
	return g, nil
}

// ReachOf is the number of points that each of n points is joined to: Reach or its default, and at
// most n − 1.
func (o Options) ReachOf(n int) int {
	reach := o.Reach
	if reach == 0 {
		k := o.LE.Graph.Neighbors
		k = cmp.Or(k, graph.DefaultNeighbors)
		reach = reachFactor * k
	}
	return min(reach, n-1)
}

// weigh turns geodesic distances into affinities, in place, and returns the width t.
func weigh(d *sparse.CSR, opt Options) (w *sparse.CSR, t float64, err error) {
	p, t := opt.Shape, opt.Width
	p = cmp.Or(p, DefaultShape)
	power := func(v float64) float64 { return math.Pow(v, p) }
	if p == 2 {
		power = func(v float64) float64 { return v * v }
	}
	if t == 0 {
		for k, v := range d.Val { // each edge twice, which does not change the mean; a running mean cannot overflow
			t += (power(v) - t) / float64(k+1)
		}
		if math.IsInf(t, 0) || math.IsNaN(t) {
			return nil, 0, invalid.Errorf("the distances to the power %v overflow: scale the data down or choose a smaller shape", p)
		}
	}
	for k, v := range d.Val {
		d.Val[k] = 1
		if v > 0 {
			d.Val[k] = math.Exp(-power(v) / t)
		}
	}
	return d, t, nil
}
