package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/progress"
)

// modelOf clusters a corpus into three and returns the model's file.
func modelOf(t *testing.T, file string, args ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "of")
	if len(args) == 0 {
		args = []string{"--method", "kmeans"}
	}
	mustCall(t, append([]string{"cluster", file, "-k", "3", "--out", out}, args...)...)
	return filepath.Join(out, modelName)
}

// clustersOf reads id → cluster of a clusters.csv.
func clustersOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	l := must.Get(corpus.ReadLabeling(t.Context(), filepath.Join(dir, "clusters.csv"), "cluster"))(t)
	m := map[string]string{}
	for i, id := range l.IDs {
		m[id] = l.Labels[i]
	}
	return m
}

// newTexts are documents on the three topics of texts, in other words of the same stems, and one on
// none of them.
func newTexts(t *testing.T, dir string) string {
	t.Helper()
	return write(t, dir, "new.jsonl", `{"id":"n1","text":"boats sailing a harbour in the waves, with captains","label":"topic0"}
{"id":"n2","text":"concerts of symphonies, chords of violins and singers","label":"topic1"}
{"id":"n3","text":"braking motors, gearboxes and pistons of wheels","label":"topic2"}
{"id":"n4","text":"zebra quagga okapi"}
`)
}

// TestPredict: the documents of the model come out as they were, and new ones where their topic is,
// whatever the method.
func TestPredict(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 20)
	fresh := newTexts(t, dir)
	for name, args := range map[string][]string{
		"le":      {"--method", "le", "--neighbors", "8"},
		"rows":    {"--method", "le", "--normalize-rows", "--edge-weight", "heat"},
		"semi-le": {"--method", "semi-le", "--labeled-fraction", "0.2", "--seed", "3"},
		"cle":     {"--method", "cle", "--labeled-fraction", "0.2", "--normalize-rows"},
		"lsi":     {"--method", "lsi"},
		"cosines": {"--method", "lsi", "-d", "4", "--normalize-rows"},
		"pca":     {"--method", "pca", "-d", "3"},
		"nmf":     {"--method", "nmf"},
		"gmm":     {"--method", "gmm", "--pca", "3", "--covariance", "diag"},
		"kmeans":  {"--method", "kmeans"},
		"lapgmm":  {"--method", "lapgmm", "--pca", "3", "--covariance", "diag", "--lambda", "10"},
		"spg":     {"--method", "spg", "--cardinality", "0.9", "--labeled-fraction", "0.2"},
		"classes": {"--method", "spg", "--penalty", "ridge", "--labeled-fraction", "0.5", "--responses", "classes", "--normalize-rows"},
		"lpp":     {"--method", "lpp", "-d", "3", "--neighbors", "8", "--normalize-rows"},
		"lda":     {"--method", "lda", "--labeled-fraction", "0.5"},
		"spca":    {"--method", "spca", "-d", "3", "--cardinality", "20"},
		"local":   {"--method", "le", "--edge-weight", "heat", "--heat-rule", "local", "--local-neighbor", "4"},
		"le-cas":  {"--method", "le-cas", "--drop-zeros=false", "--normalize-rows"},
		"given":   {"--method", "le-cas", "--drop-zeros=false", "--labeled-fraction", "0.5"},
		"means":   {"--method", "le-cas", "--drop-zeros=false", "--first-clustering", "k-means", "--heat-rule", "local"},
		"isomap":  {"--method", "isomap", "--parts", "join"},
		"marks":   {"--method", "isomap", "--parts", "join", "--landmarks", "20", "--landmark-pick", "maxmin"},
		"lle":     {"--method", "lle", "--parts", "all"},
		"sample":  {"--method", "le", "--landmarks", "30", "--neighbors", "8"},
		"maps":    {"--method", "cle", "--landmarks", "30", "--labeled-fraction", "0.2"},
		"kernel":  {"--method", "kernel-kmeans"},
		"poly":    {"--method", "kernel-kmeans", "--kernel", "polynomial", "--poly-degree", "3", "--poly-offset", "0.5"},
	} {
		if testing.Short() && !slices.Contains([]string{"le", "gmm", "spg", "le-cas", "maps"}, name) {
			continue
		}
		m := modelOf(t, file, args...)
		before, out := clustersOf(t, filepath.Dir(m)), filepath.Join(t.TempDir(), "again")
		v := mustCall(t, "predict", m, file, "--out", out, "--json").object(t)
		after := clustersOf(t, out)
		differ := 0
		for id, k := range before {
			if after[id] != k {
				differ++
			}
		}
		if differ > 0 || len(after) != 60 {
			t.Errorf("%s: %d of 60 documents come out in another cluster", name, differ)
		}
		if v["metrics"].(map[string]any)["accuracy"] != 1.0 || v["scored"] != 60.0 {
			t.Errorf("%s: of its own documents it says %v", name, v)
		}
		out = filepath.Join(t.TempDir(), "new")
		v = mustCall(t, "predict", m, fresh, "--out", out, "--json").object(t)
		after = clustersOf(t, out)
		for k := range 3 {
			if id := fmt.Sprintf("n%d", k+1); after[id] != before[fmt.Sprintf("doc-%d-0", k)] {
				t.Errorf("%s: document %s of topic %d is in cluster %s", name, id, k, after[id])
			}
		}
		if v["terms_matched_by"] != "stem" || v["scored"] != 3.0 || v["documents"] != 4.0 || v["unknown_terms"].(float64) < 3 {
			t.Errorf("%s: %v", name, v)
		}
		if v["isolated"] != 1.0 {
			t.Errorf("%s: %v documents are isolated", name, v["isolated"])
		}
		_, err := os.Stat(filepath.Join(out, "embedding.npy"))
		if (err == nil) != !slices.Contains([]string{"kmeans", "kernel", "poly"}, name) {
			t.Errorf("%s: embedding.npy: %v", name, err)
		}
		table := mustCall(t, "predict", m, fresh).stdout
		if !strings.Contains(table, "accuracy") || !strings.Contains(table, "the model's majority") || !strings.Contains(table, "matched by stem") {
			t.Errorf("%s:\n%s", name, table)
		}
		if info := mustCall(t, "info", m).stdout; !strings.Contains(info, "new documents  yes") || !strings.Contains(info, "clusters") {
			t.Errorf("%s:\n%s", name, info)
		}
	}
}

