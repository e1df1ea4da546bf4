package native

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
)

// Engine is one implementation of the dense kernels. Engines have no state and are safe for
// concurrent use.
type Engine interface {
	// Name is "openblas" or "go".
	Name() string

	// Gemm computes c = alpha*op(a)*op(b) + beta*c. 2mnk flops.
	Gemm(tA, tB blas.Transpose, alpha float64, a, b blas64.General, beta float64, c blas64.General)
	// GemmFloat32 computes c = a*bᵀ in float32, on the caller's thread. 2mnk flops.
	GemmFloat32(a, b, c blas32.General)
	// Syrk computes c = alpha*op(a)*op(a)ᵀ + beta*c on the triangle c.Uplo: op(a) is a for NoTrans,
	// aᵀ for Trans. n²k flops.
	Syrk(t blas.Transpose, alpha float64, a blas64.General, beta float64, c blas64.Symmetric)
	// Gemv computes y = alpha*op(a)*x + beta*y. x.N and y.N must fit op(a). 2mn flops.
	Gemv(t blas.Transpose, alpha float64, a blas64.General, x blas64.Vector, beta float64, y blas64.Vector)
	// Trsm solves op(a)*X = alpha*b (Left) or X*op(a) = alpha*b (Right) and overwrites b with X. A
	// zero on a's diagonal gives infinities, as in BLAS.
	Trsm(side blas.Side, t blas.Transpose, alpha float64, a blas64.Triangular, b blas64.General)

	// Cholesky overwrites the triangle a.Uplo of a with its factor (a = UᵀU or LLᵀ). A matrix that
	// is not positive definite gives *NotPositiveDefiniteError and leaves the triangle partly
	// overwritten. n³/3 flops.
	Cholesky(a blas64.Symmetric) error

	// SymEig returns eigenvalues of a, ascending. If vectors is set, it also returns the
	// eigenvectors as the orthonormal columns, of arbitrary sign, of an n×k row-major matrix. It
	// overwrites a. The zero EigRange means the whole spectrum. OpenBLAS finds it, and a sixth of a
	// small one or more, by divide and conquer (dsyevd), other index ranges by dsyevr.
	SymEig(a blas64.Symmetric, r EigRange, vectors bool) (values []float64, v blas64.General, err error)
	// SymDefEig is SymEig for a*x = λ*b*x with b positive definite; vectors are b-orthonormal. It
	// overwrites both triangles of a and b. It reduces the problem with the Cholesky factor of b,
	// like dsygvd.
	SymDefEig(a, b blas64.Symmetric, r EigRange, vectors bool) (values []float64, v blas64.General, err error)
	// SVD returns the thin singular value decomposition a = u*diag(s)*vt of an m×n matrix, s
	// descending: u m×p, vt p×n, p = min(m, n). It overwrites a.
	SVD(a blas64.General) (u blas64.General, s []float64, vt blas64.General, err error)
	// QR overwrites a (m×n, m ≥ n) with an orthonormal basis of its column space and returns the
	// n×n upper triangular R with a = Q*R and a non-negative diagonal. If the columns are
	// dependent, Q holds additional orthonormal columns and R zeros (up to rounding) on its
	// diagonal.
	QR(a blas64.General) (r blas64.Triangular, err error)
}

// EigRange selects eigenvalues by index, ascending from 0: First..First+Count-1. Count 0 means all
// of them; First must then be 0.
type EigRange struct{ First, Count int }

// all reports whether r is the whole spectrum of a matrix of order n.
func (r EigRange) all(n int) bool { return r.Count == 0 || r.Count == n }

// check panics if r is not inside the spectrum of a matrix of order n.
func (r EigRange) check(n int) {
	if r.First < 0 || r.Count < 0 || r.First > n-r.Count || (r.Count == 0 && r.First != 0) {
		panic(badRange)
	}
}
