package eigenmap_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/choosek"
	"gonum.org/v1/gonum/mat"
)

// farBlobs draws n rows around k centres that are far apart, with noise of length one.
func farBlobs(n, k int) *mat.Dense {
	const dims = 6
	rng := rand.New(rand.NewPCG(9, uint64(k)))
	centres := mat.NewDense(k, dims, nil)
	for c := range k {
		centres.Set(c, c%dims, 12*float64(1+c/dims))
		centres.Set(c, (c+1)%dims, 6)
	}
	x := mat.NewDense(n, dims, nil)
	for i := range n {
		for j := range dims {
			x.Set(i, j, centres.At(i%k, j)+rng.NormFloat64())
		}
	}
	return x
}

// searched clusters blobs with a range of numbers of clusters.
func searched(t *testing.T, x mat.Matrix, name string, pairs ...string) *eigenmap.Run {
	t.Helper()
	opt := eigenmap.Options{Method: name, Seed: 1}
	set(t, &opt, pairs...)
	run, err := eigenmap.ClusterMatrix(context.Background(), x, opt)
	if err != nil {
		t.Fatalf("%s %v: %v", name, pairs, err)
	}
	return run
}

// Every rule finds the number of blobs that are far apart, and the search says how.
func TestChooseK(t *testing.T) {
	x := farBlobs(240, 5)
	for _, c := range []struct{ method, by, want string }{
		{"spectral", "eigengap", "eigengap"}, {"spectral", "auto", "modularity"}, {"diffusion", "auto", "modularity"}, {"diffusion", "eigengap", "eigengap"}, {"diffusion", "silhouette", "silhouette"}, {"le", "auto", "modularity"}, {"le", "eigengap", "eigengap"}, {"le", "silhouette", "silhouette"},
		{"spectral", "stability", "stability"}, {"gmm", "auto", "modularity"}, {"gmm", "bic", "bic"}, {"kmeans", "auto", "modularity"}, {"kmeans", "silhouette", "silhouette"},
		{"kmeans", "stability", "stability"}, {"pca", "auto", "modularity"}, {"leiden", "auto", "modularity"}, {"gmm", "silhouette", "silhouette"}, {"lsi", "silhouette", "silhouette"},
	} {
		opts := []string{"clusters", "2-9", "k-by", c.by}
		if c.method == "pca" || c.method == "lsi" {
			opts = append(opts, "dims", "5")
		}
		run := searched(t, x, c.method, opts...)
		s := run.Search
		if s == nil || s.Clusters != 5 || len(run.Sizes) != 5 || string(s.By) != c.want {
			t.Errorf("%s by %s: %+v, %d clusters", c.method, c.by, s, len(run.Sizes))
			continue
		}
		if len(s.Points) != 8 || len(s.RunnersUp) != 3 || slices.Contains(s.RunnersUp, 5) || s.From != 2 || s.To != 9 {
			t.Errorf("%s by %s: %+v", c.method, c.by, s)
		}
		if c.want == "eigengap" && len(s.Eigenvalues) != 10 {
			t.Errorf("%s: %d eigenvalues, not one beyond the range", c.method, len(s.Eigenvalues))
		}
		rows := ""
		for _, row := range run.Rows() {
			rows += strings.Join(row, " ") + "\n"
		}
		next := "; next are "
		if c.want == "modularity" { // which may be larger for them
			next = "; others are "
		}
		if !strings.Contains(rows, "k 5 of 2 to 9 by the ") || !strings.Contains(rows, next) {
			t.Errorf("%s by %s: the summary does not say which k:\n%s", c.method, c.by, rows)
		}
	}
}

