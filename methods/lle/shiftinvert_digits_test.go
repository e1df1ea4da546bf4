package lle

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"gonum.org/v1/gonum/mat"
)

// Points in ten dimensions have no small separators, and yet a sparse factor is faster than LAPACK
// from some thousand on; it finds the same values.
func TestFactorOfManyDimensions(t *testing.T) {
	rnd := rand.New(rand.NewPCG(36, 7))
	x := mat.NewDense(1500, 10, nil)
	for i := range 1500 {
		for j := range 10 {
			x.Set(i, j, rnd.NormFloat64())
		}
	}
	opt := Options{Dims: 5, Neighbors: 10}
	chosen, err := Fit(context.Background(), x, opt)
	if err != nil {
		t.Fatal(err)
	}
	if chosen.Stats.Solver != eigen.ShiftInvert {
		t.Errorf("the solver is %s", chosen.Stats.Solver)
	}
	opt.Eigen.Solver = eigen.Dense
	dense, err := Fit(context.Background(), x, opt)
	if err != nil {
		t.Fatal(err)
	}
	for j, v := range dense.Values {
		if math.Abs(chosen.Values[j]-v) > 1e-9 {
			t.Errorf("value %d is %g, by LAPACK %g", j, chosen.Values[j], v)
		}
	}
}
