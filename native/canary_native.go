//go:build canary && cgo && !purego

package native

// #include <arpack/arpack.h>
import "C"

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/netlib/blas/netlib"

	"github.com/eigenmap/eigenmap/native/canary"
)

// The C libraries between canaries, like gonum's kernels.
var (
	cblas   = guardedBLAS{"openblas", netlib.Implementation{}}
	clapack guardedLapacke
	carpack guardedARPACK
)

// guardedLapacke has lapacke's methods.
type guardedLapacke struct{ plain lapacke }

// ofSymmetric is the stored triangle of a.
func ofSymmetric(a blas64.Symmetric) canary.Area { return triangleArea(a.Uplo, a.N, a.Stride) }

// writeGeneral guards a matrix that the call may write.
func writeGeneral(c *canary.Call, name string, a blas64.General) blas64.General {
	a.Data = canary.Write(c, name, a.Data, matrixArea(a.Rows, a.Cols, a.Stride))
	return a
}

func (g guardedLapacke) dpotrf(a blas64.Symmetric) int {
	c := canary.Begin("dpotrf")
	defer c.End()
	a.Data = canary.Write(c, "a", a.Data, ofSymmetric(a))
	return g.plain.dpotrf(a)
}

func (g guardedLapacke) dsygst(a, b blas64.Symmetric) int {
	c := canary.Begin("dsygst")
	defer c.End()
	a.Data = canary.Write(c, "a", a.Data, ofSymmetric(a))
	b.Data = canary.Read(c, "b", b.Data, triangleArea(a.Uplo, b.N, b.Stride))
	return g.plain.dsygst(a, b)
}

func (g guardedLapacke) dsyevd(vectors bool, a blas64.Symmetric, w, work []float64, lwork int, iwork []int32, liwork int) int {
	c := canary.Begin("dsyevd")
	defer c.End()
	area := ofSymmetric(a)
	if vectors {
		area.Part = canary.Whole
	}
	a.Data = canary.Write(c, "a", a.Data, area)
	return g.plain.dsyevd(vectors, a, canary.Write(c, "w", w, canary.Vector(a.N, 1)), canary.Write(c, "work", work, whole(work)), lwork,
		canary.Write(c, "iwork", iwork, whole(iwork)), liwork)
}

// The spare word of the workspace is a part of it that the call may write.
func (g guardedLapacke) dsyevr(a blas64.Symmetric, r EigRange, found []int32, w, z []float64, support []int32,
	work []float64, lwork int, iwork integerWork, liwork int) int {
	c := canary.Begin("dsyevr")
	defer c.End()
	a.Data = canary.Write(c, "a", a.Data, ofSymmetric(a))
	return g.plain.dsyevr(a, r, canary.Write(c, "found", found, whole(found)), canary.Write(c, "w", w, canary.Vector(a.N, 1)),
		canary.Write(c, "z", z, canary.Vector(a.N*r.Count, 1)), canary.Write(c, "support", support, canary.Vector(2*r.Count, 1)),
		canary.Write(c, "work", work, whole(work)), lwork, canary.Write(c, "iwork", iwork, whole(iwork)), liwork)
}

func (g guardedLapacke) dgesdd(a, u blas64.General, s []float64, vt blas64.General, work []float64, lwork int, iwork []int32) int {
	c := canary.Begin("dgesdd")
	defer c.End()
	return g.plain.dgesdd(writeGeneral(c, "a", a), writeGeneral(c, "u", u), canary.Write(c, "s", s, whole(s)), writeGeneral(c, "vt", vt),
		canary.Write(c, "work", work, whole(work)), lwork, canary.Write(c, "iwork", iwork, whole(iwork)))
}

func (g guardedLapacke) dgesvd(a, u blas64.General, s []float64, vt blas64.General, work []float64, lwork int) int {
	c := canary.Begin("dgesvd")
	defer c.End()
	return g.plain.dgesvd(writeGeneral(c, "a", a), writeGeneral(c, "u", u), canary.Write(c, "s", s, whole(s)), writeGeneral(c, "vt", vt),
		canary.Write(c, "work", work, whole(work)), lwork)
}

func (g guardedLapacke) dgeqrt(m, n, block int, a, factors, work []float64) int {
	c := canary.Begin("dgeqrt")
	defer c.End()
	return g.plain.dgeqrt(m, n, block, canary.Write(c, "a", a, canary.Vector(m*n, 1)), canary.Write(c, "factors", factors, canary.Vector(block*n, 1)),
		canary.Write(c, "work", work, canary.Vector(block*n, 1)))
}

func (g guardedLapacke) dgemqrt(m, n, block int, a, factors, q, work []float64) int {
	c := canary.Begin("dgemqrt")
	defer c.End()
	return g.plain.dgemqrt(m, n, block, canary.Read(c, "a", a, canary.Vector(m*n, 1)), canary.Read(c, "factors", factors, canary.Vector(block*n, 1)),
		canary.Write(c, "q", q, canary.Vector(m*n, 1)), canary.Write(c, "work", work, canary.Vector(block*n, 1)))
}

func (g guardedLapacke) transpose(rows, cols int, from []float64, fromStride int, to []float64, toStride int) {
	c := canary.Begin("domatcopy")
	defer c.End()
	g.plain.transpose(rows, cols, canary.Read(c, "from", from, matrixArea(rows, cols, fromStride)), fromStride,
		canary.Write(c, "to", to, matrixArea(cols, rows, toStride)), toStride)
}

// guardedARPACK has arpackLibrary's methods.
type guardedARPACK struct{ plain arpackLibrary }

// guarded is s with guarded operands for one call.
func (guardedARPACK) guarded(c *canary.Call, s *arpackState) *arpackState {
	g := *s
	g.bmat, g.which, g.howmny = canary.Read(c, "bmat", s.bmat, whole(s.bmat)), canary.Read(c, "which", s.which, whole(s.which)), canary.Read(c, "howmny", s.howmny, whole(s.howmny))
	g.ido, g.info = canary.Write(c, "ido", s.ido, whole(s.ido)), canary.Write(c, "info", s.info, whole(s.info))
	g.iparam, g.ipntr = canary.Write(c, "iparam", s.iparam, whole(s.iparam)), canary.Write(c, "ipntr", s.ipntr, whole(s.ipntr))
	g.resid, g.basis = canary.Write(c, "resid", s.resid, canary.Vector(s.n, 1)), canary.Write(c, "basis", s.basis, matrixArea(s.ncv, s.n, s.n))
	g.workd, g.workl = canary.Write(c, "workd", s.workd, canary.Vector(3*s.n, 1)), canary.Write(c, "workl", s.workl, whole(s.workl))
	return &g
}

func (g guardedARPACK) dsaupd(s *arpackState) {
	c := canary.Begin("dsaupd")
	defer c.End()
	g.plain.dsaupd(g.guarded(c, s))
}

func (g guardedARPACK) dseupd(s *arpackState, chosen []C.a_int, d []float64, info []C.a_int) {
	c := canary.Begin("dseupd")
	defer c.End()
	g.plain.dseupd(g.guarded(c, s), canary.Write(c, "chosen", chosen, canary.Vector(s.ncv, 1)), canary.Write(c, "d", d, canary.Vector(s.k, 1)),
		canary.Write(c, "info", info, whole(info)))
}
