package nmf

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The conditions of Karush, Kuhn and Tucker hold in any units: x ≥ 0, slope p − Gx ≤ 0, and zero
// where x is positive. A column that repeats another one gets no part of its own.
func TestNNLSInAnyUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	for range 200 {
		k := 2 + rng.IntN(6)
		a := mat.NewDense(k+3, k, nil)
		a.Apply(func(_, _ int, _ float64) float64 { return rng.Float64() }, a)
		if rng.IntN(2) == 0 {
			a.SetCol(0, mat.Col(nil, 1, a))
		}
		var gram, p mat.Dense
		gram.Mul(a.T(), a)
		y := mat.NewDense(k+3, 1, nil)
		y.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() + 0.5 }, y)
		p.Mul(a.T(), y)
		first := make([]float64, k)
		for _, unit := range []float64{1, 0x1p-60, 0x1p60} {
			var g mat.Dense
			g.Scale(unit, &gram)
			b := mat.Col(nil, 0, &p)
			for j := range b {
				b[j] *= unit
			}
			x := make([]float64, k)
			newNNLS(g.RawMatrix()).solve(x, b)
			for j := range k {
				slope := b[j]
				for i, v := range x {
					slope -= g.At(j, i) * v
				}
				if slope /= unit; x[j] < 0 || slope > 1e-9 || x[j] > 0 && math.Abs(slope) > 1e-9 {
					t.Fatalf("units of %g: x is %v, the slope of %d is %g", unit, x, j, slope)
				}
			}
			if unit == 1 {
				copy(first, x)
			}
			for j := range x {
				if x[j] != first[j] {
					t.Fatalf("in units of %g x is %v, not %v", unit, x, first)
				}
			}
		}
	}
}
