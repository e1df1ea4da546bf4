package cle

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/links"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"gonum.org/v1/gonum/mat"
)

// threeGroups draws n rows around three corners; the first 30 have a label.
func threeGroups(n int) (*mat.Dense, *method.Given) {
	r := rand.New(rand.NewPCG(3, 2))
	x := mat.NewDense(n, 3, nil)
	given := &method.Given{Labels: slices.Repeat([]int{-1}, n), Names: []string{"a", "b", "c"}}
	for i := range n {
		for j := range 3 {
			x.Set(i, j, r.NormFloat64())
		}
		x.Set(i, i%3, x.At(i, i%3)+3)
		if i < 30 {
			given.Labels[i] = i % 3
		}
	}
	return x, given
}

// The contract gives what the typed functions give, from labels and from links, and its placer
// places training rows where they were once it was stored.
func TestContractIsFit(t *testing.T) {
	ctx := context.Background()
	x, given := threeGroups(150)
	groups := must.Get(links.Resolve(150, []links.Link{{A: 0, B: 3}, {A: 1, B: 4}, {A: 0, B: 1, Cannot: true}}))(t)
	g := must.Get(graph.Build(ctx, x, graph.Options{Neighbors: 15, Weight: graph.Heat}))(t)
	for name, c := range map[string]struct {
		in   method.Input
		o    Options
		dims int
	}{
		"labels":      {method.Input{X: x, Given: given, Clusters: 3}, Options{}, 3},
		"rows":        {method.Input{X: x, Given: given}, Options{Dims: 3, NormalizeRows: true}, 3},
		"links":       {method.Input{X: x, Links: groups, Clusters: 2}, Options{}, 2},
		"dims":        {method.Input{X: x, Links: groups, Clusters: 2}, Options{Dims: 4}, 4},
		"an affinity": {method.Input{Graph: g, Given: given}, Options{}, 3},
	} {
		got, err := c.o.Fit(ctx, &c.in)
		if err != nil {
			t.Fatal(name, err)
		}
		var want *Model
		typed := c.o
		typed.Dims = c.dims
		if c.in.Given != nil {
			want, err = FitGraph(ctx, g, given.Labels, 3, typed)
		} else {
			want, err = FitLinks(ctx, g, groups, typed)
		}
		if err != nil {
			t.Fatal(name, err)
		}
		if !mat.Equal(got.Embedding, want.Embedding) || !slices.Equal(got.Values.Values, want.Values) {
			t.Errorf("%s: the contract gives another embedding than Fit", name)
		}
		if used := got.Used.(*Options); used.Dims != c.dims || c.in.X != nil && (used.Graph.Neighbors != 15 || used.Graph.HeatWidth != g.HeatWidth) {
			t.Errorf("%s: used are %+v", name, used)
		}
		if (got.Values.Classes != nil) != (c.in.Given != nil) || (got.Placer == nil) != (c.in.X == nil) {
			t.Errorf("%s: maps of %v, placer %v", name, got.Values.Classes, got.Placer)
		}
		if got.Placer == nil {
			continue
		}
		file := filepath.Join(t.TempDir(), "model.npz")
		must.Do(t, model.Write(file, &model.Model{Method: Spec.Name, Documents: 150, Rows: model.Rows{Columns: 3}, Part: got.Placer}))
		read := must.Get(model.Read(ctx, file, func(string) model.Part { return Spec.Placer() }))(t)
		at, err := read.Part.(method.Placer).Place(ctx, x, nil)
		if err != nil || !mat.Equal(at.Embedding, got.Embedding) {
			t.Errorf("%s: training rows are placed elsewhere: %v", name, err)
		}
	}
}

func TestContractRefuses(t *testing.T) {
	x, given := threeGroups(60)
	groups := must.Get(links.Resolve(60, []links.Link{{A: 0, B: 3}}))(t)
	for name, c := range map[string]struct {
		in   method.Input
		dims int
		says string
	}{
		"nothing":   {method.Input{X: x, Clusters: 3}, 0, "give ‹labels›, ‹labeled-fraction› or ‹constraints›"},
		"both":      {method.Input{X: x, Given: given, Links: groups}, 0, "give one of them"},
		"dims":      {method.Input{X: x, Given: given}, 4, "leave ‹dims› out"},
		"many dims": {method.Input{X: x, Links: groups}, 61, "give at most 60"},
		"no dims":   {method.Input{X: x, Links: groups}, 0, "give ‹dims›"},
	} {
		o := Options{Dims: c.dims}
		if _, err := o.Fit(context.Background(), &c.in); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := new(Options).Validate(); err != nil {
		t.Errorf("the zero value: %v", err)
	}
}
