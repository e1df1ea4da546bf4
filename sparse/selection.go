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

// SelectRows copies the given rows of any matrix, in their order, into one of the same storage. A
// matrix of another package becomes a *mat.Dense. O(entries of the result).
func SelectRows(x mat.Matrix, rows []int) mat.Matrix {
	switch x := x.(type) {
	case *CSR:
		return x.SelectRows(rows)
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
// of a and of the result).
func (a *CSR) SelectCols(cols []int) *CSR {
	for _, j := range cols {
		if uint(j) >= uint(a.NumCols) {
			panic(mat.ErrColAccess)
		}
	}
	return a.Transpose().SelectRows(cols).Transpose()
}
