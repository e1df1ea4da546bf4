package eigenmap_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// TestRunnerUp: its clusters hold every document once, under the numbers by which most documents
// stay where they are; copies go where their original is, and rejected documents nowhere. What is
// counted of it is what the labels say.
func TestRunnerUp(t *testing.T) {
	opt := eigenmap.Options{Clusters: 3, RejectShare: 0.05}
	r := must.Get(eigenmap.ClusterTexts(t.Context(), levelTexts(), opt))(t)
	dir := t.TempDir()
	if r.RunnerUp != nil {
		t.Error("there is a runner-up before anything is saved")
	}
	must.Do(t, r.Save(dir))
	v := r.RunnerUp
	if v == nil || v.MergedFrom != 6 || len(v.Clusters) != 3 {
		t.Fatalf("the runner-up is %+v", v)
	}
	sizes, elsewhere := make([]int, 3), 0
	for i, k := range v.Labels {
		if k == eigenmap.Rejected != (r.Labels[i] == eigenmap.Rejected) {
			t.Fatalf("document %d is in cluster %d, and in the run in %d", i, k, r.Labels[i])
		}
		if k != eigenmap.Rejected {
			sizes[k]++
		}
		if k != r.Labels[i] {
			elsewhere++
		}
	}
	for i := range 12 { // the last 12 texts are copies of the first
		if n := len(v.Labels) - 12 + i; r.Labels[i] != eigenmap.Rejected && v.Labels[i] != v.Labels[n] {
			t.Errorf("text %d is in cluster %d and its copy in %d", i, v.Labels[i], v.Labels[n])
		}
	}
	for c, k := range v.Clusters {
		if k.Size != sizes[c] || len(k.Terms) == 0 || len(k.Of) == 0 {
			t.Errorf("cluster %d has %d documents and is %+v", c, sizes[c], k)
		}
	}
	keepsNumbers(t, r, elsewhere)
	isWritten(t, dir, v)
	if s, err := metrics.Score(r.Labels, v.Labels); err != nil || s.ARI != v.ARI {
		t.Errorf("ARI %v, %v is told (%v)", s.ARI, v.ARI, err)
	}
}

// keepsNumbers checks that so many documents have another number in the runner-up, and that no
// other numbers of three clusters keep more.
func keepsNumbers(t *testing.T, r *eigenmap.Run, elsewhere int) {
	t.Helper()
	if elsewhere != r.RunnerUp.Elsewhere {
		t.Errorf("%d documents are elsewhere, %d are counted", elsewhere, r.RunnerUp.Elsewhere)
	}
	for _, order := range [][]int{{0, 2, 1}, {1, 0, 2}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}} {
		moved := 0
		for i, k := range r.RunnerUp.Labels {
			if k != eigenmap.Rejected && order[k] != r.Labels[i] {
				moved++
			}
		}
		if moved < elsewhere {
			t.Errorf("numbered %v, %d documents are elsewhere, not %d", order, moved, elsewhere)
		}
	}
}

// isWritten checks runner-up.csv of a folder.
func isWritten(t *testing.T, dir string, v *eigenmap.RunnerUp) {
	t.Helper()
	rows := readCSV(t, filepath.Join(dir, "runner-up.csv"))
	if !slices.Equal(rows[0], []string{"id", "cluster"}) || len(rows) != len(v.Labels)+1 {
		t.Fatalf("runner-up.csv has %v and %d rows", rows[0], len(rows))
	}
	for i, row := range rows[1:] {
		if row[1] != strconv.Itoa(v.Labels[i]) {
			t.Fatalf("runner-up.csv: document %d in cluster %s, not %d", i, row[1], v.Labels[i])
		}
	}
}

// TestRunnerUpHasTheColours: a cluster of the runner-up has on the page the colour of the run's
// cluster of its number, and not that of its place by size, and its own terms for its label.
func TestRunnerUpHasTheColours(t *testing.T) {
	r := must.Get(eigenmap.Cluster(t.Context(), "examples/debian/packages.jsonl.gz", eigenmap.Options{Clusters: 12, Confidence: "raw"}))(t)
	dir := t.TempDir()
	must.Do(t, r.Save(dir))
	page := must.Get(os.ReadFile(filepath.Join(dir, "report.html")))(t)
	_, text, found := bytes.Cut(page, []byte(`"fields":`))
	type field struct {
		Name   string
		Names  []string
		Colors []int
		Terms  [][]string
	}
	var fields []field
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&fields); !found || err != nil {
		t.Fatal(found, err)
	}
	k := slices.IndexFunc(fields, func(f field) bool { return f.Name == "runner-up" })
	if k < 0 || len(fields[k].Names) != 12 || len(fields[k].Colors) != 12 || slices.IsSorted(fields[k].Colors) {
		t.Fatalf("the page has the columns %+v", fields)
	}
	for i, name := range fields[k].Names {
		number, terms, _ := strings.Cut(name, ": ")
		if number != strconv.Itoa(fields[k].Colors[i]) {
			t.Errorf("%q has colour %d", name, fields[k].Colors[i])
		}
		if own := fields[k].Terms[i]; len(own) < 3 || strings.Join(own[:3], ", ") != terms {
			t.Errorf("%q has the terms %q for its label", name, own)
		}
	}
}

