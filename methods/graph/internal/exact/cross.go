package exact

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// amongAlike is among of sparse rows that all have length 1 or all are taken for others,
// or of dense ones.
func amongAlike(ctx context.Context, x, train mat.Matrix, k int, obs progress.Observer) (*Lists, error) {
	c, err := NewCrossing(x, train)
	if err != nil {
		return nil, err
	}
	if k < 1 || k > c.Trained {
		return nil, invalid.Errorf("%d neighbours were requested, but there are %d documents: choose 1 to %d", k, c.Trained, c.Trained)
	}
	if err := CheckLists(ctx, c.Fresh, c.Fresh, k, BytesPerNeighbour); err != nil {
		return nil, err
	}
	m, err := c.Meet(ctx, k, nil, Pass{Observer: obs})
	if err != nil {
		return nil, err
	}
	return m.Lists(ctx)
}

// Crossing holds new rows and training rows, both sparse or both dense.
type Crossing struct {
	Fresh, Trained int
	Points         // training rows first, then the new ones
}

// NewCrossing makes new rows and training rows ready that have the same number of columns.
func NewCrossing(x, train mat.Matrix) (*Crossing, error) {
	s, d, err := Double(train)
	if err != nil {
		return nil, err
	}
	xs, xd, err := Double(x)
	if err != nil {
		return nil, err
	}
	n, cols := train.Dims()
	fresh, width := x.Dims()
	switch {
	case n == 0 || fresh == 0:
		return nil, invalid.Errorf("there are no documents: %d new ones and %d training documents", fresh, n)
	case width != cols:
		return nil, WidthError(fresh, width, cols)
	}
	c := &Crossing{Fresh: fresh, Trained: n}
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

// WidthError is the error for new rows that have other columns than the training rows.
func WidthError(rows, cols, want int) error {
	return &sparse.ShapeError{Why: fmt.Sprintf("%d new rows have %d columns, but the training rows have %d", rows, cols, want)}
}

// meeting is the result of a pass over all pairs of a crossing.
type meeting struct {
	*Crossing
	reach []float64      // of each training row: below it a new row is listed
	heaps *heaps         // the nearest of each new row; nil if k is 0 and after a screen
	found *Lists         // the same after a screen
	near  *edgeLists     // pairs (new, training) nearer than the training row's reach
	same  []atomic.Int32 // the lowest training row at distance 0 from the new one, else noSame
	pass  Pass
}

const noSame = math.MaxInt32

// Meet computes all pairs between new and training rows. k is the length of the lists, 0 for none.
// reach (nil for none) holds for each training row the squared distance below which a new row is
// listed.
//
// Sparse rows of length 1 go through a screen in float32 where that pays: what is found is the
// same.
func (c *Crossing) Meet(ctx context.Context, k int, reach []float64, p Pass) (*meeting, error) {
	if c.s != nil && k > 0 && c.s.screenable(k) {
		return c.screened(ctx, k, reach, p)
	}
	return c.plain(ctx, k, reach, p)
}

// newMeeting is a meeting before its pass.
func (c *Crossing) newMeeting(reach []float64, p Pass) *meeting {
	m := &meeting{Crossing: c, reach: reach, same: make([]atomic.Int32, c.Fresh), pass: p}
	for i := range m.same {
		m.same[i].Store(noSame)
	}
	if reach == nil {
		m.reach = make([]float64, c.Trained) // no squared distance is below 0
	}
	return m
}

// plain is Meet in float64 alone.
func (c *Crossing) plain(ctx context.Context, k int, reach []float64, p Pass) (*meeting, error) {
	m := c.newMeeting(reach, p)
	unit, chunks := false, 0
	if c.s != nil {
		unit, chunks = c.s.unit, c.s.chunks()
	} else {
		chunks = c.d.chunks()
	}
	if k > 0 {
		m.heaps = newHeaps(c.Fresh, k, unit)
	}
	m.near = newEdgeLists(chunks, p)
	t := NewTicker(p.Observer, c.Fresh)
	var err error
	if c.s != nil {
		err = m.meetSparse(ctx, t)
	} else {
		err = m.meetDense(ctx, t)
	}
	if err != nil {
		return nil, err
	}
	t.Finish()
	return m, nil
}

// least returns the score below which the list of new row r takes no candidate.
func (m *meeting) least(r int) float64 {
	if m.heaps == nil {
		return math.Inf(1)
	}
	return m.heaps.least(r)
}

func (m *meeting) meetSparse(ctx context.Context, t *Ticker) error {
	rows := m.s
	return rows.pairs(ctx, t, func(chunk, i, base int, dots []float64) error {
		r := i - m.Trained
		least, list := m.least(r), m.near.lists[chunk]
		before := len(list)
		for j := len(dots) - 1; j >= 0; j-- {
			s := dots[j]
			d := 2 - 2*s
			if !rows.unit || s >= nearDot {
				d = rows.Dist2(i, base+j, s)
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
			if d < m.reach[base+j] && s > 0 {
				list = append(list, edge{int32(r), int32(base + j), m.pass.raw(d, s)})
			}
			if d == 0 {
				m.meetSame(r, base+j)
			}
		}
		m.near.lists[chunk] = list
		return m.near.added(len(list) - before)
	})
}

func (m *meeting) meetDense(ctx context.Context, t *Ticker) error {
	rows := m.d
	return rows.pairs(ctx, t, func(chunk, i, base int, low []float64) error {
		r := i - m.Trained
		least, list := m.least(r), m.near.lists[chunk]
		before := len(list)
		for j, bound := range low {
			if -bound < least && bound >= m.reach[base+j] {
				continue
			}
			d := rows.exact(i, base+j, bound)
			if -d >= least {
				m.heaps.offer(r, int32(base+j), -d)
				least = m.least(r)
			}
			if d < m.reach[base+j] {
				raw := d
				if m.pass.Dot {
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

// Lists are the nearest of each new row.
func (m *meeting) Lists(ctx context.Context) (*Lists, error) {
	if m.found != nil {
		return m.found, nil
	}
	return m.heaps.lists(ctx, m.loop(), func(r, j int, score float64) (dist2, dot float64) { return m.measure(m.Trained+r, j, score) })
}

// Among finds the k nearest rows of train for every row of x; see graph.NearestAmong.
func Among(ctx context.Context, x, train mat.Matrix, k int, obs progress.Observer) (*Lists, error) {
	points, _, err := Double(train)
	if err != nil || points == nil {
		return amongAlike(ctx, x, train, k, obs)
	}
	groups := ByLength(x, points)
	if groups == nil {
		return amongAlike(ctx, x, train, k, obs)
	}
	parts := make([]*Lists, len(groups))
	for g, rows := range groups {
		some, err := SelectLike(x, rows)
		if err != nil {
			return nil, err
		}
		if parts[g], err = amongAlike(ctx, some, points, k, obs); err != nil {
			return nil, RaiseFrom(err, rows)
		}
	}
	n, _ := x.Dims()
	return mergedLists(parts, groups, n), nil
}

// SameRows returns for each new row the lowest training row that equals it, -1 if none does.
func (m *meeting) SameRows() []int {
	list := make([]int, m.Fresh)
	for i := range list {
		if list[i] = int(m.same[i].Load()); list[i] == noSame {
			list[i] = -1
		}
	}
	return list
}

// Edges returns the pairs nearer than the reach of the training row: new rows × training rows, with
// the values for weights.
func (m *meeting) Edges() *sparse.CSR { return m.near.matrix(m.Fresh, m.Trained) }
