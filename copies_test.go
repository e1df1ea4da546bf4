package eigenmap_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/registry"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// topical are documents of classes in turn: term counts of a vocabulary of which each class prefers
// a part.
func topical(n, classes int) *corpus.Corpus {
	const own, common, words = 60, 200, 30
	rng := rand.New(rand.NewPCG(3, 4))
	c := &corpus.Corpus{Name: "topics", Labels: make([]int, n)}
	for k := range classes {
		c.ClassNames = append(c.ClassNames, fmt.Sprintf("class %d", k))
	}
	x := mat.NewDense(n, own*classes+common, nil)
	for i := range n {
		c.Labels[i] = i % classes
		for range words {
			t := own*classes + rng.IntN(common)
			if rng.IntN(3) == 0 {
				t = own*c.Labels[i] + rng.IntN(own)
			}
			x.Set(i, t, x.At(i, t)+1)
		}
	}
	c.X, _ = sparse.FromMatrix(x)
	return c
}

// withCopies is c, with documents after it that are copies of the first texts documents, in turn:
// more equal each of these. changed terms of each copy are other ones. Copies have no label.
func withCopies(c *corpus.Corpus, texts, more, changed int) *corpus.Corpus {
	rng := rand.New(rand.NewPCG(5, 6))
	n, cols := c.X.Dims()
	x := mat.NewDense(n+texts*more, cols, nil)
	x.Slice(0, n, 0, cols).(*mat.Dense).Copy(c.X)
	out := *c
	out.Labels = slices.Clone(c.Labels)
	for i := n; i < n+texts*more; i++ {
		x.SetRow(i, x.RawRowView((i-n)%texts))
		for range changed {
			t := rng.IntN(cols)
			x.Set(i, t, x.At(i, t)+1)
		}
		out.Labels = append(out.Labels, -1)
	}
	out.X, _ = sparse.FromMatrix(x)
	return &out
}

// fitted clusters documents in memory.
func fitted(t *testing.T, c *corpus.Corpus, opt eigenmap.Options) *eigenmap.Run {
	t.Helper()
	run, err := eigenmap.ClusterCorpus(context.Background(), c, opt)
	if err != nil {
		t.Fatalf("%s: %v", opt.Method, err)
	}
	return run
}

// Of every method, copies change nothing of the result of the others, and have all numbers of the
// document that they equal.
func TestCopiesCountOnceInEveryMethod(t *testing.T) {
	plain := topical(60, 3)
	dirty := withCopies(plain, 4, 15, 0)
	for _, s := range registry.Specs {
		t.Run(s.Name, func(t *testing.T) {
			pairs := needed(s)
			labelled := slices.Contains(pairs, "labeled-fraction")
			if labelled {
				pairs = nil
			}
			opt := options(t, s.Name, append(pairs, "weighting", "tf", "normalize", "l2")...)
			run := func(c *corpus.Corpus) *eigenmap.Run {
				o := opt
				if labelled {
					o.Known = &corpus.Given{Labels: slices.Clone(c.Labels), ClassNames: c.ClassNames}
					for i := 30; i < c.Len(); i++ {
						o.Known.Labels[i] = -1
					}
				}
				return fitted(t, c, o)
			}
			want, got := run(plain), run(dirty)
			sameAsFirst(t, got, want)
			if want.Duplicates() != nil || got.Duplicates().Copies != 60 || got.Duplicates().Largest[0].Documents != 16 {
				t.Errorf("duplicates: %v, %v", want.Duplicates(), got.Duplicates())
			}
			if got.Fitted.Placer != nil {
				placesItsOwn(t, got, dirty)
			}
		})
	}
}

// sameAsFirst checks that the documents of got have the numbers of those of want, of which the
// documents after the sixtieth are copies of the first four.
func sameAsFirst(t *testing.T, got, want *eigenmap.Run) {
	t.Helper()
	sizes := make([]int, len(got.Sizes))
	for i, k := range got.Labels {
		sizes[k]++
		of := i
		if i >= 60 {
			of = (i - 60) % 4
		}
		same := func(a, b []float64) bool { return a == nil && b == nil || a[i] == b[of] }
		if k != want.Labels[of] || !same(got.Confidence, want.Confidence) || !same(got.Distance, want.Distance) {
			t.Fatalf("document %d, a copy of %d: cluster %d, not %d, or other numbers", i, of, k, want.Labels[of])
		}
		for _, m := range [][2]*mat.Dense{{got.Embedding, want.Embedding}, {got.Posterior, want.Posterior}} {
			if m[0] != nil && !slices.Equal(m[0].RawRowView(i), m[1].RawRowView(of)) {
				t.Fatalf("document %d is elsewhere than %d", i, of)
			}
		}
	}
	if !slices.Equal(sizes, got.Sizes) || *got.Scores != *want.Scores {
		t.Errorf("sizes %v, not %v, or other scores", got.Sizes, sizes)
	}
}

