package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// priced writes a table with two columns of one name, and a column that counts the documents.
func priced(t *testing.T, dir string) string {
	t.Helper()
	b := "id,text,price,price,code\n"
	for i := range 60 {
		words := strings.Fields([]string{"card fee refund bank charge", "modem cable wifi signal router"}[i%2])
		words[i/2%5] = words[(i/2+1)%5]
		b += fmt.Sprintf("%d,%s,%.2f,%.2f,%d\n", i, strings.Join(words, " "), float64(i%2*10)+float64(i%7)/10, float64(i*13%29), 100+i)
	}
	return write(t, dir, "priced.csv", b)
}

// Of two columns with one name both are compared, under different names, and neither can be named.
func TestColumnsOfOneName(t *testing.T) {
	file := priced(t, t.TempDir())
	said := mustCall(t, "cluster", file, "-k", "2", "--method", "kmeans", "--views", "words,columns").stdout
	for _, want := range []string{"price 0.", "price (column 4)"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in\n%s", want, said)
		}
	}
	r := call("cluster", file, "-k", "2", "--method", "kmeans", "--view-columns", "price")
	if r.status != exitRequest || !strings.Contains(r.stderr, "columns 3 and 4 have this name") {
		t.Errorf("status %d: %s", r.status, r.stderr)
	}
}

// A plan refuses named columns as the run does, and both refuse what the method has no use for
// before anything is read.
func TestPlanOfColumns(t *testing.T) {
	file := priced(t, t.TempDir())
	for _, c := range []struct{ method, columns, want string }{
		{"kmeans", "missing", "--view-columns missing: no document has a short value"},
		{"kmeans", "code", "--view-columns code: it numbers the documents"},
		{"nmf", "code=number", "the method nmf takes no entries below 0"},
		{"co-clustering", "code=number", "the method co-clustering takes no entries below 0"},
	} {
		for _, command := range []string{"plan", "cluster"} {
			r := call(command, file, "-k", "2", "--method", c.method, "--view-columns", c.columns)
			if r.status != exitRequest || !strings.Contains(r.stderr, c.want) {
				t.Errorf("%s %+v: status %d: %s%s", command, c, r.status, r.stdout, r.stderr)
			}
		}
	}
	mustCall(t, "plan", file, "-k", "2", "--method", "kmeans", "--view-columns", "code=number")
}

// Info says by what a model compares documents.
func TestInfoOfColumns(t *testing.T) {
	dir := t.TempDir()
	file, made := priced(t, dir), filepath.Join(dir, "made")
	mustCall(t, "cluster", file, "-k", "2", "--method", "kmeans", "--views", "words,columns", "--out", made)
	if said := mustCall(t, "info", made).stdout; !strings.Contains(said, "compared by    terms, column price (number, weight 0.") {
		t.Errorf("info says\n%s", said)
	}
	list := mustCall(t, "info", made, "--json").object(t)["view_columns"].([]any)
	if len(list) != 1 || list[0].(map[string]any)["name"] != "price" || list[0].(map[string]any)["kind"] != "number" {
		t.Errorf("view_columns are %v", list)
	}
}

// TestViewsWithoutWordsRepeat: the configuration of a run by columns, or by vectors and columns,
// repeats it.
func TestViewsWithoutWordsRepeat(t *testing.T) {
	dir := t.TempDir()
	file, vectors := priced(t, dir), write(t, dir, "vectors.csv", strings.Repeat("1,0\n0,1\n", 30))
	for name, args := range map[string][]string{
		"columns": {"--text-column", "none", "--views", "columns"},
		"vectors": {"--text-column", "text", "--vectors", vectors, "--views", "vectors,columns"},
	} {
		first, again := filepath.Join(dir, name), filepath.Join(dir, name+"again")
		mustCall(t, append([]string{"cluster", file, "-k", "2", "--out", first}, args...)...)
		mustCall(t, "cluster", "--config", filepath.Join(first, "config.yaml"), "--out", again)
		for _, f := range []string{"clusters.csv", "config.yaml"} {
			sameFile(t, f, first, again)
		}
	}
}
