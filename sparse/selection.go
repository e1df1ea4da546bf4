package sparse

import "gonum.org/v1/gonum/mat"

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
	for r, i := range rows {
		cols, vals := a.Row(i)
		copy(b.Col[b.RowPtr[r]:], cols)
		copy(b.Val[b.RowPtr[r]:], vals)
	}
	return b
}

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
	kept := 0
	for i := range a.NumRows {
		for _, j := range a.Col[a.RowPtr[i]:a.RowPtr[i+1]] {
			if at[j] > 0 {
				kept++
			}
		}
		b.RowPtr[i+1] = kept
	}
	b.Col, b.Val = make([]int32, 0, kept), make([]float64, 0, kept)
	for e, j := range a.Col[:a.RowPtr[a.NumRows]] {
		if at[j] > 0 {
			b.Col, b.Val = append(b.Col, at[j]-1), append(b.Val, a.Val[e])
		}
	}
	return b
}
