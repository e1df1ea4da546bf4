//go:build canary

package native

import (
	"gonum.org/v1/gonum/blas"

	"github.com/eigenmap/eigenmap/native/canary"
)

// guardedBLAS is one implementation of BLAS, gonum's or OpenBLAS's.
type guardedBLAS struct {
	name  string
	plain plainBLAS
}

type plainBLAS interface {
	blas.Float64
	blas.Float32Level3
}

func (b guardedBLAS) Ddot(n int, x []float64, incX int, y []float64, incY int) float64 {
	c := canary.Begin(b.name + " ddot")
	defer c.End()
	return b.plain.Ddot(n, canary.Read(c, "x", x, canary.Vector(n, incX)), incX, canary.Read(c, "y", y, canary.Vector(n, incY)), incY)
}

func (b guardedBLAS) Dnrm2(n int, x []float64, incX int) float64 {
	c := canary.Begin(b.name + " dnrm2")
	defer c.End()
	return b.plain.Dnrm2(n, canary.Read(c, "x", x, canary.Vector(n, incX)), incX)
}

func (b guardedBLAS) Dasum(n int, x []float64, incX int) float64 {
	c := canary.Begin(b.name + " dasum")
	defer c.End()
	return b.plain.Dasum(n, canary.Read(c, "x", x, canary.Vector(n, incX)), incX)
}

func (b guardedBLAS) Idamax(n int, x []float64, incX int) int {
	c := canary.Begin(b.name + " idamax")
	defer c.End()
	return b.plain.Idamax(n, canary.Read(c, "x", x, canary.Vector(n, incX)), incX)
}

func (b guardedBLAS) Daxpy(n int, alpha float64, x []float64, incX int, y []float64, incY int) {
	c := canary.Begin(b.name + " daxpy")
	defer c.End()
	b.plain.Daxpy(n, alpha, canary.Read(c, "x", x, canary.Vector(n, incX)), incX, canary.Write(c, "y", y, canary.Vector(n, incY)), incY)
}

func (b guardedBLAS) Dcopy(n int, x []float64, incX int, y []float64, incY int) {
	c := canary.Begin(b.name + " dcopy")
	defer c.End()
	b.plain.Dcopy(n, canary.Read(c, "x", x, canary.Vector(n, incX)), incX, canary.Write(c, "y", y, canary.Vector(n, incY)), incY)
}

func (b guardedBLAS) Dswap(n int, x []float64, incX int, y []float64, incY int) {
	c := canary.Begin(b.name + " dswap")
	defer c.End()
	b.plain.Dswap(n, canary.Write(c, "x", x, canary.Vector(n, incX)), incX, canary.Write(c, "y", y, canary.Vector(n, incY)), incY)
}

func (b guardedBLAS) Drot(n int, x []float64, incX int, y []float64, incY int, cos, sin float64) {
	c := canary.Begin(b.name + " drot")
	defer c.End()
	b.plain.Drot(n, canary.Write(c, "x", x, canary.Vector(n, incX)), incX, canary.Write(c, "y", y, canary.Vector(n, incY)), incY, cos, sin)
}

func (b guardedBLAS) Dscal(n int, alpha float64, x []float64, incX int) {
	c := canary.Begin(b.name + " dscal")
	defer c.End()
	b.plain.Dscal(n, alpha, canary.Write(c, "x", x, canary.Vector(n, incX)), incX)
}

func (b guardedBLAS) Dgemv(t blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	c := canary.Begin(b.name + " dgemv")
	defer c.End()
	in, out := n, m
	if t != blas.NoTrans {
		in, out = m, n
	}
	b.plain.Dgemv(t, m, n, alpha, canary.Read(c, "a", a, matrixArea(m, n, lda)), lda, canary.Read(c, "x", x, canary.Vector(in, incX)), incX, beta, canary.Write(c, "y", y, canary.Vector(out, incY)), incY)
}

func (b guardedBLAS) Dger(m, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64, lda int) {
	c := canary.Begin(b.name + " dger")
	defer c.End()
	b.plain.Dger(m, n, alpha, canary.Read(c, "x", x, canary.Vector(m, incX)), incX, canary.Read(c, "y", y, canary.Vector(n, incY)), incY, canary.Write(c, "a", a, matrixArea(m, n, lda)), lda)
}

func (b guardedBLAS) Dsymv(ul blas.Uplo, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	c := canary.Begin(b.name + " dsymv")
	defer c.End()
	b.plain.Dsymv(ul, n, alpha, canary.Read(c, "a", a, triangleArea(ul, n, lda)), lda, canary.Read(c, "x", x, canary.Vector(n, incX)), incX, beta, canary.Write(c, "y", y, canary.Vector(n, incY)), incY)
}

