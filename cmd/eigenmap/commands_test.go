package main

import (
	"github.com/eigenmap/eigenmap"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/progress"
)

func TestVersion(t *testing.T) {
	v := mustCall(t, "version", "--json").object(t)
	for _, key := range []string{"version", "go", "backend", "library", "threads", "arpack"} {
		if _, ok := v[key]; !ok {
			t.Errorf("no %q in %v", key, v)
		}
	}
	if r := mustCall(t, "version", "--threads", "1", "--backend", "go"); !strings.Contains(r.stdout, "backend") || !strings.Contains(r.stdout, "go (") {
		t.Errorf("--backend go does not show:\n%s", r.stdout)
	}
}

func TestInfo(t *testing.T) {
	file := texts(t, t.TempDir(), 20)
	v := mustCall(t, "info", file, "--json").object(t)
	if v["kind"] != "corpus" || v["documents"] != 60.0 || v["terms"] != 30.0 || v["labeled"] != 60.0 || v["vocabulary"] != true {
		t.Errorf("info says %v", v)
	}
	if c := v["classes"].([]any); len(c) != 3 || c[0].(map[string]any)["size"] != 20.0 {
		t.Errorf("the classes are %v", c)
	}
	if r := mustCall(t, "info", file); !strings.Contains(r.stdout, "topic2") {
		t.Errorf("the table does not name the classes:\n%s", r.stdout)
	}
}

// TestGraphWithResult: a graph in GraphML has the clusters and places of a result of its corpus.
func TestGraphWithResult(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 40)
	result, drawn := filepath.Join(dir, "result"), filepath.Join(dir, "drawn")
	mustCall(t, "cluster", file, "-k", "3", "--out", result)
	mustCall(t, "graph", file, "--format", "graphml", "--result", result, "--out", drawn)
	graph := filepath.Join(drawn, "affinity.graphml")
	if written := string(must.Get(os.ReadFile(graph))(t)); strings.Count(written, `<data key="n1">`) != 120 || !strings.Contains(written, `for="node" attr.name="x" attr.type="double"`) {
		t.Errorf("no places of all nodes:\n%.1000s", written)
	}
	v := mustCall(t, "eval", graph, filepath.Join(result, "clusters.csv"), "--json").object(t)
	read := mustCall(t, "cluster", graph, "-k", "3", "--label-column", "cluster", "--json").object(t)
	if v["metrics"].(map[string]any)["accuracy"] != 1.0 || read["metrics"].(map[string]any)["accuracy"] != 1.0 {
		t.Errorf("the classes of the corpus and its clusters in the graph: %v, %v", v["metrics"], read["metrics"])
	}
	other := texts(t, t.TempDir(), 41)
	for _, args := range [][]string{
		{"graph", other, "--format", "graphml", "--result", result, "--out", filepath.Join(dir, "other")},
		{"graph", file, "--result", result, "--out", filepath.Join(dir, "matrix")},
		{"graph", file, "--format", "graphml", "--result", filepath.Join(dir, "none"), "--out", filepath.Join(dir, "missing")},
	} {
		if r := call(args...); r.status != 2 || r.stderr == "" {
			t.Errorf("%q: status %d, %s", args, r.status, r.stderr)
		}
	}
}

// TestGraphAndBack: the graph that is written is the graph that the clustering of the corpus uses.
func TestGraphAndBack(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 40)
	direct := mustCall(t, "cluster", file, "--method", "le", "-k", "3", "--json").object(t)
	truth := write(t, dir, "truth.txt", strings.Repeat("a\n", 40)+strings.Repeat("b\n", 40)+strings.Repeat("c\n", 40))
	for _, format := range []string{"npz", "mtx", "graphml"} {
		out := filepath.Join(dir, format)
		v := mustCall(t, "graph", file, "--format", format, "--out", out, "--json").object(t)
		if v["graph"].(map[string]any)["components"] != 3.0 {
			t.Errorf("the graph of three topics is %v", v["graph"])
		}
		matrix := filepath.Join(out, "affinity."+format)
		info := mustCall(t, "info", matrix, "--precomputed", "--json").object(t)
		if info["kind"] != "graph" || info["graph"].(map[string]any)["edges"] != v["graph"].(map[string]any)["edges"] {
			t.Errorf("%s: info says %v", format, info)
		}
		again := mustCall(t, "cluster", matrix, "--precomputed", "--method", "le", "-k", "3", "--truth", truth, "--json").object(t)
		if again["metrics"].(map[string]any)["accuracy"] != 1.0 {
			t.Errorf("%s: metrics of three topics are %v", format, again["metrics"])
		}
		if again["objective"] != direct["objective"] {
			t.Errorf("%s: objective %v from the matrix, %v from the corpus", format, again["objective"], direct["objective"])
		}
		repeated := mustCall(t, "graph", "--config", filepath.Join(out, "config.yaml"), "--json").object(t)
		if !reflect.DeepEqual(repeated["graph"], v["graph"]) {
			t.Errorf("%s: the configuration makes the graph %v, not %v", format, repeated["graph"], v["graph"])
		}
	}
}

