package cg

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/panel"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// dense is an operator of a matrix that is written out.
type dense struct{ *mat.Dense }

func (d dense) Mul(ctx context.Context, dst, x blas64.General) error {
	view(dst).Mul(d.Dense, view(x))
	return ctx.Err()
}

func (d dense) MulT(ctx context.Context, dst, y blas64.General) error {
	view(dst).Mul(d.T(), view(y))
	return ctx.Err()
}

func view(b blas64.General) *mat.Dense { return mat.NewDense(b.Rows, b.Cols, b.Data) }

// Every column is the solution of the normal equations, and a column of zeros has none to find.
func TestLeast(t *testing.T) {
	const n, d, k = 40, 12, 3
	rng := rand.New(rand.NewPCG(1, 2))
	a, b := mat.NewDense(n, d, nil), panel.New(n, k)
	for i := range n {
		for j := range d {
			a.Set(i, j, rng.NormFloat64())
		}
		b.Data[i*k], b.Data[i*k+2] = rng.NormFloat64(), 1e6*rng.NormFloat64()
	}
	for _, ridge := range []float64{0, 0.5} {
		s := must.Get(NewLeast(ctx, nil, dense{a}, d, ridge, b))(t)
		if err := s.Solve(ctx, Options{Tol: 1e-13, MaxIter: 200}); err != nil || s.open(1e-13) {
			t.Fatalf("ridge %v: %v, %v is left", ridge, err, s.Left)
		}
		var g, right, want mat.Dense
		g.Mul(a.T(), a)
		for j := range d {
			g.Set(j, j, g.At(j, j)+ridge)
		}
		right.Mul(a.T(), view(b))
		must.Do(t, want.Solve(&g, &right))
		for j := range d {
			for c := range k {
				if v := s.X.Data[j*k+c]; math.Abs(v-want.At(j, c)) > 1e-9*(1+math.Abs(want.At(j, c))) || c == 1 && v != 0 {
					t.Errorf("ridge %v: X(%d, %d) = %v, want %v", ridge, j, c, v, want.At(j, c))
				}
			}
		}
	}
}

func TestLeastStops(t *testing.T) {
	a := mat.NewDense(3, 3, []float64{1, 2, 3, 4, 5, 6.5, 7, 8, 10})
	b := panel.New(3, 1)
	b.Data[0] = 1
	s := must.Get(NewLeast(ctx, nil, dense{a}, 3, 0, b))(t)
	if err := s.Solve(ctx, Options{Tol: 1e-15, MaxIter: 1}); err != nil || s.Iterations != 1 || !s.open(1e-15) {
		t.Errorf("one step: %v, %d steps, %v is left", err, s.Iterations, s.Left)
	}
	over, cancel := context.WithCancel(ctx)
	cancel()
	if err := s.Solve(over, Options{Tol: 1e-15, MaxIter: 9}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
