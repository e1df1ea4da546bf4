package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// TestClusterJSON: one object with the promised keys and their nesting.
func TestClusterJSON(t *testing.T) {
	dir := t.TempDir()
	file, out := texts(t, dir, 40), filepath.Join(dir, "out")
	for _, c := range []struct {
		method      string
		eigenvalues int
		weighting   string
		files       []string
	}{
		{"le", 3, "hellinger", []string{"clusters.csv", "config.yaml", "embedding.npy", "embedding2d.npy", "model.npz", "report.html", "run.json", "runner-up.csv", "scatter.png", "topics.csv"}},
		{"kmeans", 0, "tfidf", []string{"clusters.csv", "config.yaml", "embedding2d.npy", "model.npz", "report.html", "run.json", "scatter.png", "topics.csv"}},
	} {
		dir := filepath.Join(out, c.method)
		r := mustCall(t, "cluster", file, "--method", c.method, "--json", "--quiet", "--seed", "7", "--out", dir)
		if r.stderr != "" {
			t.Errorf("%s: standard error holds %q", c.method, r.stderr)
		}
		v := r.object(t)
		for key, want := range map[string]any{"method": c.method, "documents": 120.0, "clusters": 3.0, "labeled": 0.0, "seed": 7.0} {
			if v[key] != want {
				t.Errorf("%s: %s is %v, want %v", c.method, key, v[key], want)
			}
		}
		metrics := v["metrics"].(map[string]any)
		for _, key := range []string{"accuracy", "nmi", "ari", "fmi", "purity", "f_measure", "macro_f1"} {
			if x, ok := metrics[key].(float64); !ok || x < 0.99 {
				t.Errorf("%s: %s is %v on three topics without a common word", c.method, key, metrics[key])
			}
		}
		if e := v["eigenvalues"].([]any); len(e) != c.eigenvalues {
			t.Errorf("%s: %d eigenvalues, want %d", c.method, len(e), c.eigenvalues)
		}
		times := v["timings"].(map[string]any)
		for _, key := range []string{"read", "weights", "kmeans", "write", "total"} {
			if _, ok := times[key].(float64); !ok {
				t.Errorf("%s: no time of %s", c.method, key)
			}
		}
		config := v["config"].(map[string]any)
		if config["method"] != c.method || config["clusters"] != 3.0 || config["weighting"] != c.weighting || config["seed"] != 7.0 {
			t.Errorf("%s: the configuration is %v", c.method, config)
		}
		entries := must.Get(os.ReadDir(dir))(t)
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		if !slices.Equal(names, c.files) {
			t.Errorf("%s: the folder holds %v, want %v", c.method, names, c.files)
		}
	}
}

// TestWithoutLabels: no metrics then, in JSON and in clusters.csv.
func TestWithoutLabels(t *testing.T) {
	dir := t.TempDir()
	file := write(t, dir, "plain.mtx", "%%MatrixMarket matrix coordinate real general\n4 4 8\n1 1 1\n1 2 1\n2 1 1\n2 2 1\n3 3 1\n3 4 1\n4 3 1\n4 4 1\n")
	out := filepath.Join(dir, "out")
	v := mustCall(t, "cluster", file, "--method", "le", "-k", "2", "--json", "--out", out).object(t)
	if _, there := v["metrics"]; there {
		t.Error("metrics without labels")
	}
	text, err := os.ReadFile(filepath.Join(out, "clusters.csv"))
	if err != nil || string(text) != "id,cluster,distance,confidence,placed,second\n1,0,0,1,yes,1\n2,0,0,1,yes,1\n3,1,0,1,yes,0\n4,1,0,1,yes,0\n" {
		t.Errorf("clusters.csv holds %q, %v", text, err)
	}
	truth := write(t, dir, "truth.csv", "id,label\n4,b\n3,b\n2,a\n1,a\n")
	v = mustCall(t, "cluster", file, "--method", "le", "-k", "2", "--json", "--truth", truth).object(t)
	if v["metrics"].(map[string]any)["accuracy"] != 1.0 {
		t.Errorf("metrics against --truth: %v", v["metrics"])
	}
}