// A graph of separate parts has as many eigenvalues 0 as parts, and the gap is after them.
func TestChooseKOfComponents(t *testing.T) {
	x := farBlobs(180, 6)
	x.Scale(50, x) // no edge joins two blobs
	for i := range 180 {
		x.Set(i, 0, x.At(i, 0)+1e-3*float64(i%7))
	}
	if s := searched(t, x, "le", "clusters", "auto", "neighbors", "5").Search; s.Clusters != 6 || s.From != 2 || s.Evidence != choosek.Strong {
		t.Errorf("%+v", s)
	}
	s := searched(t, x, "le", "clusters", "2-10", "k-by", "eigengap", "neighbors", "5").Search
	if s.Clusters != 6 || s.From != 2 || s.To != 10 || s.Evidence != choosek.Strong {
		t.Errorf("%+v", s)
	}
	for i, v := range s.Eigenvalues[:7] {
		if zero := v < 1e-9; zero != (i < 6) {
			t.Errorf("eigenvalue %d is %v", i+1, v)
		}
	}
}

// A method that finds how many clusters there are is repeated by its settings: no rule that chooses
// a number is among them.
func TestNoRuleBesideFoundClusters(t *testing.T) {
	found := searched(t, farBlobs(120, 4), "leiden")
	for _, s := range found.Settings() {
		if s.Name == "k-by" {
			t.Errorf("the settings have %s %s", s.Name, s.Text)
		}
	}
}

// The result belongs to the number which was chosen, and the settings repeat it.
func TestChooseKIsTheRun(t *testing.T) {
	x := farBlobs(120, 4)
	for _, name := range []string{"le", "spectral", "diffusion", "kmeans", "gmm"} {
		auto, given := searched(t, x, name, "clusters", "2-7"), searched(t, x, name, "clusters", "4")
		if !slices.Equal(auto.Labels, given.Labels) || auto.Embedding != nil && !mat.Equal(auto.Embedding, given.Embedding) {
			t.Errorf("%s: the result is not a result of 4 clusters", name)
		}
		var pairs []string
		for _, s := range auto.Settings() {
			if s.Name == "k-by" || s.Name == "clusters" && s.Text != "4" {
				t.Errorf("%s: the settings have %s %s", name, s.Name, s.Text)
			}
			if s.Name != eigenmap.FileKey && s.Name != "method" && s.Given {
				pairs = append(pairs, s.Name, s.Text)
			}
		}
		if again := searched(t, x, name, pairs...); again.Search != nil || !slices.Equal(again.Labels, auto.Labels) {
			t.Errorf("%s: the settings %v do not repeat the run", name, pairs)
		}
	}
}

// The range of auto is 2 to the number of communities, at least 10, twice as many for rules that
// score clusters but stability, and below the number of documents: nothing but the data bounds it.
func TestAutoRange(t *testing.T) {
	for _, c := range []struct {
		n, k     int
		by       string
		from, to int
	}{{6, 2, "auto", 2, 5}, {60, 2, "auto", 2, 10}, {900, 45, "auto", 2, 45}, {900, 45, "silhouette", 2, 90}, {400, 8, "stability", 7, 9}} {
		s := searched(t, farBlobs(c.n, c.k), "kmeans", "clusters", "auto", "k-by", c.by, "restarts", "1", "kmeans-iter", "2").Search
		if s.From != c.from || s.To != c.to {
			t.Errorf("%+v: %d to %d", c, s.From, s.To)
		}
		if c.k == 45 && c.by == "auto" && (s.Clusters != 45 || s.Evidence != choosek.Strong) {
			t.Errorf("%+v: %d clusters, %s evidence", c, s.Clusters, s.Evidence)
		}
	}
	if s := searched(t, farBlobs(7000, 2), "kmeans", "clusters", "2-3", "k-by", "silhouette", "restarts", "1", "kmeans-iter", "2").Search; s.Sampled != 4000 {
		t.Errorf("7,000 documents: silhouettes on %d", s.Sampled)
	}
}

