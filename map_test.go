package eigenmap_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
)

const debian = "examples/debian/packages.jsonl.gz"

// agreement is the share of the ten nearest in the plane that have the document's class.
func agreement(t *testing.T, y mat.Matrix, labels []int) float64 {
	t.Helper()
	g := must.Get(graph.Nearest(context.Background(), y, 10, nil))(t)
	hit := 0
	for i, l := range labels {
		near, _, _ := g.Row(i)
		for _, j := range near {
			if labels[j] == l {
				hit++
			}
		}
	}
	return float64(hit) / float64(10*len(labels))
}

// readMap is the map in a folder of results.
func readMap(t *testing.T, dir string) *mat.Dense {
	t.Helper()
	c := must.Get(corpus.Read(context.Background(), filepath.Join(dir, "embedding2d.npy"), corpus.ReadOptions{}))(t)
	return mat.DenseCopyOf(c.X)
}

// The map keeps the classes of the shipped corpus together, as far as its coordinates do: UMAP of
// the same coordinates agrees for 0.658 of the ten nearest, and the former projection for 0.538.
func TestMapAgreesWithClasses(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	run := cluster(t, debian, eigenmap.Options{Map: new(bool)})
	if run.Map != nil {
		t.Error("a map that was not wanted")
	}
	for name, atLeast := range map[string]float64{"diffusion": 0.66, "lsi": 0.63, "kmeans": 0.57} {
		yes := true
		run := cluster(t, debian, eigenmap.Options{Method: name, Map: &yes})
		if got := agreement(t, run.Map, run.Corpus.Labels); got < atLeast {
			t.Errorf("%s: %.3f of the ten nearest have the document's class, %g expected", name, got, atLeast)
		}
	}
}

// Runs of every kind of input and result have a map where the report is written: by their graph,
// their coordinates or their rows.
func TestMapOfMethods(t *testing.T) {
	for _, name := range []string{"diffusion", "le", "kmeans", "nmf", "plsa", "gmm", "isomap", "label-propagation"} {
		opt := options(t, name)
		if name == "label-propagation" {
			set(t, &opt, "labeled-fraction", "0.2")
		}
		run := cluster(t, train, opt)
		if run.Map != nil {
			t.Errorf("%s: a map before it is wanted", name)
		}
		dir := t.TempDir()
		save(t, run, dir)
		if run.Map == nil {
			t.Errorf("%s: no map; %v", name, run.NotesAs(func(s string) string { return s }))
			continue
		}
		if y := readMap(t, dir); !mat.Equal(y, run.Map) {
			t.Errorf("%s: embedding2d.npy is another map", name)
		}
		page, err := os.ReadFile(filepath.Join(dir, "report.html"))
		if err != nil || !bytes.Contains(page, []byte("in a map that")) {
			t.Errorf("%s: the page does not show the map: %v", name, err)
		}
	}
	no := false
	opt := options(t, "le")
	opt.Map = &no
	run, dir := cluster(t, train, opt), t.TempDir()
	save(t, run, dir)
	if _, err := os.Stat(filepath.Join(dir, "embedding2d.npy")); err == nil || run.Map != nil {
		t.Error("a map although it was left out")
	}
	if config, err := os.ReadFile(filepath.Join(dir, "config.yaml")); err != nil || !strings.Contains(string(config), "\nmap: false") {
		t.Errorf("the configuration does not repeat map: false: %v", err)
	}
}

// One seed gives one map at any number of threads, also by the rows alone.
func TestMapOnThreads(t *testing.T) {
	defer native.SetThreads(0)
	for _, name := range []string{"diffusion", "kmeans"} {
		var first *mat.Dense
		for _, threads := range race.Threads(1, 2, 7) {
			native.SetThreads(threads)
			opt, yes := options(t, name), true
			opt.Map = &yes
			run := cluster(t, train, opt)
			if first == nil {
				first = run.Map
			} else if !mat.Equal(first, run.Map) {
				t.Errorf("%s: %d threads give another map", name, threads)
			}
		}
	}
}

// A document of the model is placed where the map has it, and its copies with it.
func TestMapPlacesNewDocuments(t *testing.T) {
	texts := must.Get(os.ReadFile(train))(t)
	lines := strings.SplitAfter(string(texts), "\n")
	twice := filepath.Join(t.TempDir(), "twice.jsonl")
	must.Do(t, os.WriteFile(twice, []byte(string(texts)+strings.ReplaceAll(lines[0], `"id": "`, `"id": "copy of `)), 0o666))
	run, dir := cluster(t, twice, options(t, "diffusion")), t.TempDir()
	save(t, run, dir)
	last := run.Corpus.Len() - 1
	if !mat.Equal(run.Map.RowView(0), run.Map.RowView(last)) {
		t.Error("a copy lies elsewhere")
	}
	model := filepath.Join(dir, eigenmap.ModelName)
	same := must.Get(eigenmap.Predict(context.Background(), model, twice))(t)
	if !mat.EqualApprox(same.Map, run.Map, 1e-6) {
		t.Error("documents of the model are placed elsewhere")
	}
	p := must.Get(eigenmap.Predict(context.Background(), model, fresh))(t)
	out := t.TempDir()
	must.Do(t, p.Save(out))
	if y := readMap(t, out); !mat.Equal(y, p.Map) {
		t.Error("embedding2d.npy is another map")
	}
}

// A map that there is no memory for is left out with a note.
func TestMapWithoutMemory(t *testing.T) {
	defer native.SetThreads(0)
	native.SetThreads(2) // the clusters of more threads take more than is allowed
	x := mat.NewDense(3000, 2, nil)
	for i := range 3000 {
		x.SetRow(i, []float64{float64(i % 50), float64(i / 50)})
	}
	yes := true
	opt := eigenmap.Options{Method: "kmeans", Clusters: 2, Map: &yes, MaxBytes: 600_000}
	run := must.Get(eigenmap.ClusterMatrix(context.Background(), x, opt))(t)
	if notes := strings.Join(run.NotesAs(func(s string) string { return s }), "\n"); run.Map != nil || !strings.Contains(notes, "There is no map: ") {
		t.Errorf("a map in %d bytes, notes %q", opt.MaxBytes, notes)
	}
}
