package lle

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"gonum.org/v1/gonum/mat"
)

func run(t testing.TB, in *method.Input, o Options) *method.Fitted {
	t.Helper()
	must.Do(t, o.Validate())
	out := must.Get(o.Fit(context.Background(), in))(t)
	return out
}

func TestContractIsFit(t *testing.T) {
	u, _ := sheet(12, 3, 21)
	x := curved(u)
	for _, opt := range []Options{{}, {NormalizeRows: true, Neighbors: 8}, {Landmarks: 30, LandmarkNeighbors: 4}, {Ridge: 1e-6, Parts: All}} {
		for _, data := range []mat.Matrix{x, sparseOf(t, x)} {
			out := run(t, &method.Input{X: data, Clusters: 2, Seed: 5}, opt)
			typed := opt
			typed.Dims, typed.Seed = 2, 5
			want := fit(t, data, typed)
			if !mat.Equal(out.Embedding, want.Embedding) || !slices.Equal(out.Values.Values, want.Values) {
				t.Errorf("%+v: the contract embeds otherwise", opt)
			}
			used := out.Used.(*Options)
			if used.Dims != 2 || used.Neighbors == 0 || opt.Dims != 0 {
				t.Errorf("used: %+v", used)
			}
			again := run(t, &method.Input{X: data, Seed: 5}, *used)
			if !mat.Equal(again.Embedding, out.Embedding) {
				t.Errorf("%+v: the options used give another embedding", opt)
			}
		}
	}
}

// The dense eigenproblem of the landmarks is bounded by the memory that is left.
func TestLandmarksAskForMemory(t *testing.T) {
	_, x := sheet(7, 3, 1)
	ctx := memory.Bound(context.Background(), pencilBytes(20)-1)
	for l, refused := range map[int]bool{20: true, 15: false} {
		_, err := (&Options{Landmarks: l, Neighbors: 4}).Fit(ctx, &method.Input{X: x, Clusters: 2})
		if errors.Is(err, memory.ErrLimit) != refused || refused && !strings.Contains(err.Error(), "‹landmarks›") {
			t.Errorf("%d landmarks: %v", l, err)
		}
	}
}

func TestContractRefuses(t *testing.T) {
	_, x := sheet(7, 3, 1)
	for name, c := range map[string]struct {
		o    Options
		in   method.Input
		want string
	}{
		"dims":                {Options{}, method.Input{X: x}, "‹dims›"},
		"many dims":           {Options{Dims: 49}, method.Input{X: x}, "‹dims› 48"},
		"landmarks":           {Options{Landmarks: 50}, method.Input{X: x, Clusters: 2}, "‹landmarks› 50 is more than its 49 documents"},
		"few landmarks":       {Options{Landmarks: 3}, method.Input{X: x, Clusters: 3}, "‹landmarks› 3 cannot carry 3 dimensions"},
		"no landmarks":        {Options{LandmarkNeighbors: 4}, method.Input{X: x, Clusters: 2}, "‹landmark-neighbors› has no effect"},
		"landmark neighbours": {Options{Landmarks: 20, LandmarkNeighbors: 21}, method.Input{X: x, Clusters: 2}, "‹landmark-neighbors› 21 is more than the 20 landmarks"},
		"many neighbors":      {Options{Neighbors: 49}, method.Input{X: x, Clusters: 2}, "neighbo"},
	} {
		out, err := c.o.Fit(context.Background(), &c.in)
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v", name, err)
		}
		if out != nil && out.Embedding != nil {
			t.Errorf("%s: an embedding beside the error", name)
		}
	}
	for name, o := range map[string]Options{"parts": {Parts: "join"}, "landmarks": {Landmarks: -1}, "carry": {Dims: 3, Landmarks: 3}, "ridge": {Ridge: -1},
		"landmark neighbours": {Landmarks: 3, LandmarkNeighbors: 4}} {
		if err := o.Validate(); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
	if err := new(Options).Validate(); err != nil {
		t.Error(err)
	}
}

func TestFlags(t *testing.T) {
	var names []string
	for _, f := range option.Of(Spec.New()) {
		names = append(names, f.Name)
		if f.Name == "tol" && f.Default != "1e-10" {
			t.Errorf("tol is %s unless set", f.Default)
		}
	}
	slices.Sort(names)
	want := []string{"dims", "landmark-neighbors", "landmarks", "max-iter", "neighbors", "normalize-rows", "parts", "regularization", "solver", "tol", "verify"}
	if !slices.Equal(names, want) {
		t.Errorf("flags %v", names)
	}
}

// A model that was written and read places new and old documents as before; old ones where they
// are, those without coordinates at the origin.
func TestPlacerFromFile(t *testing.T) {
	ctx := context.Background()
	u, _ := sheet(12, 3, 31)
	x := curved(u)
	for i := range 10 {
		x.Set(i, 0, x.At(i, 0)+1000) // a part of its own
	}
	v, _ := sheet(5, 3, 32)
	fresh := curved(v)
	for _, opt := range []Options{{Neighbors: 6}, {Neighbors: 6, Landmarks: 25}, {Neighbors: 6, NormalizeRows: true}} {
		out := run(t, &method.Input{X: x, Clusters: 3, Seed: 2}, opt)
		path := filepath.Join(t.TempDir(), "model.npz")
		must.Do(t, model.Write(path, &model.Model{Method: "lle", Documents: 144, Rows: model.Rows{Columns: 3}, Part: out.Placer}))
		read, err := model.Read(ctx, path, func(string) model.Part { return Spec.Placer() })
		if err != nil {
			t.Fatal(err)
		}
		p := read.Part.(method.Placer)
		got := must.Get(p.Place(ctx, fresh, nil))(t)
		want := must.Get(out.Model.(*Model).Transform(ctx, fresh))(t)
		if !mat.Equal(got.Embedding, want) || len(got.Isolated) > 0 || len(got.Known) != 0 {
			t.Errorf("%+v: the model read places new documents elsewhere", opt)
		}
		if got, err = p.Place(ctx, x, nil); err != nil {
			t.Fatal(err)
		}
		if len(out.Model.(*Model).Outside) != 10 || !mat.Equal(got.Embedding, out.Embedding) || len(got.Known) != 144 {
			t.Errorf("%+v: documents of the model are placed elsewhere, %d are known", opt, len(got.Known))
		}
	}
}

// As many neighbours reconstruct a new document as were asked for, also if the fit had to do with
// fewer.
func TestNewRowsHaveTheNeighboursAsked(t *testing.T) {
	_, x := sheet(3, 4, 5)
	with := mat.NewDense(12, 4, nil)
	with.Copy(x) // three rows without entries follow
	m := fit(t, sparseOf(t, with), Options{Dims: 2, Neighbors: 9})
	if m.opt.Neighbors != 8 || m.pieces.Neighbors != 9 || len(m.Outside) != 3 {
		t.Errorf("%d neighbours in the fit, %d for new documents, outside %v", m.opt.Neighbors, m.pieces.Neighbors, m.Outside)
	}
}
