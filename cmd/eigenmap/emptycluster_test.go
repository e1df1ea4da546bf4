package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// emptyTexts writes texts of two subjects, and as many without a word.
func emptyTexts(t *testing.T, dir string) string {
	subjects := []string{"apples pears cherries garden orchard basket", "engine gearbox brakes garage road tyres"}
	var b strings.Builder
	for i := range 60 {
		text := []string{"...", "12345", ""}[i%3]
		if i%2 == 0 {
			list := strings.Fields(subjects[i/2%2])
			at := i / 4 % len(list)
			text = strings.Join(append(list[at:], list[:at]...)[:5], " ")
		}
		fmt.Fprintf(&b, `{"text":%q}`+"\n", text)
	}
	return write(t, dir, "texts.jsonl", b.String())
}

// A number of clusters is spent on the documents with words: those without attract no cluster.
func TestNoClusterOfEmptyTexts(t *testing.T) {
	file := emptyTexts(t, t.TempDir())
	for _, method := range []string{"diffusion", "kmeans", "lsi", "le", "pca", "spectral"} {
		said := mustCall(t, "cluster", file, "-k", "3", "--method", method, "--duplicates", "keep").stdout
		if strings.Contains(said, "holds no others") || strings.Contains(said, "without words") {
			t.Errorf("%s: a cluster of texts without words:\n%s", method, said)
		}
	}
}

// A cluster of documents without words that count alone says so wherever clusters have terms.
func TestClusterOfEmptyTexts(t *testing.T) {
	dir := t.TempDir()
	file := emptyTexts(t, dir)
	const said = "documents without words that count"
	args := []string{"cluster", file, "-k", "3", "--method", "kernel-kmeans", "--duplicates", "keep", "--levels", "3,4"}
	if out := mustCall(t, append(args, "--out", dir+"/r")...).stdout; !strings.Contains(out, said) {
		t.Errorf("the table of clusters says\n%s", out)
	}
	for _, name := range []string{"report.html", "topics.csv", "clusters.csv", "level_clusters.csv"} {
		if content, err := os.ReadFile(dir + "/r/" + name); err != nil || !strings.Contains(string(content), said) {
			t.Errorf("%s does not say %q (%v)", name, said, err)
		}
	}
	if out := mustCall(t, append(args, "--json")...).stdout; !strings.Contains(out, `"without_terms":[0]`) {
		t.Errorf("--json has no without_terms: %s", out)
	} else if !strings.Contains(out, `"without":"`+said) {
		t.Errorf("levels in --json have no name of a cluster without words: %s", out)
	}
}