// placesItsOwn checks that the model of a run puts copies together, and its documents where they
// are.
func placesItsOwn(t *testing.T, run *eigenmap.Run, c *corpus.Corpus) {
	t.Helper()
	m, err := eigenmap.LoadModel(context.Background(), saveModel(t, run))
	if err != nil {
		t.Fatal(err)
	}
	placed, err := m.PredictMatrix(context.Background(), c.X)
	if err != nil {
		t.Fatal(err)
	}
	if m.Documents() != c.Len() || !slices.Equal(placed.Labels[60:64], placed.Labels[:4]) || placed.Known > 0 && !slices.Equal(placed.Labels, run.Labels) {
		t.Errorf("a model of %d documents puts its own elsewhere", m.Documents())
	}
}

// Copies, and near-copies such as mails of a template, do not take the graph methods' eigenvectors:
// the other documents are clustered as without them. Taken as they are, they ruin it.
func TestCopiesLeaveTheOthersAlone(t *testing.T) {
	plain := topical(300, 3)
	for name, c := range map[string]*corpus.Corpus{
		"copies":      withCopies(plain, 25, 12, 0),
		"near-copies": withCopies(plain, 25, 12, 1),
	} {
		for _, m := range []string{"diffusion", "le", "spectral"} {
			accuracy := func(c *corpus.Corpus, duplicates string) float64 {
				opt := eigenmap.Options{Method: m, Clusters: 3, Duplicates: duplicates}
				set(t, &opt, "weighting", "tf", "normalize", "l2", "neighbors", "8")
				return fitted(t, c, opt).Scores.Accuracy
			}
			want, once, kept := accuracy(plain, "once"), accuracy(c, "once"), accuracy(c, "keep")
			t.Logf("%s, %s: %.3f alone, %.3f once, %.3f as they are", name, m, want, once, kept)
			if once < want-.03 || kept > want-.03 {
				t.Errorf("%s, %s: accuracy %.3f, %.3f as they are; %.3f without them", name, m, once, kept, want)
			}
		}
	}
}

// clusters.csv names the document that a copy equals, in a column that is there only for copies.
// Copies that are dropped are not in it, and new documents are weighed as with them.
func TestCopiesInFiles(t *testing.T) {
	lines := linesIn(t, train)
	twice := write(t, t.TempDir(), "twice.jsonl", strings.Join(lines, "\n")+"\n"+strings.Replace(lines[2], "t03", "again", 1)+"\n")
	once, dropped, kept := t.TempDir(), t.TempDir(), t.TempDir()
	run := cluster(t, twice, options(t, "le"))
	save(t, run, once)
	save(t, cluster(t, twice, options(t, "le", "duplicates", "drop")), dropped)
	save(t, cluster(t, twice, options(t, "le", "duplicates", "keep")), kept)
	head, rows := rowsOf(t, once)[0], rowsOf(t, once)
	at, last := slices.Index(head, "duplicate_of"), rows[len(rows)-1]
	if at < 0 || len(rows) != len(lines)+2 || last[at] != rows[3][0] || rows[3][at] != "" {
		t.Fatalf("the copy's line is %v, the first one's %v", last, rows[3])
	}
	if d := rowsOf(t, dropped); len(d) != len(lines)+1 || slices.Contains(d[0], "duplicate_of") || d[5][1] != rows[5][1] {
		t.Errorf("without copies there are %d lines of %v", len(d)-1, d[0])
	}
	if k := rowsOf(t, kept); len(k) != len(rows) || slices.Contains(k[0], "duplicate_of") {
		t.Errorf("as they are: %v", k[0])
	}
	if note := strings.Join(run.Notes(), " "); !strings.Contains(note, "1 document equals an earlier one") || !strings.Contains(note, rows[3][0]+" (2)") {
		t.Errorf("notes: %s", note)
	}
	config, err := os.ReadFile(filepath.Join(dropped, "config.yaml"))
	if err != nil || !strings.Contains(string(config), "duplicates: drop") {
		t.Errorf("%s, %v", config, err)
	}
	all := placedLines(t, context.Background(), filepath.Join(once, eigenmap.ModelName), lines)
	for id, line := range placedLines(t, context.Background(), filepath.Join(dropped, eigenmap.ModelName), lines) {
		if line != all[id] {
			t.Errorf("without copies in the result %s is predicted, with them %s", line, all[id])
		}
	}
}

