package krylov

import (
	"testing"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"gonum.org/v1/gonum/blas/blas64"
)

// A pair is locked by its measure only if that meets the share of the tolerance, also where
// rounding does not allow the share for the bound of the residual.
func TestLockedByItsMeasure(t *testing.T) {
	for _, c := range []struct {
		measured float64
		want     bool
	}{{0.9, false}, {0.4, true}} {
		k := &krylov{Task: problem.Task{N: 10, K: 2, Tol: 1e-14}, basis: space.NewBasis(10, 4, nil, 1), scale: 1, x: make([]float64, 80), w: make([]float64, 80)}
		k.basis.Size, k.active, k.next = 2, 1, 1
		k.t, k.b = space.NewBlock(4, 4), space.NewBlock(1, 1)
		one := space.NewBlock(1, 1)
		one.Data[0] = 1
		r := &ritz{values: []float64{1}, theta: []float64{1}, raw: []float64{5e-14}, residuals: []float64{5e-14}, vectors: one}
		k.Measured = 100 * k.Tol // so much may measuring gain
		k.Measure = func(_ space.Space, u, _ blas64.General) []float64 { return []float64{c.measured * k.Measured} }
		if r.plan(k); (r.lock == 1) != c.want {
			t.Errorf("measured %v of the tolerance: %d locked", c.measured, r.lock)
		}
	}
}
