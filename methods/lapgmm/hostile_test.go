package lapgmm

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

func TestErrorsSayWhatIsWrong(t *testing.T) {
	x := blobs(20, 3, 2, 1, 1)
	bad := mat.DenseCopyOf(x)
	bad.Set(4, 1, math.NaN())
	for _, c := range []struct {
		x    mat.Matrix
		opt  Options
		want string
	}{
		{x, Options{}, "number of components must be at least 1"},
		{x, Options{K: 2, Lambda: -1, Schedule: "x", Starts: -1}, "unknown schedule"},
		{x, Options{K: 2, Lambda: -1, Schedule: "x", Starts: -1}, "starts is -1"},
		{x, Options{K: 2, Lambda: math.NaN()}, "lambda"},
		{x, Options{K: 2, Ridge: number(2e6)}, "at most 1e6"},
		{x, Options{K: 2, MaxGamma: 1}, "largest gamma"},
		{x, Options{K: 2, Graph: graph.Options{Neighbors: 20}}, "20"},
		{x, Options{K: 21}, "20 rows are too few for 21 components"},
		{x, Options{K: 2, Start: mat.NewDense(3, 3, nil)}, "given means are 3 × 3"},
		{bad, Options{K: 2}, "(4, 1)"},
		{nil, Options{K: 1}, "no matrix"},
		{blobs(40, 3, 1, 1, 1), Options{K: 2, Lambda: 1.7e308, Schedule: Unsmoothed}, "smaller lambda"},
		{times(x, 1e-160), Options{K: 2}, "too small to square"},
	} {
		if _, err := Fit(ctx, c.x, c.opt); !errors.Is(err, fs.ErrInvalid) && !strings.Contains(fmt.Sprint(err), "(4, 1)") || !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("want an error with %q, got %v", c.want, err)
		}
	}
	near := must.Get(graph.Build(ctx, x, graph.Options{}))(t)
	if _, err := FitGraph(memory.Bound(ctx, 100), x, near, Options{K: 2}); !errors.Is(err, memory.ErrLimit) || !strings.Contains(err.Error(), "‹pca›") {
		t.Errorf("100 bytes: %v", err)
	}
	g := must.Get(graph.Build(ctx, blobs(30, 3, 2, 1, 1), graph.Options{}))(t)
	if _, err := FitGraph(ctx, x, g, Options{K: 2}); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "30 nodes") {
		t.Errorf("a graph of other documents gives %v", err)
	}
}

func times(x *mat.Dense, by float64) *mat.Dense {
	var scaled mat.Dense
	scaled.Scale(by, x)
	return &scaled
}

// What may not break a fit: all rows equal, as many components as rows, clusters of one point,
// several parts without a path between them, λ of any size.
func TestDegenerateData(t *testing.T) {
	equal := mat.NewDense(12, 3, nil)
	points := mat.NewDense(40, 2, nil)
	for i := range 40 {
		points.SetRow(i, []float64{float64(100 * (i / 10)), float64(i % 10 / 5)})
	}
	for name, x := range map[string]*mat.Dense{"equal rows": equal, "few distinct points": points, "more columns than rows": blobs(15, 40, 3, 5, 1), "two rows": blobs(2, 1, 1, 1, 1)} {
		n, _ := x.Dims()
		for _, schedule := range []Schedule{Restart, Literal} {
			for _, k := range []int{1, 2, n} {
				for _, lambda := range []float64{1e-300, 1000, 1e12} {
					opt := Options{K: k, Lambda: lambda, Schedule: schedule, MaxIter: 5, StartIter: 2, Starts: 2, Graph: graph.Options{Neighbors: min(3, n-1)}}
					m, err := Fit(ctx, x, opt)
					if err != nil {
						t.Fatalf("%s, %s, K = %d: %v", name, schedule, k, err)
					}
					check(t, m, x, opt)
				}
			}
		}
	}
}

// A component that shrinks to a point has its ridge raised, which the steps record; values are
// compared under one prior only.
func TestRaisedRidgeIsTold(t *testing.T) {
	x := blobs(60, 4, 2, 20, 3)
	for i := 0; i < 60; i += 2 {
		x.SetRow(i, []float64{100, 100, 100, 100})
	}
	told := false
	opt := Options{K: 2, Lambda: 1, Ridge: number(0), Graph: graph.Options{Neighbors: 3}, Observer: func(e progress.Event) {
		told = told || strings.Contains(e.Message, "ridge was raised")
	}}
	m := fit(t, x, opt)
	check(t, m, x, opt)
	if !told || !m.Raised[0] && !m.Raised[1] {
		t.Errorf("told %v, raised %v", told, m.Raised)
	}
}

func TestCancel(t *testing.T) {
	n := 4000
	if testing.Short() {
		n = 1000
	}
	x := blobs(n, 60, 6, 1, 2)
	for _, after := range []int{1, 3, 8} {
		c, cancel := context.WithCancel(ctx)
		seen := 0
		_, err := Fit(c, x, Options{K: 6, Seed: 1, Tol: 1e-300, Starts: 3, Observer: func(e progress.Event) {
			if e.Stage == stage {
				if seen++; seen == after {
					cancel()
				}
			}
		}})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("after %d events: %v", after, err)
		}
		// Starts side by side each end the iteration that they are in.
		if underway := native.Threads() - 1; seen < after || seen > after+underway {
			t.Errorf("%d iterations ended after the end, of at most %d under way", seen-after, underway)
		}
	}
}

// If the penalty outweighs the gain of components, they lose their rows; a note says so, with the
// way out.
func TestEmptyComponentsAreTold(t *testing.T) {
	x := blobs(90, 3, 3, 0.5, 5)
	for _, lambda := range []float64{1e-3, 1e6} {
		told := false
		m := fit(t, x, Options{K: 3, Lambda: lambda, Graph: graph.Options{Neighbors: 8}, Observer: func(e progress.Event) {
			told = told || strings.Contains(e.Message, "components have no rows")
		}})
		t.Logf("λ = %g: %v", lambda, m.Sizes)
		if empty := m.Empty() > 0; empty != told || empty != (lambda > 1) {
			t.Errorf("λ = %g: sizes %v, told %v", lambda, m.Sizes, told)
		}
	}
}
