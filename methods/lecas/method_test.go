package lecas

import (
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kernelkmeans"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// input is a request for k clusters of the rows of x. Half of the rows have a label if labeled is
// set.
func input(x mat.Matrix, truth []int, k int, labeled bool) *method.Input {
	in := &method.Input{X: x, Clusters: k}
	if labeled {
		given := slices.Clone(truth)
		for i := range given {
			if i%2 == 1 {
				given[i] = -1
			}
		}
		in.Given = &method.Given{Labels: given, Names: []string{"a", "b", "c"}[:k]}
	}
	return in
}

// A rule for the width of the graph's heat kernel is obeyed: the width is not the other kernel's
// then. (It was ignored.)
func TestHeatRuleIsObeyed(t *testing.T) {
	x, _ := blobs(300, 4, 3, 1, 3)
	for _, rule := range []graph.WidthRule{graph.MeanWidth, graph.MedianWidth, graph.PairsWidth, graph.LocalWidth} {
		opt := Options{LE: le.Options{Dims: 2, Problem: nystrom.Problem{Graph: graph.Options{HeatRule: rule}}}}
		m := fitOK(t, x, opt)
		want := must.Get(graph.Build(ctx, x, graph.Options{Neighbors: DefaultNeighbors, Weight: graph.Heat, HeatRule: rule}))(t)
		if m.Graph.HeatWidth != want.HeatWidth || !slices.Equal(m.Graph.W.Val, want.W.Val) {
			t.Errorf("%s: the width is %v, want %v", rule, m.Graph.HeatWidth, want.HeatWidth)
		}
	}
	m := fitOK(t, x, Options{LE: le.Options{Dims: 2}})
	if m.Graph.HeatWidth != m.Sigma {
		t.Errorf("without a rule the width is %v, not σ = %v", m.Graph.HeatWidth, m.Sigma)
	}
}

// Eight rows have seven others, fewer than the default number of neighbours. (They were refused.)
func TestFewRows(t *testing.T) {
	x, _ := blobs(8, 2, 2, 1, 3)
	m := fitOK(t, x, Options{LE: le.Options{Dims: 2}})
	if n, d := m.Embedding.Dims(); n != 8 || d != 2 {
		t.Errorf("the embedding is %d × %d", n, d)
	}
}

// The contract gives what the typed Fit gives, and its options as used give the same again.
func TestContractIsFit(t *testing.T) {
	x, truth := blobs(200, 4, 3, 1, 3)
	s := must.Get(sparse.FromMatrix(x))(t)
	degree := graph.Options{PolyDegree: 3}
	for name, c := range map[string]struct {
		x       mat.Matrix
		opt     Options
		labeled bool
		first   Clustering
	}{
		"defaults":   {x, Options{}, false, KernelKMeans},
		"sparse":     {s, Options{}, false, KernelKMeans},
		"k-means":    {x, Options{Search: Search{Clustering: KMeans}, Sigma: 0.6}, false, KMeans},
		"polynomial": {x, Options{Search: Search{Kernel: kernelkmeans.Polynomial, Clusters: 4}, LE: le.Options{Problem: nystrom.Problem{Graph: degree}}}, false, KernelKMeans},
		"labels":     {x, Options{Denominator: SigmaSquared, LE: le.Options{Skip: le.SkipNone, NormalizeRows: true}}, true, GivenLabels},
	} {
		in := input(c.x, truth, 3, c.labeled)
		in.Seed = 5
		got, err := c.opt.Fit(ctx, in)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		typed := c.opt
		typed.LE.Dims, typed.Search.Seed, typed.LE.Eigen.Seed = 3, 5, 5
		if c.labeled {
			typed.Labels = in.Given.Labels
		}
		want := fitOK(t, c.x, typed)
		if !mat.Equal(got.Embedding, want.Embedding) || !slices.Equal(got.Values.Values, want.Values) {
			t.Errorf("%s: the contract gives another embedding than Fit", name)
		}
		used := got.Used.(*Options)
		if used.LE.Dims != 3 || used.Sigma != want.Sigma || used.Search.Clustering != c.first || used.LE.Graph.Neighbors != 10 || used.LE.Graph.HeatWidth != want.Graph.HeatWidth {
			t.Errorf("%s: used are %+v", name, used)
		}
		again, err := used.Fit(ctx, in)
		if err != nil || !mat.Equal(again.Embedding, got.Embedding) {
			t.Errorf("%s: the options as used give another result: %v", name, err)
		}
		if c.labeled == (want.Choice != nil) || !slices.ContainsFunc(got.Facts, func(f method.Fact) bool { return f.ID == "first_clustering" && f.Value == string(c.first) }) {
			t.Errorf("%s: facts are %v", name, got.Facts)
		}
	}
}

// Facts name the search, and a search that ends at its upper bound is reported.
func TestFacts(t *testing.T) {
	x, truth := blobs(320, 4, 5, 6, 4)
	opt := Options{Search: Search{MaxClusters: 5}}
	in := input(x, truth, 3, false)
	var notes []string
	in.Observer = func(e progress.Event) {
		if e.Message != "" {
			notes = append(notes, e.Message)
		}
	}
	out := must.Get(opt.Fit(ctx, in))(t)
	if out.Facts[0].Line != "first" || !strings.HasPrefix(out.Facts[0].Words, "5 clusters by kernel k-means, Gaussian kernel of σ ") || !strings.HasSuffix(out.Facts[0].Words, "the best of 2 to 5 clusters") {
		t.Errorf("%+v", out.Facts[0])
	}
	if out.Facts[1].Line != "adjusted" || !strings.Contains(out.Facts[1].Words, "of the edges join different clusters") {
		t.Errorf("%+v", out.Facts[1])
	}
	if !slices.ContainsFunc(notes, func(s string) bool {
		return strings.Contains(s, "best at the largest number of first clusters tried, 5; ‹first-clusters›")
	}) {
		t.Errorf("notes: %q", notes)
	}
}

func TestContractRefuses(t *testing.T) {
	x, truth := blobs(60, 3, 3, 1, 3)
	for name, c := range map[string]struct {
		opt     Options
		labeled bool
		says    string
	}{
		"labels for k-means":  {Options{Search: Search{Clustering: KMeans}}, true, "‹first-clustering› k-means does not use labels"},
		"no labels":           {Options{Search: Search{Clustering: GivenLabels}}, false, "‹first-clustering› labels needs labels"},
		"number of labels":    {Options{Search: Search{Clusters: 3}}, true, "‹first-clusters› has no effect beside ‹first-clustering› labels"},
		"starts of labels":    {Options{Search: Search{Starts: 3}}, true, "‹first-starts› has no effect beside"},
		"silhouettes of them": {Options{Search: Search{Simplified: true}}, true, "‹simplified› has no effect beside"},
		"no silhouettes":      {Options{Search: Search{Simplified: true, Clusters: 3}}, false, "‹simplified› has no effect beside ‹first-clusters› 3"},
		"kernel of k-means":   {Options{Search: Search{Clustering: KMeans, Kernel: kernelkmeans.Linear}}, false, "‹kernel› is an option of kernel k-means"},
		"more than rows":      {Options{Search: Search{Clusters: 61}}, false, "‹first-clusters› 61 is more than its 60 documents"},
		"no square":           {Options{Sigma: 1e300, Denominator: SigmaSquared}, false, "‹sigma›"},
		"square of nothing":   {Options{Sigma: 1e-300, Denominator: SigmaSquared}, false, "‹sigma›"},
		"clustering":          {Options{Search: Search{Clustering: "ward"}}, false, "first-clustering"},
		"denominator":         {Options{Denominator: "tau"}, false, "sigma^2"},
		"dims":                {Options{LE: le.Options{Dims: 60, Skip: le.SkipZeros}}, false, "give ‹dims› 59"},
	} {
		_, err := c.opt.Fit(ctx, input(x, truth, 3, c.labeled))
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := new(Options).Validate(); err != nil {
		t.Errorf("the zero value: %v", err)
	}
}

// An option that has no effect beside the others is found by its tags.
func TestRelevance(t *testing.T) {
	o := new(Options)
	list := option.Of(o)
	relevant := func(name string) bool {
		ok, _ := option.Relevant(list, option.Find(list, name), option.Unknown)
		return ok
	}
	for _, name := range []string{"kernel", "first-clusters", "first-starts", "simplified", "heat-width", "heat-rule"} {
		if !relevant(name) {
			t.Errorf("%s has no effect", name)
		}
	}
	if relevant("poly-degree") {
		t.Error("poly-degree means something without a polynomial kernel")
	}
	o.Search.Kernel = kernelkmeans.Polynomial
	if !relevant("poly-degree") {
		t.Error("poly-degree has no effect beside a polynomial kernel")
	}
	o.Search.Clustering = GivenLabels
	for _, name := range []string{"kernel", "first-clusters", "first-starts", "simplified", "poly-degree"} {
		if relevant(name) {
			t.Errorf("%s means something beside labels", name)
		}
	}
	if err := option.Find(list, "drop-first").Set("false"); err != nil || o.LE.Skip != le.SkipNone {
		t.Errorf("drop-first=false, the default, leaves out %q: %v", o.LE.Skip, err)
	}
	skip := option.Find(list, "drop-zeros")
	if skip.Default != "false" {
		t.Errorf("the default of drop-zeros is %q", skip.Default)
	}
	if err := skip.Set("true"); err != nil || o.LE.Skip != le.SkipZeros {
		t.Errorf("drop-zeros leaves out %q: %v", o.LE.Skip, err)
	}
}

// stored writes and reads a placer.
func stored(t *testing.T, in *method.Input, p method.Placer) *Extension {
	t.Helper()
	n, cols := in.X.Dims()
	_, isSparse := in.X.(*sparse.CSR)
	file := filepath.Join(t.TempDir(), "model.npz")
	m := &model.Model{Method: Spec.Name, Documents: n, Rows: model.Rows{Columns: cols, Sparse: isSparse}, Part: p}
	must.Do(t, model.Write(file, m))
	read := must.Get(model.Read(ctx, file, func(string) model.Part { return Spec.Placer() }))(t)
	return read.Part.(*Extension)
}

// A placer that was stored places as before, and training rows where they were.
func TestPlacerIsStored(t *testing.T) {
	all, truth := blobs(230, 4, 3, 2, 3)
	x, fresh := mat.DenseCopyOf(all.Slice(0, 200, 0, 4)), mat.DenseCopyOf(all.Slice(200, 230, 0, 4))
	for name, c := range map[string]struct {
		opt     Options
		labeled bool
	}{
		"kernel":     {Options{Sigma: 3}, false},
		"linear":     {Options{Sigma: 3, Search: Search{Kernel: kernelkmeans.Linear}, LE: le.Options{Problem: nystrom.Problem{Graph: graph.Options{HeatRule: graph.MedianWidth}}}}, false},
		"polynomial": {Options{Sigma: 3, Search: Search{Kernel: kernelkmeans.Polynomial}}, false},
		"k-means":    {Options{Sigma: 3, Search: Search{Clustering: KMeans}}, false},
		"labels":     {Options{Sigma: 3, LE: le.Options{Problem: nystrom.Problem{Graph: graph.Options{HeatRule: graph.LocalWidth}}}}, true},
	} {
		in := input(x, truth[:200], 3, c.labeled)
		out, err := c.opt.Fit(ctx, in)
		if err != nil {
			t.Fatal(name, err)
		}
		was := out.Placer.(*Extension)
		is := stored(t, in, was)
		a, err := was.Place(ctx, fresh, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		b, err := is.Place(ctx, fresh, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		if !mat.Equal(a.Embedding, b.Embedding) {
			t.Errorf("%s: new rows are placed elsewhere once the placer was stored", name)
		}
		if was.Kernel != nil { // files of earlier versions lack the lengths of the means
			was.Kernel.MeanLengths = nil
			b, err := stored(t, in, was).Place(ctx, fresh, nil)
			if err != nil || !mat.EqualApprox(a.Embedding, b.Embedding, 1e-12) {
				t.Errorf("%s: new rows are placed elsewhere without the lengths of the means: %v", name, err)
			}
		}
		own, err := is.Place(ctx, x, nil)
		if err != nil || !mat.Equal(own.Embedding, out.Embedding) || len(own.Known) != 200 {
			t.Errorf("%s: training rows are placed elsewhere: %v", name, err)
		}
	}
}

// Equal rows are one first cluster, although two are the fewest that are tried.
func TestPlacerOfEqualRows(t *testing.T) {
	x := mat.NewDense(12, 2, slices.Repeat([]float64{1, 2}, 12))
	in := input(x, nil, 2, false)
	out := must.Get((&Options{Search: Search{Clusters: 2}}).Fit(ctx, in))(t)
	of, err := stored(t, in, out.Placer).clusters(ctx, mat.NewDense(1, 2, []float64{1, 2.5}), []int{-1}, nil)
	if err != nil || !slices.Equal(of, []int{0}) {
		t.Errorf("a new row is of the first clusters %v: %v", of, err)
	}
}

// A training row that is taken for a new one finds its first cluster by the rule for new ones, and
// its affinities in the graph, lowered by that, place it where it was.
func TestPlacerIsExactOnTrainingRows(t *testing.T) {
	x, truth := blobs(150, 4, 3, 1, 3)
	for name, opt := range map[string]Options{
		"kernel":  {Sigma: 3},
		"k-means": {Sigma: 3, Search: Search{Clustering: KMeans}},
		"linear":  {Sigma: 3, Search: Search{Kernel: kernelkmeans.Linear}, LE: le.Options{Problem: nystrom.Problem{Graph: graph.Options{HeatRule: graph.MedianWidth}}}},
	} {
		opt.LE.Eigen.Tol = 1e-10
		out, err := opt.Fit(ctx, input(x, truth, 3, false))
		if err != nil {
			t.Fatal(name, err)
		}
		p := out.Placer.(*Extension)
		none := slices.Repeat([]int{-1}, 150)
		of := must.Get(p.clusters(ctx, x, none, nil))(t)
		if !slices.Equal(of, p.First) {
			t.Errorf("%s: rows find other first clusters", name)
		}
		w := must.Get(p.centroids().Scale(out.Graph.W, of, p.First))(t)
		lowered := 0
		for i, v := range w.Val {
			if v < out.Graph.W.Val[i] {
				lowered++
			}
		}
		at := must.Get(p.PlaceBy(&graph.Attachment{W: w, Same: none}))(t)
		var off mat.Dense
		off.Sub(at.Embedding, p.Coordinates)
		if worst := mat.Norm(&off, math.Inf(1)); worst > 1e-7 || lowered == 0 {
			t.Errorf("%s: coordinates are off by %g, with %d affinities lowered", name, worst, lowered)
		}
	}
}
