// Package rows has what many methods do with the rows of a matrix.
package rows

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Normalized returns a copy of y with its rows scaled to unit length; zero rows stay zero.
func Normalized(y *mat.Dense) *mat.Dense {
	const grain = 512 // rows
	n, k := y.Dims()
	memory.Ahead(memory.Bytes(8, n, k))
	out := mat.NewDense(n, k, nil)
	// The background context never ends, and bodies return no errors.
	_ = parallel.For(context.Background(), n, grain, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			row := out.RawRowView(i)
			copy(row, y.RawRowView(i))
			norm := 0.0
			for _, v := range row {
				norm = math.Hypot(norm, v)
			}
			if norm > 0 {
				for j := range row {
					row[j] /= norm
				}
			}
		}
		return nil
	})
	return out
}

// MaybeNormalized is y, or a copy with rows of unit length.
func MaybeNormalized(y *mat.Dense, normalize bool) *mat.Dense {
	if normalize {
		return Normalized(y)
	}
	return y
}

// NormalizedBytes is the memory that [MaybeNormalized] takes for n×k coordinates, in bytes.
func NormalizedBytes(n, k int, normalize bool) int64 {
	if normalize {
		return memory.Bytes(8, n, k)
	}
	return 0
}

// Largest is the column of the largest entry of each row, the lower column on a tie.
func Largest(m *mat.Dense) []int {
	labels := make([]int, m.RawMatrix().Rows)
	for i := range labels {
		row := m.RawRowView(i)
		for k, v := range row {
			if v > row[labels[i]] {
				labels[i] = k
			}
		}
	}
	return labels
}

// coordinates is the number of columns up to which dense rows are points of a line, a plane or
// space, where the origin is a place like others.
const coordinates = 3

// WithoutEntries lists the rows without an entry other than zero, ascending: nothing places them. A
// dense row of zeros has no direction: it is as near to all rows of one length, and in many columns
// nearer to any row than that row's own kind. Dense rows of at most three columns are never listed.
func WithoutEntries(x mat.Matrix) []int {
	if !sparse.Is(x) {
		return denseZeros(x)
	}
	s, isRows := x.(sparse.Rows)
	if !isRows {
		var err error
		if s, err = sparse.FromMatrix(x); err != nil {
			return nil // values that are not finite are another error
		}
	}
	return s.EmptyRows()
}

// denseZeros lists the dense rows of zeros, of more than a few columns.
func denseZeros(x mat.Matrix) (list []int) {
	n, d := x.Dims()
	if d <= coordinates {
		return nil
	}
	single, _ := x.(*sparse.SingleDense)
	dense, _ := x.(*mat.Dense)
	for i := range n {
		zero := true
		switch {
		case single != nil:
			zero = allZero(single.Row(i))
		case dense != nil:
			zero = allZero(dense.RawRowView(i))
		default:
			for j := 0; j < d && zero; j++ {
				zero = x.At(i, j) == 0
			}
		}
		if zero {
			list = append(list, i)
		}
	}
	return list
}

// allZero reports whether all values are 0. A loop here takes a third of the time of calls of a
// function.
func allZero[V float32 | float64](row []V) bool {
	for _, v := range row {
		if v != 0 {
			return false
		}
	}
	return true
}

// Filled lists the other rows than [WithoutEntries].
func Filled(x mat.Matrix) []int {
	n, _ := x.Dims()
	return Others(n, WithoutEntries(x))
}

// Others lists the numbers below n that are not in an ascending list, ascending.
func Others(n int, list []int) []int {
	others := make([]int, 0, n-len(list))
	for i := range n {
		if len(list) > 0 && list[0] == i {
			list = list[1:]
			continue
		}
		others = append(others, i)
	}
	return others
}

// Select copies the given rows, in their order, into a matrix of the same storage, in double
// precision.
func Select(x mat.Matrix, rows []int) mat.Matrix {
	if kept, err := sparse.Kept(x); err == nil {
		x = kept
	}
	if s, ok := x.(sparse.Rows); ok {
		return s.Select(rows)
	}
	if s, ok := x.(*sparse.SingleDense); ok {
		return s.SelectRows(rows).Double()
	}
	return sparse.SelectRows(x, rows)
}