// Rules that a method does not have, ranges that do not fit and --k-by without a range are refused.
func TestChooseKRefused(t *testing.T) {
	x := farBlobs(40, 3)
	for _, c := range []struct {
		method, want string
		pairs        []string
	}{
		{"kmeans", "eigenvalues", []string{"clusters", "auto", "k-by", "eigengap"}},
		{"le", "likelihood", []string{"clusters", "auto", "k-by", "bic"}},
		{"pca", "eigenvalues", []string{"clusters", "2-5", "k-by", "eigengap"}},
		{"kmeans", "clusters", []string{"clusters", "2-41"}},
		{"kmeans", "k-by", []string{"clusters", "3", "k-by", "silhouette"}},
		{"kmeans", "k-by", []string{"k-by", "silhouette"}},
	} {
		opt := eigenmap.Options{Method: c.method}
		set(t, &opt, c.pairs...)
		_, err := eigenmap.ClusterMatrix(context.Background(), x, opt)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: %v", c.method, c.pairs, err)
			continue
		}
		refused(t, err, c.want)
	}
	both := eigenmap.Options{Method: "kmeans", Clusters: 3, ClusterRange: eigenmap.KRange{Auto: true}}
	if _, err := eigenmap.ClusterMatrix(context.Background(), x, both); err == nil {
		t.Error("a number and a range are accepted")
	}
}

// JSON has the curve, and the report shows it with the eigenvalues beyond k.
func TestChooseKShown(t *testing.T) {
	run := searched(t, farBlobs(90, 4), "le", "clusters", "2-8", "k-by", "eigengap")
	data, err := json.Marshal(run.ClusterJSON(func(s string) string { return s }, nil))
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		Search struct {
			By       string
			Clusters int
			Points   []struct {
				K     int
				Score *float64
			}
			Eigenvalues []float64
		} `json:"k_search"`
	}
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	if s := v.Search; s.By != "eigengap" || s.Clusters != 4 || len(s.Points) != 7 || s.Points[2].Score == nil ||
		math.Abs(*s.Points[2].Score-(s.Eigenvalues[4]-s.Eigenvalues[3])) > 1e-15 {
		t.Errorf("%+v", s)
	}
	dir := t.TempDir()
	save(t, run, dir)
	page, err := os.ReadFile(filepath.Join(dir, "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<h2>Number of clusters</h2>", "<title>k = 4: ", "after eigenvalue 4", "<title>eigenvalue 9: ", "was taken, k = 4."} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the report lacks %q", want)
		}
	}
}

// A clustering without a method runs the default one and says so; what it learns from decides
// which.
func TestDefaultMethod(t *testing.T) {
	for want, pairs := range map[string][]string{
		eigenmap.DefaultMethod: {"clusters", "3"}, eigenmap.DefaultMethodLabels: {"labeled-fraction", "0.3", "clusters", "3-4", "drop-zeros", "true"},
	} {
		var opt eigenmap.Options
		set(t, &opt, pairs...)
		run := cluster(t, train, opt)
		named := cluster(t, train, options(t, want, append(pairs, "seed", "0")...))
		if !slices.Equal(run.Labels, named.Labels) || !strings.Contains(strings.Join(run.Notes(), "\n"), want+": no method was named") {
			t.Errorf("%v: %v", pairs, run.Notes())
		}
	}
	if _, err := eigenmap.Embed(context.Background(), train, eigenmap.Options{}); err == nil {
		t.Error("an embedding without a method is made")
	}
}

// Where the neighbour graph decides the number of clusters, a note says that the known labels do
// not, and how to have as many clusters as they have classes.
func TestSearchSaysWhatLabelsDo(t *testing.T) {
	const says, way = "is found by the neighbour graph alone; the known labels, of 3 classes, have no part in it", "without clusters there are as many clusters as classes"
	for _, c := range []struct {
		pairs          []string
		says, suggests bool
	}{
		{[]string{"labeled-fraction", "0.3", "clusters", "auto"}, true, false},
		{[]string{"labeled-fraction", "0.3", "clusters", "4-6"}, true, true},
		{[]string{"labeled-fraction", "0.3", "clusters", "4-6", "k-by", "silhouette"}, false, false},
		{[]string{"labeled-fraction", "0.3"}, false, false},
	} {
		run := cluster(t, train, options(t, "semi-le", c.pairs...))
		notes := strings.Join(run.NotesAs(func(s string) string { return s }), "\n")
		if suggests := c.says && len(run.Sizes) != 3; strings.Contains(notes, says) != c.says || strings.Contains(notes, way) != suggests || c.suggests && !suggests {
			t.Errorf("%v: %d clusters, %s", c.pairs, len(run.Sizes), notes)
		}
	}
}

