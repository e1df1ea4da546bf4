package graph

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

const (
	// ApproxRows is the number of rows from which [AutoSearch] may be approximate.
	ApproxRows = 200_000
	// GoalRecall is the recall on the sample from which [Approximate] stops searching.
	GoalRecall = 0.955
	// RecallSample is the number of rows on which the recall is measured.
	RecallSample = 1000

	// cellRows is the number of rows that a cell should have, of sparse rows of length 1. A cell of
	// more than twice as many rows is divided again. Cells of 2,048 rows took longer to the same
	// recall on 100,000 abstracts and reviews, cells of 16,384 as long on abstracts. Pairs of other
	// rows take longer, and their cells are a quarter as large.
	cellRows    = 8192
	otherShare  = 4
	cellsOfRow  = 2 // the number of cells that a row is in, in each partition
	leastRecall = 0.75
	// firstPartitions is the largest number of partitions made before neighbours of neighbours are
	// tried, if the recall is below leastRecall; mostPartitions is the largest number of all.
	firstPartitions, mostPartitions = 4, 12
)

// Approximate finds most of the k nearest neighbours of every row of x, in time nearly proportional
// to the rows. 1 ≤ k < rows. recall is the share found of the exact neighbours of [RecallSample]
// rows.
//
// The rows are divided into cells by the nearest of some means of rows drawn at random, and
// compared within each cell. Then neighbours of neighbours are tried (Dong, Charikar and Li,
// "Efficient k-nearest neighbor graph construction for generic similarity measures", WWW 2011).
// Another partition follows until the recall is at least [GoalRecall]. Candidates are ranked in
// float32; distances and dot products of the neighbours found are exact, with the bits of Nearest.
// Rows are renumbered by the cells of the first partition, so that those that are compared lie near
// each other in memory.
//
// One seed gives the same lists at any number of threads. Memory in addition to x: 49 bytes per
// neighbour, 4 bytes per row and worker, and for sparse rows of length 1 or dense rows of more than
// 32 columns a copy in float32, 8 or 4 bytes per entry. Errors and events are those of Nearest.
func Approximate(ctx context.Context, x mat.Matrix, k int, seed uint64, obs progress.Observer) (g *KNN, recall float64, err error) {
	s, d, err := stored(x)
	if err != nil {
		return nil, 0, err
	}
	n, _ := x.Dims()
	if err := checkK(n, k); err != nil {
		return nil, 0, err
	}
	if err := checkLists(n, n, k, bytesPerApproximate, memory.Left(ctx)); err != nil {
		return nil, 0, err
	}
	if s != nil {
		return approximate(ctx, s, k, cellRows, seed, obs)
	}
	return approximate(ctx, d, k, cellRows, seed, obs)
}

// bytesPerApproximate is the memory of an approximate search for each neighbour: lists that are
// half as long again (12 bytes per place) and, one after the other, the joins of a descent with
// what they are made of (21 per place), the joins with their transpose (16), and the result.
const bytesPerApproximate = (12 + 21) * 3 / 2

// approximate is Approximate for rows as [stored] returns them, with cells of the given size.
func approximate(ctx context.Context, x mat.Matrix, k, cell int, seed uint64, obs progress.Observer) (*KNN, float64, error) {
	n, _ := x.Dims()
	width := min(k+k/2+1, n-1)
	cell = max(cell, 4*width)
	if n <= 2*cell {
		g, err := Nearest(ctx, x, k, obs)
		return g, 1, err
	}
	a, err := newApproximation(ctx, x, k, width, cell, seed, obs)
	if err != nil {
		return nil, 0, err
	}
	recall, err := improve(ctx, a)
	if err != nil {
		return nil, 0, err
	}
	g, err := a.result(ctx)
	return g, recall, err
}

// improvable is an approximate search, of one process or of ranks.
type improvable interface {
	// partition divides the rows into cells at random and offers each other the rows within each.
	partition(context.Context) error
	// descend tries the neighbours of every row with each other.
	descend(context.Context) error
	// recall is the share of the exact neighbours of sampled rows that are in the lists.
	recall(context.Context) (float64, error)
}

// improve searches until the recall is at least GoalRecall, and returns it.
func improve(ctx context.Context, a improvable) (recall float64, err error) {
	for round := 1; round <= mostPartitions && recall < GoalRecall; round++ {
		if err = a.partition(ctx); err != nil {
			return 0, err
		}
		if recall, err = a.recall(ctx); err != nil {
			return 0, err
		}
		if recall >= GoalRecall || recall < leastRecall && round < firstPartitions {
			continue
		}
		if err = a.descend(ctx); err != nil {
			return 0, err
		}
		if recall, err = a.recall(ctx); err != nil {
			return 0, err
		}
	}
	return recall, nil
}

// approximation is the state of an approximate search. Rows of x have places in the order of the
// search; lists, cells and keys number rows by their places.
type approximation struct {
	n, k    int
	makes   cellMaker
	cells   []rowSet // of the next partition; nil: none yet
	measure measurer
	sample  *recallSample
	obs     progress.Observer
	order   []int32 // the row of x in each place
	place   []int32 // the place of each row of x
	keyer   keyer
	// The lists are longer than k, since every neighbour leads to others.
	near *nearLists
}

