package sle

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
	x := cloud(150, 3, 5)
	in := &method.Input{X: x, Clusters: 3}
	for name, o := range map[string]Options{
		"defaults": {},
		"given":    {MinNeighbors: 3, Threshold: 1.4, LE: le.Options{NormalizeRows: true, Problem: nystrom.Problem{Graph: graph.Options{Neighbors: 9}}}},
		"binary":   {LE: le.Options{Skip: le.SkipConstant, Problem: nystrom.Problem{Graph: graph.Options{Weight: graph.Binary}}}},
		"pairs":    {LE: le.Options{Problem: nystrom.Problem{Graph: graph.Options{HeatRule: graph.PairsWidth}}}},
	} {
		got, err := o.Fit(ctx, in)
		if err != nil {
			t.Fatal(name, err)
		}
		typed := o
		typed.LE.Dims = 3
		want, h, err := Fit(ctx, x, typed)
		if err != nil {
			t.Fatal(name, err)
		}
		if !mat.Equal(got.Embedding, want.Embedding) || got.Placer != nil {
			t.Errorf("%s: the contract gives another embedding than Fit", name)
		}
		used := got.Used.(*Options)
		if used.LE.Dims != 3 || used.LE.Graph.HeatWidth != want.Graph.HeatWidth || used.LE.Graph.Neighbors == 0 {
			t.Errorf("%s: used are %+v", name, used)
		}
		again, err := used.Fit(ctx, in)
		if err != nil || !mat.Equal(again.Embedding, got.Embedding) {
			t.Errorf("%s: the options as used give another result: %v", name, err)
		}
		if got.Facts[0].Line != "sizes" || got.Facts[1].Value != h.Threshold {
			t.Errorf("%s: facts are %+v", name, got.Facts)
		}
	}
}

// The mean over all pairs is a rule for the width like the others. (It was refused without a
// command line that computed it.)
func TestPairsWidth(t *testing.T) {
	x := cloud(60, 3, 5)
	g, _, err := Graph(context.Background(), x, Options{LE: le.Options{Problem: nystrom.Problem{Graph: graph.Options{HeatRule: graph.PairsWidth}}}})
	if err != nil || g.HeatWidth != graph.MeanSquaredDistance(x) {
		t.Errorf("%v", err)
	}
}

func TestContractRefuses(t *testing.T) {
	in := &method.Input{X: cloud(40, 3, 5), Clusters: 3}
	for name, c := range map[string]struct {
		o    Options
		says string
	}{
		"least":          {Options{MinNeighbors: 9, LE: le.Options{Problem: nystrom.Problem{Graph: graph.Options{Neighbors: 3}}}}, "‹min-neighbors› 9 is more than the 3"},
		"default's most": {Options{MinNeighbors: 16}, "‹min-neighbors› 16 is more than the 15"},
		"weight":         {Options{LE: le.Options{Problem: nystrom.Problem{Graph: graph.Options{Weight: graph.Dot}}}}, "give ‹edge-weight› heat or binary"},
		"ratio":          {Options{Threshold: 0.5}, "ratio is 0.5"},
		"dims":           {Options{LE: le.Options{Dims: 41}}, "‹dims› 41 is more"},
	} {
		if _, err := c.o.Fit(context.Background(), in); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := new(Options).Validate(); err != nil {
		t.Errorf("the zero value: %v", err)
	}
}
