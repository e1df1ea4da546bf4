package sparse

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"gonum.org/v1/gonum/mat"
)

// RowSums returns the sum of each row, added in the order of its columns.
func (a *CSR) RowSums() []float64 {
	sums := make([]float64, a.NumRows)
	for i := range sums {
		_, vals := a.Row(i)
		s := 0.0
		for _, v := range vals {
			s += v
		}
		sums[i] = s
	}
	return sums
}

// RowNorms returns the Euclidean norm of each row. It avoids overflow and underflow of squares.
func (a *CSR) RowNorms() []float64 {
	norms := make([]float64, a.NumRows)
	for i := range norms {
		_, vals := a.Row(i)
		norms[i] = norm(vals)
	}
	return norms
}

func norm(vals []float64) float64 {
	s := 0.0
	for _, v := range vals {
		s += v * v
	}
	// Outside this range squares overflow or lose digits to underflow: scale by the largest entry.
	if s > 1e-280 && s < 1e300 || len(vals) == 0 {
		return math.Sqrt(s)
	}
	largest := 0.0
	for _, v := range vals {
		largest = max(largest, math.Abs(v))
	}
	if largest == 0 {
		return 0
	}
	s = 0
	for _, v := range vals {
		v /= largest
		s += v * v
	}
	return largest * math.Sqrt(s)
}

// ColCounts returns the number of non-zero entries of each column (the document frequency of a
// term). In parallel, in O(nnz) time; with several threads another byte per entry at most.
func (a *CSR) ColCounts() []int {
	parts := a.transposeParts()
	counts := make([][]int, parts)
	nnz := len(a.Col)
	// The background context never ends, and bodies return no errors.
	_ = parallel.For(context.Background(), parts, 1, func(_, part, _ int) error {
		n := make([]int, a.NumCols)
		from, to := part*(nnz/parts), (part+1)*(nnz/parts)
		if part == parts-1 {
			to = nnz
		}
		vals := a.Val[from:to]
		for k, c := range a.Col[from:to] {
			if vals[k] != 0 {
				n[c]++
			}
		}
		counts[part] = n
		return nil
	})
	for _, part := range counts[1:] {
		for j, n := range part {
			counts[0][j] += n
		}
	}
	return counts[0]
}

// EmptyRows returns the rows without a non-zero entry, ascending; nil if there are none.
func (a *CSR) EmptyRows() []int {
	var empty []int
rows:
	for i := range a.NumRows {
		_, vals := a.Row(i)
		for _, v := range vals {
			if v != 0 {
				continue rows
			}
		}
		empty = append(empty, i)
	}
	return empty
}

// ScaleRows returns diag(s)·a: new values, shared structure. len(s) must be the number of rows.
func (a *CSR) ScaleRows(s []float64) *CSR {
	if len(s) != a.NumRows {
		panic(mat.ErrShape)
	}
	return a.mapValues(func(i int, _ int32, v float64) float64 { return s[i] * v })
}

// ScaleCols returns a·diag(s): new values, shared structure. len(s) must be the number of columns.
func (a *CSR) ScaleCols(s []float64) *CSR {
	if len(s) != a.NumCols {
		panic(mat.ErrShape)
	}
	return a.mapValues(func(_ int, j int32, v float64) float64 { return s[j] * v })
}

// Scale returns diag(r)·a·diag(c): new values, shared structure. Each value is multiplied by its
// row's factor first. The lengths must be the numbers of rows and columns.
func (a *CSR) Scale(r, c []float64) *CSR {
	if len(r) != a.NumRows || len(c) != a.NumCols {
		panic(mat.ErrShape)
	}
	return a.mapValues(func(i int, j int32, v float64) float64 { return c[j] * (r[i] * v) })
}

// NormalizeRows returns a with rows scaled to unit Euclidean length: new values, shared structure.
// Zero rows remain zero.
func (a *CSR) NormalizeRows() *CSR {
	norms := a.RowNorms()
	for i, n := range norms {
		if n == 0 {
			norms[i] = 1
		}
	}
	return a.mapValues(func(i int, _ int32, v float64) float64 { return v / norms[i] })
}

// mapValues maps every value, in parallel.
func (a *CSR) mapValues(f func(i int, j int32, v float64) float64) *CSR {
	b := *a
	b.Val = make([]float64, len(a.Val))
	// The background context never ends, and bodies return no errors.
	_ = parallel.For(context.Background(), a.NumRows, max(1<<12, a.NumRows/256), func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			for k := a.RowPtr[i]; k < a.RowPtr[i+1]; k++ {
				b.Val[k] = f(i, a.Col[k], a.Val[k])
			}
		}
		return nil
	})
	return &b
}
