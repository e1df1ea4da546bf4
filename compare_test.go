package eigenmap_test

import (
	"context"
	"encoding/csv"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/progress"
)

func compared(t *testing.T, c eigenmap.CompareOptions, pairs ...string) *eigenmap.Comparison {
	t.Helper()
	var opt eigenmap.Options
	set(t, &opt, pairs...)
	out := must.Get(eigenmap.Compare(context.Background(), train, opt, c))(t)
	return out
}

// A run of a comparison is the run of the same method and seed by itself, up to the numbers of the
// clusters; means and errors are computed from the runs.
func TestCompareRuns(t *testing.T) {
	out := compared(t, eigenmap.CompareOptions{Methods: []string{"kmeans", "le"}, Seeds: 4, Settings: []string{"le.neighbors=4", "kmeans.restarts=1", "le.restarts=1"}},
		"clusters", "5", "seed", "7", "kmeans-iter", "3")
	if len(out.Runs) != 8 || !slices.Equal(out.Seeds, []uint64{7, 8, 9, 10}) || out.Documents != 60 {
		t.Fatalf("%+v", out)
	}
	var accuracies []float64
	for _, r := range out.Runs {
		pairs := []string{"clusters", "5", "restarts", "1", "kmeans-iter", "3"}
		if r.Method == "le" {
			pairs = append(pairs, "neighbors", "4")
		}
		opt := options(t, r.Method, pairs...)
		opt.Seed = r.Seed
		alone := cluster(t, train, opt)
		table := must.Get(metrics.NewTable(alone.Labels, r.Labels))(t)
		if ari := table.Scores().ARI; ari != 1 || r.Metrics.Accuracy != alone.Scores.Accuracy {
			t.Errorf("%s, seed %d: ARI %v with the run by itself", r.Method, r.Seed, ari)
		}
		if r.Method == "kmeans" {
			accuracies = append(accuracies, r.Metrics.Accuracy)
		}
	}
	mean, square := 0.0, 0.0
	for _, a := range accuracies {
		mean += a / 4
	}
	for _, a := range accuracies {
		square += (a - mean) * (a - mean)
	}
	got := out.Methods[0].Metrics["accuracy"]
	if math.Abs(got.Mean-mean) > 1e-15 || math.Abs(got.Error-math.Sqrt(square/3/4)) > 1e-15 || got.Error == 0 {
		t.Errorf("%+v, not %v ± %v", got, mean, math.Sqrt(square/3/4))
	}
}

// Agreement is symmetric, and the agreement of seeds is the mean over their pairs. The aligned
// clusters of a run share as many documents with the reference as any renumbering of them does.
func TestCompareAligned(t *testing.T) {
	out := compared(t, eigenmap.CompareOptions{Methods: []string{"kmeans", "nmf"}, Seeds: 3}, "clusters", "4", "kmeans-iter", "2")
	if a, b := out.Between[0][1], out.Between[1][0]; a == nil || math.Abs(a.ARI-b.ARI) > 1e-15 || math.Abs(a.NMI-b.NMI) > 1e-12 {
		t.Errorf("%+v and %+v", a, b)
	}
	sum := 0.0
	var own []eigenmap.CompareRun
	for _, r := range out.Runs {
		if r.Method == "kmeans" {
			own = append(own, r)
		}
	}
	for i := range own {
		for j := range i {
			table := must.Get(metrics.NewTable(own[i].Labels, own[j].Labels))(t)
			sum += table.Scores().ARI / 3
		}
	}
	if got := out.Methods[0].Seeds; got == nil || math.Abs(got.ARI-sum) > 1e-12 {
		t.Errorf("agreement of seeds %+v, not %v", got, sum)
	}
	reference := out.Runs[out.Reference].Labels
	shared := func(to []int, labels []int) (n int) {
		for i, l := range labels {
			if to[l] == reference[i] {
				n++
			}
		}
		return n
	}
	for _, r := range out.Runs {
		best := 0
		permutations([]int{0, 1, 2, 3}, 0, func(to []int) { best = max(best, shared(to, r.Labels)) })
		if got := shared([]int{0, 1, 2, 3}, r.Labels); got != best {
			t.Errorf("%s, seed %d: %d documents keep their cluster, and %d could", r.Method, r.Seed, got, best)
		}
	}
}

