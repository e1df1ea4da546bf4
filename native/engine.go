package native

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Engine is one implementation of the dense kernels. Engines are stateless and safe for concurrent use.
type Engine interface {
	// Name is "openblas" or "go".
	Name() string

	// Gemm computes c = alpha*op(a)*op(b) + beta*c. 2mnk flops.
	Gemm(tA, tB blas.Transpose, alpha float64, a, b blas64.General, beta float64, c blas64.General)
	// Syrk computes c = alpha*op(a)*op(a)ᵀ + beta*c on the triangle c.Uplo: op(a) is a for NoTrans, aᵀ for Trans. n²k flops.
	Syrk(t blas.Transpose, alpha float64, a blas64.General, beta float64, c blas64.Symmetric)
	// Gemv computes y = alpha*op(a)*x + beta*y. x.N and y.N must fit op(a). 2mn flops.
	Gemv(t blas.Transpose, alpha float64, a blas64.General, x blas64.Vector, beta float64, y blas64.Vector)
	// Trsm solves op(a)*X = alpha*b (Left) or X*op(a) = alpha*b (Right) in place of b. A zero on
	// a's diagonal gives infinities, as in BLAS.
	Trsm(side blas.Side, t blas.Transpose, alpha float64, a blas64.Triangular, b blas64.General)

	// Cholesky overwrites the triangle a.Uplo of a by its factor (a = UᵀU or LLᵀ). A matrix that is not
	// positive definite gives *NotPositiveDefiniteError and leaves the triangle partly overwritten. n³/3 flops.
	Cholesky(a blas64.Symmetric) error

	// SymEig returns eigenvalues of a, ascending, and with vectors the eigenvectors as columns of an
	// n×k row-major matrix, orthonormal, of any sign. a is overwritten. The zero EigRange is the whole spectrum,
	// computed by divide and conquer (dsyevd); an index range goes through dsyevr.
	SymEig(a blas64.Symmetric, r EigRange, vectors bool) (values []float64, v blas64.General, err error)
	// SymDefEig is SymEig for a*x = λ*b*x with b positive definite; vectors are b-orthonormal. a and b are
	// overwritten, both triangles of each. It reduces with the Cholesky factor of b, as dsygvd does.
	SymDefEig(a, b blas64.Symmetric, r EigRange, vectors bool) (values []float64, v blas64.General, err error)
	// SVD returns the thin singular value decomposition a = u*diag(s)*vt, s descending, of an m×n matrix:
	// u m×p, vt p×n, p = min(m, n). a is overwritten.
	SVD(a blas64.General) (u blas64.General, s []float64, vt blas64.General, err error)
	// QR overwrites a (m×n, m ≥ n) by an orthonormal basis of its columns' space and returns the n×n upper
	// triangular R with a = Q*R and a non-negative diagonal. Where the columns are dependent, Q holds further
	// orthonormal columns and R zeros (up to rounding) on its diagonal.
	QR(a blas64.General) (r blas64.Triangular, err error)
}

// EigRange picks eigenvalues by index, ascending from 0: First..First+Count-1. Count 0 means all of
// them (First must be 0 then).
type EigRange struct{ First, Count int }

// all tells whether r is the whole spectrum of a matrix of order n.
func (r EigRange) all(n int) bool { return r.Count == 0 || r.Count == n }

// check panics where r does not lie in the spectrum of a matrix of order n.
func (r EigRange) check(n int) {
	if r.First < 0 || r.Count < 0 || r.First > n-r.Count || (r.Count == 0 && r.First != 0) {
		panic(badRange)
	}
}
