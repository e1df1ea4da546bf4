package exact

import (
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
)

// screened finds the k nearest neighbours of every row by shortlists.
func (m *sparseRows) screened(ctx context.Context, k int, t *Ticker) (*Lists, error) {
	n := m.x.NumRows
	list := newShortlists(n, k+spareCandidates(k), m.noFloor())
	if err := newSparseScreen(m.rows, m.loop).search(ctx, list, m.loop, t); err != nil {
		return nil, err
	}
	g := NewLists(n, k)
	open := make([]bool, n) // rows whose shortlist does not decide the result
	scratch := make([][]float64, parallel.Workers(n, 256))
	err := m.loop(ctx, n, 256, func(worker, lo, hi int) error {
		if scratch[worker] == nil {
			scratch[worker] = m.Scratch()
		}
		var found []candidate
		for i := lo; i < hi; i++ {
			found, open[i] = m.choose(list, i, k, scratch[worker], found[:0])
			if !open[i] {
				g.set(i, found, m.measure)
			}
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
	again, err := newSparseRows(m.withCopies(rows), n)
	if err != nil {
		return nil, err
	}
	again.loop = m.loop
	return g, g.settle(ctx, rows, &Crossing{Fresh: len(rows), Trained: n, Points: Points{s: again}})
}

// withCopies are all rows followed by copies of some of them.
func (m *sparseRows) withCopies(rows []int) sparse.Rows {
	if s, ok := m.rows.(*sparse.CSR); ok {
		return stack(s, s.SelectRows(rows))
	}
	all := make([]int, m.x.NumRows, m.x.NumRows+len(rows))
	for i := range all {
		all[i] = i
	}
	return m.rows.(*sparse.Single).SelectRows(append(all, rows...))
}

// sameDistance is more than the largest difference of dot products that have one distance, 2−2a·b.
const sameDistance = 1e-15

// noFloor is the key that pairs must exceed to be listed if no other is known: those without a
// common term are 0 and need no list, unless entries are negative.
func (m *sparseRows) noFloor() float32 {
	if m.signed {
		return float32(math.Inf(-1))
	}
	return 0
}

// choose ranks the shortlist of row i in float64 and returns its k best candidates, and whether
// others could be among them. row is a vector of zeros.
func (m *sparseRows) choose(list *shortlists, i, k int, row []float64, found []candidate) (best []candidate, open bool) {
	keys, index := list.row(i)
	full := list.full(i)
	if full && m.undecided(keys, k, len(m.columns(i))) {
		return found, true
	}
	m.Open(i, row)
	for _, j := range index {
		found = append(found, candidate{m.unitScore(i, int(j), m.product(int(j), row)), j})
	}
	m.Close(i, row)
	if !full && !m.signed && (len(keys) < k || slices.Min(keys) < sameDistance) {
		// The others have no common term. The lowest of them follow, and precede candidates whose
		// products are too small to make them nearer.
		known := slices.Sorted(slices.Values(index))
		lo, hi := m.others(i)
		for j, zeros := lo, 0; zeros < k && j < hi; j++ {
			if len(known) > 0 && int(known[0]) == j {
				known = known[1:]
			} else if j != i {
				found = append(found, candidate{0, int32(j)})
				zeros++
			}
		}
	}
	slices.SortFunc(found, nearer(true))
	return found[:k], false
}

// undecided reports whether candidates that a full shortlist has lost could be among the k best of
// a row with some number of entries. Their keys are at most the lowest; twice the error of a
// product must separate that from the k-th.
func (m *sparseRows) undecided(keys []float32, k, entries int) bool {
	sorted := slices.Clone(keys)
	slices.Sort(sorted)
	last := float64(sorted[len(sorted)-k])
	return float64(sorted[0]) >= last-2*m.keyError(last, entries)-sameDistance
}

// settle replaces the lists of some rows by an exact search in float64; c has these rows as new
// ones and all rows as training rows.
func (g *Lists) settle(ctx context.Context, rows []int, c *Crossing) error {
	met, err := c.plain(ctx, g.K+1, nil, Pass{})
	if err != nil {
		return err
	}
	found, err := met.Lists(ctx)
	if err != nil {
		return err
	}
	g.replace(rows, found)
	return nil
}

// lists finds the k nearest neighbours of every row, by a screen in float32 where that applies.
func (m *sparseRows) lists(ctx context.Context, k int, t *Ticker) (*Lists, error) {
	if m.screenable(k) {
		return m.screened(ctx, k, t)
	}
	return m.plain(ctx, k, t)
}

// plain finds the k nearest neighbours of every row with all dot products in float64.
func (m *sparseRows) plain(ctx context.Context, k int, t *Ticker) (*Lists, error) {
	h := newHeaps(m.x.NumRows, k, m.unit)
	if err := m.nearest(ctx, h, t); err != nil {
		return nil, err
	}
	return h.lists(ctx, m.loop, m.measure)
}
