// Package nativetest is the conformance suite for every engine of package native in both builds. It
// compares results with naive sums, closed forms and defining equations, never with stored output.
package nativetest

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/eigenmap/eigenmap/native"
)

// Conformance runs the whole suite on an engine.
func Conformance(t *testing.T, e native.Engine) {
	t.Run("Products", func(t *testing.T) { testProducts(t, e) })
	t.Run("Triangular", func(t *testing.T) { testTriangular(t, e) })
	t.Run("Cholesky", func(t *testing.T) { testCholesky(t, e) })
	t.Run("SymEig", func(t *testing.T) { testSymEig(t, e) })
	t.Run("SymEigSpectra", func(t *testing.T) { testSpectra(t, e) })
	t.Run("SymDefEig", func(t *testing.T) { testSymDefEig(t, e) })
	t.Run("SVD", func(t *testing.T) { testSVD(t, e) })
	t.Run("ScaledSVD", func(t *testing.T) { testScaledSVD(t, e) })
	t.Run("QR", func(t *testing.T) { testQR(t, e) })
	t.Run("Empty", func(t *testing.T) { testEmpty(t, e) })
	t.Run("NotFinite", func(t *testing.T) { testNotFinite(t, e) })
	t.Run("Shapes", func(t *testing.T) { testShapes(t, e) })
}

// padding is the difference between a stride and a row length. The gap holds NaN; no engine may
// read or write it.
const padding = 3

func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

// newMatrix returns an m×n matrix of zeros with NaN in the padding.
func newMatrix(m, n int) blas64.General {
	a := blas64.General{Rows: m, Cols: n, Stride: n + padding, Data: make([]float64, m*(n+padding))}
	for i := range a.Data {
		if i%a.Stride >= n {
			a.Data[i] = math.NaN()
		}
	}
	return a
}

// Random returns an m×n matrix of normal entries.
func Random(seed uint64, m, n int) blas64.General {
	r, a := source(seed), newMatrix(m, n)
	for i := range m {
		for j := range n {
			a.Data[i*a.Stride+j] = r.NormFloat64()
		}
	}
	return a
}

func clone(a blas64.General) blas64.General {
	a.Data = append([]float64(nil), a.Data...)
	return a
}

func at(a blas64.General, i, j int) float64 { return a.Data[i*a.Stride+j] }

func set(a blas64.General, i, j int, x float64) { a.Data[i*a.Stride+j] = x }

// checkPadding fails if the gap between rows was written.
func checkPadding(t *testing.T, a blas64.General) {
	t.Helper()
	for i, x := range a.Data {
		if i%a.Stride >= a.Cols && !math.IsNaN(x) {
			t.Fatalf("padding of row %d was written", i/a.Stride)
		}
	}
}

// Symmetric returns the given triangle of a symmetric matrix; the other triangle holds NaN.
func Symmetric(full blas64.General, uplo blas.Uplo) blas64.Symmetric {
	a := clone(full)
	for i := range a.Rows {
		for j := range a.Cols {
			if (uplo == blas.Upper && j < i) || (uplo == blas.Lower && j > i) {
				set(a, i, j, math.NaN())
			}
		}
	}
	return blas64.Symmetric{Uplo: uplo, N: a.Rows, Stride: a.Stride, Data: a.Data}
}

// product is op(a)*op(b), the naive sum.
func product(tA, tB blas.Transpose, a, b blas64.General) blas64.General {
	a, b = transpose(tA, a), transpose(tB, b)
	c := newMatrix(a.Rows, b.Cols)
	for i := range a.Rows {
		row := c.Data[i*c.Stride:][:c.Cols]
		for l := range a.Cols {
			x := at(a, i, l)
			for j, y := range b.Data[l*b.Stride:][:b.Cols] {
				row[j] += x * y
			}
		}
	}
	return c
}

func transpose(t blas.Transpose, a blas64.General) blas64.General {
	if t == blas.NoTrans {
		return a
	}
	b := newMatrix(a.Cols, a.Rows)
	for i := range a.Rows {
		for j := range a.Cols {
			set(b, j, i, at(a, i, j))
		}
	}
	return b
}

// distance is the largest difference between two matrices of the same shape.
func distance(t *testing.T, a, b blas64.General) float64 {
	t.Helper()
	if a.Rows != b.Rows || a.Cols != b.Cols {
		t.Fatalf("shape %d×%d, want %d×%d", a.Rows, a.Cols, b.Rows, b.Cols)
	}
	var d float64
	for i := range a.Rows {
		for j := range a.Cols {
			d = larger(d, math.Abs(at(a, i, j)-at(b, i, j)))
		}
	}
	return d
}

// larger is max, with NaN as the largest number.
func larger(a, b float64) float64 {
	if math.IsNaN(a) || a > b {
		return a
	}
	return b
}

// norm is the largest absolute entry.
func norm(a blas64.General) float64 {
	var d float64
	for i := range a.Rows {
		for j := range a.Cols {
			d = larger(d, math.Abs(at(a, i, j)))
		}
	}
	return d
}

func near(t *testing.T, what string, got, limit float64) {
	t.Helper()
	if !(got <= limit) {
		t.Errorf("%s: off by %.3g, allowed %.3g", what, got, limit)
	}
}

func identity(n int) blas64.General { return diagonal(make([]float64, n), 1) }

// diagonal is diag(d) + shift*I.
func diagonal(d []float64, shift float64) blas64.General {
	a := newMatrix(len(d), len(d))
	for i, x := range d {
		set(a, i, i, x+shift)
	}
	return a
}

// Skewness is the largest entry of QᵀQ - I, by naive sums: 0 for orthonormal columns.
func Skewness(q blas64.General) float64 {
	var worst float64
	for i := range q.Cols {
		for j := range i + 1 {
			var sum float64
			for l := range q.Rows {
				sum += at(q, l, i) * at(q, l, j)
			}
			if i == j {
				sum--
			}
			worst = larger(worst, math.Abs(sum))
		}
	}
	return worst
}

// orthonormal checks that the columns of q are orthonormal.
func orthonormal(t *testing.T, what string, q blas64.General) {
	t.Helper()
	near(t, what+": orthonormality", Skewness(q), 1e-12)
}
