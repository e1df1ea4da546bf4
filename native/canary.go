//go:build canary

package native

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	blasgo "gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/lapack"
	lapackgo "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/eigenmap/eigenmap/native/canary"
)

// Under the build tag canary every call of BLAS, LAPACK and ARPACK works on operands between
// canaries. The types below have only the methods that do so; a call of any other routine does not
// compile with the tag.
var (
	goBLAS   = guardedBLAS{"gonum", blasgo.Implementation{}}
	goLAPACK guardedLAPACK
)

// gonum's LAPACK and mat call BLAS through blas64, and methods call both through blas64 and
// lapack64.
func init() {
	blas64.Use(wholeBLAS{restBLAS{blasgo.Implementation{}}, goBLAS})
	lapack64.Use(wholeLAPACK{restLAPACK{lapackgo.Implementation{}}, goLAPACK})
}

// wholeBLAS has the methods of guardedBLAS and, one level below, the rest.
type wholeBLAS struct {
	restBLAS
	guardedBLAS
}

type restBLAS struct{ blas.Float64 }

type wholeLAPACK struct {
	restLAPACK
	guardedLAPACK
}

type restLAPACK struct{ lapack.Float64 }

func matrixArea(rows, cols, stride int) canary.Area {
	return canary.Area{Rows: rows, Cols: cols, Stride: stride}
}

// stored is matrixArea, or its transpose under a transposition.
func stored(t blas.Transpose, rows, cols, stride int) canary.Area {
	if t != blas.NoTrans {
		rows, cols = cols, rows
	}
	return matrixArea(rows, cols, stride)
}

func triangleArea(u blas.Uplo, n, stride int) canary.Area {
	part := canary.Upper
	if u == blas.Lower {
		part = canary.Lower
	}
	return canary.Area{Rows: n, Cols: n, Stride: stride, Part: part}
}

// whole is the area of a slice that the call may touch as a whole.
func whole[T canary.Number](x []T) canary.Area { return canary.Vector(len(x), 1) }

// guardedLAPACK is gonum's LAPACK.
type guardedLAPACK struct{}

var plainLAPACK lapackgo.Implementation

func (guardedLAPACK) Dpotrf(ul blas.Uplo, n int, a []float64, lda int) bool {
	c := canary.Begin("gonum dpotrf")
	defer c.End()
	return plainLAPACK.Dpotrf(ul, n, canary.Write(c, "a", a, triangleArea(ul, n, lda)), lda)
}

func (guardedLAPACK) Dpotrs(ul blas.Uplo, n, nrhs int, a []float64, lda int, b []float64, ldb int) {
	c := canary.Begin("gonum dpotrs")
	defer c.End()
	plainLAPACK.Dpotrs(ul, n, nrhs, canary.Read(c, "a", a, triangleArea(ul, n, lda)), lda, canary.Write(c, "b", b, matrixArea(n, nrhs, ldb)), ldb)
}

func (guardedLAPACK) Dsytrd(ul blas.Uplo, n int, a []float64, lda int, d, e, tau, work []float64, lwork int) {
	c := canary.Begin("gonum dsytrd")
	defer c.End()
	plainLAPACK.Dsytrd(ul, n, canary.Write(c, "a", a, triangleArea(ul, n, lda)), lda, canary.Write(c, "d", d, canary.Vector(n, 1)),
		canary.Write(c, "e", e, canary.Vector(n-1, 1)), canary.Write(c, "tau", tau, canary.Vector(n-1, 1)), canary.Write(c, "work", work, whole(work)), lwork)
}

func (guardedLAPACK) Dsterf(n int, d, e []float64) bool {
	c := canary.Begin("gonum dsterf")
	defer c.End()
	return plainLAPACK.Dsterf(n, canary.Write(c, "d", d, canary.Vector(n, 1)), canary.Write(c, "e", e, canary.Vector(n-1, 1)))
}

func (guardedLAPACK) Dsteqr(compz lapack.EVComp, n int, d, e, z []float64, ldz int, work []float64) bool {
	c := canary.Begin("gonum dsteqr")
	defer c.End()
	return plainLAPACK.Dsteqr(compz, n, canary.Write(c, "d", d, canary.Vector(n, 1)), canary.Write(c, "e", e, canary.Vector(n-1, 1)),
		canary.Write(c, "z", z, matrixArea(n, n, ldz)), ldz, canary.Write(c, "work", work, canary.Vector(max(1, 2*n-2), 1)))
}

