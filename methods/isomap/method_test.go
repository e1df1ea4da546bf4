package isomap

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
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/geodesic"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

func run(t testing.TB, in *method.Input, o Options) *method.Fitted {
	t.Helper()
	must.Do(t, o.Validate())
	out := must.Get(o.Fit(context.Background(), in))(t)
	return out
}

func TestContractIsFit(t *testing.T) {
	x := rolled(sheet(150, 21))
	for _, opt := range []Options{{}, {NormalizeRows: true}, {Landmarks: 20, Pick: MaxMin}, {Parts: Join, Graph: graph.Options{Neighbors: 3, Symmetry: graph.Mutual}}} {
		out := run(t, &method.Input{X: x, Clusters: 2, Seed: 5}, opt)
		typed := opt
		typed.Dims, typed.Seed = 2, 5
		want := fit(t, x, typed)
		if !mat.Equal(out.Embedding, want.Embedding) || !slices.Equal(out.Values.Values, want.Values) {
			t.Errorf("%+v: the contract embeds otherwise", opt)
		}
		used := out.Used.(*Options)
		if used.Dims != 2 || used.Graph.Neighbors == 0 || opt.Dims != 0 {
			t.Errorf("used: %+v", used)
		}
		again := run(t, &method.Input{X: x, Seed: 5}, *used)
		if !mat.Equal(again.Embedding, out.Embedding) {
			t.Errorf("%+v: the options used give another embedding", opt)
		}
	}
}

// withOutlier draws n points of a square and moves the last one far away.
func withOutlier(n int) *mat.Dense {
	r := rand.New(rand.NewPCG(4, 4))
	x := mat.NewDense(n, 2, nil)
	for i := range n {
		x.SetRow(i, []float64{r.Float64(), r.Float64()})
	}
	x.SetRow(n-1, []float64{1e4, 1e4})
	return x
}

// A document far away keeps its edges. In a graph of the heat kernel they round to 0, because the
// width is the mean squared distance over all edges.
func TestFarDocumentKeepsItsEdges(t *testing.T) {
	const n = 2500
	x := withOutlier(n)
	heat := must.Get(graph.Build(context.Background(), x, graph.Options{Weight: graph.Heat}))(t)
	if !slices.Equal(heat.Isolated, []int{n - 1}) {
		t.Fatalf("the heat graph leaves out %v: the test shows nothing", heat.Isolated)
	}
	var notes []string
	in := &method.Input{X: x, Clusters: 2, Observer: func(e progress.Event) {
		if e.Message != "" {
			notes = append(notes, e.Message)
		}
	}}
	out := run(t, in, Options{Landmarks: 50})
	m := out.Model.(*Model)
	if len(m.Outside) > 0 || slices.ContainsFunc(notes, func(s string) bool { return strings.Contains(s, "not embedded") }) {
		t.Errorf("outside are %v, notes %q", m.Outside, notes)
	}
	if got := out.Graph.W.NNZ() - heat.W.NNZ(); got != 2*graph.DefaultNeighbors {
		t.Errorf("%d more entries than in the heat graph", got)
	}
	if p := out.Placer.(*Paths); p.Graph.Weight != graph.Binary || p.Graph.HeatWidth != 0 {
		t.Errorf("the placer's graph: %+v", p.Graph)
	}
}

