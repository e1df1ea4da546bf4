package exact

import (
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

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
func (m *sparseRows) screenTile(ctx context.Context, h *heaps, t *Ticker) error {
	n := m.x.NumRows
	list := newShortlists(n, h.k+spareCandidates(h.k), m.noFloor())
	for i := range n {
		list.floor[i].Store(math.Float32bits(m.keyFloor(h.least(i), m.x.RowPtr[i+1]-m.x.RowPtr[i])))
	}
	screen := newSparseScreen(m.rows, m.loop)
	screen.split = m.split
	if err := screen.search(ctx, list, m.loop, t); err != nil {
		return err
	}
	scratch := make([][]float64, parallel.Workers(n, 256))
	return m.loop(ctx, n, 256, func(worker, lo, hi int) error {
		if scratch[worker] == nil {
			scratch[worker] = m.Scratch()
		}
		for i := lo; i < hi; i++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			m.Open(i, scratch[worker])
			m.offerListed(h, list, i, scratch[worker])
			m.Close(i, scratch[worker])
		}
		return nil
	})
}

// keyFloor is a key that a pair exceeds if its dot product reaches least, for a row with some
// number of entries: less by twice the error of a key (see sparseScreen). least may be −∞.
func (m *sparseRows) keyFloor(least float64, entries int) float32 {
	if !m.signed {
		least = max(0, least)
	}
	return max(m.noFloor(), float32(least-2*m.keyError(least, entries)-sameDistance))
}

// offerListed offers row i the rows of its shortlist, and all others where that does not decide
// the result. row is the open row i.
func (m *sparseRows) offerListed(h *heaps, list *shortlists, i int, row []float64) {
	keys, index := list.row(i)
	lo, hi := m.others(i)
	full, nearer := list.full(i), h.least(i) > 0 // nearer: only rows with common terms are wanted
	if full && m.undecided(keys, h.k, len(m.columns(i))) {
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
	if full || nearer || m.signed || len(keys) >= h.k && slices.Min(keys) >= sameDistance {
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

// fill offers the pairs of a row of a and a row of b to the heaps of both: h has the rows of a
// first, then the rows of b. Without b the pairs are two rows of a. Both have at least one row. It
// returns the function that measures a pair.
func (r Traits) fill(ctx context.Context, h *heaps, a, b mat.Matrix, t *Ticker) (measure func(i, j int, score float64) (dist2, dot float64), err error) {
	if s, ok := a.(*sparse.CSR); ok {
		m := r.sparseTile(s, b)
		if r.screened && m.x.NumRows >= 2*Lanes {
			return m.measure, m.screenTile(ctx, h, t)
		}
		return m.measure, m.nearest(ctx, h, t)
	}
	m, err := newDenseRows(a, b)
	if err != nil {
		return nil, err
	}
	return m.measure, m.nearest(ctx, h, t)
}

// sparseTile makes the rows of a, and of b if it is not nil, ready for a search.
func (r Traits) sparseTile(a *sparse.CSR, b mat.Matrix) *sparseRows {
	m := &sparseRows{unit: r.Unit, whole: r.whole, signed: r.Negative, loop: parallel.For}
	if b != nil {
		m.split = a.NumRows
		a = stack(a, b.(*sparse.CSR))
	}
	m.x = a.Compact()
	m.rows = m.x
	m.measureNorms()
	m.tile = tileRows(m.x, m.indexed())
	return m
}
