package exact

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Sums of four rows at a time have the bits of the sum of one pair, in assembly and in Go.
func TestPairSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(36, 1))
	for _, d := range []int{1, 3, 4, 7, 33, 128} {
		x := mat.NewDense(11, d, nil)
		x.Apply(func(_, _ int, _ float64) float64 { return math.Ldexp(rng.NormFloat64(), rng.IntN(30)) }, x)
		m := denseRows{x: x.RawMatrix()}
		for count := range 10 {
			js := InOrder(11)[1 : 1+count]
			dist2, dot := make([]float64, count), make([]float64, count)
			m.directs(0, js, dist2)
			m.dots(0, js, dot)
			for c, j := range js {
				if want := m.direct(0, int(j)); dist2[c] != want {
					t.Errorf("%d columns, row %d of %d: %v, not %v", d, c, count, dist2[c], want)
				}
				if want := m.dot(0, int(j)); dot[c] != want {
					t.Errorf("%d columns, row %d of %d: product %v, not %v", d, c, count, dot[c], want)
				}
			}
		}
		b := [togetherRows][]float64{m.row(1, nil), m.row(2, nil), m.row(3, nil), m.row(4, nil)}
		var got, want partSums
		squares(m.row(0, nil), &b, &got)
		squaresGo(m.row(0, nil), &b, &want)
		if got != want {
			t.Errorf("%d columns: %v, not %v", d, got, want)
		}
		got, want = partSums{}, partSums{}
		products(m.row(0, nil), &b, &got)
		productsGo(m.row(0, nil), &b, &want)
		if got != want {
			t.Errorf("%d columns: products %v, not %v", d, got, want)
		}
	}
}