func TestEmbed(t *testing.T) {
	dir := t.TempDir()
	file, out := texts(t, dir, 20), filepath.Join(dir, "out")
	v := mustCall(t, "embed", file, "--method", "le", "-d", "4", "--format", "csv", "--out", out, "--json").object(t)
	if v["dims"] != 4.0 || len(v["eigenvalues"].([]any)) != 4 {
		t.Errorf("embed says %v", v)
	}
	for i, r := range v["residuals"].([]any) {
		if r.(float64) > 1e-8 {
			t.Errorf("residual %d is %v", i, r)
		}
	}
	text := must.Get(os.ReadFile(filepath.Join(out, "embedding.csv")))(t)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 61 || lines[0] != "id,x1,x2,x3,x4" || !strings.HasPrefix(lines[1], "doc-0-0,") {
		t.Errorf("embedding.csv begins %q and has %d lines", lines[:2], len(lines))
	}
	r := mustCall(t, "embed", file, "--method", "le", "-d", "2")
	if !strings.Contains(r.stdout, "eigenvalue") || !strings.Contains(r.stdout, "--out") {
		t.Errorf("without --out:\n%s", r.stdout)
	}
	m := mustCall(t, "info", filepath.Join(out, "model.npz"), "--json").object(t)
	if m["kind"] != "model" || m["method"] != "le" || m["dims"] != 4.0 {
		t.Errorf("info on the model says %v", m)
	}
	mustCall(t, "embed", "--config", filepath.Join(out, "config.yaml"))
	other := filepath.Join(dir, "go")
	mustCall(t, "embed", file, "--method", "le", "-d", "2", "--backend", "go", "--out", other)
	if text, err := os.ReadFile(filepath.Join(other, "config.yaml")); err != nil || strings.Contains(string(text), "\nbackend: go\n") != (len(eigenmap.Versions().Backends) > 1) {
		t.Errorf("the configuration keeps --backend go if there is a choice, and only then: %v\n%s", err, text)
	}
	topics := filepath.Join(dir, "nmf") // which finds clusters with the embedding
	mustCall(t, "embed", file, "--method", "nmf", "-d", "3", "--out", topics)
	if _, err := os.Stat(filepath.Join(topics, "clusters.csv")); err == nil {
		t.Error("embed writes clusters.csv")
	}
}

func TestEval(t *testing.T) {
	dir := t.TempDir()
	// Two classes against two clusters with one of five documents astray: accuracy 0.8.
	truth := write(t, dir, "truth.csv", "id,label\na,x\nb,x\nc,x\nd,y\ne,y\nunused,y\n")
	clusters := write(t, dir, "clusters.csv", "id,cluster,label\ne,7,?\nd,7,?\nc,7,?\nb,1,?\na,1,?\n")
	v := mustCall(t, "eval", truth, clusters, "--json").object(t)
	m := v["metrics"].(map[string]any)
	if m["accuracy"] != 0.8 || m["purity"] != 0.8 {
		t.Errorf("metrics %v", m)
	}
	// Pairs: 2 of the same class and cluster among 4 of one class and 4 of one cluster.
	if f := m["fmi"].(float64); math.Abs(f-0.5) > 1e-12 {
		t.Errorf("FMI %v, want 0.5", f)
	}
	if v["documents"] != 5.0 || v["left_out"] != 1.0 {
		t.Errorf("%v documents, %v left out", v["documents"], v["left_out"])
	}
	lines := write(t, dir, "truth.txt", "x\nx\nx\ny\ny\n")
	predicted := write(t, dir, "predicted.txt", "1\n1\n7\n7\n7\n")
	w := mustCall(t, "eval", lines, predicted, "--json").object(t)
	for key, value := range m {
		if got := w["metrics"].(map[string]any)[key]; got != value {
			t.Errorf("%s is %v by position, %v by id", key, got, value)
		}
	}
	if r := mustCall(t, "eval", truth, clusters); !strings.Contains(r.stdout, "0.8000") || !strings.Contains(r.stdout, "assigned class") {
		t.Errorf("the table:\n%s", r.stdout)
	}
	// A corpus is a truth as well.
	file, out := texts(t, dir, 20), filepath.Join(dir, "out")
	mustCall(t, "cluster", file, "--method", "kmeans", "--out", out)
	v = mustCall(t, "eval", file, filepath.Join(out, "clusters.csv"), "--json").object(t)
	if v["metrics"].(map[string]any)["accuracy"] != 1.0 {
		t.Errorf("against the corpus: %v", v["metrics"])
	}
}

