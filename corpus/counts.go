package corpus

import (
	"context"
	"sync/atomic"

	"github.com/eigenmap/eigenmap/corpus/internal/storage"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// HoldsCounts reports whether the entries are counts of terms, as in files of LDA-C and UCI, or
// look like them: whole numbers from 0, of which a third at least is 1, more than are 2, and a
// hundredth at least is above 1, in 20 to 4,194,304 columns (or one an entry), with at most a tenth
// of the cells not 0. O(entries). With ranks the answer is for all documents, and the call is
// collective.
func (c *Corpus) HoldsCounts() bool {
	if c.X == nil {
		return false
	}
	if c.Format == "ldac" || c.Format == "uci" {
		return true
	}
	t, cells := c.tally(storage.MostFilling)
	_, cols := c.X.Dims()
	return t.Counts(cells, cols)
}

// TakenAsSparse reports whether dense rows are taken as sparse ones: in 20 columns or more at most
// a tenth of the cells is not 0, or two fifths if the entries look like counts; with asCounts,
// which says that the run weighs them as counts, two fifths in any number of columns. O(cells).
// With ranks the answer is for all documents, and the call is collective.
func (c *Corpus) TakenAsSparse(asCounts bool) bool {
	t, cells := c.tally(storage.MostCounted)
	_, cols := c.X.Dims()
	return t.Sparse(cells, cols) || asCounts && float64(t.All) <= storage.MostCounted*cells
}

// tally counts the entries of the documents of all ranks, and their cells. If more than a share of
// the cells are not 0, the others may be left out.
func (c *Corpus) tally(most float64) (t storage.Tally, cells float64) {
	_, cols := c.X.Dims()
	cells = float64(c.Documents()) * float64(cols)
	here := tallyOf(c.X, most*cells)
	all := c.sumInts([]int{here.All, here.Ones, here.Twos, here.Others})
	return storage.Tally{All: all[0], Ones: all[1], Twos: all[2], Others: all[3]}, cells
}

// tallyOf counts the entries of the rows in parallel. It stops early where there are more than
// most.
func tallyOf(x mat.Matrix, most float64) (t storage.Tally) {
	const grain = 1024 // rows
	n, _ := x.Dims()
	parts := make([]storage.Tally, parallel.Chunks(n, grain))
	var found atomic.Int64
	// The background context never ends, and bodies return no errors.
	_ = parallel.For(context.Background(), n, grain, func(_, lo, hi int) error {
		if float64(found.Load()) <= most {
			parts[lo/grain] = tallyOfRows(x, lo, hi)
			found.Add(int64(parts[lo/grain].All))
		}
		return nil
	})
	for _, part := range parts {
		t.Join(part)
	}
	return t
}

// tallyOfRows is tallyOf of rows lo to hi-1.
func tallyOfRows(x mat.Matrix, lo, hi int) (t storage.Tally) {
	_, cols := x.Dims()
	var buf []float64
	for i := lo; i < hi; i++ {
		switch x := x.(type) {
		case sparse.Rows:
			buf = x.Values(i, buf)
		case *sparse.Counts:
			buf = x.Select([]int{i}).Val
		case *sparse.SingleDense:
			if buf == nil {
				buf = make([]float64, cols)
			}
			x.Values(i, buf)
		case *mat.Dense:
			buf = x.RawRowView(i)
		}
		t.Add(buf)
	}
	return t
}
