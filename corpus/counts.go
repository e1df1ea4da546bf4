package corpus

import (
	"math"

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

// HoldsCounts reports whether the entries look like counts of terms: whole numbers from 0, some
// above 1, in 20 to 4,194,304 columns (or one an entry), with at most a tenth of the cells not 0.
// O(entries). With ranks the answer is for all documents, and the call is collective.
func (c *Corpus) HoldsCounts() bool {
	if c.X == nil {
		return false
	}
	rows, cols := c.X.Dims()
	entries, repeated, other := 0, 0, 0
	look := func(vals []float64) {
		for _, v := range vals {
			switch {
			case v == 0:
				continue
			case v < 0 || v != math.Trunc(v) || math.IsInf(v, 0):
				other++
			case v > 1:
				repeated++
			}
			entries++
		}
	}
	switch x := c.X.(type) {
	case sparse.Rows:
		var buf []float64
		for i := range rows {
			buf = x.Values(i, buf)
			look(buf)
		}
	case *sparse.SingleDense:
		buf := make([]float64, cols)
		for i := range rows {
			x.Values(i, buf)
			look(buf)
		}
	case *mat.Dense:
		for i := range rows {
			look(x.RawRowView(i))
		}
	}
	all := c.sumInts([]int{entries, repeated, other})
	cells := float64(c.Documents()) * float64(cols)
	return cols >= leastTerms && cols <= max(mostTerms, all[0]) && all[0] > 0 && all[1] > 0 && all[2] == 0 && float64(all[0]) <= mostFilling*cells
}
