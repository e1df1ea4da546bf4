package eigenmap

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
)

// formulas are names that a spreadsheet would run, names that look like what becomes of these, and
// numbers.
var formulas = []string{"=cmd|' /C calc'!A0", "'=cmd", "''=cmd", "+1+1", "-1.5", "+3", "'-1", "@SUM(A1)", "'tis", "'", "''", "-", "--", "＝1", "'＝1", "a=b",
	`=HYPERLINK("x","y")`, "=1,2", "-2+3", "1e5", "007"}

// savedTables writes what cluster, embed and compare write of a corpus whose names are ids, with
// classes too, and returns the folder.
func savedTables(t *testing.T, ids, classes []string, raw bool) (file, dir string) {
	t.Helper()
	var text strings.Builder
	for i, id := range ids {
		fmt.Fprintf(&text, "{\"id\":%q,\"text\":%q,\"label\":%q}\n", id, strings.Repeat([]string{"tree wood leaf ", "road car wheel "}[i%2], 3), classes[i%len(classes)])
	}
	file = rankFile(t, "a.jsonl", text.String())
	dir = t.TempDir()
	opt := Options{Method: "kmeans", Clusters: 2}
	run := must.Get(Cluster(context.Background(), file, opt))(t)
	embedded := must.Get(Embed(context.Background(), file, Options{Method: "lsi"}))(t)
	embedded.EmbeddingAsCSV()
	if raw {
		run.RawTexts()
		embedded.RawTexts()
	}
	must.Do(t, run.Save(filepath.Join(dir, "run")))
	must.Do(t, embedded.Save(filepath.Join(dir, "embedded")))
	compared := must.Get(Compare(context.Background(), file, Options{Clusters: 2}, CompareOptions{Methods: []string{"kmeans"}, Seeds: 1}))(t)
	if raw {
		compared.RawTexts()
	}
	out := must.Get(OpenFolder(filepath.Join(dir, "compared")))(t)
	defer out.Discard()
	if _, err := compared.SaveIn(context.Background(), out); err != nil {
		t.Fatal(err)
	}
	return file, dir
}

// TestTablesAreReadBack: ids and classes of tables that were written, safe or raw, are read as they
// were.
func TestTablesAreReadBack(t *testing.T) {
	classes := []string{"=a", "'=a", "+b", "'tis"}
	for _, raw := range []bool{false, true} {
		file, dir := savedTables(t, formulas, classes, raw)
		whole, err := corpus.Read(context.Background(), file, corpus.ReadOptions{})
		if err != nil || !slices.Equal(whole.IDs, formulas) {
			t.Fatalf("%v: %q", err, whole.IDs)
		}
		for _, name := range []string{"run/clusters.csv", "compared/aligned.csv"} {
			l := must.Get(corpus.ReadLabeling(context.Background(), filepath.Join(dir, name), "label"))(t)
			for i, id := range formulas {
				if l.IDs[i] != id || l.Labels[i] != classes[i%len(classes)] {
					t.Errorf("%s, raw %v: %q with %q is read as %q with %q", name, raw, id, classes[i%len(classes)], l.IDs[i], l.Labels[i])
				}
			}
		}
		back, err := corpus.Read(context.Background(), filepath.Join(dir, "embedded/embedding.csv"), corpus.ReadOptions{})
		if err != nil || !slices.Equal(back.IDs, formulas) || back.Labels != nil {
			t.Errorf("raw %v, %v: the embedding is of %q", raw, err, back.IDs)
		}
	}
}

// TestHarmlessTablesAreTheSame: without a text that a spreadsheet would run, and with ids of other
// files that begin with an apostrophe, nothing is changed or marked.
func TestHarmlessTablesAreTheSame(t *testing.T) {
	ids := []string{"a", "'b", "-1.5", "+3", "it's", "c=d", "'1"}
	_, safe := savedTables(t, ids, []string{"x", "'y"}, false)
	_, raw := savedTables(t, ids, []string{"x", "'y"}, true)
	for _, name := range []string{"run/clusters.csv", "embedded/embedding.csv", "compared/aligned.csv"} {
		a := must.Get(os.ReadFile(filepath.Join(safe, name)))(t)
		if b, err := os.ReadFile(filepath.Join(raw, name)); err != nil || !bytes.Equal(a, b) || bytes.Contains(a, []byte("escaped")) {
			t.Errorf("%s: %v\n%s\n%s", name, err, a, b)
		}
	}
}
