package graph

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Graph is an undirected weighted graph: W is symmetric bit for bit, without diagonal, its weights finite and > 0.
type Graph struct {
	W          *sparse.CSR
	Degrees    []float64 // row sums of W
	Component  []int32   // connected component of each node, numbered by lowest node
	Components int
	Isolated   []int // nodes without an edge, ascending
	// HeatWidth is the t of the heat kernel that made the weights, given or computed; 0 for other weights.
	HeatWidth float64
}

// Pencil returns L y = λ D y of the graph, D its degrees.
func (g *Graph) Pencil() (*eigen.Pencil, error) { return eigen.NewPencil(g.W, nil) }

func newGraph(w *sparse.CSR) (*Graph, error) {
	g := &Graph{W: w, Degrees: w.RowSums(), Isolated: w.EmptyRows()}
	for i, d := range g.Degrees {
		if math.IsInf(d, 1) {
			return nil, invalid.Errorf("the weights at node %d (counted from 0) sum to infinity: scale the data or the weights down", i)
		}
	}
	g.Component, g.Components = w.Components()
	return g, nil
}

// bytesPerEdge is what Build takes for each directed edge at its peak: search, edge list, its transpose, the
// symmetric union and W.
const bytesPerEdge = 100

// Build makes the affinity graph of the rows of x that opt describes.
//
// Its cost is that of [Nearest] (ε-graphs: the same pass over all pairs), and O(edges) for the rest. Memory: what Nearest takes
// and about 100 bytes an edge, within opt.MaxBytes: a graph of k neighbours that would take more is refused at once, an ε-graph when its edges pass
// the limit. Errors are those of Nearest and Options.Validate, and a weight that overflows. Events have the stage "neighbours".
func Build(ctx context.Context, x mat.Matrix, opt Options) (*Graph, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	s, d, err := kind(x)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	opt = opt.withDefaults(s == nil, n)
	if opt.Epsilon > 0 {
		err = checkK(n, 1)
	} else if err = checkK(n, opt.Neighbors); err == nil {
		err = checkLists(n, opt.Neighbors, bytesPerEdge, opt.MaxBytes)
	}
	if err != nil {
		return nil, err
	}

	var edges *sparse.CSR // i→j where j is a neighbour of i; values are what weights are made of
	if s != nil {
		edges, err = sparseEdges(ctx, s, opt)
	} else {
		edges, err = denseEdges(ctx, d, opt)
	}
	if err != nil {
		return nil, err
	}
	undirected := symmetrise(edges, opt)
	if opt.Weight == Heat && opt.HeatWidth == 0 {
		opt.HeatWidth = undirected.meanEdge()
	}
	w, err := weigh(undirected, opt)
	if err != nil {
		return nil, err
	}
	g, err := newGraph(w)
	if err != nil {
		return nil, err
	}
	if opt.Weight == Heat {
		g.HeatWidth = opt.HeatWidth
	}
	if len(g.Isolated) > 0 {
		opt.Observer.Notef(stage, "Without neighbours, and so isolated: %d of %d documents.", len(g.Isolated), n)
	}
	return g, nil
}

// sparseEdges finds the edges of documents with entries; the others are nobody's neighbours.
func sparseEdges(ctx context.Context, x *sparse.CSR, opt Options) (*sparse.CSR, error) {
	empty := x.EmptyRows()
	if len(empty) == 0 {
		return sparseEdgesOfAll(ctx, x, opt)
	}
	n := x.NumRows
	kept := make([]int, 0, n-len(empty))
	for i, e := 0, 0; i < n; i++ {
		if e < len(empty) && empty[e] == i {
			e++
			continue
		}
		kept = append(kept, i)
	}
	opt.Neighbors = min(opt.Neighbors, len(kept)-1)
	edges := &sparse.CSR{NumRows: len(kept), NumCols: len(kept), RowPtr: make([]int, len(kept)+1)}
	if len(kept) > 1 {
		var err error
		if edges, err = sparseEdgesOfAll(ctx, x.SelectRows(kept), opt); err != nil {
			return nil, err
		}
	}
	// Back to the numbers that the rows have in x: ascending, so rows stay sorted.
	all := &sparse.CSR{NumRows: n, NumCols: n, RowPtr: make([]int, n+1), Col: edges.Col, Val: edges.Val}
	for r, i := range kept {
		all.RowPtr[i+1] = edges.RowPtr[r+1] - edges.RowPtr[r]
	}
	for i := range n {
		all.RowPtr[i+1] += all.RowPtr[i]
	}
	for k, c := range all.Col {
		all.Col[k] = int32(kept[c])
	}
	return all, nil
}

func sparseEdgesOfAll(ctx context.Context, x *sparse.CSR, opt Options) (*sparse.CSR, error) {
	if opt.Epsilon > 0 {
		return sparseWithin(ctx, x, opt)
	}
	g, err := nearestSparse(ctx, x, opt.Neighbors, opt.Observer)
	if err != nil {
		return nil, err
	}
	return g.edges(opt.Weight, true), nil
}

func denseEdges(ctx context.Context, x *mat.Dense, opt Options) (*sparse.CSR, error) {
	if opt.Epsilon > 0 {
		return denseWithin(ctx, x, opt)
	}
	g, err := nearestDense(ctx, x, opt.Neighbors, opt.Observer)
	if err != nil {
		return nil, err
	}
	return g.edges(opt.Weight, false), nil
}

// raw picks what the weight of an edge is made of.
func (w Weight) raw(dist2, dot float64) float64 {
	if w == Dot || w == Poly {
		return dot
	}
	return dist2
}

// edges returns the lists as a matrix: i→j with the raw value of weight w; related leaves out pairs whose dot product is not positive.
func (g *KNN) edges(w Weight, related bool) *sparse.CSR {
	t := &sparse.CSR{NumRows: g.N, NumCols: g.N, RowPtr: make([]int, g.N+1),
		Col: make([]int32, 0, len(g.Index)), Val: make([]float64, 0, len(g.Index))}
	for i := range g.N {
		index, dist2, dot := g.Row(i)
		for c, j := range index {
			if !related || dot[c] > 0 {
				t.Col, t.Val = append(t.Col, j), append(t.Val, w.raw(dist2[c], dot[c]))
			}
		}
		t.RowPtr[i+1] = len(t.Col)
	}
	return t.Transpose().Transpose() // sorts the rows in O(edges)
}