func permutations(p []int, at int, f func([]int)) {
	if at == len(p) {
		f(p)
		return
	}
	for i := at; i < len(p); i++ {
		p[at], p[i] = p[i], p[at]
		permutations(p, at+1, f)
		p[at], p[i] = p[i], p[at]
	}
}

// A wrong comparison is refused before any work; options go to the methods that have them.
func TestCompareRefused(t *testing.T) {
	for _, c := range []struct {
		which eigenmap.CompareOptions
		pairs []string
		want  string
	}{
		{eigenmap.CompareOptions{}, nil, "methods"},
		{eigenmap.CompareOptions{Methods: []string{"le", "leh"}}, nil, "leh"},
		{eigenmap.CompareOptions{Methods: []string{"le", "le"}}, nil, "twice"},
		{eigenmap.CompareOptions{Methods: []string{"nmf", "kmeans"}}, []string{"neighbors", "9"}, "neighbors"},
		{eigenmap.CompareOptions{Methods: []string{"nmf"}, Settings: []string{"le.neighbors=8"}}, nil, "not compared"},
		{eigenmap.CompareOptions{Methods: []string{"nmf"}, Settings: []string{"neighbors"}}, nil, "METHOD.OPTION=VALUE"},
		{eigenmap.CompareOptions{Methods: []string{"nmf"}, Settings: []string{"nmf.neighbors=8"}}, nil, "neighbors"},
		{eigenmap.CompareOptions{Methods: []string{"cle"}}, nil, "labels"},
	} {
		var opt eigenmap.Options
		set(t, &opt, c.pairs...)
		_, err := eigenmap.Compare(context.Background(), "no such file", opt, c.which)
		if err == nil || !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v %v: %v", c.which, c.pairs, err)
		}
	}
}

// A run that fails leaves the others alone and says why.
func TestCompareFailure(t *testing.T) {
	out := compared(t, eigenmap.CompareOptions{Methods: []string{"kmeans", "le"}, Seeds: 2, Settings: []string{"le.dims=60", "le.drop-first=true"}}, "clusters", "3")
	if m := out.Methods[1]; m.Failed != 2 || m.Runs != 0 || out.Methods[0].Runs != 2 {
		t.Fatalf("%+v", out.Methods)
	}
	if list := out.Failures(); len(list) != 2 || !strings.Contains(list[0], "le, seed 0: ") || !strings.Contains(list[0], "dimension") {
		t.Errorf("%v", list)
	}
}

// Finished runs are kept if the comparison is stopped.
func TestCompareStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	opt := eigenmap.Options{Clusters: 3, Observer: func(e progress.Event) {
		if e.Stage == "compare" && e.Done == 3 {
			cancel()
		}
	}}
	out, err := eigenmap.Compare(ctx, train, opt, eigenmap.CompareOptions{Methods: []string{"kmeans", "nmf"}, Seeds: 5})
	if !errors.Is(err, context.Canceled) || out == nil || len(out.Runs) != 3 || !out.Stopped || out.Methods[0].Runs != 2 || out.Reference < 0 {
		t.Errorf("%+v, %v", out, err)
	}
}

