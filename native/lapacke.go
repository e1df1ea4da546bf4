//go:build cgo && !purego

package native

/*
#include <cblas.h>
#include <lapacke.h>
*/
import "C"

import (
	"unsafe"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// lapacke has one method for each routine of LAPACK that this package calls, through LAPACKE's
// functions that take their workspaces from the caller. Each returns LAPACK's info code. Other
// files call them on the variable clapack, which is another type under the build tag canary.
//
// Symmetric matrices are row-major, other matrices column-major: LAPACK reads a row-major symmetric
// matrix as its transpose, which is the other triangle of the same matrix.
type lapacke struct{}

const columns = C.LAPACK_COL_MAJOR

// integerWork is an integer workspace of LAPACK with a spare word in front of it; len counts the
// spare word.
//
// Every routine that reaches dstebz or dlarrd needs it: dsyevr, dsyevx, dstevr, dstevx, dstemr and
// their drivers. Both routines find the eigenvalues of an index range by bisection and then discard
// what lies beyond the range: for each of IDISCL or IDISCU values they look for the candidate IW to
// drop and set IBLOCK( IW ) = 0. If eigenvalues are multiple, there may be more to discard than
// there are candidates; IW then stays 0, and the four bytes before the array become zero (seen with
// reference LAPACK 3.11; found is then 0, and info 0). IBLOCK is the first part of the integer
// workspace, so the bytes belong to whatever lies before it: in Go to the collector's notes on a
// span of small objects, or to another object. LAPACKE's functions without _work allocate the
// workspace themselves and cannot be used for these routines.
type integerWork []int32

// newIntegerWork allocates an integer workspace of n words.
func newIntegerWork(n int) integerWork { return make(integerWork, 1+n) }

// first is what LAPACK calls the first word.
func (w integerWork) first() *int32 { return &w[1] }

// otherUplo names the stored triangle in column-major order.
func otherUplo(u blas.Uplo) C.char {
	if u == blas.Upper {
		return 'L'
	}
	return 'U'
}

// jobz is 'V' if vectors are wanted.
func jobz(vectors bool) C.char {
	if vectors {
		return 'V'
	}
	return 'N'
}

// ptr returns the address of x's first element, or nil.
func ptr(x []float64) *C.double { return (*C.double)(unsafe.SliceData(x)) }

func iptr(x []int32) *C.lapack_int { return (*C.lapack_int)(unsafe.SliceData(x)) }

func (lapacke) dpotrf(a blas64.Symmetric) int {
	return int(C.LAPACKE_dpotrf_work(columns, otherUplo(a.Uplo), C.lapack_int(a.N), ptr(a.Data), C.lapack_int(a.Stride)))
}

// dsygst reads the factor in the triangle of b that a has.
func (lapacke) dsygst(a, b blas64.Symmetric) int {
	return int(C.LAPACKE_dsygst_work(columns, 1, otherUplo(a.Uplo), C.lapack_int(a.N),
		ptr(a.Data), C.lapack_int(a.Stride), ptr(b.Data), C.lapack_int(b.Stride)))
}

// dsyevd writes the vectors to all of a; lwork or liwork -1 asks for the sizes.
func (lapacke) dsyevd(vectors bool, a blas64.Symmetric, w, work []float64, lwork int, iwork []int32, liwork int) int {
	return int(C.LAPACKE_dsyevd_work(columns, jobz(vectors), otherUplo(a.Uplo), C.lapack_int(a.N), ptr(a.Data), C.lapack_int(a.Stride),
		ptr(w), ptr(work), C.lapack_int(lwork), iptr(iwork), C.lapack_int(liwork)))
}

// dsyevr writes the number of values to found[0] and the vectors, one after another, to z (nil
// without); support has two words for each pair of r.
func (lapacke) dsyevr(a blas64.Symmetric, r EigRange, found []int32, w, z []float64, support []int32,
	work []float64, lwork int, iwork integerWork, liwork int) int {
	n := C.lapack_int(a.N)
	return int(C.LAPACKE_dsyevr_work(columns, jobz(z != nil), 'I', otherUplo(a.Uplo), n, ptr(a.Data), C.lapack_int(a.Stride),
		0, 0, C.lapack_int(r.First+1), C.lapack_int(r.First+r.Count), 0, iptr(found), ptr(w), ptr(z), n, iptr(support),
		ptr(work), C.lapack_int(lwork), (*C.lapack_int)(iwork.first()), C.lapack_int(liwork)))
}

// dgesdd decomposes aᵀ; LAPACK's U and Vᵀ are vtᵀ and uᵀ here.
func (lapacke) dgesdd(a, u blas64.General, s []float64, vt blas64.General, work []float64, lwork int, iwork []int32) int {
	return int(C.LAPACKE_dgesdd_work(columns, 'S', C.lapack_int(a.Cols), C.lapack_int(a.Rows), ptr(a.Data), C.lapack_int(a.Stride), ptr(s),
		ptr(vt.Data), C.lapack_int(vt.Stride), ptr(u.Data), C.lapack_int(u.Stride), ptr(work), C.lapack_int(lwork), iptr(iwork)))
}

func (lapacke) dgesvd(a, u blas64.General, s []float64, vt blas64.General, work []float64, lwork int) int {
	return int(C.LAPACKE_dgesvd_work(columns, 'S', 'S', C.lapack_int(a.Cols), C.lapack_int(a.Rows), ptr(a.Data), C.lapack_int(a.Stride), ptr(s),
		ptr(vt.Data), C.lapack_int(vt.Stride), ptr(u.Data), C.lapack_int(u.Stride), ptr(work), C.lapack_int(lwork)))
}

// dgeqrt factors the m×n matrix a, without gaps, into reflectors and blocks of factors.
func (lapacke) dgeqrt(m, n, block int, a, factors, work []float64) int {
	return int(C.LAPACKE_dgeqrt_work(columns, C.lapack_int(m), C.lapack_int(n), C.lapack_int(block),
		ptr(a), C.lapack_int(m), ptr(factors), C.lapack_int(block), ptr(work)))
}

// dgemqrt multiplies the m×n matrix q by the orthogonal factor of dgeqrt.
func (lapacke) dgemqrt(m, n, block int, a, factors, q, work []float64) int {
	return int(C.LAPACKE_dgemqrt_work(columns, 'L', 'N', C.lapack_int(m), C.lapack_int(n), C.lapack_int(n), C.lapack_int(block),
		ptr(a), C.lapack_int(m), ptr(factors), C.lapack_int(block), ptr(q), C.lapack_int(m), ptr(work)))
}

// transpose writes the rows×cols row-major matrix from to the cols×rows one to.
func (lapacke) transpose(rows, cols int, from []float64, fromStride int, to []float64, toStride int) {
	C.cblas_domatcopy(C.CblasRowMajor, C.CblasTrans, C.blasint(rows), C.blasint(cols), 1,
		ptr(from), C.blasint(fromStride), ptr(to), C.blasint(toStride))
}
