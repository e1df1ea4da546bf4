package native

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// qrResult checks the matrix given to QR and allocates its R.
func qrResult(a blas64.General) (blas64.Triangular, error) {
	n := a.Cols
	if a.Rows < n {
		panic(badTall)
	}
	if err := checkGeneral(a); err != nil {
		return blas64.Triangular{}, err
	}
	return blas64.Triangular{Uplo: blas.Upper, Diag: blas.NonUnit, N: n, Stride: max(1, n), Data: make([]float64, n*n)}, nil
}

// copyUpper copies the upper triangle of a's first rows to r.
func copyUpper(r blas64.Triangular, a blas64.General) {
	for i := range r.N {
		copy(r.Data[i*r.Stride+i:(i+1)*r.Stride], a.Data[i*a.Stride+i:][:r.N-i])
	}
}

// positiveDiagonal makes the diagonal of R non-negative. It changes the signs of rows of R and of
// the corresponding columns of Q.
func positiveDiagonal(q blas64.General, r blas64.Triangular) {
	for j := range r.N {
		row := r.Data[j*r.Stride:][:r.N]
		if row[j] >= 0 {
			continue
		}
		for l := j; l < r.N; l++ {
			row[l] = -row[l]
		}
		for i := range q.Rows {
			q.Data[i*q.Stride+j] = -q.Data[i*q.Stride+j]
		}
	}
}