// A label known of one copy is known of all. Where labels of one text differ, most copies decide,
// then the first, and a warning names the text. Links are the first document's.
func TestCopiesWithKnownLabelsAndLinks(t *testing.T) {
	c := withCopies(topical(60, 3), 3, 2, 0) // 60 and 63 equal 0, 61 and 64 equal 1, 62 and 65 equal 2
	given := slices.Repeat([]int{-1}, c.Len())
	for i := 10; i < 40; i++ {
		given[i] = c.Labels[i]
	}
	given[63] = 0                                                                                             // alone
	given[1], given[61] = 2, 1                                                                                // equally many: the first
	given[2], given[62], given[65] = 0, 2, 2                                                                  // the most
	opt := eigenmap.Options{Method: "ckmeans", Known: &corpus.Given{Labels: given, ClassNames: c.ClassNames}} // cluster c is class c
	set(t, &opt, "weighting", "tf", "normalize", "l2")
	run := fitted(t, c, opt)
	dir := t.TempDir()
	save(t, run, dir)
	rows := rowsOf(t, dir)
	at := slices.Index(rows[0], "given")
	for i, want := range map[int]int{0: 0, 60: 0, 63: 0, 1: 2, 61: 2, 64: 2, 2: 2, 62: 2, 65: 2} {
		if run.Labels[i] != want {
			t.Errorf("document %d is of class %d, not %d", i, run.Labels[i], want)
		}
	}
	for i, want := range map[int]string{0: "", 63: "class 0", 61: "class 1", 64: "", 2: "class 0"} { // as they were given
		if rows[i+1][at] != want {
			t.Errorf("document %d has the label %q, not %q", i, rows[i+1][at], want)
		}
	}
	warned := fmt.Sprint(run.Warnings(func(s string) string { return s }))
	if !strings.Contains(warned, "2 groups of documents have labels of several classes (2, 3)") {
		t.Errorf("warnings: %s", warned)
	}
	// A class whose labels are all outvoted stays: the copies then count one by one.
	few := slices.Repeat([]int{-1}, c.Len())
	few[1], few[61], few[64], few[20] = 0, 1, 1, 1
	opt.Known = &corpus.Given{Labels: few, ClassNames: c.ClassNames}
	run = fitted(t, c, opt)
	if notes := strings.Join(run.Notes(), " "); run.Duplicates() != nil || !strings.Contains(notes, "equal others of another class") || strings.Contains(notes, "count with it") {
		t.Errorf("notes: %s", notes)
	}
	linked := eigenmap.Options{Method: "cle", Clusters: 2, Links: []corpus.Constraint{{A: 60, B: 10, Line: 1}, {A: 0, B: 13, Cannot: true, Line: 2}, {A: 1, B: 61, Cannot: true, Line: 3}}}
	set(t, &linked, "weighting", "tf", "normalize", "l2")
	run = fitted(t, c, linked)
	if warned := fmt.Sprint(run.Warnings(func(s string) string { return s })); !strings.Contains(warned, "2 and 62 (line 3)") {
		t.Errorf("warnings: %s", warned)
	}
}

// Where fewer documents differ than the run needs, each copy counts, and a note says so; who asked
// for one is told. Measurements that are equal are observations each.
func TestCopiesTooManyToLeaveClusters(t *testing.T) {
	c := withCopies(topical(4, 2), 4, 3, 0)
	opt := eigenmap.Options{Method: "kmeans", Clusters: 5}
	set(t, &opt, "weighting", "tf")
	run := fitted(t, c, opt)
	if notes := strings.Join(run.Notes(), " "); run.Duplicates() != nil || !strings.Contains(notes, "only 4 documents differ") {
		t.Errorf("notes: %s", notes)
	}
	if got := eigenmap.Config(run.Settings())["duplicates"]; got != "keep" { // so that it can be repeated
		t.Errorf("the configuration says duplicates: %v", got)
	}
	set(t, &opt, "duplicates", "once")
	_, err := eigenmap.ClusterCorpus(context.Background(), c, opt)
	refused(t, err, "only 4 documents differ", "duplicates keep")
	x := mat.NewDense(8, 2, []float64{1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4, 5, 6, 7, 8})
	run = fitted(t, &corpus.Corpus{Name: "measured", X: x}, eigenmap.Options{Method: "kmeans", Clusters: 2})
	if run.Duplicates() != nil {
		t.Errorf("%+v", run.Duplicates())
	}
}

