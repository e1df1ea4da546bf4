package factor

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// The norms of an operator with entries of both signs bound its 2-norm, the largest |eigenvalue| of
// LAPACK, from both sides.
func TestNormsEncloseTheTwoNorm(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for _, n := range []int{1, 2, 7, 30} {
		for _, sign := range []float64{-1, 0, 1} {
			b, dense := sparse.NewBuilder(n, n), mat.NewSymDense(n, nil)
			for i := range n {
				for j := range i + 1 {
					v := rng.NormFloat64()
					if sign != 0 {
						v = sign * math.Abs(v)
					}
					dense.SetSym(i, j, v)
					b.Add(i, j, v)
					if j < i {
						b.Add(j, i, v)
					}
				}
			}
			a := must.Get(b.Build())(t)
			var lapack mat.EigenSym
			if !lapack.Factorize(dense, false) {
				t.Fatal("LAPACK does not converge")
			}
			values := lapack.Values(nil)
			two := max(math.Abs(values[0]), math.Abs(values[n-1]))
			s := &Spectrum{n: n}
			s.setNorms(a, nil, nil)
			if s.norm < two*(1-1e-12) || s.least > two*(1+1e-12) || s.least <= 0 {
				t.Errorf("n = %d, sign %v: the 2-norm %v is not between %v and %v", n, sign, two, s.least, s.norm)
			}
		}
	}
}