func TestConvert(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 20)
	before := mustCall(t, "info", file, "--json").object(t)
	for _, name := range []string{"c.npz", "c.mtx.gz", "c.svm"} {
		out := filepath.Join(dir, name)
		mustCall(t, "convert", file, out)
		after := mustCall(t, "info", out, "--json").object(t)
		for _, key := range []string{"documents", "terms", "entries"} {
			if before[key] != after[key] {
				t.Errorf("%s: %s was %v and is %v", name, key, before[key], after[key])
			}
		}
	}
	out := filepath.Join(dir, "b.mtx")
	mustCall(t, "convert", file, out, "--weighting", "binary", "--classes", "topic0,topic2")
	v := mustCall(t, "info", out, "--json").object(t)
	if v["documents"] != 40.0 {
		t.Errorf("two classes of 20 documents became %v", v["documents"])
	}
}

// TestConvertCleansUp: what a killed convert left half-written goes with the next one, and nothing
// else does.
func TestConvertCleansUp(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 20)
	old := time.Now().Add(-time.Hour)
	for _, name := range []string{".c.mtx.0123abcd.tmp", ".c.labels.csv.0123abcd.tmp", ".c.terms.txt.0123abcd.tmp", ".d.mtx.0123abcd.tmp", ".c.mtx.mine.tmp"} {
		must.Do(t, os.Chtimes(write(t, dir, name, ""), old, old))
	}
	mustCall(t, "convert", file, filepath.Join(dir, "c.mtx"))
	if left := leftovers(t, dir); len(left) != 2 {
		t.Errorf("there are %v, and only the files of d.mtx and the one of another name should be", left)
	}
}

// TestNotConverged: what to do stands in the sentence.
func TestNotConverged(t *testing.T) {
	r := call("cluster", texts(t, t.TempDir(), 300), "--method", "le", "-k", "60", "--solver", "arpack", "--max-iter", "1", "--tol", "1e-14", "--quiet")
	if r.status == exitRequest && strings.Contains(r.stderr, "ARPACK") {
		t.Skip("this build has no ARPACK")
	}
	if r.status != exitFailed {
		t.Errorf("status %d, want %d", r.status, exitFailed)
	}
	checkSentence(t, r, "--max-iter")
}

// TestNotConvergedSaves: the eigenvectors as far as they were found are worth their time.
func TestNotConvergedSaves(t *testing.T) {
	dir := t.TempDir()
	file := example(t)
	for _, command := range []string{"cluster", "embed"} {
		out := filepath.Join(dir, command)
		r := call(command, file, "--method", "le", "-d", "20", "--solver", "lanczos", "--max-iter", "1", "--tol", "1e-14", "--quiet", "--out", out)
		if r.status != exitFailed {
			t.Errorf("%s: status %d, want %d", command, r.status, exitFailed)
		}
		checkSentence(t, r, "saved in "+out+": embedding.npy, model.npz, config.yaml")
		if v := mustCall(t, "info", filepath.Join(out, "model.npz"), "--json").object(t); v["dims"].(float64) < 1 {
			t.Errorf("%s: %v dimensions were saved", command, v["dims"])
		}
		mustCall(t, "info", filepath.Join(out, "embedding.npy"))
	}
}

// TestDefect: a panic anywhere becomes one sentence and status 1.
func TestDefect(t *testing.T) {
	r := callWatched(t.Context(), func(e progress.Event) { panic("no such thing\nas this") }, "info", texts(t, t.TempDir(), 5))
	if r.status != exitFailed || strings.Count(r.stderr, "\n") != 1 || !strings.Contains(r.stderr, "defect in the program: no such thing as this") {
		t.Errorf("status %d\n%s", r.status, r.stderr)
	}
}

// Only commands that the arguments may name get their flags, which take a sixth of the time of
// --help; without arguments all get them.
func TestFlagsOfTheCommand(t *testing.T) {
	for _, c := range []struct {
		args []string
		with []string
	}{{[]string{"--help"}, nil}, {[]string{"--quiet", "info", "x"}, []string{"info"}}, {[]string{"help", "cluster"}, []string{"cluster"}}} {
		a := newApp(io.Discard, io.Discard, nil)
		a.args = c.args
		for _, cmd := range a.command().Commands() {
			if cmd.Name() == "info" || cmd.Name() == "cluster" {
				if has := cmd.Flags().HasFlags(); has != slices.Contains(c.with, cmd.Name()) {
					t.Errorf("%q: %s has flags: %v", c.args, cmd.Name(), has)
				}
			}
		}
	}
	for _, cmd := range newApp(io.Discard, io.Discard, nil).command().Commands() {
		if !slices.Contains([]string{"methods", "version", "completion"}, cmd.Name()) && !cmd.Flags().HasFlags() {
			t.Errorf("%s has no flags", cmd.Name())
		}
	}
}
