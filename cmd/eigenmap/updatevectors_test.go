package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestUpdateByVectors: an update places documents by their vectors as predict does, alone and
// beside their words, and says what a model of vectors lacks.
func TestUpdateByVectors(t *testing.T) {
	dir := t.TempDir()
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "%v,%v,%v\n", float64(i%3)+.01*float64(i%7), float64(i%2)+.01*float64(i%11), .02*float64(i%13))
	}
	file, vectors := texts(t, dir, 20), write(t, dir, "v.csv", b.String())
	other := write(t, dir, "other.csv", "1,2\n3,4\n")
	for _, views := range []string{"vectors", "words,vectors"} {
		at := func(name string) string { return filepath.Join(dir, views, name) }
		mustCall(t, "cluster", file, "--method", "kmeans", "-k", "3", "--vectors", vectors, "--views", views, "--out", at("fit"), "--quiet")
		mustCall(t, "predict", at("fit"), file, "--vectors", vectors, "--out", at("placed"), "--quiet")
		mustCall(t, "update", at("fit"), file, "--vectors", vectors, "--out", at("updated"), "--quiet")
		sameFiles(t, at("placed"), at("updated"), "clusters.csv")
		mustCall(t, "update", at("updated"), file, "--vectors", vectors, "--out", at("again"), "--quiet")
		r := call("update", at("fit"), file, "--vectors", other, "--out", at("refused"))
		if r.status != exitRequest {
			t.Errorf("%s: two vectors of 60 documents: status %d", views, r.status)
		}
		checkSentence(t, r, "other.csv: it holds 2 vectors")
	}
	for _, rows := range []string{"a,2026-01-02 10:00,a boat on the river\nb,2026-01-03 11:00,the violin and the piano\n", strings.Repeat("a,2026-01-02 10:00,a boat on the river\n", 9)} {
		r := call("predict", filepath.Join(dir, "vectors", "fit"), write(t, dir, "table.csv", "id,created,text\n"+rows))
		if r.status != exitRequest {
			t.Errorf("texts for a model of vectors: status %d\n%s", r.status, r.stdout)
			continue
		}
		checkSentence(t, r, "give the vectors of these documents by --vectors, as the model compares documents by vectors of 3 numbers")
	}
}
