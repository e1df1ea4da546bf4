package lpp

import (
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/pca"
	"gonum.org/v1/gonum/mat"
)

// given labels the first twelve of n documents.
func given(n int) *method.Given {
	g := &method.Given{Labels: make([]int, n), Names: []string{"a", "b", "c"}}
	for i := range g.Labels {
		if g.Labels[i] = -1; i < 12 {
			g.Labels[i] = i % 3
		}
	}
	return g
}

func TestFitOfTheContract(t *testing.T) {
	x := rowsOf(rand.New(rand.NewPCG(3, 3)), 40, 12, false)
	in := &method.Input{X: x, Clusters: 3, Seed: 5}
	out := must.Get(new(Options).Fit(ctx, in))(t)
	want, err := Fit(ctx, x, Options{Dims: 3, Seed: 5})
	if err != nil || !mat.Equal(out.Embedding, want.Embedding) {
		t.Errorf("%v, or the contract's fit differs from Fit", err)
	}
	used := out.Used.(*Options)
	if used.Kind != Neighbors || used.Dims != 3 || used.Graph.Neighbors != DefaultNeighbors || out.Graph == nil {
		t.Errorf("used %+v", used)
	}
	again, err := used.Fit(ctx, in)
	if err != nil || !mat.Equal(again.Embedding, out.Embedding) {
		t.Errorf("%v, or the options used give another embedding", err)
	}
}

// The kind classes is the embedding of the class graph, pca the embedding by principal components
// up to length.
func TestKindsOfGraphs(t *testing.T) {
	x := rowsOf(rand.New(rand.NewPCG(4, 3)), 40, 12, false)
	in := &method.Input{X: x, Clusters: 3, Given: given(40)}
	out, err := new(Options).Fit(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	g := must.Get(ClassGraph(in.Given.Labels, 3))(t)
	if want := fit(t, x, g, Options{Dims: 2}); !mat.Equal(out.Embedding, want.Embedding) || out.Used.(*Options).Kind != Classes {
		t.Errorf("used %+v, or labels do not give the class graph", out.Used)
	}
	in.Given = nil
	if out, err = (&Options{Kind: PCA, Dims: 3}).Fit(ctx, in); err != nil {
		t.Fatal(err)
	}
	c := must.Get(pca.Fit(ctx, x, pca.Options{Dims: 3}))(t)
	for j, v := range out.Values.Values {
		if s := c.Singular[j] * c.Singular[j]; math.Abs(v-s) > 1e-8*s {
			t.Errorf("value %d is %v, the squared singular value %v", j, v, s)
		}
		for i := range 40 {
			if a, b := math.Abs(out.Embedding.At(i, j)), math.Abs(c.Embedding.At(i, j)); math.Abs(a-b) > 1e-6 {
				t.Fatalf("coordinate %d of document %d: %v, principal component %v", j, i, a, b)
			}
		}
	}
}

func TestRefusalsOfTheContract(t *testing.T) {
	x := rowsOf(rand.New(rand.NewPCG(5, 3)), 40, 12, false)
	one := 1.0
	for name, c := range map[string]struct {
		opt   Options
		given *method.Given
	}{
		"classes without labels": {Options{Kind: Classes}, nil},
		"neighbors with labels":  {Options{Kind: Neighbors}, given(40)},
		"pca with labels":        {Options{Kind: PCA}, given(40)},
		"pca with a ridge":       {Options{Kind: PCA, Ridge: &one}, nil},
		"too many directions":    {Options{Dims: 3}, given(40)},
		"unknown":                {Options{Kind: "complete"}, nil},
	} {
		if _, err := c.opt.Fit(ctx, &method.Input{X: x, Clusters: 3, Given: c.given}); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Fit(ctx, x, Options{Dims: 2, Kind: Classes}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("Fit of the class graph: %v", err)
	}
}