// Known labels and a number of clusters that is to be chosen: as many clusters as classes, and the
// method that places labels best, unless the data show clusters that have no labels. Then the run
// is that without labels, and those that the labels are in have their names.
func TestLabelsBesideChosenNumber(t *testing.T) {
	x := farBlobs(240, 4)
	given := func(classes int) *corpus.Given { // every fifth document of the first classes
		g := &corpus.Given{Own: true, Labels: make([]int, 240), ClassNames: []string{"a", "b", "c", "d"}[:classes]}
		for i := range g.Labels {
			if g.Labels[i] = -1; i%5 == 0 && i%4 < classes {
				g.Labels[i] = i % 4
			}
		}
		return g
	}
	all, two := given(4), given(2)
	for _, c := range []struct {
		labels   *corpus.Given
		clusters string
		rule     string
		compared bool
		says     string
	}{
		{all, "auto", "", true, "clusters auto: 4, as many as the known labels have classes"},
		{all, "2-6", "", true, "clusters 2-6: 4, as many as the known labels have classes"},
		{all, "auto", "modularity", true, "clusters auto: 4, as many as the known labels have classes"},
		{all, "2-6", "silhouette", true, "clusters 2-6: 4, as many as the known labels have classes; the data do not show more: k-by silhouette chooses 4"},
		{all, "5-6", "", false, "the labels have 4 classes, and clusters 5-6 does not hold that number"},
		{all, "2-3", "silhouette", false, "the labels have 4 classes, and clusters 2-3 does not hold that number"},
		{two, "auto", "", false, "the data show more clusters than the 2 classes of the labels"},
		{two, "2-6", "silhouette", false, "the data show more clusters than the 2 classes of the labels"},
		{two, "", "", true, "clusters 2: as many clusters as the known labels have classes"},
	} {
		found := func(known *corpus.Given) *eigenmap.Run {
			opt := eigenmap.Options{Known: known}
			if c.clusters != "" {
				set(t, &opt, "clusters", c.clusters)
			}
			if c.rule != "" {
				set(t, &opt, "k-by", c.rule)
			}
			run, err := eigenmap.ClusterMatrix(context.Background(), x, opt)
			if err != nil {
				t.Fatal(err)
			}
			return run
		}
		run := found(c.labels)
		if by := run.Choice.By == "cross-validation"; by != c.compared || !strings.Contains(strings.Join(run.Notes(), "\n"), c.says) {
			t.Errorf("%q, labels of %d classes: by %s, %d clusters, %v", c.clusters, len(c.labels.ClassNames), run.Choice.By, len(run.Sizes), run.Notes())
		}
		if c.compared {
			continue
		}
		without := found(nil)
		if !slices.Equal(run.Labels, without.Labels) || run.Search == nil {
			t.Errorf("%q: other clusters than without labels", c.clusters)
		}
		named := 0
		for _, name := range run.Classes {
			if name != "" {
				named++
			}
		}
		if c.clusters == "auto" && (len(run.Sizes) != 4 || named != 2) {
			t.Errorf("%d clusters, classes %q", len(run.Sizes), run.Classes)
		}
	}
}

