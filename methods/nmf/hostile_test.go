package nmf

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/countdown"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

func TestRefusals(t *testing.T) {
	with := func(i, j int, v float64) *mat.Dense {
		x := random(5, 4, 1, 1)
		x.Set(i, j, v)
		return x
	}
	by := func(c float64) *mat.Dense {
		x := random(5, 4, 1, 1)
		x.Scale(c, x)
		return x
	}
	raw := func(v float64) *sparse.CSR {
		return &sparse.CSR{NumRows: 2, NumCols: 3, RowPtr: []int{0, 1, 2}, Col: []int32{0, 2}, Val: []float64{1, v}}
	}
	ok := random(5, 4, 1, 1)
	for _, c := range []struct {
		x    mat.Matrix
		opt  Options
		says string
	}{
		{with(3, 2, -1e-9), Options{Dims: 2, Weighting: Plain}, "row 3, column 2"},
		{with(3, 2, math.NaN()), Options{Dims: 2, Weighting: Plain}, "(3, 2)"},
		{with(3, 2, math.Inf(1)), Options{Dims: 2, Weighting: Plain}, "(3, 2)"},
		{with(3, 2, math.Inf(-1)), Options{Dims: 2, Weighting: Plain}, "(3, 2)"},
		{raw(-2), Options{Dims: 1, Weighting: Plain}, "row 1, column 2"},
		{raw(math.NaN()), Options{Dims: 1, Weighting: Plain}, "(1, 2)"},
		{by(1e160), Options{Dims: 2, Weighting: Plain}, "divide"},
		{by(1e-160), Options{Dims: 2, Weighting: Plain}, "multiply"},
		{ok, Options{Dims: 5, Weighting: Plain}, "gives 1 to 4"},
		{ok, Options{}, "at least 1"},
		{ok, Options{Dims: 2, Weighting: Plain, Solver: "x"}, "solver"},
		{ok, Options{Dims: 2, Weighting: Plain, StartW: mat.NewDense(5, 2, nil)}, "both"},
		{ok, Options{Dims: 2, Weighting: Plain, StartW: mat.NewDense(5, 2, nil), StartH: mat.NewDense(2, 3, nil)}, "2 × 4"},
		{ok, Options{Dims: 1, Weighting: Plain, StartW: mat.NewDense(5, 1, []float64{1, 1, 1, -1, 1}), StartH: mat.NewDense(1, 4, nil)}, "row 3, column 0"},
		{ok, Options{Dims: 1, Weighting: Plain, StartW: mat.NewDense(5, 1, []float64{1e300, 1e300, 1, 1, 1}), StartH: mat.NewDense(1, 4, []float64{1e300, 1, 1, 1})}, "too large"},
		{nil, Options{Dims: 1, Weighting: Plain}, "no matrix"},
		{new(mat.Dense), Options{Dims: 1, Weighting: Plain}, "empty"},
		{&sparse.CSR{NumRows: 2, RowPtr: []int{0, 0, 0}}, Options{Dims: 1, Weighting: Plain}, "empty"},
	} {
		_, err := Fit(ctx, c.x, c.opt)
		if err == nil || !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v %+v: error %v, which should say %q", c.x, c.opt, err, c.says)
		}
	}
	var negative *NegativeError
	if _, err := Fit(ctx, with(1, 0, -3), Options{Dims: 1, Weighting: Plain}); !errors.As(err, &negative) || *negative != (NegativeError{1, 0, -3}) {
		t.Errorf("error %v", err)
	}
	var place *invalid.PlaceError
	if !errors.As(negative, &place) || !strings.HasPrefix(place.In("document d, wine"), "the entry in document d, wine is -3:") || place.Error() != negative.Error() {
		t.Errorf("the place of %v is %v", negative, place)
	}
	err := Options{Dims: -1, Weighting: "w", Solver: "s", Restarts: -1, MaxIter: -1, Tol: math.NaN(), StartW: ok}.Validate()
	if lines := strings.Count(err.Error(), "\n") + 1; lines != 7 {
		t.Errorf("%d violations told of 7: %v", lines, err)
	}
	for _, m := range []*Placer{{}, {H: random(2, 3, 1, 1)}} {
		if _, err := m.Predict(ctx, ok); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("error %v", err)
		}
	}
	if _, err := (&Placer{H: random(2, 4, 1, 1)}).Transform(ctx, with(2, 2, -1)); !errors.As(err, &negative) {
		t.Errorf("error %v", err)
	}
}

