package labelprop

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

func TestEdges(t *testing.T) {
	none, _ := sparse.NewBuilder(4, 4).Build()
	g := must.Get(graph.FromAffinity(none))(t)
	for _, form := range []Form{Nie, Zhou, Zhu} {
		// No edge at all: labels stay, the rest has the prior.
		m, err := FitGraph(ctx, g, []int{0, 1, labels.Unknown, 1}, 2, Options{Form: form})
		if err != nil || fmt.Sprint(m.Unreached, m.Labels) != "[2] [0 1 1 1]" || m.Posterior.At(2, 1) != 2.0/3 {
			t.Errorf("%s without edges: %v, %+v", form, err, m)
		}
		m, err = FitGraph(ctx, g, []int{0, 1, labels.Unknown, 1}, 2, Options{Form: form, Prior: []float64{3, 1}})
		if err != nil || m.Posterior.At(2, 0) != 0.75 || m.Labels[2] != 0 {
			t.Errorf("%s, prior given: %v, %+v", form, err, m)
		}
		// All labelled.
		full, _ := sample(30, 2, 5, 1)
		known := make([]int, 30)
		for i := range known {
			known[i] = i % 2
		}
		m, err = FitGraph(ctx, full, known, 2, Options{Form: form, ClassMass: true})
		if err != nil || len(m.Unreached) != 0 || form != Zhou && !slices.Equal(m.Labels, known) {
			t.Errorf("%s, all labelled: %v, %+v", form, err, m)
		}
	}
	// Two halves that hang together by next to nothing: the one without a label is at the prior, or
	// next to nothing of it is known.
	for _, weight := range []float64{1e-12, 1e-100, 1e-200} {
		b := sparse.NewBuilder(6, 6)
		for _, e := range [][3]float64{{0, 1, 1}, {1, 2, 1}, {0, 2, 1}, {3, 4, 1}, {4, 5, 1}, {3, 5, 1}, {2, 3, weight}} {
			b.Add(int(e[0]), int(e[1]), e[2])
			b.Add(int(e[1]), int(e[0]), e[2])
		}
		w, _ := b.Build()
		g := must.Get(graph.FromAffinity(w))(t)
		for _, form := range []Form{Nie, Zhou, Zhu} {
			m, err := FitGraph(ctx, g, []int{0, 1, -1, -1, -1, -1}, 2, Options{Form: form})
			if err != nil || math.Abs(m.Posterior.At(5, 0)-0.5) > 1e-6 {
				t.Errorf("%s, link of %g: %v, %+v", form, weight, err, m)
			}
			if sum := m.F.At(5, 0) + m.F.At(5, 1); form == Zhu && math.Abs(sum-1) > 1e-9 {
				t.Errorf("harmonic functions sum to %v across a link of %g", sum, weight)
			}
		}
	}
}

func TestRefuses(t *testing.T) {
	g, known := sample(30, 3, 4, 1)
	for i, c := range []struct {
		known   []int
		classes int
		opt     Options
		says    string
	}{
		{known, 4, Options{}, "classes without a labelled document: 3"},
		{known[1:], 3, Options{}, "29 labels for 30"},
		{make([]int, 30), 1, Options{}, "1 classes"},
		{known, 3, Options{Form: "zhuu", Alpha: -1}, "zhuu"},
		{known, 3, Options{Alpha: math.NaN(), AlphaLabeled: 1, Tol: -1, MaxIter: -1, Solver: "lu"}, "spread is NaN"},
		{known, 3, Options{Form: Zhou, Alpha: 1}, "below 1"},
		{known, 3, Options{Form: Zhu, Alpha: 0.5}, "no spread"},
		{known, 3, Options{Form: Zhu, AlphaLabeled: 0.5}, "spread of labelled"},
		{known, 3, Options{Prior: []float64{1, 1}}, "priors of 2"},
		{known, 3, Options{Prior: []float64{0, 0, 0}}, "positive, finite sum"},
		{known, 3, Options{Prior: []float64{-1, 2, 0}}, "prior of class 0"},
	} {
		_, err := FitGraph(ctx, g, c.known, c.classes, c.opt)
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("case %d: %v", i, err)
		}
		if _, err = Fit(ctx, mat.NewDense(30, 2, nil), c.known, c.classes, c.opt); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("case %d: Fit: %v", i, err)
		}
	}
	tight := memory.Bound(ctx, 100)
	if _, err := FitGraph(tight, g, known, 3, Options{}); !errors.Is(err, memory.ErrLimit) || !strings.Contains(err.Error(), "100 bytes are allowed") {
		t.Errorf("100 bytes: %v", err)
	}
	if _, err := Fit(tight, mat.NewDense(30, 2, nil), known, 3, Options{}); !errors.Is(err, memory.ErrLimit) {
		t.Errorf("100 bytes: Fit: %v", err)
	}
	if _, err := Fit(ctx, nil, known, 3, Options{}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("no matrix: %v", err)
	}
	err := Options{Alpha: math.NaN(), AlphaLabeled: 1, Tol: -1, MaxIter: -1, Solver: "lu"}.Validate()
	if n := strings.Count(err.Error(), "\n") + 1; n != 5 {
		t.Errorf("%d violations listed, want 5: %v", n, err)
	}
	b := sparse.NewBuilder(4, 4)
	for i, v := range []float64{1e-300, 1, 1e200} {
		b.Add(i, i+1, v)
		b.Add(i+1, i, v)
	}
	w, _ := b.Build()
	wide := &graph.Graph{W: w, Degrees: w.RowSums(), Component: make([]int32, 4), Components: 1}
	if _, err := FitGraph(ctx, wide, []int{0, 1, -1, -1}, 2, Options{}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("degrees over 500 orders of magnitude: %v", err)
	}
}

