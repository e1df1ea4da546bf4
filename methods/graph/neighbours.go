package graph

import (
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph/internal/approx"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// edges finds the edges of the own documents, i→j if j is a neighbour of i, with the value for the
// weight: own rows, and columns of the documents of all ranks. Only the filled rows have
// edges: the rows of x that kept lists. reach is Graph.Reach.
func (o Options) edges(ctx context.Context, x, filled mat.Matrix, kept []int) (edges *sparse.CSR, reach []float64, err error) {
	own, _ := x.Dims()
	n := o.Share.Among(own)
	if o.Epsilon > 0 {
		if len(kept) < 2 {
			return exact.EmptyRows(own, n), nil, nil
		}
		edges, err = exact.Within(ctx, filled, o.Epsilon, o.pass(ctx))
		if err == nil && len(kept) < own {
			edges = renumber(edges, kept, own, kept, n)
		}
		return edges, nil, err
	}
	reach = slices.Repeat([]float64{math.MaxFloat64}, own)
	asked := o.Neighbors
	o.Neighbors = min(asked, ranks.Count(o.Share, len(kept))-1)
	if o.Neighbors < 1 {
		return exact.EmptyRows(own, n), reach, nil
	}
	var ids []int32
	if len(kept) < n || o.Share.Divided() {
		ids = make([]int32, len(kept))
		for r, i := range kept {
			ids[r] = int32(o.Share.First() + i)
		}
	}
	g, err := o.nearest(ctx, filled, ids)
	if err != nil {
		return nil, nil, err
	}
	if asked == o.Neighbors {
		for r, d := range g.Last() {
			reach[kept[r]] = d
		}
	}
	return listedEdges(g, kept, own, n, o.Weight, exact.IsSparse(x)), reach, nil
}

// pass says what the edges of new points or of ε-graphs have.
func (o Options) pass(ctx context.Context) exact.Pass {
	left := memory.Left(ctx)
	tooMany := func(edges int64) error { return o.tooMany(edges, left) }
	return exact.Pass{Dot: o.Weight.needsDot(), Most: left / (2 * bytesPerEdge), TooMany: tooMany, Observer: o.Observer}
}

// tooMany is the error for more edges than the bytes that were left hold.
func (o Options) tooMany(edges, left int64) error {
	need, limit := memory.Bytes(2*bytesPerEdge, int(edges)), words.Thousands(int(left/(2*bytesPerEdge)))
	if o.Epsilon > 0 {
		return memory.Check(need, left, "choose a smaller ‹epsilon›, or a number of neighbours instead", "‹epsilon› %v joins more than %s pairs", o.Epsilon, limit)
	}
	return memory.Check(need, left, "predict fewer at a time", "the edges of the new documents, more than %s", limit)
}

// nearest finds the neighbours of the rows of x, all of which have entries, among the rows of all
// ranks; ids are their numbers among all documents, nil if there are no others.
func (o Options) nearest(ctx context.Context, x mat.Matrix, ids []int32) (*exact.Lists, error) {
	if n, yes := o.approximately(x); yes {
		g, recall, err := approx.Search(ctx, o.Share, x, ids, approx.Options{Neighbors: o.Neighbors, Cell: approx.CellRows, Piece: approx.LeastPiece, Seed: o.Seed, Observer: o.Observer})
		if err == nil {
			o.noteRecall(n, recall)
		}
		return g, err
	}
	if st := store.From(ctx); st != nil && !o.Share.Divided() {
		g, err := exact.Tiled(ctx, st, x, o.Neighbors, o.Observer)
		if err == nil {
			g.Number(ids)
		}
		return g, err
	}
	return exact.Nearest(ctx, o.Share, x, ids, o.Neighbors, o.Observer)
}

// approximately reports whether the neighbours of the rows of all ranks, of which x has the own
// ones, are searched approximately, and how many rows there are. All ranks call it.
func (o Options) approximately(x mat.Matrix) (n int, yes bool) {
	own, _ := x.Dims()
	n = ranks.Count(o.Share, own)
	if s, ok := x.(sparse.Rows); ok {
		entries := ranks.Count(o.Share, s.Pattern().NNZ())
		return n, o.Search.approximate(n, float64(entries)/float64(max(1, n)), false)
	}
	return n, o.Search.approximate(n, float64(exact.MostColumns(o.Share, x)), true)
}

// noteRecall says what an approximate search of n documents found.
func (o Options) noteRecall(n int, recall float64) {
	why := ""
	if o.Search != ApproxSearch {
		why = " (‹neighbors-method› auto: an exact search of so many would take longer)"
	}
	o.Observer.Notef(exact.Stage, "The neighbours are approximate%s: %.1f %% of the exact neighbours of %s were found.",
		why, 100*recall, words.Counted(min(n, RecallSample), "sampled document"))
}

// needsDot reports whether the weight of an edge is computed from the dot product, not the
// distance.
func (w Weight) needsDot() bool { return w == Dot || w == Poly }

// listedEdges returns the lists as a matrix of own rows and n columns: i→j with the value for
// weight w. List r belongs to row kept[r]; other rows have no edges. If related is set, pairs whose
// dot product is not positive are left out.
func listedEdges(g *exact.Lists, kept []int, own, n int, w Weight, related bool) *sparse.CSR {
	value := g.Dist2
	if w.needsDot() {
		value = g.Dot
	}
	t := &sparse.CSR{NumRows: own, NumCols: n, RowPtr: make([]int, own+1)}
	for r, i := range kept {
		t.RowPtr[i+1] = g.K
		for at := r * g.K; related && at < (r+1)*g.K; at++ {
			if !(g.Dot[at] > 0) {
				t.RowPtr[i+1]--
			}
		}
	}
	for i := range own {
		t.RowPtr[i+1] += t.RowPtr[i]
	}
	t.Col, t.Val = make([]int32, t.RowPtr[own]), make([]float64, t.RowPtr[own])
	// The background context never ends, and bodies return no errors.
	_ = parallel.For(context.Background(), len(kept), 256, func(_, from, to int) error {
		order := make([]int, 0, g.K)
		for r := from; r < to; r++ {
			order = order[:0]
			for at := r * g.K; at < (r+1)*g.K; at++ {
				if !related || g.Dot[at] > 0 {
					order = append(order, at)
				}
			}
			slices.SortFunc(order, func(a, b int) int { return int(g.Index[a] - g.Index[b]) })
			first := t.RowPtr[kept[r]]
			for k, at := range order {
				t.Col[first+k], t.Val[first+k] = g.Index[at], value[at]
			}
		}
		return nil
	})
	return t
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
