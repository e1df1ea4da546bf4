package native

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
)

// Panic values of the shape checks.
const (
	badShape     = "native: matrices do not fit each other"
	badStorage   = "native: slice too short for the matrix's rows, columns and stride"
	badTranspose = "native: not a blas.Transpose"
	badUplo      = "native: not a blas.Uplo"
	badRange     = "native: eigenvalue range outside the spectrum"
	badTall      = "native: QR of a matrix with more columns than rows"
	badSize      = "native: a dimension does not fit 32 bits"
)

// newGeneral returns a zero m×n matrix.
func newGeneral(m, n int) blas64.General {
	return blas64.General{Rows: m, Cols: n, Stride: max(1, n), Data: make([]float64, m*n)}
}

// general checks the storage of a. It returns a with a stride that BLAS accepts if a has no
// columns.
func general(a blas64.General) blas64.General {
	if a.Rows < 0 || a.Cols < 0 {
		panic(badShape)
	}
	if a.Rows > math.MaxInt32 || a.Cols > math.MaxInt32 || a.Stride > math.MaxInt32 {
		panic(badSize)
	}
	if a.Rows == 0 || a.Cols == 0 {
		a.Stride = max(1, a.Cols, a.Stride)
		return a
	}
	if a.Stride < a.Cols || len(a.Data) < (a.Rows-1)*a.Stride+a.Cols {
		panic(badStorage)
	}
	return a
}

// symmetric is general for a symmetric matrix.
func symmetric(a blas64.Symmetric) blas64.Symmetric {
	if a.Uplo != blas.Upper && a.Uplo != blas.Lower {
		panic(badUplo)
	}
	a.Stride = general(blas64.General{Rows: a.N, Cols: a.N, Stride: a.Stride, Data: a.Data}).Stride
	return a
}

// op returns the shape of op(a).
func op(t blas.Transpose, a blas64.General) (rows, cols int) {
	switch t {
	case blas.NoTrans:
		return a.Rows, a.Cols
	case blas.Trans, blas.ConjTrans:
		return a.Cols, a.Rows
	}
	panic(badTranspose)
}

// gemmShape checks the arguments of Gemm and returns the m, n, k of BLAS. If there is nothing to
// multiply, it scales c and returns m = 0.
func gemmShape(tA, tB blas.Transpose, alpha float64, a, b *blas64.General, beta float64, c *blas64.General) (m, n, k int) {
	*a, *b, *c = general(*a), general(*b), general(*c)
	m, k = op(tA, *a)
	kb, n := op(tB, *b)
	if kb != k || c.Rows != m || c.Cols != n {
		panic(badShape)
	}
	if m == 0 || n == 0 {
		return 0, n, k
	}
	if k == 0 || alpha == 0 {
		for i := range m {
			scale(c.Data[i*c.Stride:][:n], beta)
		}
		return 0, n, k
	}
	return m, n, k
}

// float32Shape checks the arguments of GemmFloat32 and returns the m, n, k of BLAS. If there is
// nothing to multiply, it clears c and returns m = 0.
func float32Shape(a, b, c *blas32.General) (m, n, k int) {
	for _, g := range []*blas32.General{a, b, c} {
		if g.Rows > 0 && g.Cols > 0 && (g.Stride < g.Cols || len(g.Data) < (g.Rows-1)*g.Stride+g.Cols) {
			panic(badStorage)
		}
	}
	m, n, k = a.Rows, b.Rows, a.Cols
	if b.Cols != k || c.Rows != m || c.Cols != n {
		panic(badShape)
	}
	if m == 0 || n == 0 {
		return 0, n, k
	}
	if k == 0 {
		for i := range m {
			clear(c.Data[i*c.Stride:][:n])
		}
		return 0, n, k
	}
	return m, n, k
}

// syrkShape is gemmShape for Syrk: it returns n and k, with n = 0 if nothing is left to do.
func syrkShape(t blas.Transpose, alpha float64, a *blas64.General, beta float64, c *blas64.Symmetric) (n, k int) {
	*a, *c = general(*a), symmetric(*c)
	n, k = op(t, *a)
	if c.N != n {
		panic(badShape)
	}
	if n > 0 && (k == 0 || alpha == 0) {
		for i := range n {
			lo, hi := i, n
			if c.Uplo == blas.Lower {
				lo, hi = 0, i+1
			}
			scale(c.Data[i*c.Stride:][lo:hi], beta)
		}
		return 0, k
	}
	return n, k
}

// gemvShape is gemmShape for Gemv; ok is false if nothing is left to do.
func gemvShape(t blas.Transpose, alpha float64, a *blas64.General, x blas64.Vector, beta float64, y blas64.Vector) (ok bool) {
	*a = general(*a)
	m, n := op(t, *a)
	if y.N != m || x.N != n {
		panic(badShape)
	}
	if m == 0 {
		return false
	}
	if n > 0 && alpha != 0 {
		return true
	}
	start := 0
	if y.Inc < 0 {
		start = (1 - m) * y.Inc
	}
	for i := range m {
		scale(y.Data[start+i*y.Inc:][:1], beta)
	}
	return false
}

// trsmShape checks the arguments of Trsm; ok is false if nothing is left to do.
func trsmShape(side blas.Side, a *blas64.Triangular, b *blas64.General) (ok bool) {
	*b = general(*b)
	a.Stride = general(blas64.General{Rows: a.N, Cols: a.N, Stride: a.Stride, Data: a.Data}).Stride
	order := b.Rows
	if side == blas.Right {
		order = b.Cols
	}
	if a.N != order {
		panic(badShape)
	}
	return b.Rows > 0 && b.Cols > 0
}

// scale multiplies x by beta. beta 0 also overwrites NaN with zero, as in BLAS.
func scale(x []float64, beta float64) {
	switch beta {
	case 0:
		clear(x)
	case 1:
	default:
		for i := range x {
			x[i] *= beta
		}
	}
}

// mirror copies the triangle uplo of the square matrix in data to the other triangle.
func mirror(uplo blas.Uplo, n int, data []float64, stride int) {
	const block = 32
	for i0 := 0; i0 < n; i0 += block {
		for j0 := i0; j0 < n; j0 += block {
			for i := i0; i < min(i0+block, n); i++ {
				for j := max(j0, i+1); j < min(j0+block, n); j++ {
					if uplo == blas.Upper {
						data[j*stride+i] = data[i*stride+j]
					} else {
						data[i*stride+j] = data[j*stride+i]
					}
				}
			}
		}
	}
}

// transposed returns the rows×cols row-major matrix whose columns are stored one after another in
// data, at distance ld.
func transposed(rows, cols int, data []float64, ld int) blas64.General {
	const block = 32
	v := newGeneral(rows, cols)
	for i0 := 0; i0 < rows; i0 += block {
		for j0 := 0; j0 < cols; j0 += block {
			for i := i0; i < min(i0+block, rows); i++ {
				for j := j0; j < min(j0+block, cols); j++ {
					v.Data[i*v.Stride+j] = data[j*ld+i]
				}
			}
		}
	}
	return v
}