func TestStops(t *testing.T) {
	g, known := sample(2000, 3, 3, 1)
	over, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := FitGraph(over, g, known, 3, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	m, err := FitGraph(ctx, g, known, 3, Options{Form: Zhu, MaxIter: 2})
	var stopped *NotConvergedError
	if !errors.As(err, &stopped) || m == nil || m.Iterations != 2 || !(m.Residual > DefaultTol) {
		t.Fatalf("%v, %+v", err, m)
	}
	for i := range known {
		if sum := mat.Sum(m.Posterior.RowView(i)); math.Abs(sum-1) > 1e-12 {
			t.Fatalf("posterior of %d sums to %v", i, sum)
		}
	}
}

// A chain of documents with labels at its beginning: far ones are unreached, and what is attached
// to them has the prior.
func TestNewDocumentAmongUnreached(t *testing.T) {
	b := sparse.NewBuilder(60, 60)
	known := make([]int, 60)
	for i := range 60 {
		known[i] = labels.Unknown
		if i > 0 {
			b.Add(i, i-1, 1)
			b.Add(i-1, i, 1)
		}
	}
	known[0], known[1] = 0, 1
	w := must.Get(b.Build())(t)
	g := must.Get(graph.FromAffinity(w))(t)
	m, err := FitGraph(ctx, g, known, 2, Options{Alpha: 0.3})
	if err != nil || len(m.Unreached) == 0 {
		t.Fatalf("%v, unreached %v", err, m.Unreached)
	}
	at := sparse.NewBuilder(1, 60)
	at.Add(0, m.Unreached[0], 1)
	row, _ := at.Build()
	p, _, err := m.Predict(&graph.Attachment{W: row})
	if err != nil || !slices.Equal(p.RawRowView(0), m.Prior) {
		t.Errorf("%v, %v; the prior is %v", err, mat.Formatted(p), m.Prior)
	}
	if _, _, err := new(Model).Predict(&graph.Attachment{W: row}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("an empty model: %v", err)
	}
}

// Edges so light that the inverse of a degree is no number reach as far as heavy ones.
func TestSubnormalDegrees(t *testing.T) {
	for _, weight := range []float64{1, 1e-310} {
		b := sparse.NewBuilder(4, 4)
		for _, e := range [][2]int{{0, 1}, {2, 3}} {
			b.Add(e[0], e[1], weight)
			b.Add(e[1], e[0], weight)
		}
		w := must.Get(b.Build())(t)
		g := must.Get(graph.FromAffinity(w))(t)
		m, err := FitGraph(ctx, g, []int{0, labels.Unknown, 1, labels.Unknown}, 2, Options{})
		if err != nil || len(m.Unreached) > 0 || m.Labels[1] != 0 || m.Labels[3] != 1 {
			t.Errorf("weight %g: %v, %+v", weight, err, m)
		}
	}
}
