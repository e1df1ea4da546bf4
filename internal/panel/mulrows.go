package panel

import (
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Together is the number of rows in each product of [MulRows]. The kernels of BLAS take 4 to 24
// rows at a time, whose numbers divide it, so that no row is a remainder with a kernel of its own.
const Together = 48

// MulRows sets dst = alpha·a·op(b) + beta·dst. A row of the result has the same bits whatever the
// other rows of a are and wherever it stands among them: each product has Together rows, and those
// that the last one lacks are zeros. 2·rows·columns·depth flops, rows rounded up to Together.
func MulRows(tB blas.Transpose, alpha float64, a, b blas64.General, beta float64, dst blas64.General) {
	for lo := 0; lo < a.Rows; lo += Together {
		from, to := Rows(a, lo, min(lo+Together, a.Rows)), Rows(dst, lo, min(lo+Together, a.Rows))
		if from.Rows == Together {
			native.Default().Gemm(blas.NoTrans, tB, alpha, from, b, beta, to)
			continue
		}
		padded, product := New(Together, a.Cols), New(Together, dst.Cols)
		copyRows(padded, from)
		if beta != 0 {
			copyRows(product, to)
		}
		native.Default().Gemm(blas.NoTrans, tB, alpha, padded, b, beta, product)
		copyRows(to, Rows(product, 0, to.Rows))
	}
}

// Rows is the view of rows [lo, hi).
func Rows(a blas64.General, lo, hi int) blas64.General {
	return blas64.General{Rows: hi - lo, Cols: a.Cols, Stride: a.Stride, Data: a.Data[lo*a.Stride:]}
}

// copyRows copies the rows of from to the first rows of to.
func copyRows(to, from blas64.General) {
	for i := range from.Rows {
		copy(to.Data[i*to.Stride:][:to.Cols], from.Data[i*from.Stride:][:from.Cols])
	}
}
