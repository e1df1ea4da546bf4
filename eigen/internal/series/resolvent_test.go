package series

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/panel"
	"gonum.org/v1/gonum/blas/blas64"
)

// Two moments come from each product, and all up to the degree asked for, odd or even, are there:
// Σ h²·T_d(x) and Σ t·h·T_d(x) for a diagonal operator.
func TestMomentsByTheirDefinition(t *testing.T) {
	const n = 60
	low, high := -0.9, 0.7
	rng := rand.New(rand.NewPCG(3, 8))
	d := make([]float64, n)
	for i := range d {
		d[i] = low + (high-low)*rng.Float64()
	}
	op := diagonalMap(d)
	for _, degree := range []int{1, 2, 7, 12} {
		h := space.NewBlock(n, 3)
		for i := range h.Data {
			h.Data[i] = rng.NormFloat64()
		}
		r := &Resolvent{S: op, Top: high, Low: low, High: high}
		m := must.Get(r.Moments(context.Background(), panel.Clone(h), degree))(t)
		check := func(what string, got []float64, a, b int) {
			if len(got) <= degree {
				t.Fatalf("degree %d: %d moments %s", degree, len(got), what)
			}
			for k, v := range got {
				want := 0.0
				for i, x := range d {
					angle := math.Acos((x - (low+high)/2) / ((high - low) / 2))
					want += h.Data[3*i+a] * h.Data[3*i+b] * math.Cos(float64(k)*angle)
				}
				if math.Abs(v-want) > 1e-11*n {
					t.Errorf("degree %d: moment %d %s is %v, want %v", degree, k, what, v, want)
				}
			}
		}
		for c := range 2 {
			check("of h", m.HH[c], c, c)
			check("of t and h", m.TH[c], c, 2)
		}
		check("of t", m.TT, 2, 2)
	}
}

// diagonalMap is an operator with the given eigenvalues and the unit vectors as eigenvectors.
type diagonalMap []float64

func (d diagonalMap) Dims() (r, c int) { return len(d), len(d) }

func (d diagonalMap) MulBlock(dst, x blas64.General) {
	for i, v := range d {
		for j := range x.Cols {
			dst.Data[i*dst.Stride+j] = v * x.Data[i*x.Stride+j]
		}
	}
}
