package graph

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Graph is an undirected weighted graph. W is symmetric bit for bit and has no diagonal; its
// weights are finite and > 0. A complete graph ([BuildComplete]) has Factor and Rows in place of W.
type Graph struct {
	W          *sparse.CSR
	Factor     *eigen.Factor // W of a complete graph; else nil
	Rows       *sparse.CSR   // its rows of length 1
	Scaled     bool          // Rows are not those of the data, which had other lengths
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
	// Share, if not nil, says that the nodes are those of this rank: W has their rows, whose
	// columns are the nodes of all ranks; Components counts those of all, and Component, Degrees
	// and Isolated are those of the own nodes.
	Share    *ranks.Share
	isolated int // of all ranks
}

// Total is the number of nodes, of all ranks.
func (g *Graph) Total() int {
	return g.Share.Among(g.Len())
}

// AllIsolated is the number of nodes without an edge, of all ranks.
func (g *Graph) AllIsolated() int {
	if g.Share.Divided() {
		return g.isolated
	}
	return len(g.Isolated)
}

// Pencil returns the pencil L y = λ D y of the graph, where D holds its degrees.
func (g *Graph) Pencil() (*eigen.Pencil, error) {
	if g.IsComplete() {
		return eigen.NewFactoredPencil(g.Factor, nil)
	}
	return eigen.NewPencil(g.W, nil)
}

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

// bytesPerEdge is the peak memory of Build for each directed edge: search, edge list, its
// transpose, the symmetric union and W.
const bytesPerEdge = 100

// Bytes estimates the peak memory of [Build] for the graph of k neighbours of n documents, in
// bytes, besides the index of the documents' entries.
func Bytes(n, k int) int64 { return memory.Bytes(bytesPerEdge, n, k) }

// Build makes the affinity graph of the rows of x that opt describes.
//
// Time: that of [Nearest] (for ε-graphs the same pass over all pairs), and O(edges) for the rest.
// Memory: that of Nearest and about 100 bytes per edge, within opt.MaxBytes. A graph of k
// neighbours that would need more is an error before any work, an ε-graph when its edges exceed the
// limit. Errors: those of Nearest and Options.Validate, and a weight that overflows. Events have
// the stage "neighbours".
func Build(ctx context.Context, x mat.Matrix, opt Options) (*Graph, error) {
	share := opt.Share
	s, d, opt, err := prepared(ctx, x, opt)
	if err = ranks.Agree(share, rows.Raised(err, func(i int) int { return share.First() + i })); err != nil {
		return nil, err
	}
	if share.Divided() {
		return buildSharedStored(ctx, s, d, opt)
	}
	if s != nil {
		x = s
	} else {
		x = d
	}
	if st := store.From(ctx); st != nil {
		return buildStored(ctx, st, x, s, d, opt)
	}
	g, _, err := build(ctx, x, s, d, opt)
	return g, err
}

// prepared is x as sparse or as dense rows, and the options with their defaults, checked. Rows in
// single precision are copied to double precision for ε-graphs, and where ranks divide them.
func prepared(ctx context.Context, x mat.Matrix, opt Options) (s sparse.Rows, d mat.Matrix, _ Options, err error) {
	if err := opt.Validate(); err != nil {
		return nil, nil, opt, err
	}
	if sparse.IsSingle(x) && (opt.Epsilon > 0 || opt.Share.Divided()) {
		if x, err = sparse.Stored(x); err != nil {
			return nil, nil, opt, err
		}
	}
	if s, d, err = stored(x); err != nil {
		return nil, nil, opt, err
	}
	if s != nil && !opt.Share.Divided() { // ranks have the columns in common
		s = s.Narrow()
	}
	here, _ := x.Dims()
	n := opt.Share.Among(here)
	opt = opt.withDefaults(s == nil, n)
	opt.MaxBytes = memory.LimitAt(ctx, opt.MaxBytes)
	if opt.Epsilon > 0 {
		err = checkK(n, 1)
	} else if err = checkK(n, opt.Neighbors); err == nil {
		err = checkLists(here, n, opt.Neighbors, bytesPerEdge, opt.MaxBytes)
	}
	return s, d, opt, err
}

