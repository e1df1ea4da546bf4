package ggle

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"gonum.org/v1/gonum/mat"
)

// The contract gives what the typed Fit gives, and its options as used give the same again.
func TestContractIsFit(t *testing.T) {
	ctx := context.Background()
	for name, c := range map[string]struct {
		n     int
		o     Options
		reach int
	}{
		"defaults": {150, Options{}, 45},
		"few":      {8, Options{}, 7},
		"given":    {150, Options{Reach: 12, Shape: 1.5, LE: le.Options{NormalizeRows: true, Problem: nystrom.Problem{Graph: graph.Options{Neighbors: 6}}}}, 12},
		"epsilon":  {150, Options{Width: 2, LE: le.Options{Skip: le.SkipConstant, Problem: nystrom.Problem{Graph: graph.Options{Epsilon: 1}}}}, 45},
	} {
		in := &method.Input{X: cloud(c.n, 3, 5), Clusters: 3}
		got, err := c.o.Fit(ctx, in)
		if err != nil {
			t.Fatal(name, err)
		}
		typed := c.o
		typed.LE.Dims = 3
		want, err := Fit(ctx, in.X, typed)
		if err != nil {
			t.Fatal(name, err)
		}
		if !mat.Equal(got.Embedding, want.Embedding) || got.Placer != nil {
			t.Errorf("%s: the contract gives another embedding than Fit", name)
		}
		used := got.Used.(*Options)
		if used.LE.Dims != 3 || used.Reach != c.reach || used.Width != want.Graph.HeatWidth {
			t.Errorf("%s: used are %+v", name, used)
		}
		again, err := used.Fit(ctx, in)
		if err != nil || !mat.Equal(again.Embedding, got.Embedding) {
			t.Errorf("%s: the options as used give another result: %v", name, err)
		}
		if got.Facts[0].Line != "reach" || got.Facts[1].Value != c.reach || got.Facts[3].Value != used.Width {
			t.Errorf("%s: facts are %+v", name, got.Facts)
		}
	}
}

func TestContractRefuses(t *testing.T) {
	in := &method.Input{X: cloud(40, 3, 5), Clusters: 3}
	for name, c := range map[string]struct {
		o    Options
		says string
	}{
		"reach": {Options{Reach: 40}, "‹reach› 40 is more than the 39 other documents that each has: give at most 39"},
		"shape": {Options{Shape: -1}, "shape is -1"},
		"dims":  {Options{LE: le.Options{Dims: 40, Skip: le.SkipConstant}}, "give ‹dims› 39"},
	} {
		if _, err := c.o.Fit(context.Background(), in); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := new(Options).Validate(); err != nil {
		t.Errorf("the zero value: %v", err)
	}
}
