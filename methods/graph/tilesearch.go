package graph

import (
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// measures returns the functions of the search of all rows: what measures a pair, and whether
// scores are those of sparse rows of length 1.
func (t *tiling) measures() (measure func(i, j int, score float64) (dist2, dot float64), unit bool, loop parallel.Loop, err error) {
	if t.rows != nil {
		return t.rows.measure, t.rows.unit, t.rows.loop, nil
	}
	d, err := newDenseRows(t.x, nil)
	if err != nil {
		return nil, false, nil, err
	}
	return d.measure, false, d.loop, nil
}

// search finds the candidates of the rows of bands a ≤ b: the rows of a first, then those of b. It
// leaves out candidates with scores below those that known takes, the heaps of all rows.
func (t *tiling) search(ctx context.Context, a, b int, known *heaps) (*heaps, error) {
	if t.rows == nil {
		return t.searchDense(ctx, a, b, known)
	}
	m := t.sparseTile(a, b)
	h := t.tileHeaps(a, b, known)
	if t.screened && m.x.NumRows >= 2*lanes {
		return h, m.screenTile(ctx, h, newTicker(nil, m.x.NumRows))
	}
	return h, m.nearest(ctx, h, newTicker(nil, m.x.NumRows))
}

// tileHeaps are empty heaps of the rows of a tile, which take the scores that known takes.
func (t *tiling) tileHeaps(a, b int, known *heaps) *heaps {
	rows := t.rowsOf(a, b)
	h := newHeaps(len(rows), t.k, known.unit)
	for r, i := range rows {
		h.floor[r].Store(known.floor[i].Load())
	}
	return h
}

// sparseTile are the rows of a tile, with the norms and the kind of all rows: scores of a pair do
// not depend on the tile.
func (t *tiling) sparseTile(a, b int) *sparseRows {
	al, ah := t.band(a)
	bl, bh := t.band(b)
	all := t.rows
	x := rowsBetween(all.rows, al, ah)
	m := &sparseRows{norm2: all.norm2[al:ah], unit: all.unit, whole: all.whole, loop: all.loop}
	if a != b {
		x, m.split = stack(x, rowsBetween(all.rows, bl, bh)), ah-al
		m.norm2 = slices.Concat(m.norm2, all.norm2[bl:bh])
	}
	m.x, m.rows = x, x
	m.tile = tileRows(m.x, m.indexed())
	return m
}

// denseBetween returns the dense rows from lo up to hi as a view.
func denseBetween(x mat.Matrix, lo, hi int) mat.Matrix {
	if s, ok := x.(*sparse.SingleDense); ok {
		return s.Between(lo, hi)
	}
	_, cols := x.Dims()
	return x.(*mat.Dense).Slice(lo, hi, 0, cols)
}

// rowsBetween returns the rows from lo up to hi, in double precision.
func rowsBetween(x sparse.Rows, lo, hi int) *sparse.CSR {
	rows := make([]int, hi-lo)
	for i := range rows {
		rows[i] = lo + i
	}
	return x.Select(rows)
}

func (t *tiling) searchDense(ctx context.Context, a, b int, known *heaps) (*heaps, error) {
	al, ah := t.band(a)
	bl, bh := t.band(b)
	var fresh mat.Matrix
	if a != b {
		fresh = denseBetween(t.x, bl, bh)
	}
	m, err := newDenseRows(denseBetween(t.x, al, ah), fresh)
	if err != nil {
		return nil, err
	}
	h := t.tileHeaps(a, b, known)
	return h, m.nearest(ctx, h, newTicker(nil, h.rows()))
}

// rows is the number of rows.
func (h *heaps) rows() int { return len(h.count) }

// others returns the range of rows with which row i forms pairs, itself included if there is no
// split.
func (m *sparseRows) others(i int) (lo, hi int) {
	switch {
	case m.split == 0:
		return 0, m.x.NumRows
	case i < m.split:
		return m.split, m.x.NumRows
	}
	return 0, m.split
}

// screenTile fills the heaps by a screen in float32, and computes the candidates again in float64.
func (m *sparseRows) screenTile(ctx context.Context, h *heaps, t *ticker) error {
	n := m.x.NumRows
	list := newShortlists(n, h.k+spareCandidates(h.k), 0)
	for i := range n {
		list.floor[i].Store(math.Float32bits(keyFloor(h.least(i), m.x.RowPtr[i+1]-m.x.RowPtr[i])))
	}
	screen := newSparseScreen(m.rows)
	screen.split = m.split
	if err := screen.search(ctx, list, m.loop, t); err != nil {
		return err
	}
	scratch := make([][]float64, parallel.Workers(n, 256))
	return m.loop(ctx, n, 256, func(worker, lo, hi int) error {
		if scratch[worker] == nil {
			scratch[worker] = m.scratch()
		}
		for i := lo; i < hi; i++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			m.open(i, scratch[worker])
			m.offerListed(h, list, i, scratch[worker])
			m.close(i, scratch[worker])
		}
		return nil
	})
}

// keyFloor is a key that a pair exceeds if its dot product reaches least, for a row with some
// number of entries: less by twice the error of a key (see sparseScreen).
func keyFloor(least float64, entries int) float32 {
	const unit = 0x1p-24
	return float32(max(0, least*(1-2*float64(entries+8)*unit)-sameDistance))
}

// offerListed offers row i the rows of its shortlist, and all others where that does not decide
// the result. row is the open row i.
func (m *sparseRows) offerListed(h *heaps, list *shortlists, i int, row []float64) {
	keys, index := list.row(i)
	lo, hi := m.others(i)
	full, nearer := list.full(i), h.least(i) > 0 // nearer: only rows with common terms are wanted
	if full && undecided(keys, h.k, len(m.columns(i))) {
		for j := lo; j < hi; j++ {
			if j != i {
				h.offer(i, int32(j), m.unitScore(i, j, m.product(j, row)))
			}
		}
		return
	}
	for _, j := range index {
		h.offer(i, j, m.unitScore(i, int(j), m.product(int(j), row)))
	}
	if full || nearer || len(keys) >= h.k && slices.Min(keys) >= sameDistance {
		return
	}
	// The others have no common term: the lowest of them follow.
	known := slices.Sorted(slices.Values(index))
	for j, zeros := lo, 0; zeros < h.k && j < hi; j++ {
		if len(known) > 0 && int(known[0]) == j {
			known = known[1:]
		} else if j != i {
			h.offer(i, int32(j), 0)
			zeros++
		}
	}
}