func (guardedLAPACK) Dorgtr(ul blas.Uplo, n int, a []float64, lda int, tau, work []float64, lwork int) {
	c := canary.Begin("gonum dorgtr")
	defer c.End()
	plainLAPACK.Dorgtr(ul, n, canary.Write(c, "a", a, matrixArea(n, n, lda)), lda, canary.Read(c, "tau", tau, canary.Vector(n-1, 1)), canary.Write(c, "work", work, whole(work)), lwork)
}

func (guardedLAPACK) Dormqr(side blas.Side, t blas.Transpose, m, n, k int, a []float64, lda int, tau, b []float64, ldb int, work []float64, lwork int) {
	c := canary.Begin("gonum dormqr")
	defer c.End()
	// The routine sets the diagonal of its reflectors to one and back.
	plainLAPACK.Dormqr(side, t, m, n, k, canary.Write(c, "a", a, matrixArea(rowsOf(side, m, n), k, lda)), lda, canary.Read(c, "tau", tau, canary.Vector(k, 1)),
		canary.Write(c, "c", b, matrixArea(m, n, ldb)), ldb, canary.Write(c, "work", work, whole(work)), lwork)
}

func (guardedLAPACK) Dorm2r(side blas.Side, t blas.Transpose, m, n, k int, a []float64, lda int, tau, b []float64, ldb int, work []float64) {
	c := canary.Begin("gonum dorm2r")
	defer c.End()
	plainLAPACK.Dorm2r(side, t, m, n, k, canary.Write(c, "a", a, matrixArea(rowsOf(side, m, n), k, lda)), lda, canary.Read(c, "tau", tau, canary.Vector(k, 1)),
		canary.Write(c, "c", b, matrixArea(m, n, ldb)), ldb, canary.Write(c, "work", work, whole(work)))
}

func (guardedLAPACK) Dgeqr2(m, n int, a []float64, lda int, tau, work []float64) {
	c := canary.Begin("gonum dgeqr2")
	defer c.End()
	plainLAPACK.Dgeqr2(m, n, canary.Write(c, "a", a, matrixArea(m, n, lda)), lda, canary.Write(c, "tau", tau, canary.Vector(min(m, n), 1)), canary.Write(c, "work", work, canary.Vector(n, 1)))
}

func (guardedLAPACK) Dorg2r(m, n, k int, a []float64, lda int, tau, work []float64) {
	c := canary.Begin("gonum dorg2r")
	defer c.End()
	plainLAPACK.Dorg2r(m, n, k, canary.Write(c, "a", a, matrixArea(m, n, lda)), lda, canary.Read(c, "tau", tau, canary.Vector(k, 1)), canary.Write(c, "work", work, canary.Vector(n, 1)))
}

func (guardedLAPACK) Dgesvd(ju, jv lapack.SVDJob, m, n int, a []float64, lda int, s, u []float64, ldu int, vt []float64, ldvt int, work []float64, lwork int) bool {
	c := canary.Begin("gonum dgesvd")
	defer c.End()
	p := min(m, n)
	return plainLAPACK.Dgesvd(ju, jv, m, n, canary.Write(c, "a", a, matrixArea(m, n, lda)), lda, canary.Write(c, "s", s, canary.Vector(p, 1)),
		canary.Write(c, "u", u, svdArea(ju, m, m, p, ldu)), ldu, canary.Write(c, "vt", vt, svdArea(jv, n, p, n, ldvt)), ldvt,
		canary.Write(c, "work", work, whole(work)), lwork)
}

// svdArea is the area of singular vectors of length n: rows×cols for thin ones.
func svdArea(job lapack.SVDJob, n, rows, cols, stride int) canary.Area {
	switch job {
	case lapack.SVDStore:
		return matrixArea(rows, cols, stride)
	case lapack.SVDAll:
		return matrixArea(n, n, stride)
	}
	return canary.Area{}
}

// rowsOf is the order of the matrix that multiplies an m×n one from that side.
func rowsOf(side blas.Side, m, n int) int {
	if side == blas.Left {
		return m
	}
	return n
}