func TestContractRefuses(t *testing.T) {
	x := sheet(40, 1)
	for name, c := range map[string]struct {
		o    Options
		in   method.Input
		want string
	}{
		"dims":           {Options{}, method.Input{X: x}, "‹dims›"},
		"many dims":      {Options{Dims: 40}, method.Input{X: x}, "‹dims› 39"},
		"landmarks":      {Options{Landmarks: 41}, method.Input{X: x, Clusters: 2}, "‹landmarks› 41 is more than its 40 documents"},
		"few landmarks":  {Options{Landmarks: 3}, method.Input{X: x, Clusters: 3}, "‹landmarks› 3 cannot carry 3 dimensions"},
		"pick":           {Options{Pick: MaxMin}, method.Input{X: x, Clusters: 2}, "‹landmark-pick› has no effect"},
		"pick from all":  {Options{Pick: MaxMin, Landmarks: 40}, method.Input{X: x, Clusters: 2}, "‹landmark-pick› has no effect"},
		"many neighbors": {Options{Graph: graph.Options{Neighbors: 40}}, method.Input{X: x, Clusters: 2}, "neighbo"},
	} {
		out, err := c.o.Fit(context.Background(), &c.in)
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v", name, err)
		}
		if out != nil && out.Embedding != nil {
			t.Errorf("%s: an embedding beside the error", name)
		}
	}
	for name, o := range map[string]Options{"parts": {Parts: "all"}, "pick": {Pick: "x"}, "landmarks": {Landmarks: -1}, "carry": {Dims: 3, Landmarks: 3}, "tol": {}} {
		if name == "tol" {
			o.Eigen.Tol = -1
		}
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
	want := []string{"dims", "epsilon", "landmark-pick", "landmarks", "max-iter", "neighbors", "normalize-rows", "parts", "solver", "symmetry", "tol"}
	if !slices.Equal(names, want) {
		t.Errorf("flags %v", names)
	}
}

// A model that was written and read places new and old documents as before; old ones where they
// are.
func TestPlacerFromFile(t *testing.T) {
	ctx := context.Background()
	x, fresh := rolled(sheet(200, 31)), rolled(sheet(30, 32))
	for _, opt := range []Options{{}, {Landmarks: 25}, {NormalizeRows: true, Parts: Join, Graph: graph.Options{Neighbors: 3, Symmetry: graph.Mutual}}} {
		out := run(t, &method.Input{X: x, Clusters: 3, Seed: 2}, opt)
		path := filepath.Join(t.TempDir(), "model.npz")
		must.Do(t, model.Write(path, &model.Model{Method: "isomap", Documents: 200, Rows: model.Rows{Columns: 3}, Part: out.Placer}))
		read := must.Get(model.Read(ctx, path, func(string) model.Part { return Spec.Placer() }))(t)
		p := read.Part.(method.Placer)
		got := must.Get(p.Place(ctx, fresh, nil))(t)
		want, outside, err := out.Model.(*Model).Transform(ctx, fresh)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(got.Embedding, want) || !slices.Equal(got.Isolated, outside) || len(got.Known) != 0 {
			t.Errorf("%+v: the model read places new documents elsewhere", opt)
		}
		if got, err = p.Place(ctx, x, nil); err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(got.Embedding, out.Embedding) || len(got.Known) != 200 {
			t.Errorf("%+v: documents of the model are placed elsewhere, %d are known", opt, len(got.Known))
		}
	}
}

// The rule for new rows gives training rows their own coordinates: by their paths, not because
// they are recognised.
func TestRuleIsExactOnTrainingRows(t *testing.T) {
	ctx := context.Background()
	x := rolled(sheet(120, 6))
	for _, opt := range []Options{{Dims: 3, Graph: graph.Options{Neighbors: 6}}, {Dims: 3, Graph: graph.Options{Neighbors: 6}, Landmarks: 12}} {
		m := fit(t, x, opt)
		p := m.paths
		at, s := p.places(), geodesic.NewSearch(p.Lengths)
		worst := 0.0
		for i := range 120 {
			y := slices.Clone(p.Offset)
			reached, err := p.measure(ctx, s, at, []int32{int32(i)}, []float64{0}, y)
			if err != nil || !reached {
				t.Fatal(err, reached)
			}
			for a, v := range y {
				worst = max(worst, v-m.Coordinates.At(i, a), m.Coordinates.At(i, a)-v)
			}
		}
		if worst > 1e-7 {
			t.Errorf("landmarks %d: training rows are placed %.1e away from themselves", opt.Landmarks, worst)
		}
	}
}
