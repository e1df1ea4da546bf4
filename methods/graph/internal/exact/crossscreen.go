package exact

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
)

// screened is Meet of sparse rows by the screen of the search within a corpus: new rows have
// shortlists, and training rows a key that the new ones must exceed. What passes is computed again
// in float64.
func (c *Crossing) screened(ctx context.Context, k int, reach []float64, p Pass) (*meeting, error) {
	m := c.newMeeting(reach, p)
	rows, t := c.s, NewTicker(p.Observer, c.Fresh)
	list := newShortlists(c.Fresh, k+spareCandidates(k), rows.noFloor())
	list.first, list.reach = c.Trained, rows.keysWithin(m.reach)
	m.near = newEdgeLists(parallel.Chunks(c.Trained, groupRows), p)
	screen := newSparseScreen(rows.rows, rows.loop)
	screen.split = c.Trained
	scratch := make([][]float64, parallel.Workers(c.Trained, groupRows))
	err := screen.searchAcross(ctx, list, rows.loop, t, func(worker, number int, pairs []pair) error {
		if scratch[worker] == nil {
			scratch[worker] = rows.Scratch()
		}
		return m.listNear(number, pairs, scratch[worker])
	})
	if err == nil {
		err = m.chooseAll(ctx, list, k)
	}
	if err != nil {
		return nil, err
	}
	t.Finish()
	return m, nil
}

// keysWithin returns for each row a key that every pair exceeds whose squared distance is below the
// row's reach and whose dot product is above 0.
func (m *sparseRows) keysWithin(reach []float64) []float32 {
	keys := make([]float32, len(reach))
	for j, r := range reach {
		if keys[j] = math.MaxFloat32; r > 0 {
			keys[j] = m.keyFloor(max(0, 1-r/2), len(m.columns(j)))
		}
	}
	return keys
}

// listNear lists the pairs, of one group of training rows, that are nearer than the reach of the
// training row. row is a vector of zeros.
func (m *meeting) listNear(number int, pairs []pair, row []float64) error {
	rows, list := m.s, m.near.lists[number]
	before, open := len(list), int32(-1)
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Or(cmp.Compare(a.i, b.i), cmp.Compare(a.j, b.j)) })
	for _, p := range pairs {
		i, j := int(p.i), int(p.j)
		if p.i != open {
			if open >= 0 {
				rows.Close(int(open), row)
			}
			rows.Open(i, row)
			open = p.i
		}
		s := rows.product(j, row)
		if d := rows.Dist2(i, j, s); d < m.reach[i] && s > 0 {
			list = append(list, edge{int32(j - m.Trained), p.i, m.pass.raw(d, s)})
		}
	}
	if open >= 0 {
		rows.Close(int(open), row)
	}
	m.near.lists[number] = list
	return m.near.added(len(list) - before)
}

// chooseAll chooses the neighbours of the new rows from their shortlists. Rows that these do not
// decide are compared with all training rows in float64.
func (m *meeting) chooseAll(ctx context.Context, list *shortlists, k int) error {
	m.found = NewLists(m.Fresh, k)
	open := make([]bool, m.Fresh)
	scratch := make([][]float64, parallel.Workers(m.Fresh, chosenRows))
	err := m.s.loop(ctx, m.Fresh, chosenRows, func(worker, lo, hi int) error {
		if scratch[worker] == nil {
			scratch[worker] = m.s.Scratch()
		}
		var found []candidate
		for r := lo; r < hi; r++ {
			if found, open[r] = m.s.choose(list, m.Trained+r, k, scratch[worker], found[:0]); !open[r] {
				m.choose(r, found)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return m.settle(ctx, marked(open), k)
}

// chosenRows is the number of rows whose neighbours are chosen at a time.
const chosenRows = 64

// choose sets the neighbours of new row r.
func (m *meeting) choose(r int, list []candidate) {
	m.found.set(r, list, func(r, j int, score float64) (dist2, dot float64) { return m.s.measure(m.Trained+r, j, score) })
	if unitDist2(list[0].score) == 0 { // the lowest of those at this distance
		m.meetSame(r, int(list[0].j))
	}
}

// settle sets the neighbours of some new rows by a search in float64.
func (m *meeting) settle(ctx context.Context, fresh []int, k int) error {
	if len(fresh) == 0 {
		return nil
	}
	some := make([]int, m.Trained, m.Trained+len(fresh))
	for i := range some {
		some[i] = i
	}
	for _, r := range fresh {
		some = append(some, m.Trained+r)
	}
	again, err := newSparseRows(sparse.SelectRows(m.s.rows, some).(sparse.Rows), m.Trained)
	if err != nil {
		return err
	}
	again.loop = m.s.loop
	met, err := (&Crossing{Fresh: len(fresh), Trained: m.Trained, Points: Points{s: again}}).plain(ctx, k, nil, Pass{})
	if err != nil {
		return err
	}
	lists, err := met.Lists(ctx)
	if err != nil {
		return err
	}
	for c, r := range fresh {
		index, dist2, dot := lists.Row(c)
		copy(m.found.Index[r*k:], index)
		copy(m.found.Dist2[r*k:], dist2)
		copy(m.found.Dot[r*k:], dot)
		if j := met.same[c].Load(); j != noSame {
			m.meetSame(r, int(j))
		}
	}
	return nil
}
