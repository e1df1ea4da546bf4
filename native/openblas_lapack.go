//go:build cgo && !purego

package native

/*
#include <cblas.h>
#include <lapacke.h>
*/
import "C"

import (
	"fmt"
	"unsafe"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// LAPACK is column-major. A row-major matrix is passed as its transpose, without a copy: a
// symmetric one by naming the other triangle; U and V of a general one come out exchanged. netlib's
// lapacke package is not used for these, because it returns no info code and transposes row-major
// matrices back and forth.

const columns = C.LAPACK_COL_MAJOR

// maxDivide is the largest order for the divide-and-conquer routines: beyond it, LAPACK's 32-bit
// integers cannot hold the size of their workspace of several n².
const maxDivide = 20000

// otherUplo names the stored triangle in column-major order.
func otherUplo(u blas.Uplo) C.char {
	if u == blas.Upper {
		return 'L'
	}
	return 'U'
}

// ptr returns the address of x's first element, or nil.
func ptr(x []float64) *C.double { return (*C.double)(unsafe.SliceData(x)) }

func iptr(x []int32) *C.lapack_int { return (*C.lapack_int)(unsafe.SliceData(x)) }

// outcome converts an info code of LAPACK into an error. A negative code means that this file
// passed a wrong argument.
func outcome(routine string, info C.lapack_int) error {
	switch {
	case info < 0:
		panic(fmt.Sprintf("native: argument %d of %s", -info, routine))
	case info > 0:
		return &ConvergenceError{Routine: routine, Info: int(info)}
	}
	return nil
}

func (openBLAS) Cholesky(a blas64.Symmetric) error {
	a = symmetric(a)
	if err := checkSymmetric(a); err != nil || a.N == 0 {
		return err
	}
	defer leave(enter(cube(1./3, a.N)))
	info := C.LAPACKE_dpotrf_work(columns, otherUplo(a.Uplo), C.lapack_int(a.N), ptr(a.Data), C.lapack_int(a.Stride))
	if info > 0 {
		return &NotPositiveDefiniteError{Minor: int(info)}
	}
	return outcome("dpotrf", info)
}

func (openBLAS) SymEig(a blas64.Symmetric, r EigRange, vectors bool) ([]float64, blas64.General, error) {
	a = symmetric(a)
	r.check(a.N)
	if err := checkSymmetric(a); err != nil {
		return nil, blas64.General{}, err
	}
	if a.N == 0 {
		return []float64{}, newGeneral(0, 0), nil
	}
	if r.all(a.N) && a.N <= maxDivide {
		defer leave(enter(cube(4./3, a.N)))
		return dsyevd(a, vectors)
	}
	defer leave(enter(cube(4./3, a.N)))
	return dsyevr(a, r, vectors)
}

// dsyevd computes the whole spectrum by divide and conquer. About 4n³ flops with vectors.
func dsyevd(a blas64.Symmetric, vectors bool) ([]float64, blas64.General, error) {
	n := C.lapack_int(a.N)
	job := C.char('N')
	if vectors {
		job = 'V'
	}
	w := make([]float64, a.N)
	run := func(work []float64, lwork C.lapack_int, iwork []int32, liwork C.lapack_int) C.lapack_int {
		return C.LAPACKE_dsyevd_work(columns, job, otherUplo(a.Uplo), n, ptr(a.Data), C.lapack_int(a.Stride),
			ptr(w), ptr(work), lwork, iptr(iwork), liwork)
	}
	work, iwork := make([]float64, 1), make([]int32, 1)
	if err := outcome("dsyevd", run(work, -1, iwork, -1)); err != nil {
		return nil, blas64.General{}, err
	}
	work, iwork = make([]float64, int(work[0])), make([]int32, iwork[0])
	if err := outcome("dsyevd", run(work, C.lapack_int(len(work)), iwork, C.lapack_int(len(iwork)))); err != nil {
		return nil, blas64.General{}, err
	}
	if !vectors {
		return w, blas64.General{}, nil
	}
	return w, transposed(a.N, a.N, a.Data, a.Stride), nil
}

// dsyevr computes the range r by bisection and inverse iteration, or by multiple relatively robust
// representations if r is the whole spectrum. About 4n³/3 flops and 2n² for each vector; a second
// copy of a.
//
// On matrices with many copies of one eigenvalue dsyevr (LAPACK 3.11) may return fewer pairs than
// the range has, or vectors that are not orthonormal, and report success, or fail with info 1 on
// some processors. The pairs are therefore checked, and dsyevd computes the whole spectrum if they
// do not hold.
func dsyevr(a blas64.Symmetric, r EigRange, vectors bool) ([]float64, blas64.General, error) {
	n := C.lapack_int(a.N)
	if r.Count == 0 {
		r.Count = a.N
	}
	spare := blas64.Symmetric{N: a.N, Stride: a.N, Uplo: a.Uplo, Data: make([]float64, a.N*a.N)}
	for i := range a.N {
		copy(spare.Data[i*a.N:][:a.N], a.Data[i*a.Stride:])
	}
	job, part := C.char('N'), C.char('I')
	if vectors {
		job = 'V'
	}
	w := make([]float64, a.N)
	var z []float64
	if vectors {
		z = make([]float64, a.N*r.Count)
	}
	support := make([]int32, 2*r.Count)
	var found C.lapack_int
	run := func(work []float64, lwork C.lapack_int, iwork []int32, liwork C.lapack_int) C.lapack_int {
		return C.LAPACKE_dsyevr_work(columns, job, part, otherUplo(a.Uplo), n, ptr(a.Data), C.lapack_int(a.Stride),
			0, 0, C.lapack_int(r.First+1), C.lapack_int(r.First+r.Count), 0,
			&found, ptr(w), ptr(z), n, iptr(support), ptr(work), lwork, iptr(iwork), liwork)
	}
	work, iwork := make([]float64, 1), make([]int32, 1)
	if err := outcome("dsyevr", run(work, -1, iwork, -1)); err != nil {
		return nil, blas64.General{}, err
	}
	work, iwork = make([]float64, int(work[0])), make([]int32, iwork[0])
	info := run(work, C.lapack_int(len(work)), iwork, C.lapack_int(len(iwork)))
	if info > 0 || info == 0 && int(found) != r.Count {
		return dsyevdRange(spare, r, vectors)
	}
	if err := outcome("dsyevr", info); err != nil {
		return nil, blas64.General{}, err
	}
	w = w[:r.Count]
	if !vectors {
		return w, blas64.General{}, nil
	}
	v := transposed(a.N, r.Count, z, a.N)
	if !eigenpairsHold(spare, w, v) {
		return dsyevdRange(spare, r, vectors)
	}
	return w, v, nil
}

// dsyevdRange computes the whole spectrum with dsyevd and returns the range r.
func dsyevdRange(a blas64.Symmetric, r EigRange, vectors bool) ([]float64, blas64.General, error) {
	w, v, err := dsyevd(a, vectors)
	if err != nil {
		return nil, blas64.General{}, err
	}
	if vectors {
		all := v
		v = newGeneral(a.N, r.Count)
		for i := range a.N {
			copy(v.Data[i*v.Stride:][:r.Count], all.Data[i*all.Stride+r.First:])
		}
	}
	return w[r.First:][:r.Count], v, nil
}

func (e openBLAS) SymDefEig(a, b blas64.Symmetric, r EigRange, vectors bool) ([]float64, blas64.General, error) {
	return symDefEig(e, a, b, r, vectors, func(a, b blas64.Symmetric) {
		if a.N == 0 {
			return
		}
		defer leave(enter(cube(1, a.N)))
		info := C.LAPACKE_dsygst_work(columns, 1, otherUplo(a.Uplo), C.lapack_int(a.N),
			ptr(a.Data), C.lapack_int(a.Stride), ptr(b.Data), C.lapack_int(b.Stride))
		if info != 0 {
			panic(fmt.Sprintf("native: argument %d of dsygst", -info))
		}
	})
}

func (openBLAS) SVD(a blas64.General) (u blas64.General, s []float64, vt blas64.General, err error) {
	a = general(a)
	p := min(a.Rows, a.Cols)
	u, s, vt = newGeneral(a.Rows, p), make([]float64, p), newGeneral(p, a.Cols)
	if p == 0 {
		return u, s, vt, nil
	}
	if err = checkGeneral(a); err == nil {
		defer leave(enter(2 * float64(a.Rows) * float64(a.Cols) * float64(p)))
		if p <= maxDivide {
			err = dgesdd(a, u, s, vt)
		} else {
			err = dgesvd(a, u, s, vt)
		}
	}
	if err != nil {
		return blas64.General{}, nil, blas64.General{}, err
	}
	return u, s, vt, nil
}

// dgesdd decomposes by divide and conquer; LAPACK's U and Vᵀ are vtᵀ and uᵀ here.
func dgesdd(a, u blas64.General, s []float64, vt blas64.General) error {
	iwork := make([]int32, 8*len(s))
	return withWorkspace("dgesdd", func(work []float64, lwork C.lapack_int) C.lapack_int {
		return C.LAPACKE_dgesdd_work(columns, 'S', C.lapack_int(a.Cols), C.lapack_int(a.Rows), ptr(a.Data), C.lapack_int(a.Stride), ptr(s),
			ptr(vt.Data), C.lapack_int(vt.Stride), ptr(u.Data), C.lapack_int(u.Stride), ptr(work), lwork, iptr(iwork))
	})
}

// dgesvd decomposes by implicit QR, slower and with less memory.
func dgesvd(a, u blas64.General, s []float64, vt blas64.General) error {
	return withWorkspace("dgesvd", func(work []float64, lwork C.lapack_int) C.lapack_int {
		return C.LAPACKE_dgesvd_work(columns, 'S', 'S', C.lapack_int(a.Cols), C.lapack_int(a.Rows), ptr(a.Data), C.lapack_int(a.Stride), ptr(s),
			ptr(vt.Data), C.lapack_int(vt.Stride), ptr(u.Data), C.lapack_int(u.Stride), ptr(work), lwork)
	})
}

// withWorkspace queries a LAPACK routine for its optimal workspace, allocates it and runs the
// routine.
func withWorkspace(routine string, run func(work []float64, lwork C.lapack_int) C.lapack_int) error {
	work := make([]float64, 1)
	if err := outcome(routine, run(work, -1)); err != nil {
		return err
	}
	work = make([]float64, max(1, int(work[0])))
	return outcome(routine, run(work, C.lapack_int(len(work))))
}

// QR works on a column-major copy. Its panels are long and thin, and reflectors across the rows of
// the row-major matrix (dgelqf) take twice the time, copies included. The recursive panels of
// dgeqrt take half the time of dgeqrf's. It uses one thread, for the same bits at any number of
// threads: a second thread would gain little over the panels. Memory: 2mn numbers.
func (openBLAS) QR(a blas64.General) (blas64.Triangular, error) {
	a = general(a)
	r, err := qrResult(a)
	if err != nil || r.N == 0 {
		return r, err
	}
	gate.RLock()
	defer gate.RUnlock()
	m, n := C.lapack_int(a.Rows), C.lapack_int(a.Cols)
	block := min(n, 16)
	if n > 128 {
		block = 32
	}
	reflectors, q := make([]float64, a.Rows*a.Cols), make([]float64, a.Rows*a.Cols)
	factors, work := make([]float64, int(block)*a.Cols), make([]float64, int(block)*a.Cols)
	C.cblas_domatcopy(C.CblasRowMajor, C.CblasTrans, m, n, 1, ptr(a.Data), C.int(a.Stride), ptr(reflectors), m)
	if err := outcome("dgeqrt", C.LAPACKE_dgeqrt_work(columns, m, n, block, ptr(reflectors), m, ptr(factors), block, ptr(work))); err != nil {
		return blas64.Triangular{}, err
	}
	for j := range a.Cols {
		q[j*a.Rows+j] = 1
		for i := range j + 1 {
			r.Data[i*r.Stride+j] = reflectors[j*a.Rows+i]
		}
	}
	if err := outcome("dgemqrt", C.LAPACKE_dgemqrt_work(columns, 'L', 'N', m, n, n, block, ptr(reflectors), m, ptr(factors), block, ptr(q), m, ptr(work))); err != nil {
		return blas64.Triangular{}, err
	}
	C.cblas_domatcopy(C.CblasColMajor, C.CblasTrans, m, n, 1, ptr(q), m, ptr(a.Data), C.int(a.Stride))
	positiveDiagonal(a, r)
	return r, nil
}
