package eigenmap_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
)

// saveGraph builds the graph of a file and returns the path of its affinities.
func saveGraph(t *testing.T, file, format string, pairs ...string) string {
	t.Helper()
	var opt eigenmap.Options
	set(t, &opt, pairs...)
	run := must.Get(eigenmap.Graph(context.Background(), file, opt, graph.Options{}))(t)
	out := must.Get(eigenmap.OpenFolder(t.TempDir()))(t)
	defer out.Discard()
	files := must.Get(run.SaveIn(context.Background(), out, format))(t)
	return files[0]
}

// read returns the bytes of a file.
func read(t *testing.T, path string) []byte {
	t.Helper()
	b := must.Get(os.ReadFile(path))(t)
	return b
}

// A run with a saved graph has the results of the run that builds the graph itself, and its model
// places new documents alike.
func TestGraphOfAFile(t *testing.T) {
	for _, own := range [][]string{nil, {"edge-weight", "heat"}, {"edge-weight", "heat", "heat-rule", "local"}, {"epsilon", "1.3"}, {"symmetry", "mutual", "neighbors", "9"}} {
		for _, method := range []string{"le", "spectral", "diffusion", "semi-le", "cle", "label-propagation"} {
			if own != nil && method != "le" {
				continue
			}
			given := []string{"labeled-fraction", "0.3"}
			if method == "le" || method == "spectral" || method == "diffusion" {
				given = nil
			}
			name := method + " " + strings.Join(own, " ")
			affinity := saveGraph(t, train, "npz", own...)
			plain, from := t.TempDir(), t.TempDir()
			save(t, cluster(t, train, options(t, method, append(given, own...)...)), plain)
			run := cluster(t, train, options(t, method, append(given, "graph", affinity)...))
			save(t, run, from)
			if run.Clusters[0].Terms == nil {
				t.Errorf("%s: the clusters have no terms", name)
			}
			for _, f := range []string{"clusters.csv", "embedding.npy", "posterior.npy"} {
				a, err := os.ReadFile(filepath.Join(plain, f))
				if err != nil {
					continue
				}
				if !bytes.Equal(a, read(t, filepath.Join(from, f))) {
					t.Errorf("%s: %s differs", name, f)
				}
			}
			placed := [2]string{t.TempDir(), t.TempDir()}
			for i, dir := range []string{plain, from} {
				p, err := eigenmap.Predict(context.Background(), filepath.Join(dir, eigenmap.ModelName), fresh, eigenmap.Options{})
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				must.Do(t, p.Save(placed[i]))
			}
			if !bytes.Equal(read(t, filepath.Join(placed[0], "clusters.csv")), read(t, filepath.Join(placed[1], "clusters.csv"))) {
				t.Errorf("%s: new documents are placed elsewhere", name)
			}
		}
	}
}

// Graphs that do not belong to the documents are refused, and a plain matrix gives a model that
// says why it places nothing.
func TestForeignGraph(t *testing.T) {
	affinity := saveGraph(t, train, "npz")
	_, err := eigenmap.Cluster(context.Background(), fresh, options(t, "le", "graph", affinity))
	refused(t, err, affinity, "a graph of 60 documents", "holds 10")
	other := cluster(t, train, options(t, "le", "graph", affinity, "weighting", "tf"))
	if notes := strings.Join(other.NotesAs(func(s string) string { return s }), "\n"); !strings.Contains(notes, "made of other rows") || !strings.Contains(notes, "ids agree") {
		t.Errorf("nothing says that the graph was made of other rows: %s", notes)
	}
	x, _ := embedded(60, 3)
	_, err = eigenmap.Cluster(context.Background(), train, options(t, "le", "graph", affinity, "vectors", npyFile(t, "v.npy", x)))
	refused(t, err, "beside graph")
	_, err = eigenmap.Cluster(context.Background(), renamed(t, train), options(t, "le", "graph", affinity, "weighting", "tf"))
	refused(t, err, affinity, "other ids")
	_, err = eigenmap.Cluster(context.Background(), train, options(t, "le", "graph", affinity, "neighbors", "5"))
	refused(t, err, "neighbors", "beside", "the graph is already there")
	_, err = eigenmap.Cluster(context.Background(), train, options(t, "kmeans", "graph", affinity))
	refused(t, err, "kmeans", "no use for", "graph")

	plain := saveGraph(t, train, "mtx")
	run := cluster(t, train, options(t, "le", "graph", plain))
	if notes := strings.Join(run.Notes(), " "); !strings.Contains(notes, "made elsewhere") {
		t.Errorf("notes: %s", notes)
	}
	file := saveModel(t, run)
	_, err = eigenmap.Predict(context.Background(), file, fresh, eigenmap.Options{})
	refused(t, err, file, "its graph was made elsewhere", plain)
	if run.Clusters[0].Terms == nil {
		t.Error("the clusters have no terms")
	}
}

// A damaged description of a graph is an error, not a plain matrix.
func TestDamagedGraph(t *testing.T) {
	run := must.Get(eigenmap.Graph(context.Background(), train, eigenmap.Options{}, graph.Options{}))(t)
	for text, want := range map[string]string{
		"{":                  "damaged",
		`{"format":"other"}`: "does not belong to a graph",
		`{"format":"eigenmap-graph","format_version":1,"options":{"neighbors":15},"reach":[1]}`: "do not fit",
		`{"format":"eigenmap-graph","format_version":9}`:                                        "later version",
	} {
		file := filepath.Join(t.TempDir(), "affinity.npz")
		var b bytes.Buffer
		member := corpus.Member{Name: "eigenmap.json", Write: writes(text)}
		must.Do(t, corpus.WriteMatrix(&b, "npz", run.Graph.W, member))
		must.Do(t, os.WriteFile(file, b.Bytes(), 0o666))
		_, err := eigenmap.Cluster(context.Background(), train, options(t, "le", "graph", file))
		refused(t, err, file, want)
	}
}

func writes(text string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
}

// renamed is a copy of a file of JSON lines whose documents have other ids.
func renamed(t *testing.T, file string) string {
	t.Helper()
	text := must.Get(os.ReadFile(file))(t)
	return write(t, t.TempDir(), "renamed.jsonl", strings.ReplaceAll(string(text), `"id": "`, `"id": "other-`))
}
