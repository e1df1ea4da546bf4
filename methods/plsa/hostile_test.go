package plsa

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

func TestRefusals(t *testing.T) {
	with := func(v float64) *mat.Dense {
		x := mat.NewDense(4, 3, []float64{1, 0, 2, 0, 3, 1, 1, 1, 1, 2, 0, 0})
		x.Set(2, 1, v)
		return x
	}
	raw := func(v float64) *sparse.CSR {
		return &sparse.CSR{NumRows: 3, NumCols: 3, RowPtr: []int{0, 1, 1, 2}, Col: []int32{0, 1}, Val: []float64{1, v}}
	}
	ok := with(1)
	for _, c := range []struct {
		x    mat.Matrix
		opt  Options
		says string
	}{
		{with(-1e-9), Options{K: 2}, "row 2, column 1"},
		{raw(-3), Options{K: 2}, "row 2, column 1"},
		{with(math.NaN()), Options{K: 2}, "(2, 1)"},
		{raw(math.NaN()), Options{K: 2}, "(2, 1)"},
		{with(math.Inf(1)), Options{K: 2}, "(2, 1)"},
		{raw(math.Inf(-1)), Options{K: 2}, "(2, 1)"},
		{with(1e300), Options{K: 2}, "divide"},
		{with(math.MaxFloat64), Options{K: 2}, "divide"},
		{&sparse.CSR{NumRows: 1, NumCols: 2, RowPtr: []int{0, 1}, Col: []int32{0}, Val: []float64{1e-310}}, Options{K: 1}, "multiply"},
		{nil, Options{K: 1}, "no matrix"},
		{new(mat.Dense), Options{K: 1}, "empty"},
		{&sparse.CSR{NumRows: 2, RowPtr: []int{0, 0, 0}}, Options{K: 1}, "empty"},
		{ok, Options{}, "at least 1"},
		{ok, Options{K: 5}, "between 1 and the number of documents"},
		{ok, Options{K: 2, Kind: "x"}, "kind"},
		{ok, Options{K: 2, Labels: []int{0, 1}}, "2 labels for 4 documents"},
		{ok, Options{K: 2, Labels: []int{0, -1, 2, 1}}, "document 2"},
	} {
		for _, kind := range []Kind{Clustering, Aspect} {
			if c.opt.Kind == "" || c.opt.Kind == Clustering {
				c.opt.Kind = kind
			}
			_, err := Fit(ctx, c.x, c.opt)
			if err == nil || !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v %+v: error %v, which should say %q", c.x, c.opt, err, c.says)
			}
		}
	}
	err := Options{K: -1, Kind: "x", Tol: math.NaN(), Smoothing: math.Inf(1), MaxIter: -1, Restarts: -1}.Validate()
	if lines := strings.Count(err.Error(), "\n") + 1; lines != 6 || !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("%d violations told of 6: %v", lines, err)
	}
	if _, err := Fit(memory.Bound(t.Context(), 100), ok, Options{K: 2}); !errors.Is(err, memory.ErrLimit) || !strings.Contains(err.Error(), "100 bytes are allowed") {
		t.Errorf("100 bytes: %v", err)
	}
	m := fitted(t, ok, Options{K: 2})
	for _, c := range []struct {
		m    *Model
		x    mat.Matrix
		says string
	}{
		{m, with(-1), "row 2, column 1"},
		{m, with(math.NaN()), "(2, 1)"},
		{m, nil, "no matrix"},
		{m, ok.Slice(0, 4, 0, 2), "2 terms"},
		{&Model{}, ok, "fit it first"},
	} {
		if _, err := c.m.FoldIn(ctx, c.x); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("error %v, which should say %q", err, c.says)
		}
	}
}

// Entries from one end of what is allowed to the other, in one matrix: no infinity and no panic.
func TestExtremeCounts(t *testing.T) {
	x := mat.NewDense(5, 3, []float64{1e199, 0, 1, 0, 1e-280, 0, 5e-324, 1e-100, 1e100, 1e199, 1, 1, 0, 0, 3})
	for _, kind := range []Kind{Clustering, Aspect} {
		for _, smoothing := range []float64{smallestSmoothing, 0.1, largestSmoothing} {
			for _, labels := range [][]int{nil, {0, 1, -1, -1, -1}, {-1, 2, -1, -1, -1}} {
				m := fitted(t, x, Options{K: 3, Kind: kind, Smoothing: smoothing, Labels: labels})
				if _, err := m.FoldIn(ctx, x); err != nil {
					t.Error(err)
				}
				if v := m.History[m.Iterations]; math.IsNaN(v) || math.IsInf(v, 0) {
					t.Errorf("%s: objective %v", kind, v)
				}
			}
		}
	}
}

// A document so short that its inverse length is no number.
func TestSubnormalDocument(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{3, 1, 1, 2, 1e-310, 0})
	for _, kind := range []Kind{Clustering, Aspect} {
		if _, err := Fit(ctx, x, Options{K: 2, Kind: kind}); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "row 2") {
			t.Errorf("%s: error %v", kind, err)
		}
	}
}

// A context that ends stops the work at once, with its error.
func TestCancel(t *testing.T) {
	x, _ := texts(t, 400, 300, 20, 5, 0.5, 1)
	for _, kind := range []Kind{Clustering, Aspect} {
		ended, cancel := context.WithCancel(ctx)
		events := 0
		_, err := Fit(ended, x, Options{K: 5, Kind: kind, Tol: 1e-15, Observer: func(e progress.Event) {
			if events++; events == 3 {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) || events != 3 {
			t.Errorf("%s: error %v after %d events", kind, err, events)
		}
		if _, err := Fit(ended, x, Options{K: 5, Kind: kind}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", kind, err)
		}
		m := fitted(t, x, Options{K: 5, Kind: kind, Restarts: 1})
		if _, err := m.FoldIn(ended, x); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", kind, err)
		}
	}
}
