package eigenmap_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/npy"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/registry"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// sameResult compares clusters, coordinates, distances and terms bit by bit.
func sameResult(a, b *eigenmap.Run) error {
	switch {
	case !slices.Equal(a.Labels, b.Labels):
		return fmt.Errorf("other clusters")
	case !same(a.Embedding, b.Embedding):
		return fmt.Errorf("another embedding")
	case !slices.Equal(a.Distance, b.Distance), !slices.Equal(a.Confidence, b.Confidence):
		return fmt.Errorf("other distances or confidences")
	case !reflect.DeepEqual(a.Clusters, b.Clusters):
		return fmt.Errorf("other descriptions of the clusters")
	}
	return nil
}

// singleMethods are the methods that read single precision.
func singleMethods() (names []string) {
	for _, s := range eigenmap.Methods() {
		if s.Single {
			names = append(names, s.Name)
		}
	}
	return names
}

// Counts of texts are exact in single precision, and weights are computed in double: every method
// that reads single precision gives the bits of double precision, its model too.
func TestSinglePrecisionOfTexts(t *testing.T) {
	for _, name := range singleMethods() {
		spec, _ := registry.Find(name)
		for _, weights := range [][]string{nil, {"weighting", "tf"}, {"weighting", "binary", "normalize", "none"}} {
			pairs := slices.Concat(needed(spec), weights)
			want := cluster(t, train, options(t, name, pairs...))
			got := cluster(t, train, options(t, name, append(pairs, "precision", "single")...))
			if err := sameResult(got, want); err != nil {
				t.Errorf("%s %v: %v", name, weights, err)
			}
			if _, ok := got.Corpus.X.(*sparse.Single); !ok {
				t.Errorf("%s: the corpus is a %T", name, got.Corpus.X)
			}
			a := must.Get(eigenmap.Predict(t.Context(), saveModel(t, want), fresh))(t)
			b, err := eigenmap.Predict(t.Context(), saveModel(t, got), fresh)
			if err != nil || !slices.Equal(a.Labels, b.Labels) || !same(a.Embedding, b.Embedding) {
				t.Errorf("%s %v: the model places new documents otherwise: %v", name, weights, err)
			}
		}
	}
}

// Counts of texts that take much memory stay in single precision for methods that read them for
// their graph, with the bits of double precision in the result and in the model; with other
// methods, in memory and where the user asks for double precision they do not.
func TestCountsStayNarrow(t *testing.T) {
	narrow := func(name string, pairs ...string) *eigenmap.Run {
		defer func(least int64) { job.LeastFreed = least }(job.LeastFreed)
		job.LeastFreed = 0
		return cluster(t, train, options(t, name, pairs...))
	}
	for _, name := range singleMethods() {
		spec, _ := registry.Find(name)
		pairs := needed(spec)
		want, got := cluster(t, train, options(t, name, pairs...)), narrow(name, pairs...)
		if err := sameResult(got, want); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if held := sparse.IsSingle(got.Corpus.X); held != spec.Needs.Affinity || sparse.IsSingle(want.Corpus.X) {
			t.Errorf("%s: the corpus is a %T, and a %T of little memory", name, got.Corpus.X, want.Corpus.X)
		}
		a, b := saveModel(t, want), saveModel(t, got)
		if !bytes.Equal(read(t, a), read(t, b)) {
			t.Errorf("%s: the model has other bytes", name)
		}
	}
	for _, pairs := range [][]string{{"precision", "double"}, {"graph-kind", "complete"}} {
		if run := narrow("le", pairs...); sparse.IsSingle(run.Corpus.X) {
			t.Errorf("%v: the counts are in single precision", pairs)
		}
	}
	defer func(least int64) { job.LeastFreed = least }(job.LeastFreed)
	job.LeastFreed = 0
	plan := must.Get(eigenmap.PlanRanks(t.Context(), train, options(t, "le", "clusters", "3"), 1))(t)
	if got, want := stageOf(t, plan, "weights").Bytes, int64(8*(plan.Documents+plan.Terms)); got != want {
		t.Errorf("the plan has %d bytes of weights, not %d", got, want)
	}
}