func (b guardedBLAS) Dsyr(ul blas.Uplo, n int, alpha float64, x []float64, incX int, a []float64, lda int) {
	c := canary.Begin(b.name + " dsyr")
	defer c.End()
	b.plain.Dsyr(ul, n, alpha, canary.Read(c, "x", x, canary.Vector(n, incX)), incX, canary.Write(c, "a", a, triangleArea(ul, n, lda)), lda)
}

func (b guardedBLAS) Dsyr2(ul blas.Uplo, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64, lda int) {
	c := canary.Begin(b.name + " dsyr2")
	defer c.End()
	b.plain.Dsyr2(ul, n, alpha, canary.Read(c, "x", x, canary.Vector(n, incX)), incX, canary.Read(c, "y", y, canary.Vector(n, incY)), incY, canary.Write(c, "a", a, triangleArea(ul, n, lda)), lda)
}

func (b guardedBLAS) Dtrmv(ul blas.Uplo, t blas.Transpose, d blas.Diag, n int, a []float64, lda int, x []float64, incX int) {
	c := canary.Begin(b.name + " dtrmv")
	defer c.End()
	b.plain.Dtrmv(ul, t, d, n, canary.Read(c, "a", a, triangleArea(ul, n, lda)), lda, canary.Write(c, "x", x, canary.Vector(n, incX)), incX)
}

func (b guardedBLAS) Dtrsv(ul blas.Uplo, t blas.Transpose, d blas.Diag, n int, a []float64, lda int, x []float64, incX int) {
	c := canary.Begin(b.name + " dtrsv")
	defer c.End()
	b.plain.Dtrsv(ul, t, d, n, canary.Read(c, "a", a, triangleArea(ul, n, lda)), lda, canary.Write(c, "x", x, canary.Vector(n, incX)), incX)
}

func (b guardedBLAS) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, x []float64, ldx int, beta float64, y []float64, ldy int) {
	c := canary.Begin(b.name + " dgemm")
	defer c.End()
	b.plain.Dgemm(tA, tB, m, n, k, alpha, canary.Read(c, "a", a, stored(tA, m, k, lda)), lda, canary.Read(c, "x", x, stored(tB, k, n, ldx)), ldx, beta, canary.Write(c, "y", y, matrixArea(m, n, ldy)), ldy)
}

func (b guardedBLAS) Sgemm(tA, tB blas.Transpose, m, n, k int, alpha float32, a []float32, lda int, x []float32, ldx int, beta float32, y []float32, ldy int) {
	c := canary.Begin(b.name + " sgemm")
	defer c.End()
	b.plain.Sgemm(tA, tB, m, n, k, alpha, canary.Read(c, "a", a, stored(tA, m, k, lda)), lda, canary.Read(c, "x", x, stored(tB, k, n, ldx)), ldx, beta, canary.Write(c, "y", y, matrixArea(m, n, ldy)), ldy)
}

func (b guardedBLAS) Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, y []float64, ldy int) {
	c := canary.Begin(b.name + " dsyrk")
	defer c.End()
	b.plain.Dsyrk(ul, t, n, k, alpha, canary.Read(c, "a", a, stored(t, n, k, lda)), lda, beta, canary.Write(c, "y", y, triangleArea(ul, n, ldy)), ldy)
}

func (b guardedBLAS) Dsyr2k(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, x []float64, ldx int, beta float64, y []float64, ldy int) {
	c := canary.Begin(b.name + " dsyr2k")
	defer c.End()
	b.plain.Dsyr2k(ul, t, n, k, alpha, canary.Read(c, "a", a, stored(t, n, k, lda)), lda, canary.Read(c, "x", x, stored(t, n, k, ldx)), ldx, beta, canary.Write(c, "y", y, triangleArea(ul, n, ldy)), ldy)
}

func (b guardedBLAS) Dtrmm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, x []float64, ldx int) {
	c := canary.Begin(b.name + " dtrmm")
	defer c.End()
	b.plain.Dtrmm(s, ul, t, d, m, n, alpha, canary.Read(c, "a", a, triangleArea(ul, rowsOf(s, m, n), lda)), lda, canary.Write(c, "x", x, matrixArea(m, n, ldx)), ldx)
}

func (b guardedBLAS) Dtrsm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, x []float64, ldx int) {
	c := canary.Begin(b.name + " dtrsm")
	defer c.End()
	b.plain.Dtrsm(s, ul, t, d, m, n, alpha, canary.Read(c, "a", a, triangleArea(ul, rowsOf(s, m, n), lda)), lda, canary.Write(c, "x", x, matrixArea(m, n, ldx)), ldx)
}
