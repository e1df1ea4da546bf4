// Package active chooses the documents whose labels teach a semi-supervised method most: active
// learning in batches, for few labels.
//
// The rule is TypiClust (Hacohen, Dekel and Weinshall 2022, Active learning on a budget: opposite
// strategies suit high and low budgets, ICML). It divides the documents into as many cells as there
// will be labels, and takes the most typical document of each of the largest cells without a label.
// Two things differ. A document counts with its uncertainty, so that a cell that the last run was
// less sure of comes before another of the same size. And the caller may say what is typical: on
// texts the cosine with the mean of the document's cluster teaches more than density on a map. Once
// there are labels, it counts times the document's uncertainty (information density: Settles and
// Craven 2008, An analysis of active learning strategies for sequence labeling tasks, EMNLP);
// without that, later rounds name what the last run knew already.
//
// Choosing the least certain documents alone (Settles 2009, Active learning literature survey,
// section 3.1) is worse than chance at such numbers of labels: they are outliers, or many of one
// kind. docs/explore.md has the figures.
package active

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// State says what may become of a row.
type State uint8

// The states of a row.
const (
	Open  State = iota // it may be chosen
	Known              // it has a label, which covers its cell
	Out                // it is not looked at, such as a copy of another row
)

const (
	// mostCells bounds the cells, as in section 3 of the paper.
	mostCells = 500
	// neighbours is the number of nearest rows in the cell over which typicality is measured.
	neighbours = 20
	// mostCompared bounds the rows of a cell that are compared with each other.
	mostCompared = 4096
)

// Pick is a row to label next.
type Pick struct {
	Row         int
	Covers      int     // open rows of its cell, the row itself among them
	Labels      int     // known rows of its cell; 0 as long as there are cells without
	Uncertainty float64 // mean of the open rows of the cell, 0 to 1
}

// Select chooses at most n open rows of x, the most useful first; fewer only if there are fewer.
// state, uncertainty and typicality have an entry per row. uncertainty is between 0 and 1, nil = 1
// for all. The larger its typicality, the more a row is like many others, at least 0 in any unit;
// nil: rows with a small mean distance to their 20 nearest in the cell are typical.
//
// k-means divides the rows into min(known + n, max(n, 500)) cells. Cells with fewer labels come
// first, then those with the larger sum of uncertainty. A cell gives its most typical open row;
// ties go to the lower row. Further rows of a cell come only when every cell has given one. The
// same arguments give the same rows on any number of threads.
//
// Cost: k-means of the rows on the cells, and without typicality n searches among at most 4,096
// rows. Memory: as of
// [kmeans.Memory]. Events: stages "k-means" and "neighbours". Errors: fs.ErrInvalid for lengths
// that differ, n below 1, or no open row; the context's; [memory.Error].
func Select(ctx context.Context, x *mat.Dense, state []State, uncertainty, typicality []float64, n int, obs progress.Observer) ([]Pick, error) {
	rows, _ := x.Dims()
	if len(state) != rows || uncertainty != nil && len(uncertainty) != rows || typicality != nil && len(typicality) != rows {
		return nil, invalid.Errorf("%d states, %d uncertainties and %d typicalities were given for %d rows", len(state), len(uncertainty), len(typicality), rows)
	}
	if n < 1 {
		return nil, invalid.Errorf("%d rows were asked for: ask for at least 1", n)
	}
	var used []int
	known, open := 0, 0
	for i, s := range state {
		switch s {
		case Known:
			known++
		case Open:
			open++
		default:
			continue
		}
		used = append(used, i)
	}
	if open == 0 {
		return nil, invalid.Errorf("no document is left to label")
	}
	n = min(n, open)
	cells, err := divide(ctx, x, used, min(known+n, max(n, mostCells), len(used)), obs)
	if err != nil {
		return nil, err
	}
	weigh(cells, state, uncertainty)
	informative := uncertainty
	if known == 0 {
		informative = nil
	}
	var picks []Pick
	for len(picks) < n {
		for _, c := range cells {
			if len(c.open) == 0 || len(picks) == n {
				continue
			}
			at := mostTypical(c.open, typicality, informative)
			if typicality == nil {
				if at, err = densest(ctx, x, c.open); err != nil {
					return nil, err
				}
			}
			picks = append(picks, Pick{Row: c.open[at], Covers: c.size, Labels: c.labels, Uncertainty: c.sum / float64(c.size)})
			c.open = slices.Delete(c.open, at, at+1)
			c.labels++
		}
	}
	return picks, nil
}