// The files of a comparison: a line per run, the clusters of each document, and a page by itself.
func TestCompareFiles(t *testing.T) {
	result := compared(t, eigenmap.CompareOptions{Methods: []string{"kmeans", "nmf"}, Seeds: 2}, "clusters", "3")
	dir := t.TempDir()
	out := must.Get(eigenmap.OpenFolder(dir))(t)
	defer out.Discard()
	if _, err := result.SaveIn(context.Background(), out); err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		data := must.Get(os.ReadFile(filepath.Join(dir, name)))(t)
		return string(data)
	}
	for name, lines := range map[string]int{"compare.csv": 5, "aligned.csv": 61} {
		rows, err := csv.NewReader(strings.NewReader(read(name))).ReadAll()
		if err != nil || len(rows) != lines {
			t.Errorf("%s: %d lines, %v", name, len(rows), err)
		}
	}
	page := read("compare.html")
	for _, want := range []string{"<h2>Methods</h2>", "<h2>Agreement between methods</h2>", "kmeans, seed 1", "Content-Security-Policy", `<title>cluster 2: `} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, bad := range []string{"<script", "http://", "https://", "ZgotmplZ"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	if !strings.Contains(read("compare.json"), `"between"`) {
		t.Error("compare.json lacks the agreement of methods")
	}
}

// With known labels of a part, every run is scored over the other documents too, the same ones for
// all methods of a seed; these scores rank the methods and are in the table, the files and the
// page.
func TestCompareScoresUnlabeledDocuments(t *testing.T) {
	out := compared(t, eigenmap.CompareOptions{Methods: []string{"kmeans", "le", "label-propagation", "seeded-kmeans"}, Seeds: 2, Settings: []string{"kmeans.restarts=1"}},
		"labeled-fraction", "0.3", "clusters", "3", "seed", "2")
	dir := t.TempDir()
	folder := must.Get(eigenmap.OpenFolder(dir))(t)
	defer folder.Discard()
	if _, err := out.SaveIn(context.Background(), folder); err != nil {
		t.Fatal(err)
	}
	records := must.Get(csv.NewReader(strings.NewReader(string(content(t, dir, "compare.csv")))).ReadAll())(t)
	column := slices.Index(records[0], "accuracy_unlabeled")
	if column < 0 {
		t.Fatalf("compare.csv has the columns %v", records[0])
	}
	for i, r := range out.Runs {
		if r.Unlabeled == nil {
			t.Fatalf("%s, seed %d: no scores over unlabeled documents", r.Method, r.Seed)
		}
		if got, err := strconv.ParseFloat(records[i+1][column], 64); err != nil || got != r.Unlabeled.Accuracy {
			t.Errorf("compare.csv has %v where %v is right", records[i+1][column], r.Unlabeled.Accuracy)
		}
		if r.Method != "label-propagation" && r.Method != "seeded-kmeans" {
			continue
		}
		opt := options(t, r.Method, "labeled-fraction", "0.3")
		opt.Seed = r.Seed
		alone := cluster(t, train, opt)
		if *alone.Unlabeled != *r.Unlabeled {
			t.Errorf("%s: %+v, and by itself %+v", r.Method, *r.Unlabeled, *alone.Unlabeled)
		}
	}
	for i, m := range out.Methods {
		if i > 0 && m.Unlabeled["accuracy"].Mean > out.Methods[i-1].Unlabeled["accuracy"].Mean {
			t.Errorf("%s is ranked below %s", m.Method, out.Methods[i-1].Method)
		}
		if row := out.Table()[i+1]; row[0] != m.Method || row[slices.Index(out.Table()[0], "accuracy of unlabeled")] != m.Unlabeled["accuracy"].String() {
			t.Errorf("the table has %v", row)
		}
	}
	for _, file := range []struct{ name, says string }{{"compare.json", "\"metrics_unlabeled\""}, {"compare.html", "accuracy of unlabeled"}, {"compare.html", "rank the methods"}, {"compare.tex", "over those without a known label"}} {
		if !strings.Contains(string(content(t, dir, file.name)), file.says) {
			t.Errorf("%s does not say %q", file.name, file.says)
		}
	}
	plain := compared(t, eigenmap.CompareOptions{Methods: []string{"kmeans"}, Seeds: 1}, "clusters", "3")
	if plain.HasUnlabeled() || plain.UnlabeledNote() != "" || len(plain.Table()[0]) != 10 {
		t.Errorf("without known labels: %v", plain.Table()[0])
	}
}
