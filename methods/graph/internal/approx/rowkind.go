package approx

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// rowKind is what an approximate search knows of all rows, from which keys of any of them follow,
// with the same bits.
type rowKind struct {
	traits  exact.Traits
	sparse  bool
	counts  []int32 // of rows of length 1: in how many rows each term is; after ready: its number
	terms   int
	largest float64   // squared length of a row
	mean    []float64 // of sampled dense rows
	short   bool      // rows are compared by images of whole numbers
}

// newRowKind finds the kind of the rows of all ranks, of which x has the own ones; the mean is not
// set.
func newRowKind(share *ranks.Share, x mat.Matrix, t exact.Traits) rowKind {
	k := rowKind{traits: t}
	if s, ok := x.(sparse.Rows); ok {
		k.sparse = true
		if k.traits.Unit {
			k.counts = sumCounts(share, countTerms(s.Pattern()))
		}
	}
	largest := []float64{largestNorm(x)}
	ranks.Largest(share, largest)
	k.largest = largest[0]
	k.ready()
	return k
}

// sumCounts adds up the counts of all ranks.
func sumCounts(share *ranks.Share, own []int32) []int32 {
	if !share.Divided() {
		return own
	}
	sum := make([]float64, len(own))
	for c, n := range own {
		sum[c] = float64(n)
	}
	share.Sum(sum)
	for c, n := range sum {
		own[c] = int32(n)
	}
	return own
}

// countTerms counts the rows that each term is in.
func countTerms(x *sparse.CSR) []int32 {
	count := make([]int32, x.NumCols)
	for _, c := range x.Col {
		count[c]++
	}
	return count
}

// ready numbers the terms of at least two rows by falling number of rows; others have −1.
func (k *rowKind) ready() {
	if k.traits.Unit {
		k.terms = rankCounts(k.counts, 2)
	}
}

// largestNorm is the largest squared length of a row; the rows are finite.
func largestNorm(x mat.Matrix) float64 {
	largest := 0.0
	n, cols := x.Dims()
	row, buf := func(i int, buf []float64) []float64 { return exact.DenseRow(x, i, buf) }, make([]float64, cols)
	if s, ok := x.(sparse.Rows); ok {
		row = s.Values
	}
	for i := range n {
		sum := 0.0
		for _, v := range row(i, buf) {
			sum += v * v
		}
		largest = max(largest, sum)
	}
	return largest
}

// meanOf is the mean of rows, in their order.
func meanOf(x *mat.Dense) []float64 {
	n, d := x.Dims()
	mean := make([]float64, d)
	for i := range n {
		for j, v := range x.RawRowView(i) {
			mean[j] += v / float64(n)
		}
	}
	return mean
}

// scale is a power of 4 that brings squared distances below about 4.
func (k *rowKind) scale() float64 {
	_, exponent := math.Frexp(math.Sqrt(k.largest))
	return math.Ldexp(1, -2*max(exponent, -500))
}

// start is a bound below all keys that count.
func (k *rowKind) start() float32 {
	switch {
	case !k.traits.Unit:
		return float32(math.Inf(-1))
	case k.traits.Negative:
		return -math.MaxFloat32
	}
	return 0
}

// keyer ranks pairs of rows of x in the given order.
func (k *rowKind) keyer(ctx context.Context, x mat.Matrix, measure exact.Measurer, order []int32) (keyer, error) {
	if k.traits.Unit {
		return newSparseKeys(ctx, x.(sparse.Rows), order, k.counts, k.terms)
	}
	if k.short {
		return newShortKeys(ctx, x.(*mat.Dense), order)
	}
	e := exactKeys{x: x, measure: measure, order: order, scale: k.scale()}
	if d := len(k.mean); !k.sparse && d > ExactColumns && d <= exact.ScreenCols {
		return newDenseKeys(ctx, e, k.mean)
	}
	return &e, nil
}
