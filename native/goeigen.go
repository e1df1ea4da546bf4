package native

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
)

// goSymEig computes the eigenpairs r of a (Count not 0) with gonum's LAPACK: reduction to a
// tridiagonal T, 4n³/3 flops, and then one of
//
//   - without vectors: the eigenvalues of T only, n²;
//   - with at most half of the vectors: inverse iteration (tridiagonal.go: O(nk), and 2nk² within
//     clusters) and the back transformation, 2n²k;
//   - otherwise, or if inverse iteration fails its check: implicit QR for all vectors, as in dsyev,
//     about 6n³.
func goSymEig(a blas64.Symmetric, r EigRange, vectors bool) ([]float64, blas64.General, error) {
	n := a.N
	// gonum has the back transformation only for reflectors below the diagonal.
	if a.Uplo == blas.Upper {
		mirror(blas.Upper, n, a.Data, a.Stride)
		a.Uplo = blas.Lower
	}
	undo := rescale(a)
	d, e, tau := make([]float64, n), make([]float64, n), make([]float64, n)
	e, tau = e[:n-1], tau[:n-1]
	work := workspace(func(work []float64) { goLAPACK.Dsytrd(blas.Lower, n, a.Data, a.Stride, d, e, tau, work, -1) })
	goLAPACK.Dsytrd(blas.Lower, n, a.Data, a.Stride, d, e, tau, work, len(work))
	flush(d)
	flush(e)

	var values []float64
	var v blas64.General
	switch done := false; {
	case !vectors:
		if !goLAPACK.Dsterf(n, d, e) {
			return nil, v, &ConvergenceError{Routine: "dsterf"}
		}
		values = d[r.First : r.First+r.Count]
	case 2*r.Count <= n:
		if values, v, done = tridiagonalRange(d, e, r); done {
			goReflect(a, tau, v)
			break
		}
		fallthrough
	default:
		q := blas64.General{Rows: n, Cols: n, Stride: a.Stride, Data: a.Data}
		if wholeReflectors(a) {
			work = workspace(func(work []float64) { goLAPACK.Dorgtr(blas.Lower, n, a.Data, a.Stride, tau, work, -1) })
			goLAPACK.Dorgtr(blas.Lower, n, a.Data, a.Stride, tau, work, len(work))
		} else {
			q = newGeneral(n, n)
			for i := range n {
				q.Data[i*q.Stride+i] = 1
			}
			goReflect(a, tau, q)
		}
		if !goLAPACK.Dsteqr(lapack.EVOrig, n, d, e, q.Data, q.Stride, make([]float64, max(1, 2*n-2))) {
			return nil, blas64.General{}, &ConvergenceError{Routine: "dsteqr"}
		}
		values, v = d[r.First:r.First+r.Count], goColumns(q, r)
	}
	for i := range values {
		values[i] *= undo
	}
	return values, v, nil
}

// goReflect multiplies v by the orthogonal matrix that dsytrd left in a and tau.
func goReflect(a blas64.Symmetric, tau []float64, v blas64.General) {
	n := a.N
	if n < 2 {
		return
	}
	reflectors, below := a.Data[a.Stride:], v.Data[v.Stride:]
	if !wholeReflectors(a) {
		goLAPACK.Dorm2r(blas.Left, blas.NoTrans, n-1, v.Cols, n-1, reflectors, a.Stride, tau, below, v.Stride, make([]float64, v.Cols))
		return
	}
	apply := func(work []float64, lwork int) {
		goLAPACK.Dormqr(blas.Left, blas.NoTrans, n-1, v.Cols, n-1, reflectors, a.Stride, tau, below, v.Stride, work, lwork)
	}
	work := workspace(func(work []float64) { apply(work, -1) })
	apply(work, len(work))
}

// wholeReflectors reports whether every reflector that dsytrd left below the diagonal reaches the
// last row. If one ends early and a shorter one follows, as in matrices of several blocks, gonum's
// Dlarft (0.17; its forward branch uses i > 1 for Fortran's I > 1, which counts from 1) omits rows,
// and the blocked routines that use it (Dormqr, Dorgqr and Dgeqrf) return wrong results without an
// error. The unblocked routines do not use it.
func wholeReflectors(a blas64.Symmetric) bool {
	if a.N < 2 {
		return true
	}
	return !slices.Contains(a.Data[(a.N-1)*a.Stride:][:a.N-1], 0)
}

// goColumns copies the columns of r out of all eigenvectors.
func goColumns(q blas64.General, r EigRange) blas64.General {
	v := newGeneral(q.Rows, r.Count)
	for i := range q.Rows {
		copy(v.Data[i*v.Stride:][:r.Count], q.Data[i*q.Stride+r.First:])
	}
	return v
}

// rescale multiplies a lower triangle by a power of two that brings its largest entry near 1, if
// that entry is far from 1, and returns the factor that restores the eigenvalues. Otherwise gonum's
// routines overflow or underflow, or panic in their own scaling (dsterf in gonum 0.17).
func rescale(a blas64.Symmetric) (undo float64) {
	var largest float64
	for i := range a.N {
		largest = max(largest, largestOf(a.Data[i*a.Stride:][:i+1]))
	}
	one, two, undo := scaleFactors(largest)
	if undo != 1 {
		for i := range a.N {
			row := a.Data[i*a.Stride:][:i+1]
			for j := range row {
				row[j] = row[j] * one * two
			}
		}
	}
	return undo
}

// scaleFactors returns two powers of two (their product may be out of range) that bring largest
// near 1, and the inverse of their product. All are 1 if largest is between 2^-100 and 2^100.
func scaleFactors(largest float64) (one, two, undo float64) {
	if largest == 0 || (0x1p-100 < largest && largest < 0x1p100) {
		return 1, 1, 1
	}
	_, exp := math.Frexp(largest)
	exp-- // 2^1024 overflows
	return math.Ldexp(1, -exp/2), math.Ldexp(1, -(exp - exp/2)), math.Ldexp(1, exp)
}

func largestOf(x []float64) float64 {
	var largest float64
	for _, v := range x {
		largest = max(largest, math.Abs(v))
	}
	return largest
}

// flush sets entries far below rounding to zero in a tridiagonal matrix that is not itself tiny.
func flush(x []float64) {
	for i, v := range x {
		if math.Abs(v) < 0x1p-200 {
			x[i] = 0
		}
	}
}
