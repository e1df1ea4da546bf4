// Package rows has what many methods do with the rows of a matrix.
package rows

import (
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Normalized returns a copy of y with its rows scaled to unit length; zero rows stay zero.
func Normalized(y *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(y)
	n, _ := out.Dims()
	for i := range n {
		row := out.RawRowView(i)
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
	return out
}

// MaybeNormalized is y, or a copy with rows of unit length.
func MaybeNormalized(y *mat.Dense, normalize bool) *mat.Dense {
	if normalize {
		return Normalized(y)
	}
	return y
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

// WithoutEntries lists the sparse rows without an entry other than zero, ascending: nothing places
// them. Dense rows are never listed, since zeros are values like others there.
func WithoutEntries(x mat.Matrix) []int {
	if !sparse.Is(x) {
		return nil
	}
	s, isRows := x.(sparse.Rows)
	if !isRows {
		var err error
		if s, err = sparse.FromMatrix(x); err != nil {
			return nil // values that are not finite are another error
		}
	}
	var list []int
	n, _ := s.Dims()
	for i := range n {
		if !slices.ContainsFunc(s.Values(i, nil), func(v float64) bool { return v != 0 }) {
			list = append(list, i)
		}
	}
	return list
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
	_, d := x.Dims()
	out := mat.NewDense(len(rows), d, nil)
	for r, i := range rows {
		mat.Row(out.RawRowView(r), i, x)
	}
	return out
}
