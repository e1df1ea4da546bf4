package lars

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// Directly and by conjugate gradients, dense and sparse: the least squares solution of [X; √λ·I],
// by its QR decomposition.
func TestRidgeIsLeastSquaresOnLongerData(t *testing.T) {
	direct, conjugate := 0, 0
	property.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 8))
		n, p, r := 1+rng.IntN(30), 1+rng.IntN(30), 1+rng.IntN(4)
		x := awkward(n, p, 0.4, rng)
		y := mat.NewDense(n, r, nil)
		for i := range n {
			for k := range r {
				y.Set(i, k, 2+rng.NormFloat64())
			}
		}
		penalty := math.Exp(2 * rng.NormFloat64())
		centre := rng.IntN(2) == 0
		long, ly := mat.NewDense(n+p, p, nil), mat.NewDense(n+p, r, nil)
		long.Slice(0, n, 0, p).(*mat.Dense).Copy(centredCopy(x, centre))
		ly.Slice(0, n, 0, r).(*mat.Dense).Copy(centredCopy(y, centre))
		for j := range p {
			long.Set(n+j, j, math.Sqrt(penalty))
		}
		var want mat.Dense
		if err := want.Solve(long, ly); err != nil {
			t.Fatalf("%v", err)
		}
		scale := 1e150
		if rng.IntN(2) == 0 {
			scale = 1
		}
		var sy mat.Dense
		sy.Scale(scale, y)
		for _, in := range []mat.Matrix{x, toCSR(x)} {
			for _, iterate := range []bool{false, true} {
				tol := 1e-10
				if iterate {
					tol = 1e-13
				}
				m, err := Ridge(ctx, in, &sy, RidgeOptions{Ridge: penalty, Intercept: centre, Iterate: iterate, Tol: tol})
				if err != nil {
					t.Fatalf("%v", err)
				}
				if !m.Converged && mat.Max(mat.NewVecDense(r, m.Residuals)) > 1e-12 {
					t.Fatalf("not converged: %v after %d", m.Residuals, m.Iterations)
				}
				if m.Iterations == 0 {
					direct++
				} else if iterate {
					conjugate++
				}
				m.Coefficients.Scale(1/scale, m.Coefficients)
				if d := largestGap(m.Coefficients, &want); d > 1e-9*(1+mat.Norm(&want, 2)) {
					t.Fatalf("%d×%d, λ = %v, centred %v, iterated %v: coefficients differ by %g", n, p, penalty, centre, iterate, d)
				}
				for k := range r {
					mean := 0.0
					for i := range n {
						mean += (y.At(i, k) - mat.Dot(x.RowView(i), want.ColView(k))) / float64(n)
					}
					if !centre {
						mean = 0
					}
					if math.Abs(m.Intercepts[k]/scale-mean) > 1e-9*(10+math.Abs(mean)) {
						t.Fatalf("intercept %v, want %v", m.Intercepts[k]/scale, mean)
					}
				}
			}
		}
	})
	if direct == 0 || conjugate == 0 {
		t.Errorf("%d solutions were direct, %d by conjugate gradients: one way is not tested", direct, conjugate)
	}
}

func largestGap(a, b mat.Matrix) float64 {
	var d mat.Dense
	d.Sub(a, b)
	return max(mat.Max(&d), -mat.Min(&d))
}

// Without a penalty and with more columns than rows, the solution is exact and of least norm:
// orthogonal to all that X does not see.
func TestRidgeWithoutPenalty(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 11))
	x := mat.NewDense(8, 20, nil)
	y := mat.NewDense(8, 2, nil)
	for i := range 8 {
		for j := range 20 {
			x.Set(i, j, rng.NormFloat64())
		}
		y.SetRow(i, []float64{rng.NormFloat64(), rng.NormFloat64()})
	}
	for _, iterate := range []bool{false, true} {
		m, err := Ridge(ctx, x, y, RidgeOptions{Iterate: iterate})
		if err != nil || !m.Converged {
			t.Fatalf("%+v, error %v", m, err)
		}
		var fitted mat.Dense
		fitted.Mul(x, m.Coefficients)
		if d := largestGap(&fitted, y); d > 1e-8 {
			t.Errorf("iterated %v: the fit is off by %g", iterate, d)
		}
		var gram, inner, least mat.Dense // Xᵀ(XXᵀ)⁻¹y
		gram.Mul(x, x.T())
		must.Do(t, inner.Solve(&gram, y))
		least.Mul(x.T(), &inner)
		if d := largestGap(&least, m.Coefficients); d > 1e-8 {
			t.Errorf("iterated %v: the least solution is %g away", iterate, d)
		}
	}
}