// build makes the graph of x, which is s or d, and counts the edges that were left out because
// their weight is not positive.
func build(ctx context.Context, x mat.Matrix, s sparse.Rows, d mat.Matrix, opt Options) (g *Graph, lost int, err error) {
	kept := keptRows(x)
	filled := x
	if n, _ := x.Dims(); len(kept) < n {
		filled = keepRows(x, kept)
	}
	// An entry i→j if j is a neighbour of i, with the raw value for the weight.
	edges, reach, err := filledEdges(ctx, x, filled, kept, opt)
	if err != nil {
		return nil, 0, err
	}
	undirected := symmetrise(edges, opt)
	if d != nil {
		x = filled
	}
	scales, err := undirected.tune(x, &opt)
	if err != nil {
		return nil, 0, err
	}
	w, lost, err := weigh(undirected, scales, scales, opt)
	if err != nil {
		return nil, 0, err
	}
	g, err = newGraph(w)
	if err != nil {
		return nil, 0, err
	}
	g.Reach, g.Scales = reach, scales
	if opt.Weight == Heat {
		g.HeatWidth = opt.HeatWidth
	}
	g.report(lost, opt)
	return g, lost, nil
}

// report notes edges that were left out, and isolated documents.
func (g *Graph) report(lost int, opt Options) {
	if lost > 0 {
		opt.Observer.Notef(stage, "%d edges with a %s weight that is not positive are left out", lost/2, opt.Weight)
	}
	if len(g.Isolated) > 0 {
		opt.Observer.Warnf(stage, "Isolated documents without neighbours: %d of %d.", len(g.Isolated), g.W.NumRows)
	}
}

// filledEdges finds the edges between documents with entries, and the squared distance of each
// one's last neighbour. filled are these rows of x, and kept their numbers. The other documents
// have no edges.
func filledEdges(ctx context.Context, x, filled mat.Matrix, kept []int, opt Options) (edges *sparse.CSR, reach []float64, err error) {
	n, _ := x.Dims()
	if len(kept) == n {
		return edgesOf(ctx, x, opt)
	}
	asked := opt.Neighbors
	opt.Neighbors = min(asked, len(kept)-1)
	edges = &sparse.CSR{NumRows: len(kept), NumCols: len(kept), RowPtr: make([]int, len(kept)+1)}
	var last []float64
	if len(kept) > 1 {
		if edges, last, err = edgesOf(ctx, filled, opt); err != nil {
			return nil, nil, err
		}
	}
	if opt.Epsilon == 0 {
		reach = make([]float64, n)
		for i := range reach {
			reach[i] = math.MaxFloat64
		}
		if asked == opt.Neighbors {
			for r, i := range kept {
				reach[i] = last[r]
			}
		}
	}
	return renumber(edges, kept, n, kept, n), reach, nil
}

// keptRows lists the rows that can have neighbours, ascending: sparse ones with entries, and dense
// ones that are not zeros alone (rows.Filled).
func keptRows(x mat.Matrix) []int {
	if s, ok := x.(sparse.Rows); ok {
		return filledRows(s)
	}
	return rows.Filled(x)
}

// filledRows lists the rows that have entries, ascending.
func filledRows(x sparse.Rows) []int {
	n, _ := x.Dims()
	empty := x.EmptyRows()
	kept := make([]int, 0, n-len(empty))
	for i := range n {
		if len(empty) > 0 && empty[0] == i {
			empty = empty[1:]
			continue
		}
		kept = append(kept, i)
	}
	return kept
}

