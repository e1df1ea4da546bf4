package svm

import (
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

func TestOneClassOnly(t *testing.T) {
	x, _ := sample(20, 4, 1)
	for _, opt := range []Options{{Solver: CD}, {Solver: SMO}, {Kernel: Gaussian}, {Loss: SquaredHinge}} {
		for _, side := range []float64{1, -1} {
			m := must.Get(Fit(ctx, x, slices.Repeat([]float64{side}, 20), opt))(t)
			f := must.Get(m.Decision(ctx, x))(t)
			for i, v := range f {
				if math.Abs(v-side) > 2*DefaultTol {
					t.Fatalf("%+v: f(%d) = %v for a single class %v", opt, i, v, side)
				}
			}
		}
	}
}

// Copies with opposite targets cancel: they cost C each and pull nowhere, whatever else there is.
func TestCopiesWithOppositeTargets(t *testing.T) {
	x := mat.NewDense(6, 2, []float64{2, 0, -2, 0, 1, 1, 1, 1, 3, -1, 3, -1})
	for _, opt := range []Options{{Solver: CD}, {Solver: SMO}, {Kernel: Gaussian}} {
		m := must.Get(Fit(ctx, x, []float64{1, -1, 1, -1, 1, -1}, opt))(t)
		if m.Primal < 4-1e-9 { // 1 − f and 1 + f sum to 2 at least
			t.Errorf("%+v: objective %v with two pairs that cannot be told apart", opt, m.Primal)
		}
	}
	only := mat.NewDense(4, 2, []float64{1, 1, 1, 1, 1, 1, 1, 1})
	m, err := Fit(ctx, only, []float64{1, -1, 1, -1}, Options{})
	if err != nil || math.Abs(m.Primal-4) > 1e-6 || mat.Norm(mat.NewVecDense(2, m.Weights), 2) > 1e-6 {
		t.Errorf("nothing but copies: %v, objective %v, w = %v", err, m.Primal, m.Weights)
	}
}

// Examples of cost 0 are as good as absent.
func TestCostZero(t *testing.T) {
	x, y := sample(40, 5, 3)
	cost := slices.Repeat([]float64{1}, 40)
	for i := 20; i < 40; i++ {
		cost[i] = 0
	}
	half := mat.DenseCopyOf(x.Slice(0, 20, 0, 5))
	for _, opt := range []Options{{Solver: CD, Tol: 1e-7}, {Solver: SMO, Tol: 1e-7}, {Kernel: Gaussian, Sigma: 1, Tol: 1e-7}} {
		want := must.Get(Fit(ctx, half, y[:20], opt))(t)
		opt.Cost = cost
		m, err := Fit(ctx, x, y, opt)
		if err != nil || math.Abs(m.Primal-want.Primal) > 1e-5 {
			t.Errorf("%v: objective %v, %v without the others", err, m.Primal, want.Primal)
		}
		opt.Cost = make([]float64, 40)
		if m, err = Fit(ctx, x, y, opt); err != nil || len(m.Support) != 0 || m.Primal != 0 {
			t.Errorf("no costs at all: %v, %+v", err, m)
		}
	}
}

// In units of 1e±100 the machine is the same with C in units of their square.
func TestHugeAndTinyValues(t *testing.T) {
	x, y := sample(60, 5, 8)
	for _, solver := range []Solver{CD, SMO} {
		plain := must.Get(Fit(ctx, x, y, Options{Solver: solver, C: 0.5, Tol: 1e-6}))(t)
		for _, unit := range []float64{0x1p300, 0x1p-300} {
			var scaled mat.Dense
			scaled.Scale(unit, x)
			m, err := Fit(ctx, &scaled, y, Options{Solver: solver, C: 0.5 / unit / unit, Tol: 1e-6})
			if err != nil {
				t.Errorf("%s: %v", solver, err)
				continue
			}
			for i, f := range m.Values {
				if math.Abs(f-plain.Values[i]) > 1e-3 {
					t.Errorf("%s, unit %g: f(%d) = %v, not %v", solver, unit, i, f, plain.Values[i])
				}
			}
		}
	}
}

// Rows without entries have f = b.
func TestZeroRows(t *testing.T) {
	zero := must.Get(sparse.NewBuilder(6, 3).Build())(t)
	y := []float64{1, 1, 1, 1, -1, -1}
	for _, solver := range []Solver{CD, SMO} {
		for _, bias := range []Bias{Free, Feature, None} {
			for _, loss := range []Loss{Hinge, SquaredHinge} {
				m, err := Fit(ctx, zero, y, Options{Solver: solver, Bias: bias, Loss: loss})
				if err != nil {
					t.Errorf("%s, %s, %s: %v", solver, bias, loss, err)
					continue
				}
				if want := 4.0; bias == Free && loss == Hinge && math.Abs(m.Primal-want) > 0.01 { // b = 1: two rows of slack 2
					t.Errorf("%s: objective %v with nothing but zeros, want %v", solver, m.Primal, want)
				}
				f, err := m.Decision(ctx, mat.NewDense(1, 3, nil))
				if err != nil || f[0] != m.Bias {
					t.Errorf("f(0) = %v, b = %v, %v", f, m.Bias, err)
				}
			}
		}
	}
}

func TestRefuses(t *testing.T) {
	x, y := sample(10, 3, 1)
	hole := mat.DenseCopyOf(x)
	hole.Set(4, 1, math.NaN())
	long := mat.NewDense(10, 3, nil)
	long.Set(0, 0, 1e200)
	for i, c := range []struct {
		x    mat.Matrix
		y    []float64
		opt  Options
		says string
	}{
		{nil, y, Options{}, "no data"},
		{x, y[1:], Options{}, "9 targets"},
		{x, append([]float64{0}, y[1:]...), Options{}, "row 0 (counted from 0) is 0"},
		{x, y, Options{Cost: []float64{1}}, "1 costs"},
		{x, y, Options{Cost: slices.Repeat([]float64{-1}, 10)}, "cost of row 0"},
		{x, y, Options{Cost: slices.Repeat([]float64{math.Inf(1)}, 10)}, "cost of row 0"},
		{x, y, Options{Cost: slices.Repeat([]float64{1e200}, 10)}, "overflow"},
		{hole, y, Options{}, ""},
		{long, y, Options{}, "too long"},
		{mat.NewDense(1, 1, []float64{1e100}), []float64{1}, Options{Kernel: Polynomial, Degree: 3}, "overflows"},
		{x, y, Options{Kernel: "sigmoid"}, "sigmoid"},
		{x, y, Options{Kernel: Gaussian, Sigma: 1e-320}, "too small"},
		{x, y, Options{Kernel: Gaussian, Solver: CD}, "linear kernel"},
	} {
		if _, err := Fit(ctx, c.x, c.y, c.opt); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("case %d: %v", i, err)
		}
	}
	err := Options{Kernel: "a", Loss: "b", Bias: "c", Solver: "d", Sigma: -1, Gamma: -1, C: math.NaN(), BiasScale: -1, Degree: 65, Offset: -1, Tol: 1, MaxIter: -1}.Validate()
	// Twelve violations: a list stops after ten.
	if n := strings.Count(err.Error(), "\n"); n != 10 || !strings.HasSuffix(err.Error(), "\nand 2 more") {
		t.Errorf("%d violations listed, want 10 and 2 more: %v", n, err)
	}
	if _, err := OneVsRest(ctx, x, slices.Repeat([]int{0}, 10), 2, Options{}); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "classes without") {
		t.Errorf("a class without a label: %v", err)
	}
	m := must.Get(Fit(ctx, x, y, Options{}))(t)
	if _, err := m.Decision(ctx, mat.NewDense(2, 4, nil)); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("other columns: %v", err)
	}
	if _, err := new(Model).Decision(ctx, x); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("an empty model: %v", err)
	}
}