// newApproximation draws the sample and divides the rows for the first time, which makes the order.
func newApproximation(ctx context.Context, x mat.Matrix, k, width, cell int, seed uint64, obs progress.Observer) (*approximation, error) {
	measure, s, d, err := newMeasure(x)
	if err != nil {
		return nil, err
	}
	var kind rowKind
	if s != nil {
		x = s.rows
		kind = rowKind{sparse: true, unit: s.unit, whole: s.whole, negative: s.negative(), counts: countTerms(s.x)}
	}
	kind.largest = largestNorm(x)
	n, _ := x.Dims()
	a := &approximation{n: n, k: k, measure: measure, makes: newCellMaker(x, nil, wire{}, kind.unit, cell, width, seed), obs: obs,
		order: make([]int32, 0, n), place: make([]int32, n)}
	var drawn mat.Matrix
	if a.sample, drawn, err = a.makes.newRecallSample(ctx, k); err != nil {
		return nil, err
	}
	if d != nil {
		kind.mean = meanOf(drawn.(*mat.Dense))
	}
	if err := a.divide(ctx); err != nil {
		return nil, err
	}
	for i := range a.place {
		a.place[i] = -1
	}
	put := func(i int32) {
		if a.place[i] < 0 {
			a.place[i] = int32(len(a.order))
			a.order = append(a.order, i)
		}
	}
	for _, cell := range a.cells {
		for _, i := range cell.rows {
			put(i)
		}
	}
	for i := range n {
		put(int32(i)) // rows that were alone in a cell
	}
	kind.ready()
	if a.keyer, err = kind.keyer(ctx, x, measure, a.order); err != nil {
		return nil, err
	}
	a.near = newNearLists(n, width, kind.start())
	return a, nil
}

// newCellMaker makes the maker of cells, of rows the lists of which have the given width.
func newCellMaker(x mat.Matrix, share *ranks.Share, w wire, unit bool, cell, width int, seed uint64) cellMaker {
	if !unit {
		cell = max(cell/otherShare, 4*width)
	}
	return cellMaker{x: x, share: share, wire: w, unit: unit, cell: cell, rng: rand.New(rand.NewPCG(seed, 0x6e656172))}
}

// divide makes the cells of the next partition.
func (a *approximation) divide(ctx context.Context) error {
	a.cells = nil
	return a.makes.divide(ctx, a.makes.all(), cellsOfRow, &a.cells)
}

func (a *approximation) partition(ctx context.Context) error {
	t := newTicker(a.obs, a.n)
	if a.cells == nil {
		if err := a.divide(ctx); err != nil {
			return err
		}
	}
	cells := a.cells
	a.cells = nil
	total := 0
	for _, cell := range cells {
		total += cell.total
		for r, i := range cell.rows {
			cell.rows[r] = a.place[i]
		}
		slices.Sort(cell.rows)
	}
	floors := a.near.floors()
	own := make([]*keyScratch, parallel.Workers(len(cells), 1))
	err := parallel.For(ctx, len(cells), 1, func(worker, c, _ int) error {
		defer t.add(float64(cells[c].total) / float64(total) * float64(a.n))
		if own[worker] == nil {
			own[worker] = a.keyer.scratch()
		}
		return a.keyer.within(ctx, cells[c].rows, floors, a.near, own[worker])
	})
	if err == nil {
		t.finish()
	}
	return err
}

func (a *approximation) recall(context.Context) (float64, error) { return a.sample.of(a), nil }

// result measures the lists and returns the k nearest of each row.
func (a *approximation) result(ctx context.Context) (*KNN, error) {
	g := newKNN(a.n, a.k)
	type scratch struct {
		exact []float64
		found []candidate
	}
	own := make([]scratch, parallel.Workers(a.n, 256))
	err := parallel.For(ctx, a.n, 256, func(worker, lo, hi int) error {
		w := &own[worker]
		if w.found == nil {
			*w = scratch{a.measure.scratch(), make([]candidate, 0, a.near.width+a.k)}
		}
		for p := lo; p < hi; p++ {
			i := int(a.order[p])
			a.measure.open(i, w.exact)
			w.found = a.found(i, w.exact, w.found[:0])
			slices.SortFunc(w.found, nearer(false))
			g.set(i, w.found[:a.k], func(i, j int, score float64) (dist2, dot float64) {
				return -score, a.measure.inner(i, j, w.exact)
			})
			a.measure.close(i, w.exact)
		}
		return nil
	})
	return g, err
}

// found appends the candidates of row i, which is open, with scores -d². If there are fewer than k
// in its list, the lowest rows follow: others have no common term with it, or few rows do.
func (a *approximation) found(i int, exact []float64, to []candidate) []candidate {
	_, list := a.near.row(int(a.place[i]))
	for _, p := range list {
		j := a.order[p]
		to = append(to, candidate{-a.measure.dist2(i, int(j), exact), j})
	}
	for j := 0; len(to) < a.k; j++ {
		if j != i && !slices.ContainsFunc(to, func(c candidate) bool { return int(c.j) == j }) {
			to = append(to, candidate{-a.measure.dist2(i, j, exact), int32(j)})
		}
	}
	return to
}
