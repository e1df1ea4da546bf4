package corpus

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Bounds of what is taken for counts of terms. Measurements have fewer columns, or more cells that
// are not 0: a fifth of the pixels of a handwritten digit are dark.
const (
	leastTerms  = 20
	mostTerms   = 1 << 22 // or as many as there are entries: hashes of words have 2²⁰ columns
	mostFilling = 0.1
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
	_, cols := c.X.Dims()
	cells := float64(c.Documents()) * float64(cols)
	t := tallyOf(c.X, mostFilling*cells)
	all := c.sumInts(t[:])
	entries := all[entriesAll]
	return all[entriesOther] == 0 && entries > 0 && all[entriesOne] > all[entriesTwo] && 3*all[entriesOne] >= entries && 100*(entries-all[entriesOne]) >= entries &&
		cols >= leastTerms && cols <= max(mostTerms, entries) && float64(entries) <= mostFilling*cells
}

// tally counts the entries that are not 0: all, those of 1 and of 2, and those that are no counts.
type tally [4]int

const (
	entriesAll = iota
	entriesOne
	entriesTwo
	entriesOther
)

// tallyOf counts the entries of the rows in parallel. It stops early after an entry that is no
// count, and where rows alone have more than most entries, which it says by one that is no count.
func tallyOf(x mat.Matrix, most float64) (t tally) {
	const grain = 1024 // rows
	n, _ := x.Dims()
	parts := make([]tally, parallel.Chunks(n, grain))
	var other atomic.Bool
	// The background context never ends, and bodies return no errors.
	_ = parallel.For(context.Background(), n, grain, func(_, lo, hi int) error {
		if !other.Load() {
			parts[lo/grain] = tallyOfRows(x, lo, hi, most)
			other.CompareAndSwap(false, parts[lo/grain][entriesOther] > 0)
		}
		return nil
	})
	for _, part := range parts {
		for k, n := range part {
			t[k] += n
		}
	}
	return t
}

// tallyOfRows is tallyOf of rows lo to hi-1.
func tallyOfRows(x mat.Matrix, lo, hi int, most float64) (t tally) {
	_, cols := x.Dims()
	var buf []float64
	for i := lo; i < hi && t[entriesOther] == 0; i++ {
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
		if t.add(buf); float64(t[entriesAll]) > most {
			t[entriesOther]++
		}
	}
	return t
}

// add counts the values of a row.
func (t *tally) add(values []float64) {
	var zeros, ones, twos int // by sums without branches: no value is likelier than others
	for _, v := range values {
		whole := int64(v)
		if float64(whole) != v || whole < 0 { // or a count that is too large for an integer
			if v < 0 || v != math.Trunc(v) || math.IsInf(v, 0) {
				t[entriesOther]++
			}
			continue
		}
		if whole == 0 {
			zeros++
		}
		if whole == 1 {
			ones++
		}
		if whole == 2 {
			twos++
		}
	}
	t[entriesAll] += len(values) - zeros
	t[entriesOne] += ones
	t[entriesTwo] += twos
}