// With costs or rows so small that every β stands at its cost, b alone separates the classes:
// both solvers find the optimum, bias and duals alike.
func TestSolversAgreeOnSmallCostsAndRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for trial := range 60 {
		x, y := mat.NewDense(60, 4, nil), make([]float64, 60)
		scale := math.Pow(10, -4*rng.Float64())
		for i := range y {
			for j := range 4 {
				if rng.IntN(2) == 0 {
					x.Set(i, j, scale*rng.Float64())
				}
			}
			if y[i] = 1; i%(2+trial%4) == 0 {
				y[i] = -1
			}
		}
		opt := Options{C: math.Pow(10, 1-6*rng.Float64()), Loss: []Loss{Hinge, SquaredHinge}[trial%2]}
		descent := must.Get(Fit(t.Context(), csr(x), y, opt))(t)
		opt.Kernel = Linear
		pairwise := must.Get(Fit(t.Context(), x, y, opt))(t)
		if a, b := descent.Primal, pairwise.Primal; math.Abs(a-b) > 0.05*b {
			t.Errorf("C %.2g, scale %.2g, %s: primal %v by descent, %v by pairs", opt.C, scale, opt.Loss, a, b)
		}
		if a, b := descent.Dual, pairwise.Dual; math.Abs(a-b) > 0.02*math.Abs(b) {
			t.Errorf("C %.2g, scale %.2g, %s: dual %v by descent, %v by pairs", opt.C, scale, opt.Loss, a, b)
		}
	}
}

// Sparse rows without a single entry are rows all the same.
func TestNoEntries(t *testing.T) {
	empty := &sparse.CSR{NumRows: 3, NumCols: 2, RowPtr: make([]int, 4)}
	for _, loss := range []Loss{Hinge, SquaredHinge} {
		m := must.Get(Fit(t.Context(), empty, []float64{1, 1, -1}, Options{Loss: loss}))(t)
		if !(m.Bias > 0) {
			t.Errorf("bias %v of two rows against one", m.Bias)
		}
	}
}

// The machines of several classes are trained on the labelled rows; errors name the row of the
// data.
func TestErrorNamesRowOfTheData(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{1, 2, 1e100, 3})
	known := []int{labels.Unknown, 0, 1, labels.Unknown}
	_, err := OneVsRest(ctx, x, known, 2, Options{Kernel: Polynomial, Degree: 3})
	var place *invalid.PlaceError
	if !errors.As(err, &place) || place.Row != 2 {
		t.Errorf("error %v, which should be about row 2", err)
	}
}