func TestMatricesWithLittleInThem(t *testing.T) {
	empty := must.Get(sparse.NewCSR(4, 3, make([]int, 5), nil, nil))(t)
	one := mat.NewDense(4, 3, nil)
	one.Set(2, 1, 5)
	same := mat.NewDense(6, 3, slices.Repeat([]float64{1, 0, 2}, 6))
	for name, x := range map[string]mat.Matrix{"no entry": empty, "no entry, dense": mat.NewDense(3, 3, nil), "one entry": one, "equal rows": same, "1×1": mat.NewDense(1, 1, []float64{3})} {
		n, m := x.Dims()
		for _, solver := range solvers {
			for _, weighting := range []Weighting{Plain, NCW} {
				for k := 1; k <= min(n, m); k++ {
					model, err := Fit(ctx, x, Options{Dims: k, Solver: solver, Weighting: weighting, Restarts: 2, MaxIter: 300, Tol: 1e-5})
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					checkModel(t, x, model)
					if left := model.Objective; left > 1e-6*model.History[0] {
						t.Errorf("%s, %s, rank %d: objective %v", name, solver, k, left)
					}
				}
			}
		}
	}
}

func TestTellsTheUser(t *testing.T) {
	x := random(30, 20, 0.4, 2)
	x.SetRow(4, make([]float64, 20))
	var notes []string
	var done, total int64
	observer := progress.Observer(func(e progress.Event) {
		if e.Message != "" {
			notes = append(notes, e.Message)
			return
		}
		if e.Done < done {
			t.Errorf("progress falls from %d to %d", done, e.Done)
		}
		done, total = e.Done, e.Total
	})
	m := must.Get(Fit(ctx, x, Options{Dims: 5, Weighting: Plain, MaxIter: 2, Observer: observer}))(t)
	if m.Converged || m.Iterations != 2 || !slices.Equal(m.Unplaced, []int{4}) || m.Labels[4] != 0 {
		t.Errorf("converged %v after %d, unplaced %v", m.Converged, m.Iterations, m.Unplaced)
	}
	if len(notes) != 2 || !strings.Contains(notes[0], "iteration 2") || !strings.Contains(notes[1], "1 of 30") {
		t.Errorf("notes %q", notes)
	}
	if done != total || total != 20 {
		t.Errorf("progress %d of %d", done, total)
	}
}

func TestCancel(t *testing.T) {
	x, _ := texts(t, 3000, 20_000, 60, 6, 1)
	done, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Fit(done, x, Options{Dims: 6, Weighting: Plain}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if _, err := (&Placer{H: random(2, 20_000, 1, 1)}).Transform(done, x); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	for _, solver := range solvers {
		for _, restarts := range []int{1, 4} {
			for _, looks := range []int64{0, 3, 40} {
				soon := countdown.New(ctx, looks)
				_, err := Fit(soon, x, Options{Dims: 20, Weighting: Plain, Solver: solver, Restarts: restarts, MaxIter: 1 << 20, Tol: 1e-15})
				if !errors.Is(err, context.Canceled) {
					t.Errorf("%s: error %v", solver, err)
				}
				if late := soon.Late(); late > 40 {
					t.Errorf("%s, %d restarts: %d looks after the end", solver, restarts, late)
				}
			}
		}
	}
}
