package exact

import (
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/memory"
	"gonum.org/v1/gonum/mat"
)

// plain finds the k nearest neighbours of every row with all products in float64.
func (m *denseRows) plain(ctx context.Context, k int, t *Ticker) (*Lists, error) {
	h := newHeaps(m.x.Rows, k, false)
	if err := m.nearest(ctx, h, t); err != nil {
		return nil, err
	}
	return h.lists(ctx, m.loop, m.measure)
}

// screened finds the k nearest neighbours of every row by shortlists of s.
func (m *denseRows) screened(ctx context.Context, s *denseScreen, k int, t *Ticker) (*Lists, error) {
	n := m.x.Rows
	list := newShortlists(n, min(k+spareCandidates(k), n-1), float32(math.Inf(-1)))
	if err := s.search(ctx, list, m.loop, t); err != nil {
		return nil, err
	}
	g := NewLists(n, k)
	open := make([]bool, n)
	err := m.loop(ctx, n, 256, func(_, lo, hi int) error {
		var found []candidate
		var dist2 []float64
		for i := lo; i < hi; i++ {
			keys, index := list.row(i)
			found = found[:0]
			dist2 = slices.Grow(dist2[:0], len(index))[:len(index)]
			m.directs(i, index, dist2)
			for c, j := range index {
				found = append(found, candidate{-dist2[c], j})
			}
			slices.SortFunc(found, nearer(false))
			if list.full(i) && list.size < n-1 {
				// Rows that are missing are at least this far away.
				bound := 2 * (float64(s.half[i]) - float64(slices.Min(keys))) / s.unit
				open[i] = !(-found[k-1].score*(1+1e-9) < bound)
			}
			g.set(i, found[:k], m.measure)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	rows := marked(open)
	switch {
	case len(rows) == 0:
		return g, nil
	case float64(len(rows)) > mostOpen*float64(n):
		return m.plain(ctx, k, NewTicker(nil, n))
	}
	var all, some mat.Matrix
	if m.single != nil {
		all, some = m.single, m.single.SelectRows(rows)
	} else {
		d := mat.NewDense(n, m.x.Cols, nil)
		d.SetRawMatrix(m.x)
		all, some = d, SelectRows(d, rows)
	}
	again, err := newDenseRows(all, some)
	if err != nil {
		return nil, err
	}
	again.loop = m.loop
	return g, g.settle(ctx, rows, &Crossing{Fresh: len(rows), Trained: n, Points: Points{d: again}})
}

// lists finds the k nearest neighbours of every row, by a screen in float32 where that applies and
// its memory is left.
func (m *denseRows) lists(ctx context.Context, k int, t *Ticker) (*Lists, error) {
	if memory.Bytes(4, m.x.Rows, m.x.Cols) <= memory.Left(ctx) {
		if screen := newDenseScreen(m); screen != nil {
			return m.screened(ctx, screen, k, t)
		}
	}
	return m.plain(ctx, k, t)
}