// TestPredictEmbedding: a model without clusters gives coordinates alone.
func TestPredictEmbedding(t *testing.T) {
	dir := t.TempDir()
	file, out := texts(t, dir, 20), filepath.Join(dir, "out")
	mustCall(t, "embed", file, "--method", "le", "-d", "2", "--out", out)
	again := filepath.Join(dir, "again")
	v := mustCall(t, "predict", filepath.Join(out, modelName), file, "--out", again, "--json").object(t)
	if v["known"] != 60.0 || v["clusters"] != 0.0 || v["metrics"] != nil {
		t.Errorf("%v", v)
	}
	a := must.Get(os.ReadFile(filepath.Join(out, "embedding.npy")))(t)
	if b, _ := os.ReadFile(filepath.Join(again, "embedding.npy")); string(a) != string(b) {
		t.Error("the model's own documents have another embedding")
	}
	if entries, _ := os.ReadDir(again); len(entries) != 2 {
		t.Errorf("files %v", entries)
	}
}

func TestPredictRequests(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 20)
	m := modelOf(t, file)
	for says, args := range map[string][]string{
		"choose another --out": {m, file, "--out", filepath.Dir(m)},
		"not a corpus":         {m, m},
		"there is no such":     {m, filepath.Join(dir, "nothing.jsonl")},
		"unknown flag":         {m, file, "--method", "le"},
	} {
		r := call(append([]string{"predict"}, args...)...)
		if r.status != exitRequest {
			t.Errorf("%s: status %d", says, r.status)
		}
		checkSentence(t, r, says)
	}
	whole := must.Get(os.ReadFile(m))(t)
	half := write(t, dir, "half.npz", string(whole[:len(whole)/2]))
	r := call("predict", half, file)
	if r.status != exitRequest {
		t.Errorf("half a model: status %d", r.status)
	}
	checkSentence(t, r, "damaged or cut off")
	checkSentence(t, call("info", half), "damaged or cut off")

	affinity := filepath.Join(dir, "graph")
	mustCall(t, "graph", file, "--out", affinity)
	out := filepath.Join(dir, "precomputed")
	mustCall(t, "cluster", filepath.Join(affinity, "affinity.npz"), "--precomputed", "--method", "le", "-k", "3", "--out", out)
	checkSentence(t, call("predict", filepath.Join(out, modelName), file), "affinity matrix")
	if info := mustCall(t, "info", filepath.Join(out, modelName)).stdout; !strings.Contains(info, "new documents  none") {
		t.Errorf("%s", info)
	}
}

