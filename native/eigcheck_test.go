package native

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// The check of eigenpairs accepts LAPACK's and rejects vectors that are turned, doubled or of
// another value.
func TestEigenpairsHold(t *testing.T) {
	for _, n := range []int{1, 3, 60} {
		for _, scale := range []float64{1e-200, 1, 1e200} {
			rng := rand.New(rand.NewPCG(1, uint64(n)))
			a := blas64.Symmetric{N: n, Stride: n, Uplo: blas.Upper, Data: make([]float64, n*n)}
			for i := range a.Data {
				a.Data[i] = scale * rng.NormFloat64()
			}
			spare := a
			spare.Data = append([]float64(nil), a.Data...)
			values, v, err := goEngine{}.SymEig(spare, EigRange{}, true)
			if err != nil {
				t.Fatal(err)
			}
			if !eigenpairsHold(a, values, v) {
				t.Errorf("n = %d, scale %g: good pairs are rejected", n, scale)
			}
			if n == 1 {
				continue
			}
			for name, spoil := range map[string]func(){
				"turned":  func() { v.Data[0] += 1e-6 },
				"doubled": func() { v.Data[0], v.Data[1] = v.Data[1], v.Data[0] },
				"value":   func() { values[1] += 1e-6 * scale },
			} {
				data, first := append([]float64(nil), v.Data...), values[1]
				spoil()
				if eigenpairsHold(a, values, v) {
					t.Errorf("n = %d, scale %g: %s passes", n, scale, name)
				}
				copy(v.Data, data)
				values[1] = first
			}
		}
	}
}
