package eigenmap_test

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// pageData is what tests read of the data in report.html.
type pageData struct {
	text     string // of the whole page
	N        int
	Columns  []struct{ Name string }
	Snippets bool
	Clusters []struct {
		Terms   []string
		Weights []float64
		Nearest []int
	}
}

func (d pageData) has(column string) bool {
	return slices.ContainsFunc(d.Columns, func(c struct{ Name string }) bool { return c.Name == column })
}

// element is the text of the element with an id, and packed what it packs.
func (d pageData) element(id string) string {
	_, rest, _ := strings.Cut(d.text, `id="`+id+`">`)
	text, _, _ := strings.Cut(rest, "</script>")
	return text
}

func (d pageData) packed(t *testing.T, id string) string {
	t.Helper()
	data := must.Get(base64.StdEncoding.DecodeString(d.element(id)))(t)
	out := must.Get(io.ReadAll(flate.NewReader(bytes.NewReader(data))))(t)
	return string(out)
}

// pageOf saves a run and reads its page.
func pageOf(t *testing.T, run *eigenmap.Run) (d pageData) {
	t.Helper()
	dir := t.TempDir()
	save(t, run, dir)
	text := must.Get(os.ReadFile(filepath.Join(dir, "report.html")))(t)
	d.text = string(text)
	must.Do(t, json.Unmarshal([]byte(d.element("data")), &d))
	return d
}

// The page has every document with its clusters, class and confidence, and the terms of clusters
// with weights. If the run has a map, the page shows that; if the corpus has snippets, these.
func TestDocumentsOfThePage(t *testing.T) {
	run := cluster(t, train, options(t, "le", "neighbors", "8"))
	page := pageOf(t, run)
	for _, name := range []string{"x", "y", "cluster", "second", "class", "confidence", "distance", "x1"} {
		if !page.has(name) {
			t.Errorf("no column %s: %v", name, page.Columns)
		}
	}
	if page.N != 60 || page.Snippets != (run.Corpus.Snippets != nil) || page.has("novelty") || page.has("known") || strings.Contains(page.text, "in the plane of the") != (run.Map == nil) {
		t.Errorf("%d documents, snippets %v, %v", page.N, page.Snippets, page.Columns)
	}
	if c := page.Clusters[1]; len(c.Terms) != len(c.Weights) || len(c.Terms) == 0 || !slices.IsSortedFunc(c.Weights, func(a, b float64) int { return int(1e5 * (b - a)) }) || len(c.Nearest) != 2 {
		t.Errorf("%+v", c)
	}
	run = cluster(t, train, options(t, "le", "neighbors", "8", "reject", "0.8"))
	run.Map = mat.NewDense(60, 2, nil)
	run.Corpus.Snippets = nil
	for i := range 60 {
		run.Map.SetRow(i, []float64{float64(i), -float64(i)})
		run.Corpus.Snippets = append(run.Corpus.Snippets, "text of document "+run.Corpus.ID(i))
	}
	page = pageOf(t, run)
	if texts := page.packed(t, "texts"); !page.Snippets || strings.Contains(page.text, "in the plane of the") || !strings.Contains(texts, "text of document "+run.Corpus.ID(7)) {
		t.Errorf("neither map nor snippets: %.200s", texts)
	}
	if run.RejectedCount == 0 {
		t.Error("no document is rejected")
	}
}

// A soft clustering has its second most probable cluster; a given kernel has no plane of its own,
// and yet a page.
func TestDocumentsWithoutCentres(t *testing.T) {
	if page := pageOf(t, cluster(t, train, options(t, "plsa"))); !page.has("second") || !page.has("confidence") {
		t.Errorf("plsa: %v", page.Columns)
	}
	if page := pageOf(t, cluster(t, train, options(t, "label-propagation", "labeled-fraction", "0.2"))); !page.has("known") {
		t.Errorf("label-propagation: %v", page.Columns)
	}
	x := mat.NewDense(40, 2, nil)
	for i := range 40 {
		x.SetRow(i, []float64{float64(20 * (i % 3)), float64(i) / 9})
	}
	var k mat.Dense
	k.Mul(x, x.T())
	run := must.Get(eigenmap.ClusterMatrix(context.Background(), &k, options(t, "kernel-kmeans", "precomputed", "true")))(t)
	if page := pageOf(t, run); page.has("x") != (run.Map != nil) || page.N != 40 || !page.has("cluster") {
		t.Errorf("a kernel: %d documents, %v", page.N, page.Columns)
	}
}

// Where memory is short the page has no documents, says so, and the result is written all the same.
func TestPageInLittleMemory(t *testing.T) {
	run := cluster(t, train, options(t, "le"))
	dir := t.TempDir()
	out := must.Get(eigenmap.OpenFolder(dir))(t)
	defer out.Discard()
	if _, err := run.SaveIn(memory.Within(context.Background(), 5000), out); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "report.html"))
	if err != nil || strings.Contains(string(page), `id="data"`) || !strings.Contains(string(page), "no documents. The list of documents on the page: this needs") {
		t.Errorf("%v: the page has documents, or does not say why not", err)
	}
}

// One run gives the same page, but for the date, the times and what depends on the machine.
func TestPageRepeats(t *testing.T) {
	first, second := pageOf(t, cluster(t, train, options(t, "le"))), pageOf(t, cluster(t, train, options(t, "le")))
	for _, id := range []string{"data", "numbers", "texts"} {
		if a := first.element(id); a == "" || a != second.element(id) {
			t.Errorf("%s differs", id)
		}
	}
}
