package graph

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"sync"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

const (
	// ApproxRows is the number of rows from which [AutoSearch] may be approximate.
	ApproxRows = 200_000
	// GoalRecall is the recall on the sample from which [Approximate] stops searching.
	GoalRecall = 0.955
	// RecallSample is the number of rows on which the recall is measured.
	RecallSample = 1000

	// cellRows is the number of rows that a cell should have, and mostPivots the largest number of
	// cells made at a time. A cell of more than twice as many rows is divided again.
	cellRows   = 2048
	mostPivots = 1024
	// cellsOfRow is the number of cells that a row is in, in each partition.
	cellsOfRow = 2
	// leastPartitions is the number of partitions made before the recall is measured, and
	// mostPartitions the largest number.
	leastPartitions, mostPartitions = 2, 8
	// descents is the largest number of passes over neighbours of neighbours after a partition. They
	// end when less than settledShare of the lists' entries change.
	descents     = 3
	settledShare = 0.002
)

// Approximate finds most of the k nearest neighbours of every row of x, in time nearly proportional
// to the rows. 1 ≤ k < rows. recall is the share found of the exact neighbours of [RecallSample]
// rows.
//
// The rows are divided into cells by the nearest of some rows drawn at random, and [Nearest] is
// applied within each cell. Then neighbours of neighbours are tried (Dong, Charikar and Li,
// "Efficient k-nearest neighbor graph construction for generic similarity measures", WWW 2011).
// Another partition follows until the recall is at least [GoalRecall]. Distances and dot products
// of the neighbours found are exact, with the bits of Nearest.
//
// One seed gives the same lists at any number of threads. Memory in addition to x: 67 bytes per
// neighbour, 4 bytes per row and worker, and copies of the cells at work. Errors and events are
// those of Nearest.
func Approximate(ctx context.Context, x mat.Matrix, k int, seed uint64, obs progress.Observer) (g *KNN, recall float64, err error) {
	s, d, err := kind(x)
	if err != nil {
		return nil, 0, err
	}
	n, _ := x.Dims()
	if err := checkK(n, k); err != nil {
		return nil, 0, err
	}
	if err := checkLists(n, k, bytesPerApproximate, memory.Left(ctx)); err != nil {
		return nil, 0, err
	}
	if s != nil {
		return approximate(ctx, s, k, cellRows, seed, obs)
	}
	return approximate(ctx, d, k, cellRows, seed, obs)
}

// bytesPerApproximate is the memory of an approximate search for each neighbour: two copies of
// lists that are half as long again, their reverse, and the result.
const bytesPerApproximate = 3*13 + 8 + 20

