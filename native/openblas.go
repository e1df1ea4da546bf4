//go:build cgo && !purego

package native

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/netlib/blas/netlib"
)

// openBLAS calls OpenBLAS through netlib, and LAPACK through LAPACKE's own interface
// (openblas_lapack.go).
type openBLAS struct{}

var cblas netlib.Implementation

// Work in flops from which a call gains by a second thread, or loses little where the other core is
// busy. Below it (a few hundred microseconds of work; gemv: what no longer fits the cache of one
// core) a call with two threads was up to three times slower than with one.
const (
	wideProduct = 2e7
	wideVector  = 1e6
	wideFactor  = 2e8
	wideEigen   = 5e8
)

func (openBLAS) Name() string { return "openblas" }

func (openBLAS) Gemm(tA, tB blas.Transpose, alpha float64, a, b blas64.General, beta float64, c blas64.General) {
	m, n, k := gemmShape(tA, tB, alpha, &a, &b, beta, &c)
	if m == 0 {
		return
	}
	defer leave(enter(2*float64(m)*float64(n)*float64(k), wideProduct))
	cblas.Dgemm(tA, tB, m, n, k, alpha, a.Data, a.Stride, b.Data, b.Stride, beta, c.Data, c.Stride)
}

func (openBLAS) Syrk(t blas.Transpose, alpha float64, a blas64.General, beta float64, c blas64.Symmetric) {
	n, k := syrkShape(t, alpha, &a, beta, &c)
	if n == 0 {
		return
	}
	defer leave(enter(float64(n)*float64(n)*float64(k), wideProduct))
	cblas.Dsyrk(c.Uplo, t, n, k, alpha, a.Data, a.Stride, beta, c.Data, c.Stride)
}

func (openBLAS) Gemv(t blas.Transpose, alpha float64, a blas64.General, x blas64.Vector, beta float64, y blas64.Vector) {
	if !gemvShape(t, alpha, &a, x, beta, y) {
		return
	}
	defer leave(enter(2*float64(a.Rows)*float64(a.Cols), wideVector))
	cblas.Dgemv(t, a.Rows, a.Cols, alpha, a.Data, a.Stride, x.Data, x.Inc, beta, y.Data, y.Inc)
}

func (openBLAS) Trsm(side blas.Side, t blas.Transpose, alpha float64, a blas64.Triangular, b blas64.General) {
	if !trsmShape(side, &a, &b) {
		return
	}
	defer leave(enter(float64(a.N)*float64(b.Rows)*float64(b.Cols), wideProduct))
	cblas.Dtrsm(side, a.Uplo, t, a.Diag, b.Rows, b.Cols, alpha, a.Data, a.Stride, b.Data, b.Stride)
}
