package lle

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// roll is a swiss roll of n points in three dimensions.
func roll(n int, seed uint64) *mat.Dense {
	r := rand.New(rand.NewPCG(seed, 3))
	x := mat.NewDense(n, 3, nil)
	for i := range n {
		t := 1.5 * math.Pi * (1 + 2*r.Float64())
		x.SetRow(i, []float64{t * math.Cos(t), 21 * r.Float64(), t * math.Sin(t)})
	}
	return x
}

// TestShiftInvert compares shift-invert with LAPACK on the same weights, with the count of
// eigenvalues by inertia.
func TestShiftInvert(t *testing.T) {
	x := roll(1200, 1)
	opt := Options{Dims: 4, Neighbors: 12, Eigen: eigen.Options{Solver: eigen.Dense, Verify: true}}
	exact := must.Get(Fit(context.Background(), x, opt))(t)
	opt.Eigen.Solver = eigen.ShiftInvert
	began := time.Now()
	m := must.Get(Fit(context.Background(), x, opt))(t)
	t.Logf("%v %+v", time.Since(began), m.Stats)
	for j, v := range m.Values {
		if math.Abs(v-exact.Values[j]) > 1e-13 {
			t.Errorf("eigenvalue %d is %g, LAPACK has %g", j, v, exact.Values[j])
		}
	}
	for _, s := range []eigen.Stats{exact.Stats, m.Stats} {
		if s.Inertia == nil || s.Inertia.Below != 5 {
			t.Errorf("%s: inertia %v, want 5 eigenvalues (the constant's is one)", s.Solver, s.Inertia)
		}
	}
}

// BenchmarkFit embeds a swiss roll by shift-invert and by LAPACK, neighbour search included.
func BenchmarkFit(b *testing.B) {
	x := roll(2000, 2)
	for _, solver := range []eigen.Solver{eigen.ShiftInvert, eigen.Auto, eigen.Dense} {
		b.Run(string(solver), func(b *testing.B) {
			for b.Loop() {
				if _, err := Fit(context.Background(), x, Options{Dims: 4, Neighbors: 12, Eigen: eigen.Options{Solver: solver}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