// TestRidgeOfUnlikeRows has a row, or a column, 1e8 times as long as the others, so that the Gram
// matrix is singular to rounding: the solution is that of QR, without a penalty and with one.
func TestRidgeOfUnlikeRows(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 3))
		n, p := 10, 3+int(seed%3)
		x, y := mat.NewDense(n, p, nil), mat.NewDense(n, 2, nil)
		for i := range n {
			for j := range p {
				x.Set(i, j, rng.NormFloat64())
			}
			y.Set(i, 0, rng.NormFloat64())
			y.Set(i, 1, float64(i%2))
		}
		for j := range p {
			if seed%2 == 0 {
				x.Set(0, j, 1e8*x.At(0, j))
			}
		}
		for i := range n {
			if seed%2 == 1 {
				x.Set(i, 0, 1e8*x.At(i, 0))
			}
		}
		penalty := float64(seed%4) * 0.5
		long, ly := mat.NewDense(n+p, p, nil), mat.NewDense(n+p, 2, nil)
		long.Slice(0, n, 0, p).(*mat.Dense).Copy(x)
		ly.Slice(0, n, 0, 2).(*mat.Dense).Copy(y)
		for j := range p {
			long.Set(n+j, j, math.Sqrt(penalty))
		}
		var want, fitted, expected mat.Dense
		must.Do(t, want.Solve(long, ly))
		m := must.Get(Ridge(ctx, x, y, RidgeOptions{Ridge: penalty}))(t)
		if !m.Converged || m.Iterations > 0 {
			t.Errorf("seed %d: %d steps, residuals %v", seed, m.Iterations, m.Residuals)
		}
		fitted.Mul(x, m.Coefficients)
		expected.Mul(x, &want)
		if d := largestGap(&fitted, &expected); d > 1e-6 {
			t.Errorf("seed %d: fitted values differ from QR's by %g", seed, d)
		}
	}
}

// TestRidgeOfUnlikeRowsAtAnyThreads has rows of lengths 1 to 1e-11, so many that OpenBLAS would
// take several threads: the bits are the same, and a context that ends ends the solution.
func TestRidgeOfUnlikeRowsAtAnyThreads(t *testing.T) {
	defer native.SetThreads(0)
	rng := rand.New(rand.NewPCG(1, 3))
	const n = 600
	x, y := mat.NewDense(n, n, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		for j := range n {
			x.Set(i, j, rng.NormFloat64()*math.Pow(10, -float64(i%12)))
		}
		y.Set(i, 0, rng.NormFloat64())
	}
	var first *mat.Dense
	for _, threads := range race.Threads(1, 2, 5) {
		native.SetThreads(threads)
		m := must.Get(Ridge(ctx, x, y, RidgeOptions{Intercept: true}))(t)
		if first == nil {
			first = m.Coefficients
		}
		if !m.Converged || m.Iterations > 0 || !mat.Equal(m.Coefficients, first) {
			t.Errorf("%d threads: %d steps, or another result", threads, m.Iterations)
		}
	}
	ended, cancel := context.WithCancel(ctx)
	var said bool
	_, err := Ridge(ended, x, y, RidgeOptions{Intercept: true, Observer: func(e progress.Event) {
		if strings.Contains(e.Message, "singular values") {
			said = true
			cancel()
		}
	}})
	if !said || !errors.Is(err, context.Canceled) {
		t.Errorf("singular values %v, error %v", said, err)
	}
}

// On a path's way to zero the elastic net becomes the ridge solution.
func TestElasticNetEndsInRidge(t *testing.T) {
	x, y := texts(120, 90, 3, 4)
	paths := must.Get(Fit(ctx, x, y, Options{Ridge: 0.7, Intercept: true}))(t)
	m := must.Get(Ridge(ctx, x, y, RidgeOptions{Ridge: 0.7, Intercept: true}))(t)
	for k, p := range paths {
		terms, values, intercept := p.At(p.Knots() - 1)
		got := make([]float64, 90)
		for i, j := range terms {
			got[j] = values[i]
		}
		for j, v := range got {
			if math.Abs(v-m.Coefficients.At(j, k)) > 1e-9 {
				t.Errorf("response %d: coefficient %d is %v, ridge has %v (%s)", k, j, v, m.Coefficients.At(j, k), p.Stopped)
			}
		}
		if math.Abs(intercept-m.Intercepts[k]) > 1e-9 {
			t.Errorf("response %d: intercept %v, ridge has %v", k, intercept, m.Intercepts[k])
		}
	}
}