// Every setting of a paper is an option of its method whose default is another value, and --paper
// takes it unless another value is given.
func TestPaper(t *testing.T) {
	with := 0
	for _, s := range eigenmap.Methods() {
		if !eigenmap.Takes(s, "paper") {
			opt := eigenmap.Options{Method: s.Name, Paper: true}
			if _, err := eigenmap.Prepare(opt, "cluster"); err == nil || !strings.Contains(err.Error(), "paper") && !strings.Contains(err.Error(), "labels") {
				t.Errorf("%s has the same settings as its paper and takes paper: %v", s.Name, err)
			}
			continue
		}
		with++
		for _, p := range s.Paper {
			f := option.Find(eigenmap.Fields(s.Name, p.Name), p.Name)
			if f == nil || f.Check(p.Value) != nil || f.Default == p.Value {
				t.Errorf("%s: %+v is no other value of an option", s.Name, p)
			}
		}
	}
	if with < 4 {
		t.Errorf("only %d methods have settings of their papers", with)
	}
	x := farBlobs(60, 3)
	config := func(pairs ...string) map[string]any {
		return eigenmap.Config(searched(t, x, "lapgmm", append(pairs, "clusters", "3")...).Settings())
	}
	if c := config("paper", "true"); c["lambda"] != 1000.0 || c["start-from"] != "kmeans" || c["raw"] != true {
		t.Errorf("%v", c)
	}
	if c := config("paper", "true", "lambda", "5"); c["lambda"] != 5.0 || c["start-from"] != "kmeans" {
		t.Errorf("%v", c)
	}
	if c := config(); c["lambda"] == 1000.0 || c["start-from"] != "gmm-le" {
		t.Errorf("%v", c)
	}
	run := cluster(t, train, options(t, "lapgmm", "paper", "true")) // sparse: no raw data
	if c := eigenmap.Config(run.Settings()); c["raw"] == true || c["lambda"] != 1000.0 {
		t.Errorf("%v", c)
	}
}

