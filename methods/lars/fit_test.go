package lars

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/countdown"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// texts returns n documents of p terms as unit rows, terms falling in frequency, and r centred
// responses that some terms explain.
func texts(n, p, r int, seed uint64) (*sparse.CSR, *mat.Dense) {
	rng := rand.New(rand.NewPCG(seed, 9))
	b := sparse.NewBuilder(n, p)
	y := mat.NewDense(n, r, nil)
	for i := range n {
		topic := rng.IntN(r)
		y.Set(i, topic, 1)
		for range 20 + rng.IntN(100) {
			b.Add(i, int(float64(p-1)*math.Pow(rng.Float64(), 3)), 1)
			if rng.IntN(3) == 0 {
				b.Add(i, (topic*37+rng.IntN(25))%p, 1)
			}
		}
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	return x.NormalizeRows(), y
}

func TestDenseAndSparseAgreeAtAnyThreads(t *testing.T) {
	defer native.SetThreads(0)
	x, y := texts(300, 700, 6, 1)
	opt := Options{Intercept: true, MaxTerms: 40}
	var reference []*Path
	for _, threads := range race.Threads(1, 2, 5) {
		native.SetThreads(threads)
		paths := must.Get(Fit(ctx, x, y, opt))(t)
		if reference == nil {
			reference = paths
		} else if !reflect.DeepEqual(paths, reference) {
			t.Errorf("%d threads give another result", threads)
		}
	}
	dense := must.Get(Fit(ctx, x.ToDense(), y, opt))(t)
	for k, p := range reference {
		if d := pathDistance(p, dense[k]); d > 1e-10 {
			t.Errorf("response %d: dense and sparse differ by %g", k, d)
		}
		if p.Stopped != StoppedTerms || p.Terms(p.Knots()-1) != 40 {
			t.Errorf("response %d: %s with %d terms", k, p.Stopped, p.Terms(p.Knots()-1))
		}
		if err := checkPath(x.ToDense(), mat.DenseCopyOf(y.ColView(k)), p, opt, 1e-11); err != nil {
			t.Errorf("response %d: %v", k, err)
		}
		for most := range 45 {
			knot := p.WithTerms(most)
			if p.Terms(knot) > most || knot+1 < p.Knots() && p.Terms(knot+1) <= most {
				t.Errorf("response %d: knot %d of %d is not the last with at most %d terms", k, knot, p.Knots(), most)
			}
		}
	}
}

// Data times a power of ten have the same path, in other units.
func TestScales(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	x := awkward(25, 30, 0.4, rng)
	y := response(x, rng)
	for _, opt := range []Options{{Intercept: true}, {LAR: true}, {Ridge: 0.5}} {
		plain := must.Get(fitOne(x, y, opt))(t)
		for _, s := range [][2]float64{{1e150, 1e150}, {1e-150, 1e150}, {1e150, 1e-150}, {1e-150, 1e-150}, {1e-300, 1e-2}} {
			var sx, sy mat.Dense
			sx.Scale(s[0], x)
			sy.Scale(s[1], y)
			o := opt
			o.Ridge *= s[0] * s[0]
			if opt.Ridge > 0 && o.Ridge == 0 || math.IsInf(o.Ridge, 0) {
				continue
			}
			for _, in := range []mat.Matrix{&sx, toCSR(&sx)} {
				got, err := fitOne(in, &sy, o)
				if err != nil {
					t.Fatalf("%v: %v", s, err)
				}
				for i := range got.Penalty {
					got.Penalty[i] = got.Penalty[i] / s[0] / s[1]
				}
				for i := range got.values {
					got.values[i] = got.values[i] / s[1] * s[0]
				}
				if got.Stopped != StoppedComplete && got.Stopped != StoppedRounding {
					t.Errorf("%v: %s", s, got.Stopped)
				}
				if d := pathDistance(plain, got); d > 1e-9 {
					t.Errorf("%v, %+v: the paths differ by %g", s, opt, d)
				}
			}
		}
	}
	var large, small mat.Dense
	large.Scale(1e200, x)
	small.Scale(1e-200, x)
	var ly mat.Dense
	ly.Scale(1e200, y)
	for name, try := range map[string]func() error{
		"penalties overflow":    func() error { _, err := fitOne(&large, &ly, Options{}); return err },
		"coefficients overflow": func() error { _, err := fitOne(&small, &ly, Options{}); return err },
		"ridge overflows":       func() error { _, err := fitOne(&small, y, Options{Ridge: 1}); return err },
	} {
		if err := try(); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: error %v, want one that is the request's fault", name, err)
		}
	}
}

