package eigenmap_test

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Read reads a corpus, chooses classes, and weighs only if it is asked to.
func TestRead(t *testing.T) {
	ctx := context.Background()
	r, err := eigenmap.Read(ctx, train, eigenmap.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := r.Corpus
	if c.Len() != 60 || len(c.ClassNames) != 3 || c.Terms == nil || r.Graph != nil {
		t.Errorf("%d documents, classes %v", c.Len(), c.ClassNames)
	}
	v := r.JSON(func(name string) string { return "--" + name })
	if v.Kind != "corpus" || v.File != train || v.Documents != 60 || v.Terms != len(c.Terms) || v.Labeled != 60 || !v.Sparse || !v.IDs ||
		len(v.Classes) != 3 || v.Entries != c.X.(*sparse.CSR).NNZ() || v.Empty != 0 {
		t.Errorf("the corpus is %+v", v)
	}
	whole := mat.Sum(c.X)

	opt := eigenmap.Options{Weighting: "binary", Source: eigenmap.Source{Classes: []string{"sky", "garden"}}}
	if r, err = eigenmap.Read(ctx, train, opt); err != nil {
		t.Fatal(err)
	}
	if r.Corpus.Len() >= 60 || len(r.Corpus.ClassNames) != 2 || mat.Sum(r.Corpus.X) != float64(r.Corpus.X.(*sparse.CSR).NNZ()) || mat.Sum(r.Corpus.X) >= whole {
		t.Errorf("%d documents of %v", r.Corpus.Len(), r.Corpus.ClassNames)
	}
	opt = eigenmap.Options{Source: eigenmap.Source{Format: "jsonl"}}
	if _, err = eigenmap.Read(ctx, train, opt); err != nil {
		t.Errorf("with its format: %v", err)
	}
	opt.Source.Format = "word"
	_, err = eigenmap.Read(ctx, train, opt)
	refused(t, err, "word", "jsonl")
	opt.Source = eigenmap.Source{Strip: []string{"pictures"}}
	_, err = eigenmap.Read(ctx, train, opt)
	refused(t, err, "pictures", "quotes")
	opt.Source = eigenmap.Source{ReutersTopics: "one"}
	_, err = eigenmap.Read(ctx, train, opt)
	refused(t, err, "reuters-topics has no effect on the format jsonl")
	opt.Source = eigenmap.Source{Classes: []string{"sea"}}
	_, err = eigenmap.Read(ctx, train, opt)
	refused(t, err, "sea")
	if _, err = eigenmap.Read(ctx, "none.jsonl", eigenmap.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// Graph builds the affinity graph that a method would build, by name and by type.
func TestGraph(t *testing.T) {
	ctx := context.Background()
	var named eigenmap.Options
	set(t, &named, "neighbors", "4", "edge-weight", "heat")
	a, err := eigenmap.Graph(ctx, train, named, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b := must.Get(eigenmap.Graph(ctx, train, eigenmap.Options{}, graph.Options{Neighbors: 4, Weight: graph.Heat}))(t)
	if !slices.Equal(a.Graph.W.Val, b.Graph.W.Val) || !slices.Equal(a.Graph.W.Col, b.Graph.W.Col) {
		t.Error("the graphs differ")
	}
	run := cluster(t, train, options(t, "le", "neighbors", "4", "edge-weight", "heat"))
	if !slices.Equal(run.Fitted.Graph.W.Val, a.Graph.W.Val) {
		t.Error("the graph differs from le's")
	}
	config := eigenmap.Config(a.Settings())
	if config["neighbors"] != 4 || config["edge-weight"] != "heat" || config["heat-width"] == nil || config[eigenmap.FileKey] != train {
		t.Errorf("the settings are %v", config)
	}
	s := eigenmap.SummarizeGraph(a.Graph)
	if s.Nodes != 60 || s.Edges != a.Graph.W.NNZ()/2 || s.Components != a.Graph.Components || s.Degree[0] < 4 {
		t.Errorf("the graph is %+v", s)
	}
	set(t, &named, "heat-rule", "median", "heat-width", "1")
	_, err = eigenmap.Graph(ctx, train, named, graph.Options{})
	refused(t, err, "heat-rule has no effect beside heat-width")
	var wrong eigenmap.Options
	set(t, &wrong, "dims", "3")
	_, err = eigenmap.Graph(ctx, train, wrong, graph.Options{})
	refused(t, err, "dims has no effect here")
	for _, option := range []string{"heat-width", "poly-degree"} { // the weight of an edge is known with the data
		var idle eigenmap.Options
		set(t, &idle, option, "3")
		_, err = eigenmap.Graph(ctx, train, idle, graph.Options{})
		refused(t, err, option+" has no effect without edge-weight")
	}
	_, err = eigenmap.Graph(ctx, train, eigenmap.Options{KMeans: eigenmap.KMeans{Restarts: 2}}, graph.Options{})
	refused(t, err, "restarts has no effect here")
}

// Evaluate matches documents by id or by position, and gives what Cluster gives.
func TestEvaluate(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	run := cluster(t, train, options(t, "kmeans"))
	save(t, run, dir)
	v, err := eigenmap.Evaluate(ctx, train, filepath.Join(dir, "clusters.csv"), eigenmap.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if v.Metrics != *run.Scores || v.Documents != 60 || v.LeftOut != 0 || len(v.Classes) != 3 || len(v.Clusters) != 3 {
		t.Errorf("%+v, and the run has %+v", v, run.Scores)
	}
	truth := write(t, dir, "truth.csv", "id,label\na,x\nb,y\nc,\nd,y\ne,x\n")
	found := write(t, dir, "found.csv", "id,cluster\nd,1\nc,0\nb,1\na,0\n")
	if v, err = eigenmap.Evaluate(ctx, truth, found, eigenmap.Options{}); err != nil {
		t.Fatal(err)
	}
	if v.Documents != 3 || v.LeftOut != 2 || v.Metrics.Accuracy != 1 || !slices.Equal(v.Classes, []string{"x", "y"}) {
		t.Errorf("%+v", v)
	}
	lines := write(t, dir, "lines.txt", "0\n1\n")
	_, err = eigenmap.Evaluate(ctx, truth, lines, eigenmap.Options{})
	refused(t, err, "has 5 labels", "has 2")
	other := write(t, dir, "other.csv", "id,cluster\nz,1\n")
	_, err = eigenmap.Evaluate(ctx, truth, other, eigenmap.Options{})
	refused(t, err, `"z" is not in`)
	if v, err = eigenmap.Evaluate(ctx, train, dir, eigenmap.Options{}); err != nil || v.Documents == 0 {
		t.Errorf("a folder of results: %v", err)
	}
	_, err = eigenmap.Evaluate(ctx, truth, t.TempDir(), eigenmap.Options{})
	refused(t, err, "it is a folder without clusters.csv")
}

// What was finished before a cancellation comes back with the context's error.
func TestCancel(t *testing.T) {
	for _, stage := range []string{"read", "graph", "eigen", "kmeans"} {
		ctx, cancel := context.WithCancel(context.Background())
		opt := options(t, "le")
		opt.Observer = func(e progress.Event) {
			if e.Stage == stage {
				cancel()
			}
		}
		run, err := eigenmap.Cluster(ctx, train, opt)
		var own *eigenmap.Error
		if !errors.Is(err, context.Canceled) || !errors.As(err, &own) || errors.Is(err, fs.ErrInvalid) {
			t.Errorf("cancelled in %s: %v", stage, err)
		}
		if stage == "read" && run != nil {
			t.Error("there is a run of a corpus that was not read")
		}
		if stage != "kmeans" {
			cancel()
			continue
		}
		if run == nil || run.Embedding == nil || run.Labels != nil {
			t.Fatalf("cancelled in %s: the run is %v", stage, run)
		}
		dir := t.TempDir()
		out := must.Get(eigenmap.OpenFolder(dir))(t)
		if _, err := run.SaveResults(context.Background(), out); err != nil {
			t.Fatal(err)
		}
		out.Discard()
		if got, want := names(t, dir), []string{"config.yaml", "embedding.npy", "model.npz", "run.json"}; !slices.Equal(got, want) {
			t.Errorf("a partial run saves %v, want %v", got, want)
		}
		if err := run.Save(t.TempDir()); err != nil {
			t.Errorf("Save of a partial run: %v", err)
		}
		cancel()
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if run, err := eigenmap.Cluster(ctx, train, options(t, "le")); !errors.Is(err, context.Canceled) || run != nil {
		t.Errorf("cancelled before: %v", err)
	}
}

// nonZeros is a matrix that is neither *mat.Dense nor *sparse.CSR and knows its entries.
type nonZeros struct{ mat.Matrix }

func (m nonZeros) DoNonZero(f func(i, j int, v float64)) {
	r, c := m.Dims()
	for i := range r {
		for j := range c {
			if v := m.At(i, j); v != 0 {
				f(i, j, v)
			}
		}
	}
}

// One matrix gives one result, whatever holds it.
func TestMatrices(t *testing.T) {
	ctx := context.Background()
	const n, cols = 40, 12
	r := rand.New(rand.NewPCG(3, 4))
	dense := mat.NewDense(n, cols, nil)
	for i := range n {
		for range 6 {
			dense.Set(i, r.IntN(cols), 1+r.Float64())
		}
	}
	counts := must.Get(sparse.FromMatrix(dense))(t)
	before := mat.DenseCopyOf(dense)
	opt := options(t, "le", "edge-weight", "dot") // else the weight depends on the storage
	opt.Normalize = "l2"
	run := func(x mat.Matrix) *eigenmap.Run {
		t.Helper()
		out := must.Get(eigenmap.ClusterMatrix(ctx, x, opt))(t)
		return out
	}
	want := run(counts)
	for name, x := range map[string]mat.Matrix{"DoNonZero": nonZeros{dense}, "a transpose of a transpose": counts.T().T()} {
		if got := run(x); !same(got.Embedding, want.Embedding) || !slices.Equal(got.Labels, want.Labels) {
			t.Errorf("%s: another result", name)
		}
	}
	a := run(dense)
	if v, w := a.Fitted.Values.Values, want.Fitted.Values.Values; !floats.EqualApprox(v, w, 1e-6) || !slices.Equal(a.Labels, want.Labels) {
		t.Errorf("dense: another result: %v, %v", v, w)
	}
	if got := run(dense.Slice(0, n, 0, cols)); !same(got.Embedding, a.Embedding) {
		t.Error("a part of a matrix: another result")
	}
	if got := run(struct{ mat.Matrix }{dense}); !same(got.Embedding, a.Embedding) {
		t.Error("a matrix without more: another result")
	}
	if !mat.Equal(dense, before) || !mat.Equal(counts, before) {
		t.Error("the matrix was changed")
	}
}

// Matrices that hold no documents, or no numbers, are refused, by both ways in.
func TestMatricesRefused(t *testing.T) {
	ctx := context.Background()
	nan := mat.NewDense(4, 2, []float64{1, 2, 3, 4, 5, math.NaN(), 7, 8})
	inf := mat.NewDense(2, 2, []float64{1, 2, 3, math.Inf(1)})
	var none *mat.Dense
	var noCSR *sparse.CSR
	for _, c := range []struct {
		what string
		x    mat.Matrix
		part string
	}{
		{"nil", nil, "no documents"},
		{"a nil *mat.Dense", none, "no documents"},
		{"a nil *sparse.CSR", noCSR, "no documents"},
		{"an empty matrix", new(mat.Dense), "no documents"},
		{"no rows", &sparse.CSR{NumCols: 3, RowPtr: []int{0}}, "no documents"},
		{"no columns", &sparse.CSR{NumRows: 3, RowPtr: []int{0, 0, 0, 0}}, "no columns"},
		{"NaN", nan, "NaN"},
		{"NaN with DoNonZero", nonZeros{nan}, "NaN"},
		{"Inf", inf, "Inf"},
		{"one row", mat.NewDense(1, 3, []float64{1, 2, 3}), "one document"},
		{"more clusters than rows", mat.NewDense(2, 1, []float64{1, 2}), "clusters 3"},
	} {
		t.Run(c.what, func(t *testing.T) {
			_, err := eigenmap.ClusterMatrix(ctx, c.x, options(t, "kmeans"))
			refused(t, err, c.part)
			if c.what == "more clusters than rows" {
				return
			}
			_, err = eigenmap.EmbedMatrix(ctx, c.x, eigenmap.Options{Method: "le"})
			refused(t, err, c.part)
		})
	}
	_, err := eigenmap.ClusterMatrix(ctx, nan, options(t, "kmeans"))
	var at *sparse.NotFiniteError
	if !errors.As(err, &at) || at.Row != 2 || at.Col != 1 {
		t.Errorf("no place in %v", err)
	}
	_, err = eigenmap.ClusterCorpus(ctx, nil, options(t, "kmeans"))
	refused(t, err, "no documents")
	_, err = eigenmap.EmbedCorpus(ctx, nil, eigenmap.Options{Method: "le"})
	refused(t, err, "no documents")
	bad := &corpus.Corpus{Name: "bad", X: mat.NewDense(3, 1, []float64{1, 2, 3}), Labels: []int{0}}
	_, err = eigenmap.ClusterCorpus(ctx, bad, options(t, "kmeans"))
	refused(t, err, "1 labels for 3 documents")
	bad.Labels, bad.ClassNames = []int{0, 1, 5}, []string{"a", "b"}
	_, err = eigenmap.ClusterCorpus(ctx, bad, options(t, "kmeans"))
	refused(t, err, "a label 5")
}

// An error names options plainly, or as the caller writes them, and keeps its cause.
func TestErrors(t *testing.T) {
	_, err := eigenmap.Cluster(context.Background(), train, options(t, "le", "edge-weight", "dot", "heat-width", "2"))
	var own *eigenmap.Error
	if !errors.As(err, &own) {
		t.Fatal(err)
	}
	if want := "heat-width has no effect without edge-weight heat: leave it out"; err.Error() != want {
		t.Errorf("the error is %q, want %q", err, want)
	}
	flags := own.Text(func(name string) string { return "--" + name })
	if want := "--heat-width has no effect without --edge-weight heat: leave it out"; flags != want {
		t.Errorf("the text is %q, want %q", flags, want)
	}

	x, _ := blobs(60, 1)
	opt := eigenmap.Options{Method: "le", Config: &le.Options{Dims: 5, Problem: nystrom.Problem{Eigen: eigen.Options{Solver: eigen.Lanczos, MaxIter: 1, Tol: 1e-14}}}}
	run, err := eigenmap.EmbedMatrix(context.Background(), x, opt)
	var slow *eigen.NotConvergedError
	if !errors.As(err, &slow) || errors.Is(err, fs.ErrInvalid) {
		t.Fatalf("the error is %v", err)
	}
	if !strings.Contains(err.Error(), "give a larger max-iter") || run == nil || run.Embedding == nil {
		t.Errorf("the error is %q, the run %v", err, run)
	}
}

// Documents that were read are clustered in memory as their file is, and their model places new
// texts as the file's model does.
func TestCorpusInMemory(t *testing.T) {
	ctx := context.Background()
	opt := options(t, "le", "ngrams", "2")
	r := must.Get(eigenmap.Read(ctx, train, eigenmap.Options{Text: eigenmap.Text{NGrams: 2}}))(t)
	a := must.Get(eigenmap.ClusterCorpus(ctx, r.Corpus, opt))(t)
	b := cluster(t, train, opt)
	if !slices.Equal(a.Labels, b.Labels) || !same(a.Embedding, b.Embedding) || a.Scores.Accuracy != b.Scores.Accuracy {
		t.Error("the results differ")
	}
	opt = options(t, "semi-le", "labeled-fraction", "0.2", "ngrams", "2")
	given := must.Get(eigenmap.ClusterCorpus(ctx, r.Corpus, opt))(t)
	if want := cluster(t, train, opt); !same(given.Embedding, want.Embedding) || *given.Unlabeled != *want.Unlabeled {
		t.Error("with labels the results differ")
	}
	var placed []*eigenmap.Prediction
	for _, run := range []*eigenmap.Run{a, b} {
		p := must.Get(eigenmap.Predict(ctx, saveModel(t, run), fresh))(t)
		placed = append(placed, p)
	}
	if !same(placed[0].Embedding, placed[1].Embedding) {
		t.Error("new documents are placed otherwise")
	}
}

// A matrix in memory has no use for the options of files.
func TestSettingsOfAMatrix(t *testing.T) {
	x, _ := blobs(20, 2)
	run, err := eigenmap.ClusterMatrix(context.Background(), x, options(t, "kmeans"))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range run.Settings() {
		switch v.Name {
		case "language", "stop-words", "min-df", "ngrams", "transpose", "strip":
			t.Errorf("the settings hold %s %s", v.Name, v.Text)
		}
	}
	_, err = eigenmap.ClusterMatrix(context.Background(), x, options(t, "kmeans", "language", "french"))
	refused(t, err, "language has no effect on a matrix in memory, only on files of the formats jsonl")
}
