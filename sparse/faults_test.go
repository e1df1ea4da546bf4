package sparse

import (
	"errors"
	"math"
	"testing"

	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
)

// Of several faults of a large matrix the first in row order is returned, at any number of threads.
func TestFirstFaultOfALargeMatrix(t *testing.T) {
	defer native.SetThreads(0)
	const rows = 20000
	for _, threads := range []int{1, 2, 5} {
		native.SetThreads(threads)
		for _, first := range []int{0, 1023, 1024, 7000, rows - 1} {
			ptr, col, val := make([]int, rows+1), make([]int32, 2*rows), make([]float64, 2*rows)
			for i := range rows {
				ptr[i+1], col[2*i], col[2*i+1] = 2*i+2, 3, 5
			}
			for i := first; i < rows; i += 900 {
				col[2*i+1] = 7
			}
			var outside *IndexError
			if _, err := NewCSR(rows, 6, ptr, col, val); !errors.As(err, &outside) || outside.Row != first {
				t.Errorf("%d threads: %v, want row %d", threads, err, first)
			}
			val[2*first] = math.NaN()
			val[len(val)-1] = math.Inf(1)
			a := &CSR{NumRows: rows, NumCols: 8, RowPtr: ptr, Col: col, Val: val}
			var infinite *NotFiniteError
			if err := a.CheckFinite(); !errors.As(err, &infinite) || infinite.Row != first {
				t.Errorf("%d threads: %v, want row %d", threads, err, first)
			}
			if err := CheckFinite(mat.NewDense(rows, 2, val)); !errors.As(err, &infinite) || infinite.Row != first {
				t.Errorf("%d threads: %v, want row %d", threads, err, first)
			}
		}
	}
}
