package cg

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var ctx = context.Background()

// random is a system of n unknowns and k columns with the norm of T at most norm, and weights over
// six orders of magnitude.
func random(n, k int, norm float64, seed uint64) System {
	rng := rand.New(rand.NewPCG(seed, 3))
	b := sparse.NewBuilder(n, n)
	for i := range n {
		for range 4 {
			j, v := rng.IntN(n), rng.Float64()-0.3
			b.Add(i, j, v)
			b.Add(j, i, v)
		}
	}
	t, err := b.Build()
	if err != nil {
		panic(err)
	}
	sums := make([]float64, n) // D^-1/2 W D^-1/2 with D the sums of absolute values has norm at most 1
	for i := range n {
		_, vals := t.Row(i)
		for _, v := range vals {
			sums[i] += math.Abs(v)
		}
		sums[i] = math.Sqrt(norm / max(sums[i], 1e-300))
	}
	s := System{T: t.Scale(sums, sums), Weight: make([]float64, n), B: zero(n, k)}
	for i := range s.Weight {
		s.Weight[i] = math.Pow(10, 3-6*rng.Float64())
	}
	for i := range s.B.Data {
		s.B.Data[i] = rng.NormFloat64()
	}
	for i := range n { // a column of zeros has nothing to solve
		s.B.Data[i*k] *= float64(k % 2)
	}
	return s
}

func zero(n, k int) blas64.General {
	return blas64.General{Rows: n, Cols: k, Stride: k, Data: make([]float64, n*k)}
}

// at is an entry of the matrix of a system.
func at(s System, i, j int) float64 { return s.T.(*sparse.CSR).At(i, j) }

func TestBothWaysAreTheDenseSolution(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n, k := rapid.IntRange(1, 60).Draw(t, "n"), rapid.IntRange(1, 5).Draw(t, "k")
		s := random(n, k, rapid.Float64Range(0, 0.99).Draw(t, "norm"), rapid.Uint64().Draw(t, "seed"))
		a := mat.NewDense(n, n, nil)
		for i := range n {
			for j := range n {
				a.Set(i, j, -at(s, i, j))
			}
			a.Set(i, i, 1-at(s, i, i))
		}
		var want mat.Dense
		must.Do(t, want.Solve(a, mat.NewDense(n, k, s.B.Data)))
		opt := Options{Tol: 1e-10, MaxIter: 5000}
		for _, way := range []func(context.Context, System, blas64.General, Options) (Result, error){Solve, Iterate} {
			x := zero(n, k)
			for i := range x.Data { // any start will do
				x.Data[i] = float64(i % 7)
			}
			r := must.Get(way(ctx, s, x, opt))(t)
			// Residual r with |r_i|·weight_i ≤ tol, ‖(I − T)⁻¹‖ ≤ 100.
			if r.Residual > opt.Tol || !mat.EqualApprox(mat.NewDense(n, k, x.Data), &want, 1e-10*1e3*100*math.Sqrt(float64(n))) {
				t.Fatalf("residual %g; got\n%v, want\n%v", r.Residual, x.Data, want.RawMatrix().Data)
			}
		}
	})
}

func TestConjugateGradientsEndWithinTheNumberOfDistinctEigenvalues(t *testing.T) {
	// A complete graph has two: two steps are enough in exact arithmetic, and here.
	const n = 50
	b := sparse.NewBuilder(n, n)
	for i := range n {
		for j := range n {
			if i != j {
				b.Add(i, j, 0.9/(n-1))
			}
		}
	}
	s := random(n, 3, 0.5, 1)
	s.T, _ = b.Build()
	r, err := Solve(ctx, s, zero(n, 3), Options{Tol: 1e-9, MaxIter: 100})
	if err != nil || r.Iterations > 4 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestSameBitsAtAnyThreadCount(t *testing.T) {
	s := random(7000, 3, 0.999, 5)
	defer native.SetThreads(native.Threads())
	var first []float64
	for _, threads := range []int{1, 2, 3} {
		native.SetThreads(threads)
		x := zero(7000, 3)
		if _, err := Solve(ctx, s, x, Options{Tol: 1e-8, MaxIter: 5000}); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = x.Data
		}
		if !slices.Equal(first, x.Data) {
			t.Errorf("%d threads give other bits", threads)
		}
	}
}

func TestStopsAndTells(t *testing.T) {
	s := random(300, 2, 0.99999, 2)
	var stopped *NotConvergedError
	for _, way := range []func(context.Context, System, blas64.General, Options) (Result, error){Solve, Iterate} {
		r, err := way(ctx, s, zero(300, 2), Options{Tol: 1e-10, MaxIter: 3})
		if !errors.As(err, &stopped) || stopped.Iterations != 3 || stopped.Residual != r.Residual || !(r.Residual > 1e-10) {
			t.Errorf("%+v, %v", r, err)
		}
		over, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := way(over, s, zero(300, 2), Options{Tol: 1e-10, MaxIter: 100}); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	}
	// Below what rounding allows the work ends, and says so.
	if r, err := Solve(ctx, s, zero(300, 2), Options{Tol: 1e-300, MaxIter: 1 << 30}); !errors.As(err, &stopped) || r.Residual > 1e-9 {
		t.Errorf("%+v, %v", r, err)
	}
	// I − T singular, and B outside its range.
	b := sparse.NewBuilder(2, 2)
	b.Add(0, 1, 1)
	b.Add(1, 0, 1)
	one, _ := b.Build()
	flat := System{T: one, Weight: []float64{1, 1}, B: blas64.General{Rows: 2, Cols: 1, Stride: 1, Data: []float64{1, 1}}}
	x := zero(2, 1)
	if _, err := Solve(ctx, flat, x, Options{Tol: 1e-10, MaxIter: 100}); !errors.As(err, &stopped) || math.IsNaN(x.Data[0]) {
		t.Errorf("singular: %v, x = %v", err, x.Data)
	}
}

func TestReportsSerially(t *testing.T) {
	s := random(3000, 4, 1-1e-7, 4)
	last := int64(0)
	_, err := Solve(ctx, s, zero(3000, 4), Options{Tol: 1e-9, MaxIter: 5000, Stage: "stage", Observer: func(e progress.Event) {
		if e.Stage != "stage" || e.Done <= last || e.Total != 5000 {
			t.Errorf("%+v after %d", e, last)
		}
		last = e.Done
	}})
	if err != nil {
		t.Error(err)
	}
}