// A search fits from three starts for each k unless starts are given, and the run with the chosen
// number equals a run of that number, with its own starts.
func TestSearchStarts(t *testing.T) {
	x := mat.NewDense(300, 6, nil) // no clusters, so that starts differ
	rng := rand.New(rand.NewPCG(3, 3))
	for i := range 300 {
		for j := range 6 {
			x.Set(i, j, rng.Float64())
		}
	}
	points := func(run *eigenmap.Run) string {
		text, err := json.Marshal(run.Search.Points)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, name := range []string{"kmeans", "nmf", "gmm", "lsi"} {
		opts := []string{"clusters", "2-6"}
		if name == "nmf" || name == "kmeans" {
			opts = append(opts, "normalize", "none")
		}
		run := searched(t, x, name, opts...)
		three, ten := searched(t, x, name, append(opts, "restarts", "3")...), searched(t, x, name, append(opts, "restarts", "10")...)
		if points(run) != points(three) {
			t.Errorf("%s: the search is not one of three starts:\n%s\n%s", name, points(run), points(three))
		}
		if points(run) == points(ten) {
			t.Logf("%s: ten starts give the same", name)
		}
		opts[1] = strconv.Itoa(run.Search.Clusters)
		if own := searched(t, x, name, opts...); !slices.Equal(own.Labels, run.Labels) {
			t.Errorf("%s: the run differs from -k %s", name, opts[1])
		}
	}
}

// The score of each number of clusters of a range is the score of its own run: the silhouette of
// its clusters in its embedding, whose rows have length 1 where the method scales them. One fit of
// the search has the embeddings of all numbers.
func TestSearchScoresEachRun(t *testing.T) {
	x := farBlobs(150, 4)
	for _, c := range []struct {
		method string
		unit   bool
		pairs  []string
	}{
		{"lsi", false, nil}, {"lsi", true, []string{"normalize-rows", "true"}}, {"le", true, []string{"normalize-rows", "true"}}, {"spectral", true, nil},
	} {
		pairs := append([]string{"restarts", "3"}, c.pairs...)
		run := searched(t, x, c.method, append([]string{"clusters", "2-6", "k-by", "silhouette"}, pairs...)...)
		if len(run.Search.Points) != 5 {
			t.Fatalf("%s: %d scores", c.method, len(run.Search.Points))
		}
		for _, p := range run.Search.Points {
			own := searched(t, x, c.method, append([]string{"clusters", strconv.Itoa(p.K)}, pairs...)...)
			if _, cols := own.Embedding.Dims(); cols != p.K {
				t.Fatalf("%s: %d clusters give %d dimensions", c.method, p.K, cols)
			}
			if unit := unitOrZero(own.Embedding); unit != c.unit {
				t.Errorf("%s %v, %d clusters: rows of length 1: %v", c.method, c.pairs, p.K, unit)
			}
			want, err := choosek.Silhouettes(t.Context(), own.Embedding, nil, [][]int{own.Labels}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if p.Score == nil {
				t.Errorf("%s %v, %d clusters: no score", c.method, c.pairs, p.K)
			} else if !(math.Abs(*p.Score-want[0]) < 1e-6) {
				t.Errorf("%s %v, %d clusters: the search has %v and the run %v", c.method, c.pairs, p.K, *p.Score, want[0])
			}
		}
	}
}

// unitOrZero says whether every row of x has length 1, or is zero as between the parts of a graph.
func unitOrZero(x *mat.Dense) bool {
	n, _ := x.Dims()
	for i := range n {
		if l := mat.Norm(x.RowView(i), 2); l != 0 && math.Abs(l-1) > 1e-12 {
			return false
		}
	}
	return true
}

// Where clusters are not apart the evidence is called weak, in a note, in JSON, in the summary and
// in the report, with other numbers and what they would give; ranges that the communities are
// beyond are kept.
func TestWeakEvidence(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	x := mat.NewDense(400, 8, nil) // one cloud
	for i := range 400 {
		for j := range 8 {
			x.Set(i, j, rng.NormFloat64())
		}
	}
	run := searched(t, x, "diffusion", "clusters", "auto")
	s := run.Search
	if s.By != choosek.Modularity || s.Evidence != choosek.Weak || len(s.RunnersUp) == 0 || len(s.Candidates) < 2 || s.Candidates[0].K != s.Clusters || s.Candidates[0].Agreement < 1-1e-12 {
		t.Errorf("%+v", s)
	}
	for _, c := range s.Candidates[1:] {
		if !slices.Contains(s.RunnersUp, c.K) || c.Smallest > c.Largest || c.Smallest < 1 || !(c.Agreement >= 0 && c.Agreement <= 1) {
			t.Errorf("%+v", c)
		}
	}
	if !strings.Contains(strings.Join(run.Notes(), "\n"), "the evidence for it is weak: the neighbour graph has") {
		t.Errorf("%v", run.Notes())
	}
	rows := ""
	for _, row := range run.Rows() {
		rows += strings.Join(row, " ") + "\n"
	}
	if !strings.Contains(rows, "evidence: weak") || !strings.Contains(rows, "other k ") {
		t.Error(rows)
	}
	dir := t.TempDir()
	save(t, run, dir)
	for name, want := range map[string]string{"report.html": "The evidence is weak: ", "run.json": `"evidence": "weak"`} {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s lacks %q: %v", name, want, err)
		}
	}
	many := searched(t, x, "kmeans", "clusters", "30-33")
	if s := many.Search; s.Clusters != 30 || s.Evidence != choosek.Weak {
		t.Errorf("30 to 33: %+v", s)
	}
	if rows := fmt.Sprint(many.Rows()); strings.Contains(rows, "NaN") {
		t.Errorf("30 to 33, more than there are communities: %s", rows)
	}
}

// A method that finds the number of clusters itself is not told the classes of the file; with a
// number it has exactly as many, and its settings repeat the run.
func TestOwnNumber(t *testing.T) {
	own := cluster(t, train, eigenmap.Options{Method: "leiden"})
	for _, note := range own.Notes() {
		if strings.Contains(note, "as many clusters as") {
			t.Errorf("it is told the number of clusters: %s", note)
		}
	}
	finer := eigenmap.Options{Method: "leiden"}
	set(t, &finer, "resolution", "20")
	if fine := cluster(t, train, finer); len(fine.Sizes) != 60 || len(own.Sizes) != 3 {
		t.Errorf("%d clusters at resolution 20, and %d at 1", len(fine.Sizes), len(own.Sizes))
	}
	for _, k := range []string{"2", "7"} {
		run := cluster(t, train, options(t, "leiden", "clusters", k))
		if strconv.Itoa(len(run.Sizes)) != k {
			t.Errorf("%d clusters and not %s", len(run.Sizes), k)
		}
		var pairs []string
		for _, s := range run.Settings() {
			if s.Name != eigenmap.FileKey && s.Name != "method" && s.Given {
				pairs = append(pairs, s.Name, s.Text)
			}
		}
		if again := cluster(t, train, options(t, "leiden", pairs...)); !slices.Equal(again.Labels, run.Labels) {
			t.Errorf("the settings %v do not repeat the run", pairs)
		}
	}
	if _, err := eigenmap.Embed(context.Background(), train, options(t, "leiden")); err == nil {
		t.Error("it makes an embedding")
	}
}

// TestPlainGroups: a table of few columns has as many clusters as it has plain groups, also where
// the communities of its graph are many more; one of a single group says that there is no gap.
func TestPlainGroups(t *testing.T) {
	groups := func(centres [][]float64, n int) *mat.Dense {
		rng := rand.New(rand.NewPCG(3, uint64(len(centres))))
		x := mat.NewDense(n, len(centres[0]), nil)
		for i := range n {
			for j, c := range centres[i%len(centres)] {
				x.Set(i, j, c+rng.NormFloat64())
			}
		}
		return x
	}
	arc := func(n int) *mat.Dense { // two half circles around each other's ends
		rng := rand.New(rand.NewPCG(4, 4))
		x := mat.NewDense(n, 2, nil)
		for i := range n {
			a, side := math.Pi*float64(i)/float64(n), float64(1-i%2*2)
			x.SetRow(i, []float64{side*math.Cos(a) + float64(i%2) + .05*rng.NormFloat64(), side*math.Sin(a) + .5*float64(i%2) + .05*rng.NormFloat64()})
		}
		return x
	}
	for _, tc := range []struct {
		what string
		x    *mat.Dense
		want int // 0: one group
	}{
		{"three of two columns", groups([][]float64{{0, 0}, {8, 0}, {0, 8}}, 900), 3},
		{"three that touch", groups([][]float64{{0, 0}, {4.5, 0}, {2.25, 4}}, 900), 3},
		{"four of four columns", groups([][]float64{{0, 0, 0, 0}, {6, 0, 0, 0}, {0, 6, 0, 0}, {0, 0, 6, 0}}, 800), 4},
		{"moons", arc(600), 2},
		{"one", groups([][]float64{{0, 0}}, 600), 0},
	} {
		run := searched(t, tc.x, "diffusion", "clusters", "auto")
		search := run.Search
		if tc.want == 0 {
			if search.ByGap || search.Evidence != choosek.Weak || !strings.HasSuffix(search.Because, "no gap of its eigenvalues shows groups; of 600 rows without such a gap at most 8 clusters are named") {
				t.Errorf("%s: %+v", tc.what, search)
			}
			continue
		}
		if len(run.Sizes) != tc.want || !search.ByGap || search.Evidence == choosek.Weak || len(search.RunnersUp) == 0 {
			t.Errorf("%s: %d clusters of %v, %+v", tc.what, len(run.Sizes), run.Sizes, search)
		}
		if outer := slices.Max(run.Sizes) - slices.Min(run.Sizes); outer > tc.x.RawMatrix().Rows/10 {
			t.Errorf("%s: clusters of %v", tc.what, run.Sizes)
		}
	}
}