// Weights that are all 0 are refused with the same words where the counts are in single precision.
func TestNarrowCountsWithoutWeights(t *testing.T) {
	text := ""
	for i := range 30 {
		text += strings.Repeat("apple ", 1+i%5) + strings.Repeat("pear ", 1+i%3) + "\n"
	}
	file := write(t, t.TempDir(), "same.txt", text)
	defer func(least int64) { job.LeastFreed = least }(job.LeastFreed)
	for _, job.LeastFreed = range []int64{0, 32 << 20} {
		_, err := eigenmap.Cluster(t.Context(), file, options(t, "le", "input-format", "lines", "clusters", "2"))
		if err == nil || !strings.Contains(err.Error(), "every weight is 0: all documents have the same terms") {
			t.Errorf("from %d bytes on: %v", job.LeastFreed, err)
		}
	}
}

// Values that single precision rounds equal a file that holds the rounded values.
func TestSinglePrecisionRoundsOnce(t *testing.T) {
	x, _ := blobs(240, 3)
	rounded := mat.NewDense(240, 2, nil)
	csv := [2]strings.Builder{}
	for i := range 240 {
		for j := range 2 {
			v := float64(float32(x.At(i, j)))
			rounded.Set(i, j, v)
			fmt.Fprintf(&csv[0], "%v,", x.At(i, j))
			fmt.Fprintf(&csv[1], "%v,", v)
		}
		for k := range csv {
			fmt.Fprintf(&csv[k], "c%d\n", i%3)
		}
	}
	dir := t.TempDir()
	exact, table := write(t, dir, "exact.csv", csv[0].String()), write(t, dir, "rounded.csv", csv[1].String())
	for _, name := range []string{"le", "kmeans", "spectral"} {
		want := cluster(t, table, options(t, name))
		got := cluster(t, exact, options(t, name, "precision", "single"))
		if err := sameResult(got, want); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		inMemory := must.Get(eigenmap.ClusterMatrix(t.Context(), x, options(t, name, "precision", "single")))(t)
		if err := sameResult(inMemory, got); err != nil && !strings.Contains(err.Error(), "descriptions") {
			t.Errorf("%s in memory: %v", name, err)
		}
		if _, dense := inMemory.Corpus.X.(*sparse.SingleDense); !dense {
			t.Errorf("%s in memory: the corpus is a %T", name, inMemory.Corpus.X)
		}
	}
	// Weights of dense values are rounded again.
	unit := options(t, "kmeans", "normalize", "l2")
	weighted := must.Get((&corpus.Corpus{X: rounded}).Weighted("tf", "l2"))(t)
	again := weighted.(*mat.Dense)
	again.Apply(func(_, _ int, v float64) float64 { return float64(float32(v)) }, again)
	set(t, &unit, "precision", "single")
	got := cluster(t, exact, unit)
	want, err := eigenmap.ClusterMatrix(t.Context(), again, options(t, "kmeans"))
	if err != nil || !slices.Equal(got.Labels, want.Labels) || !slices.Equal(got.Distance, want.Distance) {
		t.Errorf("weighted dense rows: %v", err)
	}
}

// A range of clusters is searched with the same result: by silhouettes, by stability, by
// eigenvalues.
func TestSinglePrecisionRange(t *testing.T) {
	for _, c := range [][]string{{"kmeans", "silhouette"}, {"kmeans", "stability"}, {"le", "eigengap"}} {
		var runs []*eigenmap.Run
		for _, precision := range []string{"double", "single"} {
			opt := eigenmap.Options{Method: c[0]}
			set(t, &opt, "clusters", "2-4", "k-by", c[1], "precision", precision)
			runs = append(runs, cluster(t, train, opt))
		}
		if err := sameResult(runs[0], runs[1]); err != nil {
			t.Errorf("%v: %v", c, err)
		}
	}
}

// A folder of finished stages serves both precisions where their values are the same, and the
// corpus of one is not taken for the other's.
func TestSinglePrecisionWork(t *testing.T) {
	dir := t.TempDir()
	var runs []*eigenmap.Run
	for _, precision := range []string{"single", "single", "double"} {
		opt := options(t, "le", "precision", precision)
		opt.Work = filepath.Join(dir, "work")
		runs = append(runs, cluster(t, train, opt))
	}
	for i, run := range runs[1:] {
		if err := sameResult(run, runs[0]); err != nil {
			t.Errorf("run %d: %v", i+2, err)
		}
		if !strings.Contains(fmt.Sprint(run.Notes()), "The graph is the finished one") {
			t.Errorf("run %d: the graph is not taken from the folder: %q", i+2, run.Notes())
		}
	}
	exact := write(t, dir, "exact.csv", "0.1,0.2\n0.3,0.4\n0.5,0.7\n1.1,1.2\n1.3,1.5\n")
	opt := options(t, "kmeans", "clusters", "2", "precision", "single")
	opt.Work = filepath.Join(dir, "numbers")
	cluster(t, exact, opt)
	opt = options(t, "kmeans", "clusters", "2")
	opt.Work = filepath.Join(dir, "numbers")
	_, err := eigenmap.Cluster(t.Context(), exact, opt)
	refused(t, err, "other documents")
}