// The graph of a corpus with copies has the eigenvectors of the graph without them, and says so of
// every copy.
func TestGraphOfCopies(t *testing.T) {
	plain := topical(60, 3)
	dirty := withCopies(plain, 4, 3, 0)
	dir := t.TempDir()
	write := func(name string, c *corpus.Corpus) string {
		path := filepath.Join(dir, name)
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := corpus.WriteMatrix(f, "npz", c.X); err != nil {
			t.Fatal(err)
		}
		return path
	}
	of := func(path string) *eigenmap.GraphRun {
		run, err := eigenmap.Graph(context.Background(), path, eigenmap.Options{Weighting: "tf", Normalize: "l2"}, graph.Options{Neighbors: 6})
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	want, got := of(write("plain.npz", plain)).Graph, of(write("dirty.npz", dirty)).Graph
	if got.Len() != 72 || got.Components != want.Components {
		t.Fatalf("%d nodes in %d components", got.Len(), got.Components)
	}
	for i := range 60 {
		sum := got.Degrees[i]
		for k := 60 + i; i < 4 && k < 72; k += 4 {
			sum += got.Degrees[k]
			if got.Reach[k] != want.Reach[i] {
				t.Errorf("the reach of %d is not that of %d", k, i)
			}
		}
		if d := sum - want.Degrees[i]; d > 1e-12 || d < -1e-12 {
			t.Errorf("document %d and its copies have %v of the weights %v", i, sum, want.Degrees[i])
		}
	}
	_, err := eigenmap.Graph(context.Background(), filepath.Join(dir, "dirty.npz"), eigenmap.Options{Duplicates: "drop"}, graph.Options{})
	refused(t, err, "once or keep")
	_, err = eigenmap.ClusterCorpus(context.Background(), dirty, eigenmap.Options{Method: "le", Duplicates: "drop"})
	refused(t, err, "once or keep")
	_, err = eigenmap.Compare(context.Background(), filepath.Join(dir, "dirty.npz"), eigenmap.Options{Duplicates: "drop", Clusters: 2}, eigenmap.CompareOptions{Methods: []string{"le"}})
	refused(t, err, "once or keep")
}

// A graph of few different documents is made again with the neighbours that it had.
func TestGraphOfFewDifferentDocuments(t *testing.T) {
	texts := strings.Repeat("one two three\n", 5) + strings.Repeat("two three four\n", 5) + strings.Repeat("four one two\n", 5)
	path := write(t, t.TempDir(), "texts.log", texts)
	opt := eigenmap.Options{Duplicates: "once"}
	first, err := eigenmap.Graph(context.Background(), path, opt, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := eigenmap.Graph(context.Background(), path, opt, graph.Options{Neighbors: 2})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(first.Graph.Degrees, again.Graph.Degrees) {
		t.Errorf("degrees %v, and %v with the neighbours named", first.Graph.Degrees, again.Graph.Degrees)
	}
}

// Rows of a table count once in methods of the neighbour graph if fewer than half of them differ,
// and their groups are found then; the neighbours of a row were its copies alone. Each row counts
// where half differ, in other methods and where the user says so.
func TestAnswersOfWhichFewDiffer(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	answers := &corpus.Corpus{Name: "answers", X: mat.NewDense(600, 4, nil), Labels: make([]int, 600), ClassNames: []string{"a", "b", "c"}}
	means := [][]float64{{1.5, 2, 4.5, 4}, {4.5, 1.5, 2, 4}, {3, 4.5, 4, 1.5}}
	x := answers.X.(*mat.Dense)
	for i := range 600 {
		answers.Labels[i] = i % 3
		for j, m := range means[i%3] {
			x.Set(i, j, min(max(math.Round(m+0.8*rng.NormFloat64()), 1), 5))
		}
	}
	half := &corpus.Corpus{Name: "half", X: mat.NewDense(80, 3, nil)}
	for i := range 80 {
		for j := range 3 {
			half.X.(*mat.Dense).Set(i, j, math.Sin(float64(1+i/2*(j+1))))
		}
	}
	thin := *answers
	thin.X, _ = sparse.FromMatrix(x)
	for name, c := range map[string]struct {
		corpus *corpus.Corpus
		method string
		keep   bool
		once   bool
	}{
		"le": {answers, "le", false, true}, "diffusion": {answers, "diffusion", false, true}, "asked": {answers, "le", true, false},
		"kmeans": {answers, "kmeans", false, false}, "half": {half, "le", false, false}, "sparse": {&thin, "le", false, true},
	} {
		opt := eigenmap.Options{Method: c.method, Clusters: 3}
		set(t, &opt, "weighting", "tf")
		if c.keep {
			set(t, &opt, "duplicates", "keep")
		}
		run := fitted(t, c.corpus, opt)
		notes := strings.Join(run.Notes(), " ")
		if once := run.Duplicates() != nil; once != c.once || strings.Contains(notes, "duplicates keep takes each of them") != c.once {
			t.Errorf("%s: counted once %v, notes %s", name, once, notes)
		}
		if c.once && run.Scores.Accuracy < 0.85 {
			t.Errorf("%s: accuracy %.3f", name, run.Scores.Accuracy)
		}
	}
}