// cell is a part of the rows.
type cell struct {
	rows   []int // all rows, ascending; open ones after weigh in open
	open   []int
	size   int // open rows before any was chosen
	labels int
	sum    float64 // of the uncertainties of open rows
}

// divide returns the cells that have a row.
func divide(ctx context.Context, x *mat.Dense, used []int, count int, obs progress.Observer) ([]*cell, error) {
	at := x
	if rows, cols := x.Dims(); len(used) < rows {
		if err := memory.Need(ctx, memory.Bytes(8, len(used), cols), "", "The coordinates of the documents"); err != nil {
			return nil, err
		}
		at = sparse.SelectRows(x, used).(*mat.Dense)
	}
	m, err := kmeans.Fit(ctx, at, kmeans.Options{K: count, Restarts: 1, Observer: obs})
	if err != nil {
		return nil, err
	}
	cells := make([]*cell, count)
	for k := range cells {
		cells[k] = &cell{}
	}
	for i, k := range m.Labels {
		cells[k].rows = append(cells[k].rows, used[i])
	}
	return slices.DeleteFunc(cells, func(c *cell) bool { return len(c.rows) == 0 }), nil
}

// weigh counts the cells and puts them into their order.
func weigh(cells []*cell, state []State, uncertainty []float64) {
	for _, c := range cells {
		for _, i := range c.rows {
			if state[i] == Known {
				c.labels++
				continue
			}
			c.open = append(c.open, i)
			u := 1.0
			if uncertainty != nil {
				u = uncertainty[i]
			}
			c.sum += u
		}
		c.size = len(c.open)
	}
	slices.SortStableFunc(cells, func(a, b *cell) int {
		return cmp.Or(cmp.Compare(a.labels, b.labels), cmp.Compare(b.sum, a.sum), cmp.Compare(b.size, a.size), cmp.Compare(a.rows[0], b.rows[0]))
	})
}

// mostTypical is the place in the list of the row with the largest product of typicality and
// uncertainty, or typicality if that is nil; 0 without typicality.
func mostTypical(list []int, typicality, uncertainty []float64) int {
	if typicality == nil {
		return 0
	}
	best, most := 0, math.Inf(-1)
	for at, i := range list {
		v := typicality[i]
		if uncertainty != nil {
			v *= uncertainty[i]
		}
		if v > most {
			best, most = at, v
		}
	}
	return best
}

// densest is the place in the list of the row with the least mean distance to its nearest in the
// list. Of long lists every second, third, ... row is looked at.
func densest(ctx context.Context, x *mat.Dense, list []int) (int, error) {
	step := (len(list) + mostCompared - 1) / mostCompared
	var some []int
	for at := 0; at < len(list); at += step {
		some = append(some, list[at])
	}
	if len(some) < 3 {
		return 0, nil
	}
	near, err := graph.Nearest(ctx, sparse.SelectRows(x, some), min(neighbours, len(some)-1), nil)
	if err != nil {
		return 0, err
	}
	best, least := 0, math.Inf(1)
	for i := range some {
		_, dist2, _ := near.Row(i)
		sum := 0.0
		for _, d := range dist2 {
			sum += math.Sqrt(d)
		}
		if sum < least {
			best, least = i, sum
		}
	}
	return best * step, nil
}