// What single precision cannot hold, and what does not read it, is refused.
func TestSinglePrecisionRefused(t *testing.T) {
	dir := t.TempDir()
	large := write(t, dir, "large.csv", "a,b\n1,2\n3,1e39\n5,6\n")
	small := write(t, dir, "small.svm", "1 1:2 2:1e-40\n2 1:3 2:1\n")
	for _, c := range []struct {
		file, method string
		pairs, says  []string
	}{
		{large, "kmeans", nil, []string{"document 2, term b", "1e+39", "precision double"}},
		{small, "kmeans", []string{"clusters", "2"}, []string{"document 1, term 2", "1e-40"}},
		{train, "pca", nil, []string{"the method pca reads the documents in double precision", "le, "}},
		{train, "le", []string{"graph-kind", "complete"}, []string{"precision", "graph-kind complete"}},
		{train, "le", []string{"precomputed", "true"}, []string{"precision", "precomputed"}},
	} {
		opt := eigenmap.Options{Method: c.method, Clusters: 3}
		err := opt.Set("precision", "single")
		for i := 0; i < len(c.pairs) && err == nil; i += 2 {
			err = opt.Set(c.pairs[i], c.pairs[i+1])
		}
		if err == nil {
			_, err = eigenmap.Cluster(t.Context(), c.file, opt)
		}
		refused(t, err, c.says...)
	}
	_, err := eigenmap.Read(t.Context(), train, eigenmap.Options{Precision: "single"})
	refused(t, err, "precision")
	_, err = eigenmap.Compare(t.Context(), train, eigenmap.Options{Clusters: 3, Precision: "single"}, eigenmap.CompareOptions{Methods: []string{"le", "pca"}})
	refused(t, err, "pca", "precision")
	ranks.Together(2, func(team ranks.Team) {
		_, err := eigenmap.Cluster(ranks.With(context.Background(), team), train, eigenmap.Options{Method: "le", Clusters: 3, Precision: "single"})
		refused(t, err, "one process")
	})
}

// A plan counts less for single precision: the entries once, with 8 bytes each, and no weights of
// entries, which take 8 beside the 12 of an entry in double precision.
func TestSinglePrecisionPlan(t *testing.T) {
	file := long(t, 2_000_000, 50_000, 80_000_000)
	stage := func(name, precision string) eigenmap.PlanStage {
		p := must.Get(eigenmap.MakePlan(t.Context(), file, options(t, "le", "clusters", "20", "precision", precision)))(t)
		return stageOf(t, p, name)
	}
	single, double := stage("graph", "single"), stage("graph", "double")
	saved := float64(12*80_000_000 - 8*(2_000_000+50_000)) // of 20 that are planned
	if got := float64(double.Peak - single.Peak); single.Bytes != double.Bytes || math.Abs(got-1.35*saved) > 0.02*saved {
		t.Errorf("single precision saves %v bytes of %v", got, saved)
	}
}

// A corpus that was read in single precision is clustered as it is, by a request for that, and its
// model places rows in memory as a file's model does.
func TestSinglePrecisionInMemory(t *testing.T) {
	read, err := corpus.Read(t.Context(), train, corpus.ReadOptions{Single: true})
	if err != nil {
		t.Fatal(err)
	}
	// Weighted rows have weights that another rounding would change.
	x := must.Get(read.Weighted("tfidf", "l2"))(t)
	double := must.Get(sparse.Stored(x))(t)
	for _, name := range singleMethods() {
		spec, _ := registry.Find(name)
		pairs := append(needed(spec), "weighting", "tf", "normalize", "none")
		results := [2]*eigenmap.Run{}
		placed := [2]*eigenmap.Prediction{}
		for k, rows := range []mat.Matrix{double, x} {
			opt := options(t, name, pairs...)
			if k == 1 {
				set(t, &opt, "precision", "single")
			}
			c := *read
			c.X = rows
			if results[k], err = eigenmap.ClusterCorpus(t.Context(), &c, opt); err != nil {
				t.Fatal(name, err)
			}
			m, err := results[k].Model(t.Context())
			if err != nil {
				t.Fatal(name, err)
			}
			if placed[k], err = m.PredictMatrix(t.Context(), rows); err != nil {
				t.Fatal(name, err)
			}
		}
		if results[1].Corpus.X != x {
			t.Errorf("%s: the rows were copied to a %T", name, results[1].Corpus.X)
		}
		if err := sameResult(results[1], results[0]); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !slices.Equal(placed[1].Labels, placed[0].Labels) || !same(placed[1].Embedding, placed[0].Embedding) {
			t.Errorf("%s: the model places rows otherwise", name)
		}
	}
}

