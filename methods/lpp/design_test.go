package lpp

import (
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/methods/internal/cg"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"
)

// weighted makes B by its definition.
func weighted(x mat.Matrix, f []float64, centre bool) *mat.Dense {
	square := make([]float64, len(f))
	for i, v := range f {
		square[i] = v * v
	}
	b := mat.DenseCopyOf(x)
	if centre {
		b = centred(x, square)
	}
	b.Apply(func(i, _ int, v float64) float64 { return f[i] * v }, b)
	return b
}

// The regression inside the operator: its normal equations hold, with B written out, and its fit is
// B·B⁺y without a ridge. The decomposition has the singular values of B.
func TestPropertyRegressionAndSpectrum(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		n, p := 3+rng.IntN(20), 3+rng.IntN(20)
		x := rowsOf(rng, n, p, rng.IntN(2) == 0)
		f := make([]float64, n)
		for i := range f {
			f[i] = float64(rng.IntN(4))
		}
		f[0] = 1
		centre := rng.IntN(2) == 0
		alpha := []float64{0, 0.1, 5}[rng.IntN(3)]
		b := weighted(x, f, centre)
		norm := mat.Norm(b, 2)
		for _, in := range []mat.Matrix{x, x.ToDense()} {
			d := must.Get(newDesign(ctx, nil, in, f, centre))(t)
			if centre {
				squares := make([]float64, n)
				for i, v := range f {
					squares[i] = v * v
				}
				for j, m := range d.Mean {
					if want := stat.Mean(mat.Col(nil, j, x), squares); math.Abs(m-want) > 1e-12*(1+norm) {
						t.Fatalf("the mean of column %d is %v, want %v", j, m, want)
					}
				}
			}
			var op operator = d
			size := n
			if alpha > 0 {
				op, size = augment(d, math.Sqrt(alpha)), n+p
			}
			y := panel.New(size, 3)
			for i := range n * 3 {
				y.Data[i] = rng.NormFloat64()
			}
			a, on, err := regress(ctx, op, y, cg.Options{Tol: 1e-12, MaxIter: 20000})
			if err != nil {
				t.Fatal(err)
			}
			var r, g mat.Dense
			solution := mat.NewDense(p, 3, a.Data)
			r.Mul(b, solution)
			for i := range n {
				for j := range 3 {
					if math.Abs(r.At(i, j)-on.Data[3*i+j]) > 1e-9*(1+norm) {
						t.Fatalf("row %d of B·a is %v, want %v", i, on.Data[3*i:][:3], r.RawRowView(i))
					}
				}
			}
			r.Sub(mat.NewDense(n, 3, y.Data[:3*n]), &r)
			g.Mul(b.T(), &r)
			g.Apply(func(i, j int, v float64) float64 { return v - alpha*solution.At(i, j) }, &g)
			if res := mat.Norm(&g, 2); res > 1e-9*(1+norm) {
				t.Fatalf("n=%d p=%d α=%v: ‖Bᵀr − αa‖ = %g", n, p, alpha, res)
			}
			s := must.Get(d.spectrum(ctx))(t)
			var svd mat.SVD
			svd.Factorize(b, mat.SVDNone)
			values := svd.Values(nil)
			for j, v := range s.Values {
				if math.Abs(v-values[j]*values[j]) > 1e-12*(1+norm*norm) {
					t.Fatalf("σ_%d = %v, want %v", j, math.Sqrt(v), values[j])
				}
			}
			if rest := values[len(s.Values):]; len(rest) > 0 && rest[0] > 1e-6*norm+1e-12 {
				t.Fatalf("a singular value of %g of %g was dropped", rest[0], norm)
			}
		}
	})
}

func TestWeightsAreChecked(t *testing.T) {
	x := rowsOf(rand.New(rand.NewPCG(1, 1)), 3, 4, false)
	for _, f := range [][]float64{{0, 0, 0}, {1, math.Inf(1), 0}, {1, math.NaN(), 0}} {
		if _, err := newDesign(ctx, nil, x, f, true); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("weights %v: %v", f, err)
		}
	}
}

// Two equal rows that count, centred by their weights, leave rounding errors alone: the regression
// on them is 0, not one that never ends.
func TestRegressionOnRoundingErrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(0x565, 1))
	for range 50 {
		x := mat.NewDense(3, 5, nil)
		for j := range 5 {
			v := rng.NormFloat64()
			x.SetCol(j, []float64{v, v, rng.NormFloat64()})
		}
		d := must.Get(newDesign(ctx, nil, x, []float64{1, 1, 0}, true))(t)
		y := panel.New(3, 3)
		for i := range y.Data {
			y.Data[i] = rng.NormFloat64()
		}
		a, _, err := regress(ctx, d, y, cg.Options{Tol: 1e-12, MaxIter: 100})
		if err != nil || slices.ContainsFunc(a.Data, func(v float64) bool { return v != 0 }) {
			t.Fatalf("%v, %v", a.Data, err)
		}
	}
}

// A limit that comes first is reported, and how far it came.
func TestUnfinishedRegression(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	d := must.Get(newDesign(ctx, nil, rowsOf(rng, 30, 25, false), nil, false))(t)
	y := panel.New(30, 1)
	for i := range y.Data {
		y.Data[i] = rng.NormFloat64()
	}
	var stopped *unfinishedError
	if _, _, err := regress(ctx, d, y, cg.Options{Tol: 1e-12, MaxIter: 3}); !errors.As(err, &stopped) || stopped.Steps != 3 || stopped.Worst <= 1e-12 {
		t.Errorf("%v", err)
	}
}

// Regressions on data with directions of very different lengths end as accurate as rounding allows,
// without an error, and the embedding has LAPACK's values.
func TestRegressionOfBadlyScaledDirections(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	const n, p = 150, 12
	for _, least := range []float64{1e-3, 1e-4} {
		x := mat.NewDense(n, p, nil)
		for i := range n {
			for j := range p {
				x.Set(i, j, rng.NormFloat64()*math.Pow(least, float64(j)/(p-1)))
			}
		}
		var qr mat.QR
		turn := mat.NewDense(p, p, nil)
		turn.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, turn)
		qr.Factorize(turn)
		qr.QTo(turn)
		x.Mul(x, turn)
		none := 0.0
		opt := Options{Dims: 3, Ridge: &none, Tol: 1e-10}
		opt.Solver = eigen.Dense
		want := must.Get(Fit(ctx, x, opt))(t)
		opt.Solver = eigen.Lanczos
		got, err := Fit(ctx, x, opt)
		if err != nil {
			t.Errorf("lengths down to %g: %v", least, err)
			continue
		}
		for j, v := range want.Values {
			if math.Abs(got.Values[j]-v) > 1e-9 {
				t.Errorf("lengths down to %g: value %d is %v, want %v", least, j, got.Values[j], v)
			}
		}
	}
}