// Every stop ends the path where it says, on the path that an unstopped run gives.
func TestStops(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	x := awkward(40, 60, 0.3, rng)
	y := response(x, rng)
	whole := must.Get(fitOne(x, y, Options{Intercept: true}))(t)
	length := whole.Residual[0]
	for _, c := range []struct {
		opt  Options
		why  string
		ends func(p *Path, last int) bool
	}{
		{Options{MinPenalty: 1.7}, StoppedPenalty, func(p *Path, last int) bool { return p.Penalty[last] == 1.7 }},
		{Options{MinPenalty: 1e9}, StoppedPenalty, func(p *Path, last int) bool { return last == 0 && p.Terms(0) == 0 }},
		{Options{MaxResidual: 0.3}, StoppedResidual, func(p *Path, last int) bool { return math.Abs(p.Residual[last]-0.3*length) < 1e-12*length }},
		{Options{MaxResidual: 1}, StoppedResidual, func(p *Path, last int) bool { return last == 0 }},
		{Options{MaxTerms: 7}, StoppedTerms, func(p *Path, last int) bool { return p.Terms(last) == 7 }},
		{Options{MaxSteps: 5}, StoppedSteps, func(p *Path, last int) bool { return last == 5 }},
		{Options{MaxTerms: 1000}, whole.Stopped, func(p *Path, last int) bool { return last == whole.Knots()-1 }},
	} {
		c.opt.Intercept = true
		p := must.Get(fitOne(x, y, c.opt))(t)
		last := p.Knots() - 1
		if p.Stopped != c.why || !c.ends(p, last) {
			t.Errorf("%+v: %d knots, %s, λ = %v", c.opt, p.Knots(), p.Stopped, p.Penalty[last])
		}
		if err := checkPath(x, y, p, c.opt, 1e-10); err != nil {
			t.Errorf("%+v: %v", c.opt, err)
		}
		terms, values, intercept := p.At(last)
		wt, wv, wi := whole.AtPenalty(p.Penalty[last])
		if !slices.Equal(terms, wt) || math.Abs(intercept-wi) > 1e-9 {
			t.Errorf("%+v: terms %v, on the whole path %v; intercepts %v, %v", c.opt, terms, wt, intercept, wi)
			continue
		}
		for k := range values {
			if math.Abs(values[k]-wv[k]) > 1e-9 {
				t.Errorf("%+v: coefficient of %d is %v, on the whole path %v", c.opt, terms[k], values[k], wv[k])
			}
		}
	}
}

// What cannot enter is reported: zero and constant columns, and duplicates, of which the lower
// index enters.
func TestDegenerateColumnsAreTold(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	x := mat.NewDense(20, 7, nil)
	y := mat.NewDense(20, 1, nil)
	for i := range 20 {
		a, b, c := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
		x.SetRow(i, []float64{0, a, b, 0.1, -a, a, c})
		y.Set(i, 0, 3*a+b-c+0.1*rng.NormFloat64())
	}
	for _, in := range []mat.Matrix{x, toCSR(x)} {
		p, err := fitOne(in, y, Options{Intercept: true})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(p.Constant, []int32{0, 3}) {
			t.Errorf("constant columns %v, want 0 and 3", p.Constant)
		}
		if len(p.Dependent) != 2 || p.Dependent[0].Term != 4 || p.Dependent[1].Term != 5 || p.Dependent[0].Until != -1 {
			t.Errorf("dependent columns %v, want 4 and 5", p.Dependent)
		}
		if terms, _, _ := p.At(p.Knots() - 1); !slices.Equal(terms, []int32{1, 2, 6}) {
			t.Errorf("terms %v, want 1, 2 and 6", terms)
		}
		// With a ridge duplicates share the coefficient.
		p, err = fitOne(in, y, Options{Intercept: true, Ridge: 0.1})
		if err != nil {
			t.Fatal(err)
		}
		terms, values, _ := p.At(p.Knots() - 1)
		if !slices.Equal(terms, []int32{1, 2, 4, 5, 6}) || math.Abs(values[0]+values[2]) > 1e-12 || math.Abs(values[0]-values[3]) > 1e-12 {
			t.Errorf("with a ridge: terms %v, coefficients %v", terms, values)
		}
	}
	// Without an intercept only the zero column is out; a response that is constant, or zero, has
	// nothing to follow.
	p, err := fitOne(x, y, Options{})
	if err != nil || !slices.Equal(p.Constant, []int32{0}) {
		t.Errorf("constant columns %v, error %v", p.Constant, err)
	}
	for _, v := range []float64{0, 0.3, 1e-300} {
		flat := mat.NewDense(20, 1, nil)
		flat.Apply(func(int, int, float64) float64 { return v }, flat)
		p, err := fitOne(x, flat, Options{Intercept: true})
		if err != nil || p.Stopped != StoppedOrthogonal || p.Knots() != 1 || p.Terms(0) != 0 {
			t.Errorf("response %v: %v, error %v", v, p, err)
		}
		if _, _, intercept := p.At(0); math.Abs(intercept-v) > 1e-16*v {
			t.Errorf("response %v: intercept %v", v, intercept)
		}
	}
}