// keepRows copies rows in the precision of x.
func keepRows(x mat.Matrix, kept []int) mat.Matrix {
	switch x := x.(type) {
	case *sparse.Single:
		return x.SelectRows(kept)
	case *sparse.SingleDense:
		return x.SelectRows(kept)
	case *mat.Dense:
		if len(kept) == 0 { // gonum makes no matrix without rows
			none := new(mat.Dense)
			none.SetRawMatrix(blas64.General{Cols: x.RawMatrix().Cols, Stride: x.RawMatrix().Cols})
			return none
		}
	}
	return rows.Select(x, kept)
}

// renumber replaces the row and column numbers of a by those in rows and cols, both ascending, in a
// matrix of n rows and m columns. It reuses the memory of a.
func renumber(a *sparse.CSR, rows []int, n int, cols []int, m int) *sparse.CSR {
	all := &sparse.CSR{NumRows: n, NumCols: m, RowPtr: make([]int, n+1), Col: a.Col, Val: a.Val}
	for r, i := range rows {
		all.RowPtr[i+1] = a.RowPtr[r+1] - a.RowPtr[r]
	}
	for i := range n {
		all.RowPtr[i+1] += all.RowPtr[i]
	}
	for k, c := range all.Col {
		all.Col[k] = int32(cols[c])
	}
	return all
}

// edgesOf finds the edges between rows as [stored] returns them, all of which have entries, and the
// squared distance of each one's last neighbour; nil in ε-graphs.
func edgesOf(ctx context.Context, x mat.Matrix, opt Options) (edges *sparse.CSR, reach []float64, err error) {
	_, isSparse := x.(sparse.Rows)
	if opt.Epsilon > 0 {
		if isSparse {
			edges, err = sparseWithin(ctx, x.(*sparse.CSR), opt)
		} else {
			edges, err = denseWithin(ctx, x.(*mat.Dense), opt)
		}
		return edges, nil, err
	}
	g, err := opt.nearest(ctx, x)
	if err != nil {
		return nil, nil, err
	}
	return g.edges(g.N, opt.Weight, isSparse), g.last(), nil
}

// nearest finds the neighbours of rows as [stored] returns them.
func (o Options) nearest(ctx context.Context, x mat.Matrix) (*KNN, error) {
	n, _ := x.Dims()
	if o.Search.approximately(x) {
		g, recall, err := approximate(ctx, x, o.Neighbors, cellRows, o.Seed, o.Observer)
		if err != nil {
			return nil, err
		}
		o.noteRecall(n, recall)
		return g, nil
	}
	if st := store.From(ctx); st != nil {
		return o.tiled(ctx, st, x)
	}
	if s, ok := x.(sparse.Rows); ok {
		return nearestSparse(ctx, s, o.Neighbors, parallel.For, o.Observer)
	}
	return nearestDense(ctx, x, o.Neighbors, parallel.For, o.Observer)
}

// noteRecall says what an approximate search of n documents found.
func (o Options) noteRecall(n int, recall float64) {
	why := ""
	if o.Search != ApproxSearch {
		why = " (‹neighbors-method› auto: an exact search of so many would take longer)"
	}
	o.Observer.Notef(stage, "The neighbours are approximate%s: %.1f %% of the exact neighbours of %s were found.",
		why, 100*recall, words.Counted(min(n, RecallSample), "sampled document"))
}

// last returns the squared distance of the last neighbour of every row.
func (g *KNN) last() []float64 {
	d := make([]float64, g.N)
	for i := range d {
		d[i] = g.Dist2[(i+1)*g.K-1]
	}
	return d
}

// raw returns the value from which the weight of an edge is computed.
func (w Weight) raw(dist2, dot float64) float64 {
	if w == Dot || w == Poly {
		return dot
	}
	return dist2
}

// edges returns the lists as a matrix with cols columns: i→j with the raw value of weight w. If
// related is set, it leaves out pairs whose dot product is not positive.
func (g *KNN) edges(cols int, w Weight, related bool) *sparse.CSR {
	t := &sparse.CSR{NumRows: g.N, NumCols: cols, RowPtr: make([]int, g.N+1),
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
