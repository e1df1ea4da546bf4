package svd

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// The sum of squares about the means is exact to rounding where the means are large: seconds and
// nanoseconds since 1970, and numbers of which a float64 holds a digit behind the mean.
func TestTotalOfLargeMeans(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	for _, of := range [][2]float64{{0, 1}, {1.7e9, 1}, {1e8, 1e-3}, {1.7e18, 1e6}, {1e16, 3}} {
		const n, d = 200, 5
		x := mat.NewDense(n, d, nil)
		for i := range n {
			for j := range d {
				x.Set(i, j, of[0]+of[1]*rng.NormFloat64())
			}
		}
		m := must.Get(New(context.Background(), x, true))(t)
		// Σ(x − m.offset/Scale)² with the offset that is stored, exactly.
		total := new(big.Float).SetPrec(300)
		for i := range n {
			for j := range d {
				v := new(big.Float).SetPrec(300).SetFloat64(x.At(i, j))
				v.Mul(v, new(big.Float).SetFloat64(m.Scale))
				v.Sub(v, new(big.Float).SetFloat64(m.offset[j]))
				total.Add(total, v.Mul(v, v))
			}
		}
		want, _ := total.Float64()
		if gap := math.Abs(m.Total-want) / want; !(gap < 1e-13) {
			t.Errorf("values %g ± %g: the total is off by %.1e of it", of[0], of[1], gap)
		}
	}
}
