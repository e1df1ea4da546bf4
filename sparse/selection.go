package sparse

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"gonum.org/v1/gonum/mat"
)

// SelectRows returns the given rows in the given order; a row may occur more than once. O(nnz of
// the result).
func (a *CSR) SelectRows(rows []int) *CSR {
	b := &CSR{NumRows: len(rows), NumCols: a.NumCols, RowPtr: make([]int, len(rows)+1)}
	for r, i := range rows {
		if uint(i) >= uint(a.NumRows) {
			panic(mat.ErrRowAccess)
		}
		b.RowPtr[r+1] = b.RowPtr[r] + a.RowPtr[i+1] - a.RowPtr[i]
	}
	b.Col = make([]int32, b.RowPtr[len(rows)])
	b.Val = make([]float64, b.RowPtr[len(rows)])
	_ = parallel.For(context.Background(), len(rows), selectGrain, func(_, lo, hi int) error {
		for r := lo; r < hi; r++ {
			cols, vals := a.Row(rows[r])
			copy(b.Col[b.RowPtr[r]:], cols)
			copy(b.Val[b.RowPtr[r]:], vals)
		}
		return nil
	})
	return b
}

// selectGrain is the number of rows that are copied at a time.
const selectGrain = 1 << 10

// SelectRows copies the given rows of any matrix, in their order, into one of the same storage; of
// [Counts] as a CSR. A matrix of another package becomes a *mat.Dense. O(entries of the result).
func SelectRows(x mat.Matrix, rows []int) mat.Matrix {
	switch x := x.(type) {
	case *CSR:
		return x.SelectRows(rows)
	case *Counts:
		return x.Select(rows)
	case *Single:
		return x.SelectRows(rows)
	case *SingleDense:
		return x.SelectRows(rows)
	}
	_, cols := x.Dims()
	out := mat.NewDense(len(rows), cols, nil)
	for r, i := range rows {
		mat.Row(out.RawRowView(r), i, x)
	}
	return out
}

// SelectCols returns the given columns in the given order; a column may occur more than once. O(nnz
// of a and of the result); ascending columns take no memory beside the result but four bytes per
// column of a.
func (a *CSR) SelectCols(cols []int) *CSR {
	ascending := true
	for q, j := range cols {
		if uint(j) >= uint(a.NumCols) {
			panic(mat.ErrColAccess)
		}
		ascending = ascending && (q == 0 || cols[q-1] < j)
	}
	if !ascending {
		return a.Transpose().SelectRows(cols).Transpose()
	}
	at := make([]int32, a.NumCols) // one more than the column in the result
	for q, j := range cols {
		at[j] = int32(q + 1)
	}
	b := &CSR{NumRows: a.NumRows, NumCols: len(cols), RowPtr: make([]int, a.NumRows+1)}
	_ = parallel.For(context.Background(), a.NumRows, selectGrain, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			for _, j := range a.Col[a.RowPtr[i]:a.RowPtr[i+1]] {
				if at[j] > 0 {
					b.RowPtr[i+1]++
				}
			}
		}
		return nil
	})
	for i := range a.NumRows {
		b.RowPtr[i+1] += b.RowPtr[i]
	}
	b.Col, b.Val = make([]int32, b.RowPtr[a.NumRows]), make([]float64, b.RowPtr[a.NumRows])
	_ = parallel.For(context.Background(), a.NumRows, selectGrain, func(_, lo, hi int) error {
		q := b.RowPtr[lo]
		for e := a.RowPtr[lo]; e < a.RowPtr[hi]; e++ {
			if j := at[a.Col[e]]; j > 0 {
				b.Col[q], b.Val[q] = j-1, a.Val[e]
				q++
			}
		}
		return nil
	})
	return b
}
