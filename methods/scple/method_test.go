package scple

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// The contract gives what the typed Fit gives, with the same defaults.
func TestContractIsFit(t *testing.T) {
	ctx := context.Background()
	x, known := classes(150, 3, 3, 5)
	in := &method.Input{X: x, Clusters: 4, Given: &method.Given{Labels: known, Names: []string{"a", "b", "c"}}}
	zero := 0.0
	for _, o := range []Options{{}, {Balance: &zero, Width: 3}, {LE: le.Options{Dims: 2, NormalizeRows: true}}} {
		got := must.Get(o.Fit(ctx, in))(t)
		typed := o
		if typed.LE.Dims == 0 {
			typed.LE.Dims = 4
		}
		want := must.Get(Fit(ctx, x, known, 3, typed))(t)
		if _, err := want.placeOutside(ctx, x, known, typed.LE.NormalizeRows, nil); err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(got.Embedding, want.Embedding) || !slices.Equal(got.Values.Values, want.Values) || !got.Values.Own {
			t.Error("the contract gives another embedding than Fit")
		}
		used := got.Used.(*Options)
		if used.LE.Dims != typed.LE.Dims || used.LE.Graph.Neighbors != 15 || used.LE.Eigen.MaxIter != 5000 {
			t.Errorf("used are %+v", used)
		}
		if got.Facts[0].Line != "classes" || got.Facts[3].ID != "outside" || got.Facts[3].Value != 15 {
			t.Errorf("facts are %+v", got.Facts)
		}
	}
}

// The default of the eigensolver's restarts is one for all callers. (It was 300 here and 5,000 on
// the command line.)
func TestDefaultRestarts(t *testing.T) {
	if n := (Options{}).eigen().MaxIter; n != 5000 {
		t.Errorf("the default is %d restarts", n)
	}
	list := option.Of(new(Options))
	if f := option.Find(list, "max-iter"); f.Default != "5000" {
		t.Errorf("the default of the option is %s restarts", f.Default)
	}
	if ok, because := option.Relevant(list, option.Find(list, "heat-width"), option.Unknown); !ok {
		t.Errorf("heat-width has no effect: %s", because)
	}
}

func TestContractRefuses(t *testing.T) {
	ctx := context.Background()
	x, _ := classes(40, 3, 2, 8)
	given := func(of ...int) *method.Given {
		known := slices.Repeat([]int{-1}, 40)
		copy(known, of)
		return &method.Given{Labels: known, Names: []string{"a", "b"}}
	}
	for name, c := range map[string]struct {
		given *method.Given
		dims  int
		says  string
	}{
		"no labels":     {nil, 0, "‹labels›"},
		"single labels": {given(0, 1), 0, "a, b have one each"},
		"dims":          {given(0, 0, 1, 1), 4, "give at most 3 dimensions, not 4: give ‹dims› 3, or more labels"},
		"more dims":     {given(0, 0, 1, 1), 41, "‹dims› 41 is more than its 40 documents"},
	} {
		o := Options{LE: le.Options{Dims: c.dims}}
		_, err := o.Fit(ctx, &method.Input{X: x, Clusters: 2, Given: c.given})
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var notes []string
	in := &method.Input{X: x, Clusters: 2, Given: given(0, 0, 0, 1), Observer: func(e progress.Event) { notes = append(notes, e.Message) }}
	if _, err := new(Options).Fit(ctx, in); err != nil {
		t.Fatal(err)
	}
	for _, says := range []string{"at the origin: b; every class needs two", "here 3 of 40, and place the others between these; semi-le"} {
		if !slices.ContainsFunc(notes, func(s string) bool { return strings.Contains(s, says) }) {
			t.Errorf("no note says %q: %q", says, notes)
		}
	}
	if err := new(Options).Validate(); err != nil {
		t.Errorf("the zero value: %v", err)
	}
}

// A document without a label is placed between its nearest labelled ones by inverse squared
// distances, at the coordinates of one that it equals, and at the origin if it has no terms.
func TestPlaceOutside(t *testing.T) {
	x := must.Get(sparse.FromMatrix(mat.NewDense(6, 2, []float64{1, 0, 3, 0, 2.5, 0, 3, 0, 0, 0, 1, 1})))(t)
	m := &Model{Coordinates: mat.NewDense(6, 1, []float64{10, 20, 0, 0, 0, 0}), Outside: []int{2, 3, 4, 5}}
	left, err := m.placeOutside(context.Background(), x, []int{0, 0, -1, -1, -1, 1}, false, nil)
	if err != nil || !slices.Equal(left, []int{4, 5}) {
		t.Fatalf("left %v, %v", left, err)
	}
	a, b := 1/2.25, 1/.25
	want := (a*10 + b*20) / (a + b)
	if got := m.Embedding.At(2, 0); math.Abs(got-want) > 1e-12 {
		t.Errorf("placed at %v, want %v", got, want)
	}
	if m.Embedding.At(3, 0) != 20 || m.Embedding.At(4, 0) != 0 || m.Embedding.At(0, 0) != 10 {
		t.Errorf("%v", mat.Formatted(m.Embedding))
	}
}

// With labels for a tenth of the documents the others come to their classes.
func TestFewLabels(t *testing.T) {
	ctx := context.Background()
	x, known := classes(300, 3, 3, 5)
	given := slices.Repeat([]int{-1}, len(known))
	for i := range 45 {
		given[i] = known[i]
	}
	out := must.Get(new(Options).Fit(ctx, &method.Input{X: x, Clusters: 3, Given: &method.Given{Labels: given, Names: []string{"a", "b", "c"}}}))(t)
	m := must.Get(kmeans.Fit(ctx, out.Embedding, kmeans.Options{K: 3}))(t)
	for i := range given { // the scores are of the documents without a label
		if i < 45 {
			known[i] = -1
		}
	}
	s, err := metrics.Score(known, m.Labels)
	if err != nil || s.Accuracy < .8 {
		t.Errorf("accuracy %v, %v", s.Accuracy, err)
	}
}