// An array of float32 numbers stays in single precision unless the user says how it is stored, and
// every method that reads such rows gives the bits that double precision gives: clusters,
// coordinates, confidences and the model.
func TestFloat32StaysAsItIs(t *testing.T) {
	x, labels := blobs(180, 3)
	data := make([]byte, 0, 4*3*180)
	for i := range 180 {
		for _, v := range []float64{x.At(i, 0), x.At(i, 1), x.At(i, 0) - 2*x.At(i, 1)} {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(v)))
		}
	}
	dir := t.TempDir()
	file := write(t, dir, "x.npy", string(append(npy.Header("<f4", 180, 3), data...)))
	var list strings.Builder
	list.WriteString("id,label\n")
	for i := 4; i < 180; i += 5 { // the last one says that they count from 1
		fmt.Fprintf(&list, "%d,c%d\n", i+1, labels[i])
	}
	known := write(t, dir, "known.csv", list.String())
	for _, name := range singleMethods() {
		pairs := []string{"clusters", "3"}
		if spec, _ := registry.Find(name); spec.Needs.Labels == method.Required {
			pairs = []string{"labels", known}
		}
		for _, more := range [][]string{nil, {"normalize", "l2"}} {
			want := cluster(t, file, options(t, name, slices.Concat(pairs, more, []string{"precision", "double"})...))
			got := cluster(t, file, options(t, name, slices.Concat(pairs, more)...))
			if err := sameResult(got, want); err != nil {
				t.Errorf("%s %v: %v", name, more, err)
			}
			if s, ok := got.Corpus.X.(*sparse.SingleDense); !ok || !s.Wide {
				t.Errorf("%s %v: the corpus is a %T", name, more, got.Corpus.X)
			}
			a := must.Get(eigenmap.Predict(t.Context(), saveModel(t, want), file))(t)
			b, err := eigenmap.Predict(t.Context(), saveModel(t, got), file)
			if err != nil || !slices.Equal(a.Labels, b.Labels) || !same(a.Embedding, b.Embedding) {
				t.Errorf("%s %v: the model places documents otherwise: %v", name, more, err)
			}
		}
	}
	// A search that would copy the rows to double precision finds them there.
	if x, ok := cluster(t, file, options(t, "le", "clusters", "3", "epsilon", "9")).Corpus.X.(*mat.Dense); !ok {
		t.Errorf("a graph by distance has rows in %T", x)
	}
}

// A model in single precision knows its own documents: new ones are rounded as its own were.
func TestModelsInSingleKnowTheirDocuments(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var table strings.Builder
	table.WriteString("width,height,depth,class\n")
	for i := range 60 {
		fmt.Fprintf(&table, "%v,%v,%v,c%d\n", rng.NormFloat64()+float64(4*(i%3)), rng.NormFloat64(), rng.Float64()/3, i%3)
	}
	file := write(t, t.TempDir(), "table.csv", table.String())
	for _, name := range singleMethods() {
		spec, _ := registry.Find(name)
		for _, weights := range [][]string{{"weighting", "tf", "normalize", "none"}, {"weighting", "standard", "normalize", "l2"}} {
			run := cluster(t, file, options(t, name, slices.Concat(needed(spec), weights, []string{"precision", "single"})...))
			p := must.Get(eigenmap.Predict(t.Context(), saveModel(t, run), file, eigenmap.Options{}))(t)
			if known := p.Known; known != 60 && name != "kmeans" {
				t.Errorf("%s %v: %d of 60 documents are known", name, weights, known)
			}
			if name != "leiden" && !slices.Equal(p.Labels, run.Labels) {
				t.Errorf("%s %v: other clusters", name, weights)
			}
			if name == "kmeans" && !slices.Equal(p.Distance, run.Distance) {
				t.Errorf("%s %v: other distances", name, weights)
			}
		}
	}
}
