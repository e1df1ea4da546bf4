package graph

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"sync/atomic"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// measurer computes scores of pairs of rows, -d².
type measurer interface {
	// scratch is memory for the calls of one worker.
	scratch() []float64
	// open prepares row i for calls of score, and close ends them.
	open(i int, scratch []float64)
	close(i int, scratch []float64)
	score(i, j int, scratch []float64) float64
	dot(i, j int) float64
}

// newMeasure returns the measurer of a *sparse.CSR or a *mat.Dense.
func newMeasure(x mat.Matrix) (measurer, error) {
	if s, ok := x.(*sparse.CSR); ok {
		return newSparseRows(s, 0)
	}
	return newDenseRows(x.(*mat.Dense), nil)
}

func (m *sparseRows) scratch() []float64 { return make([]float64, m.x.NumCols) }

func (m *sparseRows) open(i int, row []float64) {
	cols, vals := m.x.Row(i)
	for p, c := range cols {
		row[c] = vals[p]
	}
}

func (m *sparseRows) close(i int, row []float64) {
	cols, _ := m.x.Row(i)
	for _, c := range cols {
		row[c] = 0
	}
}

// product returns the dot product of row j and the open row.
func (m *sparseRows) product(j int, row []float64) float64 {
	s := 0.0
	cols, vals := m.x.Row(j)
	for p, c := range cols {
		s += row[c] * vals[p]
	}
	return s
}

func (m *sparseRows) score(i, j int, row []float64) float64 { return -m.dist2(i, j, m.product(j, row)) }

func (m *denseRows) scratch() []float64                  { return nil }
func (m *denseRows) open(int, []float64)                 {}
func (m *denseRows) close(int, []float64)                {}
func (m *denseRows) score(i, j int, _ []float64) float64 { return -m.direct(i, j) }

// descend tries the neighbours of each row's neighbours, and of the rows whose neighbour it is. A
// path that was tried before is skipped. It returns the number of entries that changed.
//
// Each row reads the lists as they were and writes its own, so the result does not depend on the
// order of the rows. At most twice the square of their length of scores per row.
func (a *approximation) descend(ctx context.Context, t *ticker) (int, error) {
	old := a.near
	next := &nearLists{k: a.width, score: slices.Clone(old.score), index: slices.Clone(old.index), fresh: make([]bool, len(old.fresh))}
	ptr, from := old.reversed(a.n)
	var changed atomic.Int64
	const grain = 256
	type scratch struct {
		seen []int32 // 1 + the last row that tried each row
		row  []float64
	}
	own := make([]scratch, parallel.Workers(a.n, grain))
	err := parallel.For(ctx, a.n, grain, func(worker, lo, hi int) error {
		defer t.add(float64(hi - lo))
		w := &own[worker]
		if w.seen == nil {
			*w = scratch{make([]int32, a.n), a.measure.scratch()}
		}
		for i := lo; i < hi; i++ {
			a.measure.open(i, w.row)
			mark := int32(i + 1)
			w.seen[i] = mark
			mine := old.index[i*a.width : (i+1)*a.width]
			for _, j := range mine {
				if j >= 0 {
					w.seen[j] = mark
				}
			}
			through := func(via int32, fresh bool) {
				for p := int(via) * a.width; p < (int(via)+1)*a.width; p++ {
					j := old.index[p]
					if j < 0 || w.seen[j] == mark || !fresh && !old.fresh[p] {
						continue
					}
					w.seen[j] = mark
					if next.insert(i, j, a.measure.score(i, int(j), w.row)) {
						changed.Add(1)
					}
				}
			}
			for c, j := range mine {
				if j >= 0 {
					through(j, old.fresh[i*a.width+c])
				}
			}
			// Of many reverse neighbours, as many as a list has, evenly spread.
			back := from[ptr[i]:ptr[i+1]]
			for c := range min(len(back), a.width) {
				e := back[c*len(back)/min(len(back), a.width)]
				via := e / int64(a.width)
				if w.seen[via] != mark {
					w.seen[via] = mark
					if next.insert(i, int32(via), a.measure.score(i, int(via), w.row)) {
						changed.Add(1)
					}
				}
				through(int32(via), old.fresh[e])
			}
			a.measure.close(i, w.row)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	a.near = next
	return int(changed.Load()), nil
}

// reversed lists, for each row, the entries of the lists of other rows that name it, ascending.
func (l *nearLists) reversed(n int) (ptr []int, entries []int64) {
	ptr = make([]int, n+2)
	for _, j := range l.index {
		if j >= 0 {
			ptr[j+2]++
		}
	}
	for i := range n {
		ptr[i+2] += ptr[i+1]
	}
	entries = make([]int64, ptr[n+1])
	for p, j := range l.index {
		if j >= 0 {
			entries[ptr[j+1]] = int64(p)
			ptr[j+1]++
		}
	}
	return ptr[:n+1], entries
}

// recallSample is the exact result for a sample of rows.
type recallSample struct {
	rows  []int
	worst []float64 // score of the k-th neighbour of each
}

// newRecallSample draws rows and searches all others for their k nearest.
func newRecallSample(ctx context.Context, x mat.Matrix, k int, rng *rand.Rand) (*recallSample, error) {
	n, _ := x.Dims()
	s := &recallSample{rows: rng.Perm(n)[:min(n, RecallSample)]}
	sort.Ints(s.rows)
	drawn := selectRows(x, s.rows)
	best := newNearLists(len(s.rows), k)
	const batch = 1 << 16 // rows indexed at a time
	for lo := 0; lo < n; lo += batch {
		some := make([]int, min(batch, n-lo))
		for r := range some {
			some[r] = lo + r
		}
		g, err := NearestAmong(ctx, drawn, selectRows(x, some), min(k+1, len(some)), nil)
		if err != nil {
			return nil, err
		}
		for r, i := range s.rows {
			index, dist2, _ := g.Row(r)
			for c, j := range index {
				if lo+int(j) != i {
					best.insert(r, int32(lo)+j, -dist2[c])
				}
			}
		}
	}
	for r := range s.rows {
		s.worst = append(s.worst, best.score[(r+1)*k-1])
	}
	return s, nil
}

// of is the share of the first k neighbours in l that are no worse than the k-th of the exact
// result, up to rounding.
func (s *recallSample) of(l *nearLists, k int) float64 {
	found := 0
	for r, i := range s.rows {
		limit := s.worst[r]
		if !math.IsInf(limit, 0) {
			limit -= 1e-12 * math.Abs(limit)
		}
		for _, score := range l.score[i*l.k : i*l.k+k] {
			if score >= limit {
				found++
			}
		}
	}
	return float64(found) / float64(len(s.rows)*k)
}
