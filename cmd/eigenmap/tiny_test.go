package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// A few documents that have nothing in common are refused with ways out, one of which works; if
// some are equal in their terms, these are together.
func TestTinyCorpora(t *testing.T) {
	dir := t.TempDir()
	equal := write(t, dir, "equal.csv", "id,text\na,apples and pears grow on trees\nb,lemons grow on trees in the sun\nc,the motor of the car is broken\n")
	mustCall(t, "cluster", equal, "-k", "2", "--out", filepath.Join(dir, "o"))
	data := must.Get(os.ReadFile(filepath.Join(dir, "o", "clusters.csv")))(t)
	if got := string(data); !strings.Contains(got, "a,0,") || !strings.Contains(got, "b,0,") || !strings.Contains(got, "c,1,") {
		t.Errorf("clusters:\n%s", got)
	}
	var pairs strings.Builder
	pairs.WriteString("id,text\n")
	for i := range 14 {
		fmt.Fprintf(&pairs, "d%d,alpha%d beta%d gamma%d\n", i, i/2, i/2, i)
	}
	apart := write(t, dir, "apart.csv", pairs.String())
	r := call("cluster", apart, "-k", "2")
	checkSentence(t, r, "--min-df 1")
	checkSentence(t, r, "--method without neighbours such as kmeans")
	mustCall(t, "cluster", apart, "-k", "2", "--min-df", "1", "--method", "kmeans")
}

// Documents without anything in common with another one have one count, copies among them: in the
// notes, in `placed` of --json, and on the page, which marks each of them. explain names them too.
func TestIsolatedHaveOneCount(t *testing.T) {
	dir := t.TempDir()
	b := strings.Builder{}
	b.WriteString("id,text\n")
	for i := range 40 {
		fmt.Fprintf(&b, "%d,%s %s %s\n", i, []string{"apple", "motor"}[i%2], []string{"pear", "wheel"}[i%2], []string{"plum", "road", "fig", "car"}[i%4])
	}
	b.WriteString("z,zebra lion\ny,zebra lion\nx,!!!\nw,???\n")
	file := write(t, dir, "texts.csv", b.String())
	out := filepath.Join(dir, "out")
	r := mustCall(t, "cluster", file, "-k", "2", "--out", out)
	const says = "another one, so that their places and clusters are arbitrary: 4 of 44; cluster 0 holds 4 of them, and 20 others."
	if !strings.Contains(r.stdout, says) || strings.Contains(r.stdout, " isolated\n") {
		t.Errorf("the table says\n%s", r.stdout)
	}
	if page, err := os.ReadFile(filepath.Join(out, "report.html")); err != nil || strings.Count(string(page), says) != 1 || !strings.Contains(string(page), `{"name":"isolated",`) {
		t.Error("the page does not have the note once, and a mark of the documents")
	}
	for id, want := range map[string]bool{"x": true, "3": false} {
		said := strings.Contains(mustCall(t, "explain", out, id).stdout, "placed    isolated: ")
		placed := mustCall(t, "explain", out, id, "--json").object(t)["explanations"].([]any)[0].(map[string]any)["placed"]
		if said != want || (placed == "isolated") != want || placed == "" {
			t.Errorf("%s: explained as isolated: %v, placed %v", id, said, placed)
		}
	}
	v := mustCall(t, "cluster", file, "-k", "2", "--json").object(t)
	if placed := v["placed"].(map[string]any); placed["isolated"] != 4.0 {
		t.Errorf("placed: %v", placed)
	}
}
