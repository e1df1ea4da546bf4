package graph

import (
	"context"
	"sync/atomic"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// edge joins i and j < i, or a new point i and j; raw is the value for its weight.
type edge struct {
	i, j int32
	raw  float64
}

// edgeLists collects edges per chunk, so that their order does not depend on the goroutines, and
// checks their number against a limit.
type edgeLists struct {
	lists [][]edge
	count atomic.Int64
	limit int64
	opt   Options
}

func newEdgeLists(chunks int, opt Options) *edgeLists {
	return &edgeLists{lists: make([][]edge, chunks), limit: opt.MaxBytes / (2 * bytesPerEdge), opt: opt}
}

// added counts the edges that a visit appended.
func (l *edgeLists) added(edges int) error {
	if edges == 0 || l.count.Add(int64(edges)) <= l.limit {
		return nil
	}
	need := memory.Bytes(2*bytesPerEdge, int(l.count.Load()))
	if l.opt.Epsilon > 0 {
		return memory.Check(need, l.opt.MaxBytes, "choose a smaller ‹epsilon›, or a number of neighbours instead", "‹epsilon› %v joins more than %s pairs", l.opt.Epsilon, words.Thousands(int(l.limit)))
	}
	return memory.Check(need, l.opt.MaxBytes, "predict fewer at a time", "the edges of the new documents, more than %s", words.Thousands(int(l.limit)))
}

// matrix returns the edges i→j as a matrix with sorted rows.
func (l *edgeLists) matrix(n, cols int) *sparse.CSR {
	count := int(l.count.Load())
	t := &sparse.CSR{NumRows: n, NumCols: cols, RowPtr: make([]int, n+1), Col: make([]int32, count), Val: make([]float64, count)}
	next := make([]int, n+1)
	for _, list := range l.lists {
		for _, e := range list {
			next[e.i+1]++
		}
	}
	for i := range n {
		next[i+1] += next[i]
	}
	copy(t.RowPtr, next)
	for c, list := range l.lists {
		for _, e := range list {
			t.Col[next[e.i]], t.Val[next[e.i]] = e.j, e.raw
			next[e.i]++
		}
		l.lists[c] = nil
	}
	return t.Transpose().Transpose() // sorts the rows in O(edges)
}

// sparseWithin lists the pairs of documents with a positive dot product and a distance of at most
// opt.Epsilon.
func sparseWithin(ctx context.Context, x *sparse.CSR, opt Options) (*sparse.CSR, error) {
	m, err := newSparseRows(x, 0)
	if err != nil {
		return nil, err
	}
	n, limit := x.NumRows, opt.Epsilon*opt.Epsilon
	l, t := newEdgeLists(m.chunks(), opt), newTicker(opt.Observer, n)
	err = m.pairs(ctx, t, func(chunk, i, base int, dots []float64) error {
		list := l.lists[chunk]
		before := len(list)
		for j, s := range dots {
			if s <= 0 {
				continue
			}
			if d := m.dist2(i, base+j, s); d <= limit {
				list = append(list, edge{int32(i), int32(base + j), opt.Weight.raw(d, s)})
			}
		}
		l.lists[chunk] = list
		return l.added(len(list) - before)
	})
	if err != nil {
		return nil, err
	}
	t.finish()
	return l.matrix(n, n), nil
}

// denseWithin lists the pairs of points at a distance of at most opt.Epsilon.
func denseWithin(ctx context.Context, x *mat.Dense, opt Options) (*sparse.CSR, error) {
	m, err := newDenseRows(x, nil)
	if err != nil {
		return nil, err
	}
	n, limit := m.x.Rows, opt.Epsilon*opt.Epsilon
	l, t := newEdgeLists(m.chunks(), opt), newTicker(opt.Observer, n)
	needDot := opt.Weight == Dot || opt.Weight == Poly
	err = m.pairs(ctx, t, func(chunk, i, base int, low []float64) error {
		list := l.lists[chunk]
		before := len(list)
		for j, bound := range low {
			if bound > limit {
				continue
			}
			d := m.exact(i, base+j, bound)
			if d > limit {
				continue
			}
			raw := d
			if needDot {
				raw = m.dot(i, base+j)
			}
			list = append(list, edge{int32(i), int32(base + j), raw})
		}
		l.lists[chunk] = list
		return l.added(len(list) - before)
	})
	if err != nil {
		return nil, err
	}
	t.finish()
	return l.matrix(n, n), nil
}
