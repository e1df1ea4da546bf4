package graph

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// NearestAmong finds the k nearest rows of train for every row of x in Euclidean distance, with the
// rules and the kernels of [Nearest]: exact, ties by the lower index, 1 ≤ k ≤ rows of train. The
// lists hold row numbers of train. x is treated as sparse or dense like train.
//
// Sparse rows cost Σ over columns of (entries of x)·(entries of train) multiply-adds and a copy of
// both (12 bytes per entry) in addition to the index; dense rows cost 2·new·n·d flops. Errors and
// events are those of Nearest.
func NearestAmong(ctx context.Context, x, train mat.Matrix, k int, obs progress.Observer) (*KNN, error) {
	points, _, err := kind(train)
	if err != nil || points == nil {
		return nearestAmong(ctx, x, train, k, obs)
	}
	groups := byLength(x, points)
	if groups == nil {
		return nearestAmong(ctx, x, train, k, obs)
	}
	parts := make([]*KNN, len(groups))
	for g, rows := range groups {
		some, err := selected(x, rows)
		if err != nil {
			return nil, err
		}
		if parts[g], err = nearestAmong(ctx, some, points, k, obs); err != nil {
			return nil, raised(err, rows)
		}
	}
	n, _ := x.Dims()
	return mergedLists(parts, groups, n), nil
}

// nearestAmong is NearestAmong of sparse rows that all have length 1 or all are taken for others,
// or of dense ones.
func nearestAmong(ctx context.Context, x, train mat.Matrix, k int, obs progress.Observer) (*KNN, error) {
	c, err := newCrossing(x, train)
	if err != nil {
		return nil, err
	}
	if k < 1 || k > c.trained {
		return nil, invalid.Errorf("%d neighbours were requested, but there are %d documents: choose 1 to %d", k, c.trained, c.trained)
	}
	left := memory.Left(ctx)
	if err := checkLists(c.fresh, c.fresh, k, bytesPerNeighbour, left); err != nil {
		return nil, err
	}
	m, err := c.meet(ctx, k, nil, Options{Observer: obs, MaxBytes: left})
	if err != nil {
		return nil, err
	}
	return m.lists(ctx)
}

// crossing holds new rows and training rows, both sparse or both dense.
type crossing struct {
	fresh, trained int
	s              *sparseRows // training rows first, then the new ones
	d              *denseRows
}

func newCrossing(x, train mat.Matrix) (*crossing, error) {
	s, d, err := kind(train)
	if err != nil {
		return nil, err
	}
	xs, xd, err := kind(x)
	if err != nil {
		return nil, err
	}
	n, cols := train.Dims()
	fresh, width := x.Dims()
	switch {
	case n == 0 || fresh == 0:
		return nil, invalid.Errorf("there are no documents: %d new ones and %d training documents", fresh, n)
	case width != cols:
		return nil, widthError(fresh, width, cols)
	}
	c := &crossing{fresh: fresh, trained: n}
	if s != nil {
		if xs == nil {
			if xs, err = sparse.FromMatrix(xd); err != nil {
				return nil, err
			}
		}
		c.s, err = newSparseRows(stack(s, xs), n)
		return c, err
	}
	if xd == nil {
		xd = xs.ToDense()
	}
	c.d, err = newDenseRows(d, xd)
	return c, err
}

func widthError(rows, cols, want int) error {
	return &sparse.ShapeError{Why: fmt.Sprintf("%d new rows have %d columns, but the training rows have %d", rows, cols, want)}
}

// stack returns the rows of a followed by those of b.
func stack(a, b *sparse.CSR) *sparse.CSR {
	s := &sparse.CSR{NumRows: a.NumRows + b.NumRows, NumCols: a.NumCols, RowPtr: make([]int, 0, a.NumRows+b.NumRows+1),
		Col: slices.Concat(a.Col, b.Col), Val: slices.Concat(a.Val, b.Val)}
	s.RowPtr = append(s.RowPtr, a.RowPtr...)
	for _, p := range b.RowPtr[1:] {
		s.RowPtr = append(s.RowPtr, a.NNZ()+p)
	}
	return s
}

// meeting is the result of a pass over all pairs of a crossing.
type meeting struct {
	*crossing
	heaps *heaps         // the nearest of each new row; nil if k is 0
	near  *edgeLists     // pairs (new, training) nearer than the training row's reach
	same  []atomic.Int32 // the lowest training row at distance 0 from the new one, else noSame
	opt   Options
}

