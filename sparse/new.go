package sparse

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/parallel"
)

// MaxDim is the largest number of rows or columns of a CSR: indices are int32, and a transpose
// swaps the two.
const MaxDim = math.MaxInt32

// NewCSR makes a CSR of the three arrays after checking them: dimensions in [0, MaxDim],
// len(rowPtr) = rows+1, rowPtr ascending from 0 to len(col) = len(val), columns strictly ascending
// in each row and inside the matrix, finite values. It does not copy: the matrix owns the arrays
// afterwards. O(nnz).
func NewCSR(rows, cols int, rowPtr []int, col []int32, val []float64) (*CSR, error) {
	if err := checkArrays(rows, cols, rowPtr, col, val); err != nil {
		return nil, err
	}
	return &CSR{NumRows: rows, NumCols: cols, RowPtr: rowPtr, Col: col, Val: val}, nil
}

// SingleOf is NewCSR of values in single precision.
func SingleOf(rows, cols int, rowPtr []int, col []int32, val []float32) (*Single, error) {
	if err := checkArrays(rows, cols, rowPtr, col, val); err != nil {
		return nil, err
	}
	return &Single{pattern: &CSR{NumRows: rows, NumCols: cols, RowPtr: rowPtr, Col: col}, val: val}, nil
}

// checkArrays is what NewCSR checks.
func checkArrays[V float32 | float64](rows, cols int, rowPtr []int, col []int32, val []V) error {
	if err := checkDims(rows, cols); err != nil {
		return err
	}
	switch {
	case len(rowPtr) != rows+1:
		return shapef("%d rows need %d row pointers, there are %d", rows, rows+1, len(rowPtr))
	case len(col) != len(val):
		return shapef("%d column indices and %d values", len(col), len(val))
	case rowPtr[0] != 0:
		return shapef("the first row pointer is %d and must be 0", rowPtr[0])
	case rowPtr[rows] != len(val):
		return shapef("the last row pointer is %d and there are %d entries", rowPtr[rows], len(val))
	}
	for i := range rows {
		if rowPtr[i+1] < rowPtr[i] {
			return shapef("row pointers fall from %d to %d at row %d (counted from 0)", rowPtr[i], rowPtr[i+1], i)
		}
	}
	// The pointers ascend from 0 to nnz, so every row below is a valid slice.
	return firstFault(rows, func(from, to int) error { return checkRows(cols, rows, from, to, rowPtr, col, val) })
}

// firstFault checks rows from to to-1 in parallel, each of which need the same time on average, and
// returns the error of the first ones that have one.
func firstFault(rows int, check func(from, to int) error) error {
	grain := max(1<<10, rows/256)
	faults := make([]error, parallel.Chunks(rows, grain))
	// The background context never ends, and bodies return no errors.
	_ = parallel.For(context.Background(), rows, grain, func(_, from, to int) error {
		faults[from/grain] = check(from, to)
		return nil
	})
	for _, err := range faults {
		if err != nil {
			return err
		}
	}
	return nil
}

// checkRows checks the columns and values of rows from to to-1, whose pointers ascend.
func checkRows[V float32 | float64](cols, rows, from, to int, rowPtr []int, col []int32, val []V) error {
	for i := from; i < to; i++ {
		lo, hi := rowPtr[i], rowPtr[i+1]
		cs, vs := col[lo:hi], val[lo:hi]
		last := int32(-1)
		for k, c := range cs {
			if c < 0 || int(c) >= cols {
				return &IndexError{Row: i, Col: int(c), Rows: rows, Cols: cols}
			}
			if c <= last {
				return &OrderError{Row: i, Col: int(c), Duplicate: c == last}
			}
			last = c
			if v := float64(vs[k]); !finite(v) {
				return &NotFiniteError{Row: i, Col: int(c), Value: v}
			}
		}
	}
	return nil
}

func checkDims(rows, cols int) error {
	switch {
	case rows < 0 || cols < 0:
		return shapef("negative dimensions %d × %d", rows, cols)
	case rows > MaxDim || cols > MaxDim:
		return shapef("%d × %d is too large: at most %d rows and columns", rows, cols, MaxDim)
	}
	return nil
}

// CheckFinite returns a *NotFiniteError for the first entry, in row order, that is NaN or infinite.
// O(nnz).
func (a *CSR) CheckFinite() error {
	return firstFault(a.NumRows, func(from, to int) error {
		for i := from; i < to; i++ {
			cols, vals := a.Row(i)
			for k, v := range vals {
				if !finite(v) {
					return &NotFiniteError{Row: i, Col: int(cols[k]), Value: v}
				}
			}
		}
		return nil
	})
}
