//go:build cgo && !purego

package native

import (
	"fmt"
	"gonum.org/v1/gonum/blas"

	"gonum.org/v1/gonum/blas/blas64"
)

// LAPACK is column-major. A row-major matrix is passed as its transpose, without a copy: a
// symmetric one by naming the other triangle; U and V of a general one come out exchanged. netlib's
// lapacke package is not used for these, because it returns no info code and transposes row-major
// matrices back and forth.

// maxDivide is the largest order for the divide-and-conquer routines: beyond it, LAPACK's 32-bit
// integers cannot hold the size of their workspace of several n².
const maxDivide = 20000

// outcome converts an info code of LAPACK into an error. A negative code means that this file
// passed a wrong argument.
func outcome(routine string, info int) error {
	switch {
	case info < 0:
		panic(fmt.Sprintf("native: argument %d of %s", -info, routine))
	case info > 0:
		return &ConvergenceError{Routine: routine, Info: info}
	}
	return nil
}

func (openBLAS) Cholesky(a blas64.Symmetric) error {
	a = symmetric(a)
	if err := checkSymmetric(a); err != nil || a.N == 0 {
		return err
	}
	defer leave(enter(cube(1./3, a.N)))
	info := clapack.dpotrf(a)
	if info > 0 {
		return &NotPositiveDefiniteError{Minor: info}
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
	if vectors && a.N <= divideMost && r.Count >= a.N/divideShare {
		return dsyevdRange(a, r, vectors)
	}
	return dsyevr(a, r, vectors)
}

// Up to order divideMost, divide and conquer finds all pairs sooner than dsyevr finds one in
// divideShare of them: 30 of 64 in 0.6 of the time, 50 of 256 in 0.9 (BenchmarkSymEigPart).
// It needs no check of its pairs.
const (
	divideMost  = 512
	divideShare = 6
)

// dsyevd computes the whole spectrum by divide and conquer. About 4n³ flops with vectors, and a
// copy of the triangle.
//
// On matrices with few values, each of many copies, dstedc (LAPACK 3.11 and 3.12) may not find a
// root of its secular equation, on every processor. The QR algorithm then finds the pairs.
func dsyevd(a blas64.Symmetric, vectors bool) ([]float64, blas64.General, error) {
	w := make([]float64, a.N)
	work, iwork := make([]float64, 1), make([]int32, 1)
	if err := outcome("dsyevd", clapack.dsyevd(vectors, a, w, work, -1, iwork, -1)); err != nil {
		return nil, blas64.General{}, err
	}
	work, iwork = make([]float64, int(work[0])), make([]int32, iwork[0])
	var spare []float64
	if vectors { // without them dsterf finds the values
		spare = triangle(a)
	}
	info := clapack.dsyevd(vectors, a, w, work, len(work), iwork, len(iwork))
	if info > 0 && vectors {
		setTriangle(a, spare)
		return goSymEig(a, EigRange{Count: a.N}, true)
	}
	if err := outcome("dsyevd", info); err != nil {
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
	if r.Count == 0 {
		r.Count = a.N
	}
	spare := blas64.Symmetric{N: a.N, Stride: a.N, Uplo: a.Uplo, Data: make([]float64, a.N*a.N)}
	for i := range a.N {
		copy(spare.Data[i*a.N:][:a.N], a.Data[i*a.Stride:])
	}
	w := make([]float64, a.N)
	var z []float64
	if vectors {
		z = make([]float64, a.N*r.Count)
	}
	support, found := make([]int32, 2*r.Count), make([]int32, 1)
	work, iwork := make([]float64, 1), newIntegerWork(1)
	if err := outcome("dsyevr", clapack.dsyevr(a, r, found, w, z, support, work, -1, iwork, -1)); err != nil {
		return nil, blas64.General{}, err
	}
	size := int(*iwork.first())
	work, iwork = make([]float64, int(work[0])), newIntegerWork(size)
	info := clapack.dsyevr(a, r, found, w, z, support, work, len(work), iwork, size)
	if info > 0 || info == 0 && int(found[0]) != r.Count {
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
		info := clapack.dsygst(a, b)
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

// dgesdd decomposes by divide and conquer.
func dgesdd(a, u blas64.General, s []float64, vt blas64.General) error {
	iwork := make([]int32, 8*len(s))
	return withWorkspace("dgesdd", func(work []float64, lwork int) int { return clapack.dgesdd(a, u, s, vt, work, lwork, iwork) })
}

// dgesvd decomposes by implicit QR, slower and with less memory.
func dgesvd(a, u blas64.General, s []float64, vt blas64.General) error {
	return withWorkspace("dgesvd", func(work []float64, lwork int) int { return clapack.dgesvd(a, u, s, vt, work, lwork) })
}

// withWorkspace queries a LAPACK routine for its optimal workspace, allocates it and runs the
// routine.
func withWorkspace(routine string, run func(work []float64, lwork int) int) error {
	work := make([]float64, 1)
	if err := outcome(routine, run(work, -1)); err != nil {
		return err
	}
	work = make([]float64, max(1, int(work[0])))
	return outcome(routine, run(work, len(work)))
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
	m, n := a.Rows, a.Cols
	block := min(n, 16)
	if n > 128 {
		block = 32
	}
	reflectors, q := make([]float64, m*n), make([]float64, m*n)
	factors, work := make([]float64, block*n), make([]float64, block*n)
	clapack.transpose(m, n, a.Data, a.Stride, reflectors, m)
	if err := outcome("dgeqrt", clapack.dgeqrt(m, n, block, reflectors, factors, work)); err != nil {
		return blas64.Triangular{}, err
	}
	for j := range n {
		q[j*m+j] = 1
		for i := range j + 1 {
			r.Data[i*r.Stride+j] = reflectors[j*m+i]
		}
	}
	if err := outcome("dgemqrt", clapack.dgemqrt(m, n, block, reflectors, factors, q, work)); err != nil {
		return blas64.Triangular{}, err
	}
	clapack.transpose(n, m, q, m, a.Data, a.Stride)
	positiveDiagonal(a, r)
	return r, nil
}

// triangle copies the triangle of a that is stored, row by row.
func triangle(a blas64.Symmetric) []float64 {
	list := make([]float64, 0, a.N*(a.N+1)/2)
	for i := range a.N {
		lo, hi := inTriangle(a, i)
		list = append(list, a.Data[i*a.Stride+lo:i*a.Stride+hi]...)
	}
	return list
}

// setTriangle is the inverse of triangle.
func setTriangle(a blas64.Symmetric, list []float64) {
	for i := range a.N {
		lo, hi := inTriangle(a, i)
		list = list[copy(a.Data[i*a.Stride+lo:i*a.Stride+hi], list):]
	}
}

// inTriangle are the columns of row i that the triangle of a has.
func inTriangle(a blas64.Symmetric, i int) (lo, hi int) {
	if a.Uplo == blas.Upper {
		return i, a.N
	}
	return 0, i + 1
}