const noSame = math.MaxInt32

// meet computes all pairs between new and training rows. k is the length of the lists, 0 for none.
// reach (nil for none) holds for each training row the squared distance below which a new row is
// listed. opt has its defaults filled in.
func (c *crossing) meet(ctx context.Context, k int, reach []float64, opt Options) (*meeting, error) {
	m := &meeting{crossing: c, same: make([]atomic.Int32, c.fresh), opt: opt}
	for i := range m.same {
		m.same[i].Store(noSame)
	}
	if reach == nil {
		reach = make([]float64, c.trained) // no squared distance is below 0
	}
	unit, chunks := false, 0
	if c.s != nil {
		unit, chunks = c.s.unit, c.s.chunks()
	} else {
		chunks = c.d.chunks()
	}
	if k > 0 {
		m.heaps = newHeaps(c.fresh, k, unit)
	}
	m.near = newEdgeLists(chunks, opt)
	t := newTicker(opt.Observer, c.fresh)
	var err error
	if c.s != nil {
		err = m.meetSparse(ctx, t, reach)
	} else {
		err = m.meetDense(ctx, t, reach)
	}
	if err != nil {
		return nil, err
	}
	t.finish()
	return m, nil
}

// least returns the score below which the list of new row r takes no candidate.
func (m *meeting) least(r int) float64 {
	if m.heaps == nil {
		return math.Inf(1)
	}
	return m.heaps.least(r)
}

func (m *meeting) meetSparse(ctx context.Context, t *ticker, reach []float64) error {
	rows := m.s
	return rows.pairs(ctx, t, func(chunk, i, base int, dots []float64) error {
		r := i - m.trained
		least, list := m.least(r), m.near.lists[chunk]
		before := len(list)
		for j := len(dots) - 1; j >= 0; j-- {
			s := dots[j]
			d := 2 - 2*s
			if !rows.unit || s >= nearDot {
				d = rows.dist2(i, base+j, s)
			}
			score := s
			if !rows.unit {
				score = -d
			}
			if score >= least {
				if rows.unit {
					score = rows.unitScore(i, base+j, s)
				}
				m.heaps.offer(r, int32(base+j), score)
				least = m.least(r)
			}
			if d < reach[base+j] && s > 0 {
				list = append(list, edge{int32(r), int32(base + j), m.opt.Weight.raw(d, s)})
			}
			if d == 0 {
				m.meetSame(r, base+j)
			}
		}
		m.near.lists[chunk] = list
		return m.near.added(len(list) - before)
	})
}

func (m *meeting) meetDense(ctx context.Context, t *ticker, reach []float64) error {
	rows := m.d
	needDot := m.opt.Weight == Dot || m.opt.Weight == Poly
	return rows.pairs(ctx, t, func(chunk, i, base int, low []float64) error {
		r := i - m.trained
		least, list := m.least(r), m.near.lists[chunk]
		before := len(list)
		for j, bound := range low {
			if -bound < least && bound >= reach[base+j] {
				continue
			}
			d := rows.exact(i, base+j, bound)
			if -d >= least {
				m.heaps.offer(r, int32(base+j), -d)
				least = m.least(r)
			}
			if d < reach[base+j] {
				raw := d
				if needDot {
					raw = rows.dot(i, base+j)
				}
				list = append(list, edge{int32(r), int32(base + j), raw})
			}
			if d == 0 {
				m.meetSame(r, base+j)
			}
		}
		m.near.lists[chunk] = list
		return m.near.added(len(list) - before)
	})
}

// meetSame keeps the lowest training row that equals new row r.
func (m *meeting) meetSame(r, j int) {
	for {
		old := m.same[r].Load()
		if old <= int32(j) || m.same[r].CompareAndSwap(old, int32(j)) {
			return
		}
	}
}

// lists are the nearest of each new row.
func (m *meeting) lists(ctx context.Context) (*KNN, error) {
	var measure func(i, j int, score float64) (dist2, dot float64)
	var loop parallel.Loop
	if m.s != nil {
		measure, loop = m.s.measure, m.s.loop
	} else {
		measure, loop = m.d.measure, m.d.loop
	}
	return m.heaps.lists(ctx, loop, func(r, j int, score float64) (dist2, dot float64) { return measure(m.trained+r, j, score) })
}
