package graph

import (
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
)

// Graph is an undirected weighted graph. W is symmetric bit for bit and has no diagonal; its
// weights are finite and > 0. A complete graph ([BuildComplete]) has Factor and Rows in place of W.
type Graph struct {
	W          *sparse.CSR
	Factor     *eigen.Factor // W of a complete graph; else nil
	Rows       *sparse.CSR   // its rows of length 1
	Scaled     bool          // the rows of the data had other lengths than Rows
	apart      []bool        // points of a complete graph without edges to one another; nil: none
	Degrees    []float64     // row sums of W
	Component  []int32       // connected component of each node, numbered by lowest node
	Components int
	Isolated   []int // nodes without an edge, ascending
	// Reach is the squared distance of the k-th neighbour of each node. A new point nearer than
	// that would be one of the node's neighbours. It is math.MaxFloat64 if there are fewer than k
	// other nodes to choose from, and nil for ε-graphs and precomputed graphs.
	Reach []float64
	// HeatWidth is the t of the heat kernel, given or computed; 0 for other weights. For LocalWidth
	// it is the factor.
	HeatWidth float64
	// Scales are the σ of LocalWidth of each node; nil for other rules.
	Scales []float64
	// Share, if not nil, says which nodes this rank has: W has their rows, and columns for the nodes
	// of all ranks. Component, Degrees and Isolated describe the own nodes; Components counts the
	// components of all.
	Share    *ranks.Share
	isolated int // of all ranks
}

// Total is the number of nodes, of all ranks.
func (g *Graph) Total() int {
	return g.Share.Among(g.Len())
}

// Pencil returns the pencil L y = λ D y of the graph, where D holds its degrees.
func (g *Graph) Pencil() (*eigen.Pencil, error) {
	if g.IsComplete() {
		return eigen.NewFactoredPencil(g.Factor, nil)
	}
	return eigen.NewPencil(g.W, nil)
}

// ErrNoEdges is the error of a method whose graph has no edge, so that there is nothing to embed.
var ErrNoEdges = invalid.Errorf("no point of the graph has a neighbour; there is nothing to embed")

// AllIsolated is the number of nodes without an edge, of all ranks.
func (g *Graph) AllIsolated() int {
	if g.Share.Divided() {
		return g.isolated
	}
	return len(g.Isolated)
}

// newGraph makes the graph of the affinities of this rank's nodes; share may be nil for one
// process. All ranks call it.
func newGraph(share *ranks.Share, w *sparse.CSR) (*Graph, error) {
	g := &Graph{W: w, Degrees: w.RowSums(), Isolated: w.EmptyRows()}
	var err error
	if i := slices.IndexFunc(g.Degrees, func(d float64) bool { return math.IsInf(d, 1) }); i >= 0 {
		err = invalid.Errorf("the weights at node %d (counted from 0) sum to infinity: scale the data or the weights down", share.First()+i)
	}
	if err = ranks.Agree(share, err); err != nil {
		return nil, err
	}
	if !share.Divided() {
		g.Component, g.Components = w.Components()
		return g, nil
	}
	g.Share = share
	g.Component, g.Components = components(share, w)
	g.isolated = ranks.Count(share, len(g.Isolated))
	return g, nil
}

// Len is the number of points that are here.
func (g *Graph) Len() int { return len(g.Degrees) }

// IsComplete says whether g is a complete graph, which has no W.
func (g *Graph) IsComplete() bool { return g.Factor != nil }

// numbersOf returns a function of the points that own points have edges to, which have the numbers
// that own has one of per own point, and of the own points.
func (g *Graph) numbersOf(own []int32) func(j int32) int32 {
	if !g.Share.Divided() {
		return func(j int32) int32 { return own[j] }
	}
	first := int32(g.Share.First())
	ghosts := ranks.NewGhosts(g.Share, g.Share.Others(g.W.Col))
	theirs := ghosts.Numbers(own)
	return func(j int32) int32 {
		if at := j - first; at >= 0 && int(at) < len(own) {
			return own[at]
		}
		at, _ := slices.BinarySearch(ghosts.IDs, j)
		return theirs[at]
	}
}