// approximate is Approximate for *sparse.CSR and *mat.Dense, with cells of the given size.
func approximate(ctx context.Context, x mat.Matrix, k, cell int, seed uint64, obs progress.Observer) (*KNN, float64, error) {
	n, _ := x.Dims()
	if n <= 2*cell {
		g, err := Nearest(ctx, x, k, obs)
		return g, 1, err
	}
	measure, err := newMeasure(x)
	if err != nil {
		return nil, 0, err
	}
	a := &approximation{x: x, n: n, k: k, width: min(k+k/2+1, n-1), cell: cell, measure: measure, rng: rand.New(rand.NewPCG(seed, 0x6e656172)),
		mu: make([]sync.Mutex, n)}
	a.near = newNearLists(n, a.width)
	sample, err := newRecallSample(ctx, x, k, a.rng)
	if err != nil {
		return nil, 0, err
	}
	recall := 0.0
	for round := 1; round <= mostPartitions && recall < GoalRecall; round++ {
		t := newTicker(obs, n)
		if err := a.partition(ctx, t); err != nil {
			return nil, 0, err
		}
		t.finish()
		if round < leastPartitions {
			continue
		}
		for range descents {
			changed, err := a.descend(ctx, newTicker(obs, n))
			if err != nil {
				return nil, 0, err
			}
			if float64(changed) < settledShare*float64(n*a.width) {
				break
			}
		}
		recall = sample.of(a.near, k)
	}
	g := newKNN(n, k)
	err = parallel.For(ctx, n, 256, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			a.fill(i)
			for c := range k {
				at := i*a.width + c
				j := a.near.index[at]
				g.Index[i*k+c], g.Dist2[i*k+c], g.Dot[i*k+c] = j, -a.near.score[at], a.measure.dot(i, int(j))
			}
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	return g, recall, nil
}

// fill adds the lowest rows to the list of row i if it has fewer than k.
func (a *approximation) fill(i int) {
	for j := 0; a.near.index[i*a.width+a.k-1] < 0; j++ {
		if j != i {
			row := a.measure.scratch()
			a.measure.open(i, row)
			a.near.insert(i, int32(j), a.measure.score(i, j, row))
		}
	}
}

// approximation is the state of an approximate search.
type approximation struct {
	x       mat.Matrix // *sparse.CSR or *mat.Dense
	n, k    int
	cell    int // rows that a cell should have
	width   int // length of the lists: more than k, since every neighbour leads to others
	measure measurer
	rng     *rand.Rand
	near    *nearLists
	mu      []sync.Mutex // of the lists of each row
}

// nearLists are the k best candidates of each row, best first. Places without one have index -1 and
// score -Inf.
type nearLists struct {
	k     int
	score []float64
	index []int32
	fresh []bool // not yet there at the last descent
}

func newNearLists(n, k int) *nearLists {
	l := &nearLists{k: k, score: make([]float64, n*k), index: make([]int32, n*k), fresh: make([]bool, n*k)}
	for p := range l.index {
		l.index[p], l.score[p] = -1, math.Inf(-1)
	}
	return l
}

// insert adds candidate j to row i unless it is there or k others are better. The lists are the
// same in every order of insertions.
func (l *nearLists) insert(i int, j int32, score float64) bool {
	lo := i * l.k
	s, x, fresh := l.score[lo:lo+l.k], l.index[lo:lo+l.k], l.fresh[lo:lo+l.k]
	last := l.k - 1
	if !ahead(score, j, s[last], x[last]) {
		return false
	}
	isFresh := true
	if at := slices.Index(x, j); at >= 0 {
		// Cells may differ by rounding in the score of a pair: the higher one remains.
		if score <= s[at] {
			return false
		}
		last, isFresh = at, fresh[at]
	}
	for last > 0 && ahead(score, j, s[last-1], x[last-1]) {
		s[last], x[last], fresh[last] = s[last-1], x[last-1], fresh[last-1]
		last--
	}
	s[last], x[last], fresh[last] = score, j, isFresh
	return true
}

// ahead reports whether candidate (s, i) ranks before (t, j); j = -1 is no candidate.
func ahead(s float64, i int32, t float64, j int32) bool {
	return j < 0 || s > t || s == t && i < j
}

// partition divides the rows into cells at random and adds the neighbours within each.
func (a *approximation) partition(ctx context.Context, t *ticker) error {
	all := make([]int, a.n)
	for i := range all {
		all[i] = i
	}
	var cells [][]int
	if err := a.divide(ctx, all, cellsOfRow, &cells); err != nil {
		return err
	}
	total := 0
	for _, cell := range cells {
		total += len(cell)
	}
	return parallel.For(ctx, len(cells), 1, func(_, c, _ int) error {
		defer t.add(float64(len(cells[c])) / float64(total) * float64(a.n))
		return a.within(ctx, cells[c])
	})
}

// divide appends cells of rows, with each row in the given number of them.
func (a *approximation) divide(ctx context.Context, rows []int, copies int, cells *[][]int) error {
	if len(rows) <= 2*a.cell {
		*cells = append(*cells, rows)
		return nil
	}
	pivots := min(max(2, copies*len(rows)/a.cell), mostPivots, len(rows))
	drawn := make([]int, pivots)
	for p, r := range a.rng.Perm(len(rows))[:pivots] {
		drawn[p] = rows[r]
	}
	sort.Ints(drawn)
	centres := selectRows(a.x, drawn)
	parts := make([][]int, pivots)
	const batch = 1 << 16 // rows copied at a time
	for lo := 0; lo < len(rows); lo += batch {
		some := rows[lo:min(lo+batch, len(rows))]
		near, err := NearestAmong(ctx, selectRows(a.x, some), centres, min(copies, pivots), nil)
		if err != nil {
			return err
		}
		for r, i := range some {
			index, _, _ := near.Row(r)
			for _, p := range index {
				parts[p] = append(parts[p], i)
			}
		}
	}
	for _, part := range parts {
		if len(part) > len(rows)*9/10 {
			// Rows that no pivot tells apart, such as copies of one row.
			for part := range slices.Chunk(part, 2*a.cell) {
				*cells = append(*cells, part)
			}
		} else if len(part) > 1 {
			if err := a.divide(ctx, part, 1, cells); err != nil {
				return err
			}
		}
	}
	return nil
}

// within adds the nearest neighbours of the rows of a cell among each other.
func (a *approximation) within(ctx context.Context, rows []int) error {
	k := min(a.width, len(rows)-1)
	if k < 1 {
		return nil
	}
	var g *KNN
	var err error
	switch x := selectRows(a.x, rows).(type) {
	case *sparse.CSR:
		g, err = nearestSparse(ctx, x, k, parallel.Serial, nil)
	case *mat.Dense:
		g, err = nearestDense(ctx, x, k, parallel.Serial, nil)
	}
	if err != nil {
		return err
	}
	for r, i := range rows {
		index, dist2, _ := g.Row(r)
		a.mu[i].Lock()
		for c, q := range index {
			a.near.insert(i, int32(rows[q]), -dist2[c])
		}
		a.mu[i].Unlock()
	}
	return nil
}

// selectRows copies rows of a *sparse.CSR or a *mat.Dense.
func selectRows(x mat.Matrix, rows []int) mat.Matrix {
	if s, ok := x.(*sparse.CSR); ok {
		return s.SelectRows(rows)
	}
	d := x.(*mat.Dense)
	_, cols := d.Dims()
	out := mat.NewDense(len(rows), max(cols, 1), nil)
	for r, i := range rows {
		out.SetRow(r, d.RawRowView(i))
	}
	return out
}
