package lda

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Data in other units give the same analysis: values that are shares, directions in the units'
// inverse, the same coordinates.
func TestUnitsDoNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 18))
	for _, size := range [][2]int{{60, 12}, {20, 40}} {
		x, known := classes(rng, size[0], size[1], 3, true)
		plain := fit(t, x, known, 3, Options{Ridge: ridge(0)})
		shrunk := fit(t, x, known, 3, Options{Shrinkage: 0.3})
		for _, e := range []int{-498, -300, -40, -27, 40, 498} {
			by := make([]float64, size[0])
			for i := range by {
				by[i] = math.Ldexp(1, e)
			}
			for want, opt := range map[*Model]Options{plain: {Ridge: ridge(0)}, shrunk: {Shrinkage: 0.3}} {
				for _, in := range []mat.Matrix{x.ScaleRows(by), x.ScaleRows(by).ToDense()} {
					m, err := Fit(ctx, in, known, 3, opt)
					if err != nil {
						t.Fatalf("2^%d, %+v: %v", e, opt, err)
					}
					if len(m.Values) != len(want.Values) {
						t.Fatalf("2^%d, %+v: %d directions, were %d", e, opt, len(m.Values), len(want.Values))
					}
					if gap := distance(m.Embedding, want.Embedding); !(gap < 1e-6) {
						t.Errorf("%v, 2^%d, %+v: coordinates differ by %g", size, e, opt, gap)
					}
				}
			}
		}
	}
}

// distance compares products of coordinates, which equal values of μ leave in place.
func distance(a, b *mat.Dense) float64 {
	var u, v mat.Dense
	u.Mul(a, a.T())
	v.Mul(b, b.T())
	u.Sub(&u, &v)
	return mat.Norm(&u, 2) / mat.Norm(&v, 2)
}

// A ridge in units of ordinary data shrinks faint data to small μ, but their classes are no less
// apart.
func TestFaintDataUnderARidge(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 18))
	x, known := classes(rng, 60, 12, 3, false)
	plain := fit(t, x, known, 3, Options{Ridge: ridge(1e12)}) // all shrinkage, as for faint data
	for _, e := range []int{-20, -24, -40, -60} {
		by := make([]float64, 60)
		for i := range by {
			by[i] = math.Ldexp(1, e)
		}
		m, err := Fit(ctx, x.ScaleRows(by), known, 3, Options{Ridge: ridge(1)})
		if err != nil {
			t.Fatalf("2^%d: %v", e, err)
		}
		if len(m.Values) != 2 {
			t.Fatalf("2^%d: %d directions", e, len(m.Values))
		}
		if gap := apart(m.Projection, plain.Projection); gap > 1e-4 {
			t.Errorf("2^%d: sine of the largest angle %g", e, gap)
		}
	}
}