// TestRunnerUpOfRejected: where so many documents are rejected that none of a cluster of the
// runner-up is left there is none, and a note says why.
func TestRunnerUpOfRejected(t *testing.T) {
	without := 0
	for _, share := range []float64{0.2, 0.6, 0.8, 0.9, 0.95} {
		r, err := eigenmap.ClusterTexts(t.Context(), levelTexts(), eigenmap.Options{Clusters: 6, RejectShare: share})
		if err == nil {
			err = r.FindRunnerUp(t.Context())
		}
		if err != nil {
			t.Fatal(share, err)
		}
		says := strings.Contains(strings.Join(r.Notes(), " "), "There is no runner-up: all documents of ")
		if says != (r.RunnerUp == nil) {
			t.Errorf("%v rejected: runner-up %v, notes %q", share, r.RunnerUp != nil, r.Notes())
		}
		if says {
			without++
		}
	}
	if without == 0 {
		t.Error("all have a runner-up")
	}
}

// TestRunnerUpOnTDT2: on fifths of the 30 topics of TDT2, of which the largest has 35 times as many
// documents as the smallest, the runner-up agrees with them better than the clusters do.
func TestRunnerUpOnTDT2(t *testing.T) {
	const file, parts = "../shared/data/TDT2.mat", 5
	if _, err := os.Stat(file); err != nil {
		t.Skip("TDT2.mat is not in ../shared/data; runners-up of made-up texts are looked at alone")
	}
	if testing.Short() {
		t.Skip("long: five runs of 1,879 documents")
	}
	c := must.Get(corpus.Read(t.Context(), file, corpus.ReadOptions{}))(t)
	sum := 0.0
	for part := range parts {
		var rows []int
		for i := part; i < c.Len(); i += parts {
			rows = append(rows, i)
		}
		r, err := eigenmap.ClusterCorpus(t.Context(), c.SelectRows(rows), eigenmap.Options{Clusters: 30, Confidence: "raw"})
		if err == nil {
			err = r.FindRunnerUp(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		more := r.RunnerUp.Scores.Accuracy - r.Scores.Accuracy
		t.Logf("accuracy %.3f, of the runner-up %.3f; ARI of both %.3f", r.Scores.Accuracy, r.RunnerUp.Scores.Accuracy, r.RunnerUp.ARI)
		if sum += more; more < 0 {
			t.Errorf("part %d: the runner-up has accuracy %v, the run %v", part, r.RunnerUp.Scores.Accuracy, r.Scores.Accuracy)
		}
	}
	if sum < parts*.05 {
		t.Errorf("the runner-up is ahead by %v on the mean", sum/parts)
	}
}

// TestNoRunnerUp: where the method finds the clusters itself, and of fewer than four documents a
// cluster, there is none, and no file of an earlier run is left.
func TestNoRunnerUp(t *testing.T) {
	dir := t.TempDir()
	texts := levelTexts()
	for _, c := range []struct {
		name  string
		texts []string
		opt   eigenmap.Options
		has   bool
	}{
		{"the default", texts, eigenmap.Options{Clusters: 3}, true},
		{"leiden", texts, eigenmap.Options{Clusters: 3, Method: "leiden"}, false},
		{"nmf", texts, eigenmap.Options{Clusters: 3, Method: "nmf"}, false},
		{"few documents", texts[:10], eigenmap.Options{Clusters: 3}, false},
	} {
		r, err := eigenmap.ClusterTexts(t.Context(), c.texts, c.opt)
		if err != nil {
			t.Fatal(c.name, err)
		}
		if err := r.Save(dir); err != nil {
			t.Fatal(c.name, err)
		}
		_, err = os.Stat(filepath.Join(dir, "runner-up.csv"))
		if (r.RunnerUp != nil) != c.has || (err == nil) != c.has {
			t.Errorf("%s: runner-up %v, file: %v", c.name, r.RunnerUp != nil, err)
		}
	}
}
