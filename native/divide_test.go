package native

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// tridiagonal68 is the projection of a filtered hypercube on a Krylov space: 68 values, most of
// them copies of 23, on which LAPACK's divide and conquer (dstedc) ends with info 137.
func tridiagonal68(t *testing.T) blas64.Symmetric {
	text := must.Get(os.ReadFile("testdata/tridiagonal68.txt"))(t)
	const n = 68
	a := blas64.Symmetric{N: n, Stride: n, Uplo: blas.Upper, Data: make([]float64, n*n)}
	for i, line := range strings.Fields(string(text)) {
		v := must.Get(strconv.ParseFloat(line, 64))(t)
		if i < n {
			a.Data[i*n+i] = v
		} else {
			a.Data[(i-n)*n+i-n+1] = v
		}
	}
	return a
}

// Where divide and conquer fails, the QR algorithm finds the pairs, whichever triangle is stored.
func TestDivideFails(t *testing.T) {
	for _, uplo := range []blas.Uplo{blas.Upper, blas.Lower} {
		a := tridiagonal68(t)
		n := a.N
		mirror(blas.Upper, n, a.Data, a.Stride)
		a.Uplo = uplo
		whole := append([]float64(nil), a.Data...)
		for i := range n { // the other triangle is not read
			for j := range n {
				if uplo == blas.Upper && j < i || uplo == blas.Lower && j > i {
					a.Data[i*n+j] = math.NaN()
				}
			}
		}
		w, v, err := Default().SymEig(a, EigRange{}, true)
		if err != nil {
			t.Fatal(err)
		}
		for j := range n {
			for i := range n {
				sum := -w[j] * v.Data[i*v.Stride+j]
				for l := range n {
					sum += whole[i*n+l] * v.Data[l*v.Stride+j]
				}
				if math.Abs(sum) > 1e-13*w[n-1] {
					t.Fatalf("pair %d has a residual of %g", j, sum)
				}
			}
		}
	}
}