// TestPredictForeign: a text without a term of the model is placed as it is among others, without
// anything in common, and a note says so.
func TestPredictForeign(t *testing.T) {
	dir := t.TempDir()
	m := modelOf(t, texts(t, dir, 20))
	v := mustCall(t, "predict", m, write(t, dir, "foreign.jsonl", `{"text":"zebra quagga"}`), "--json").object(t)
	if v["isolated"] != 1.0 || !strings.Contains(fmt.Sprint(v["notes"]), "None of the 2 terms is among the model's") {
		t.Errorf("%v", v)
	}
}

// TestPredictInterrupted cancels at the first event of every stage: status 130, one line, nothing
// left behind.
func TestPredictInterrupted(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 60)
	m := modelOf(t, file, "--method", "le")
	for _, stage := range []string{"model", "read", "predict", "neighbours", "metrics", "write"} {
		ctx, cancel := context.WithCancel(t.Context())
		reached, out := false, filepath.Join(t.TempDir(), "new", "out")
		r := callWatched(ctx, func(e progress.Event) {
			if e.Stage == stage && !reached {
				reached = true
				cancel()
			}
		}, "predict", m, file, "--out", out)
		cancel()
		if !reached {
			t.Errorf("there was no stage %q", stage)
		}
		if r.status != exitInterrupted {
			t.Errorf("%s: status %d\n%s", stage, r.status, r.stderr)
		}
		checkSentence(t, r, "interrupted")
		if left := leftovers(t, filepath.Dir(filepath.Dir(out))); left != nil {
			t.Errorf("%s: left behind: %v", stage, left)
		}
	}
}

// Texts without a word that the model knows are placed as isolated, and do not fail.
func TestPredictUnknownWords(t *testing.T) {
	dir := t.TempDir()
	m := modelOf(t, texts(t, dir, 20))
	for name, text := range map[string]string{
		"other words": `{"text":"zebra quagga"}`, "no words": `{"text":""}`, "stop words": `{"text":"the and of 42"}`, "two": `{"text":"zebra"}` + "\n" + `{"text":"..."}`,
	} {
		out := filepath.Join(dir, "out-"+strings.ReplaceAll(name, " ", "-"))
		r := call("predict", m, write(t, dir, "new.jsonl", text), "--out", out)
		if r.status != exitDone {
			t.Errorf("%s: status %d: %s", name, r.status, r.stderr)
			continue
		}
		table := must.Get(os.ReadFile(filepath.Join(out, "clusters.csv")))(t)
		lines := strings.Split(strings.TrimSpace(string(table)), "\n")
		for _, line := range lines[1:] {
			if !strings.Contains(line, ",isolated,,1,") { // without a second cluster, wholly new
				t.Errorf("%s: %s", name, line)
			}
		}
		if len(lines) != 2+strings.Count(text, "\n") {
			t.Errorf("%s: %d lines", name, len(lines))
		}
	}
}
