package plsa

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
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"gonum.org/v1/gonum/mat"
)

// subjects are counts of n documents of three subjects, and labels of the first six.
func subjects(n int) (*mat.Dense, *method.Given) {
	rng := rand.New(rand.NewPCG(8, 2))
	x := mat.NewDense(n, 12, nil)
	given := &method.Given{Labels: make([]int, n), Names: []string{"a", "b", "c"}}
	for i := range n {
		for range 10 {
			j := (i%3*4 + rng.IntN(6)) % 12
			x.Set(i, j, x.At(i, j)+1)
		}
		if given.Labels[i] = -1; i < 6 {
			given.Labels[i] = i % 3
		}
	}
	return x, given
}

func TestFitOfTheContract(t *testing.T) {
	x, given := subjects(40)
	in := &method.Input{X: x, Clusters: 4, Seed: 3, Given: given}
	for _, opt := range []Options{{}, {Kind: Aspect, Restarts: 2}} {
		out := must.Get(opt.Fit(context.Background(), in))(t)
		opt.K, opt.Labels, opt.Seed = 4, given.Labels, 3
		want, err := Fit(context.Background(), x, opt)
		if err != nil || !mat.Equal(out.Clusters.Posterior, want.Posterior) || !slices.Equal(out.Clusters.Labels, want.Labels) {
			t.Errorf("%v, or the contract's fit differs from Fit", err)
		}
		if out.Embedding != nil || !out.Topics || len(out.Directions) != 4 || !slices.Equal(out.Clusters.Classes, []string{"a", "b", "c", ""}) {
			t.Errorf("%+v", out)
		}
		placed := must.Get(out.Placer.Place(context.Background(), x, nil))(t)
		again, err := storedAndRead(t, out).Place(context.Background(), x, nil)
		if err != nil || !mat.Equal(placed.Posterior, again.Posterior) || !slices.Equal(placed.Labels, again.Labels) {
			t.Errorf("%v, or a stored model places otherwise", err)
		}
	}
}

// storedAndRead writes a model of the placer and reads it.
func storedAndRead(t *testing.T, out *method.Fitted) method.Placer {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.npz")
	m := &model.Model{Method: Spec.Name, Documents: 40, Part: out.Placer, Clusters: &model.Clusters{Sizes: out.Clusters.Sizes},
		Rows: model.Rows{Columns: 12, Weighting: "tf", Normalize: "none"}}
	must.Do(t, model.Write(path, m))
	read := must.Get(model.Read(context.Background(), path, func(string) model.Part { return Spec.Placer() }))(t)
	return read.Part.(method.Placer)
}

// Without clusters the shares of the topics are coordinates.
func TestTopicsAsCoordinates(t *testing.T) {
	x, given := subjects(40)
	out := must.Get(new(Options).Fit(context.Background(), &method.Input{X: x, Given: given}))(t)
	used := out.Used.(*Options)
	if out.Clusters != nil || out.Embedding.RawMatrix().Cols != 3 || used.K != 3 || used.Restarts != 1 || out.Values.Values == nil {
		t.Errorf("%+v, used %+v", out, used)
	}
}

func TestRefusalsOfTheContract(t *testing.T) {
	x, given := subjects(40)
	negative := mat.DenseCopyOf(x)
	negative.Set(4, 7, -2)
	for says, c := range map[string]struct {
		opt Options
		in  method.Input
	}{
		"document 5 has -2 of term 8": {Options{}, method.Input{X: x, Counts: negative, Clusters: 3}},
		"fewer than the 3 classes":    {Options{K: 2}, method.Input{X: x, Given: given}},
		"‹restarts› has no effect":    {Options{Restarts: 5}, method.Input{X: x, Given: given, Clusters: 3}},
		"makes one topic per cluster": {Options{K: 4}, method.Input{X: x, Clusters: 3}},
		"smoothing must lie between":  {Options{Smoothing: 1e9}, method.Input{X: x, Clusters: 3}},
		"give ‹dims›":                 {Options{}, method.Input{X: x}},
	} {
		_, err := c.opt.Fit(context.Background(), &c.in)
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", says, err)
		}
	}
}

func TestPlacerRefuses(t *testing.T) {
	of := model.Frame{Documents: 5, Columns: 2, Clusters: 2}
	good := Placer{Model{Kind: Aspect, Terms: mat.NewDense(2, 2, []float64{.5, .5, 1, 0}), Weights: []float64{.5, .5}}}
	if err := good.Check(of); err != nil {
		t.Error(err)
	}
	for name, p := range map[string]Placer{
		"topics":      {Model{Kind: Aspect}},
		"kind":        {Model{Kind: "x", Terms: good.Terms, Weights: good.Weights}},
		"weights":     {Model{Kind: Aspect, Terms: good.Terms, Weights: []float64{1}}},
		"probability": {Model{Kind: Aspect, Terms: good.Terms, Weights: []float64{.5, 2}}},
	} {
		if err := p.Check(of); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