func TestRefuses(t *testing.T) {
	x, y := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6}), mat.NewDense(3, 1, []float64{1, 2, 4})
	bad := mat.DenseCopyOf(x)
	bad.Set(1, 1, math.NaN())
	badY := mat.DenseCopyOf(y)
	badY.Set(2, 0, math.Inf(1))
	for name, err := range map[string]error{
		"ridge":     second(Fit(ctx, x, y, Options{Ridge: -1})),
		"penalty":   second(Fit(ctx, x, y, Options{MinPenalty: math.NaN()})),
		"terms":     second(Fit(ctx, x, y, Options{MaxTerms: -1})),
		"steps":     second(Fit(ctx, x, y, Options{MaxSteps: -1})),
		"LAR":       second(Fit(ctx, x, y, Options{LAR: true, Positive: true})),
		"rows":      second(Fit(ctx, x, mat.NewDense(2, 1, nil), Options{})),
		"no x":      second(Fit(ctx, nil, y, Options{})),
		"no y":      second(Fit(ctx, x, nil, Options{})),
		"NaN":       second(Fit(ctx, bad, y, Options{})),
		"Inf":       second(Fit(ctx, x, badY, Options{})),
		"empty":     second(Fit(ctx, &sparse.CSR{NumRows: 3, RowPtr: make([]int, 4)}, y, Options{})),
		"huge":      second(Fit(ctx, &sparse.CSR{NumRows: 3, NumCols: math.MaxInt32, RowPtr: make([]int, 4)}, y, Options{})),
		"r penalty": second(Ridge(ctx, x, y, RidgeOptions{Ridge: -1})),
		"r tol":     second(Ridge(ctx, x, y, RidgeOptions{Tol: 1})),
		"r rows":    second(Ridge(ctx, x, mat.NewDense(2, 1, nil), RidgeOptions{})),
		"r NaN":     second(Ridge(ctx, bad, y, RidgeOptions{})),
	} {
		if !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: error %v, want one that is the request's fault", name, err)
		}
	}
	var at *sparse.NotFiniteError
	if _, err := Fit(ctx, bad, y, Options{}); !errors.As(err, &at) || at.Row != 1 || at.Col != 1 {
		t.Errorf("error %v, want the place of the NaN", err)
	}
}

func second[T any](_ T, err error) error { return err }

func TestCancelAndObserver(t *testing.T) {
	x, y := texts(1500, 3000, 8, 3)
	inside := false
	var events []int64
	opt := Options{Intercept: true, MaxTerms: 10, Observer: func(e progress.Event) {
		if inside {
			t.Error("the observer is called concurrently")
		}
		inside = true
		if e.Message == "" {
			events = append(events, e.Done)
		}
		inside = false
	}}
	if _, err := Fit(ctx, x, y, opt); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(events, []int64{0, 1, 2, 3, 4, 5, 6, 7, 8}) {
		t.Errorf("events %v", events)
	}
	for _, looks := range []int64{0, 10, 100} {
		short := countdown.New(ctx, looks)
		_, err := Fit(short, x, y, Options{Intercept: true})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("after %d looks: error %v, want the context's", looks, err)
		}
		if late := short.Late(); late > 20 {
			t.Errorf("after %d looks: %d more looks after the end", looks, late)
		}
	}
	ended, end := context.WithCancel(ctx)
	end()
	if _, err := Ridge(ended, x, y, RidgeOptions{Ridge: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("ridge: error %v, want the context's", err)
	}
}
