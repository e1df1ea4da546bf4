package native

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// symDefEig solves a*x = λ*b*x on any engine with the steps of LAPACK's dsygvd: factor b, reduce to
// the ordinary problem in a, solve it (completely or by range) and undo the reduction on the
// vectors. reduce overwrites the triangle of a with inv(Uᵀ)*a*inv(U) or inv(L)*a*inv(Lᵀ); b then
// holds the factor in the same triangle.
func symDefEig(e Engine, a, b blas64.Symmetric, r EigRange, vectors bool, reduce func(a, b blas64.Symmetric)) ([]float64, blas64.General, error) {
	a, b = symmetric(a), symmetric(b)
	if a.N != b.N {
		panic(badShape)
	}
	r.check(a.N)
	if err := checkSymmetric(a); err != nil {
		return nil, blas64.General{}, err
	}
	if b.Uplo != a.Uplo {
		mirror(b.Uplo, b.N, b.Data, b.Stride)
		b.Uplo = a.Uplo
	}
	if err := e.Cholesky(b); err != nil {
		return nil, blas64.General{}, err
	}
	reduce(a, b)
	values, v, err := e.SymEig(a, r, vectors)
	if err != nil || !vectors {
		return values, v, err
	}
	t := blas.NoTrans
	if b.Uplo == blas.Lower {
		t = blas.Trans
	}
	e.Trsm(blas.Left, t, 1, factor(b), v)
	return values, v, nil
}

// factor views a Cholesky factor as a triangular matrix.
func factor(b blas64.Symmetric) blas64.Triangular {
	return blas64.Triangular{Uplo: b.Uplo, Diag: blas.NonUnit, N: b.N, Data: b.Data, Stride: b.Stride}
}