// TestThreadsDoNotMatter: the same bytes from one thread and from two, with every method.
func TestThreadsDoNotMatter(t *testing.T) {
	if testing.Short() {
		t.Skip("clusters the example corpus many times")
	}
	file := example(t)
	dir := t.TempDir()
	// Only le reads all sections: with every method this would take most of the time of these tests.
	const few = "fonts,graphics,mail,math"
	for _, c := range []struct {
		method, classes string
		more            []string
	}{
		{"le", "fonts,games,gnu-r,graphics,haskell,java,mail,math,net,perl,science,sound", nil},
		{"semi-le", few, []string{"--labeled-fraction", "0.05"}},
		{"cle", few, []string{"--labeled-fraction", "0.05"}},
		{"lsi", few, nil},
		{"pca", few, []string{"--pca", "0.05"}},
		{"nmf", few, nil},
		{"gmm", few, []string{"--pca", "8"}},
		{"lapgmm", few, []string{"--pca", "8", "--start-from", "all", "--starts", "2"}},
		{"spg", few, []string{"--labeled-fraction", "0.05"}},
		{"lpp", few, nil},
		{"lda", few, []string{"--labeled-fraction", "0.2"}},
		{"spca", few, []string{"--cardinality", "20"}},
		{"kmeans", few, nil},
		{"kernel-kmeans", few, nil},
		{"le-cas", few, nil},
		{"ggle", few, nil},
		{"s-le", few, nil},
		{"scple", few, []string{"--labeled-fraction", "0.5"}},
		{"isomap", few, []string{"--landmarks", "200"}},
		{"lle", few, []string{"--landmarks", "200"}},
	} {
		method := c.method
		var files [2][]byte
		for i := range files {
			out := filepath.Join(dir, method+strconv.Itoa(i))
			mustCall(t, append([]string{"cluster", file, "--method", method, "--classes", c.classes, "--restarts", "2", "--threads", strconv.Itoa(i + 1),
				"--seed", "3", "--quiet", "--out", out}, c.more...)...)
			var err error
			if files[i], err = os.ReadFile(filepath.Join(out, "clusters.csv")); err != nil {
				t.Fatal(err)
			}
		}
		if string(files[0]) != string(files[1]) {
			t.Errorf("%s: clusters.csv differs between one thread and two", method)
		}
		rows, err := csv.NewReader(strings.NewReader(string(files[0]))).ReadAll()
		if err != nil || len(rows) < 1000 || !strings.HasPrefix(strings.Join(rows[0], ","), "id,cluster,label") {
			t.Errorf("%s: clusters.csv has %d lines, %v", method, len(rows), err)
		}
	}
}

// TestConfigRepeats: config.yaml of a run brings the same clusters, and flags win over it.
func TestConfigRepeats(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 40)
	first, second, third := filepath.Join(dir, "1"), filepath.Join(dir, "2"), filepath.Join(dir, "3")
	mustCall(t, "cluster", file, "--method", "le", "--random-classes", "2", "--seed", "11", "--weighting", "binary",
		"--neighbors", "7", "--edge-weight", "heat", "--normalize-rows", "--tol", "1e-6", "--out", first)
	config := filepath.Join(first, "config.yaml")
	mustCall(t, "cluster", "--config", config, "--out", second)
	mustCall(t, "cluster", "--config", config, "--classes", "topic1", "-k", "2", "--out", third)
	for _, name := range []string{"clusters.csv", "config.yaml", "embedding.npy", "scatter.png"} {
		a, errA := os.ReadFile(filepath.Join(first, name))
		b, errB := os.ReadFile(filepath.Join(second, name))
		if errA != nil || errB != nil || string(a) != string(b) {
			t.Errorf("%s differs between the run and its repetition (%v, %v)", name, errA, errB)
		}
	}
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	mustCall(t, "cluster", "--config", write(t, dir, "marked.yaml", "\ufeff"+string(text))) // as some editors save it
	text, err = os.ReadFile(filepath.Join(third, "clusters.csv"))
	if err != nil || strings.Count(string(text), "\n") != 41 || strings.Contains(string(text), "topic0") {
		t.Errorf("--classes did not win over the file: %v\n%s", err, text)
	}
}

// TestReportStandsAlone: nothing in the page points outside it, and what a text holds stays text.
func TestReportStandsAlone(t *testing.T) {
	dir := t.TempDir()
	evil := `{"id":"a","text":"alpha beta gamma","label":"<script>alert(1)</script>"}
{"id":"b","text":"alpha beta delta","label":"<script>alert(1)</script>"}
{"id":"c","text":"kappa lambda omega","label":"x"}
{"id":"d","text":"kappa lambda sigma","label":"x"}
`
	out := filepath.Join(dir, "out")
	mustCall(t, "cluster", write(t, dir, "evil.jsonl", evil), "--method", "le", "-k", "2", "--min-df", "1", "--out", out)
	page := must.Get(os.ReadFile(filepath.Join(out, "report.html")))(t)
	text := string(page)
	if n := strings.Count(text, "<script"); n != 4 { // of the page itself, three of which hold data
		t.Errorf("the page holds %d scripts", n)
	}
	for _, bad := range []string{"<script>alert", "http://", "https://", "src=\"/", "<link", "@import", "ZgotmplZ"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	for _, part := range []string{"Clusters of evil.jsonl", "data:image/png;base64,", "Classes in clusters", "Spectrum", "eigenmap cluster"} {
		if !strings.Contains(text, part) {
			t.Errorf("the page does not hold %q", part)
		}
	}
}
