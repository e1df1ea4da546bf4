package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// notesOf are the notes of a run with --json, a line each.
func notesOf(v map[string]any) string {
	var b strings.Builder
	for _, n := range v["notes"].([]any) {
		fmt.Fprintln(&b, n)
	}
	return b.String()
}

// TestHeatOfDenseData: flags of the heat kernel go with dense data, whose edges have it, and come
// back in the configuration.
func TestHeatOfDenseData(t *testing.T) {
	dir := t.TempDir()
	file := tableCorpus(t, dir, 20)
	for _, args := range [][]string{{"--heat-rule", "local"}, {"--heat-rule", "median"}, {"--heat-width", "2"}} {
		out := filepath.Join(dir, "out"+args[1])
		v := mustCall(t, append([]string{"cluster", file, "--method", "le", "--json", "--out", out}, args...)...).object(t)
		if config := v["config"].(map[string]any); config["edge-weight"] != "heat" || config["heat-width"] == nil {
			t.Errorf("%v: %v", args, config)
		}
		mustCall(t, "cluster", "--config", filepath.Join(out, "config.yaml"))
	}
}

// TestIndicatorsAreTold: coordinates that only separate the parts of a graph are noted with the
// way out, and only these.
func TestIndicatorsAreTold(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 20)
	for _, name := range []string{"le", "ggle", "s-le", "semi-le"} {
		args := []string{"embed", file, "--method", name, "--json", "--out", filepath.Join(dir, name), "--neighbors", "6"}
		if name == "semi-le" {
			args = append(args, "--labeled-fraction", "0.1")
		}
		if notes := notesOf(mustCall(t, append(args, "-d", "2")...).object(t)); !strings.Contains(notes, "--drop-zeros leaves") {
			t.Errorf("%s: no note of indicators but %s", name, notes)
		}
		for _, more := range [][]string{{"-d", "12"}, {"-d", "2", "--drop-zeros"}} {
			if notes := notesOf(mustCall(t, append(args, more...)...).object(t)); strings.Contains(notes, "--drop-zeros leaves") {
				t.Errorf("%s %v: %s", name, more, notes)
			}
		}
	}
}

// TestDocumentsWithoutTerms: they have no neighbours, so they are at the origin and are counted,
// whatever the method of the graph.
func TestDocumentsWithoutTerms(t *testing.T) {
	dir := t.TempDir()
	var b strings.Builder
	const n = 40
	entries := 0
	for i := range n {
		if i == 7 {
			continue
		}
		for c := range 4 {
			fmt.Fprintf(&b, "%d %d %d\n", i+1, 1+c, 1+(i*(c+3))%7)
			entries++
		}
	}
	file := write(t, dir, "empty.mtx", fmt.Sprintf("%%%%MatrixMarket matrix coordinate real general\n%d 4 %d\n%s", n, entries, b.String()))
	for _, name := range []string{"le", "s-le", "lle", "isomap", "ggle"} {
		out := filepath.Join(dir, name)
		mustCall(t, "cluster", file, "--method", name, "-k", "2", "-d", "2", "--neighbors", "6", "--out", out)
		if y := denseOf(t, filepath.Join(out, "embedding.npy")); mat.Norm(y.RowView(7), 2) != 0 || mat.Norm(y.RowView(8), 2) == 0 {
			t.Errorf("%s: the document without terms stands at %v, its neighbour at %v", name, y.RawRowView(7), y.RawRowView(8))
		}
		if name == "s-le" || name == "ggle" {
			continue
		}
		// A document is counted once.
		v := mustCall(t, "predict", filepath.Join(out, "model.npz"), file, "--json").object(t)
		if v["known"].(float64)+v["isolated"].(float64) != n {
			t.Errorf("%s: of the model's own documents it says known %v, isolated %v", name, v["known"], v["isolated"])
		}
	}
}

// TestWordsOfOne: one dimension, equal documents and neighbourhoods without a bound are reported in
// right words, and what ggle found is recorded.
func TestWordsOfOne(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 20)
	same := write(t, dir, "same.mtx", "%%MatrixMarket matrix coordinate real general\n12 1 12\n1 1 1\n2 1 1\n3 1 1\n4 1 1\n5 1 1\n6 1 1\n7 1 1\n8 1 1\n9 1 1\n10 1 1\n11 1 1\n12 1 1\n")
	for _, c := range []struct {
		args      []string
		says, not string
	}{
		{[]string{file, "--method", "isomap", "-d", "1"}, "1 dimension leaves", "dimension leave "},
		{[]string{same, "--method", "le-cas", "-d", "1"}, "too alike for more", "the best of"},
		{[]string{same, "--method", "s-le", "-d", "1", "--neighbors", "1"}, "neighbourhoods of 1, 1, 1", "Inf"},
		{[]string{file, "--method", "ggle", "--neighbors", "6"}, "joined to its 18 nearest along the graph", "Inf"},
		{[]string{file, "--method", "scple", "--labeled-fraction", "0.2"}, "here 12 of 60", "outside"},
	} {
		if r := mustCall(t, append([]string{"embed"}, c.args...)...); !strings.Contains(r.stdout, c.says) || strings.Contains(r.stdout, c.not) {
			t.Errorf("%v: it should say %q and not %q:\n%s", c.args, c.says, c.not, r.stdout)
		}
	}
	v := mustCall(t, "embed", file, "--method", "ggle", "--neighbors", "6", "--json").object(t)
	config, found := v["config"].(map[string]any), v["found"].(map[string]any)
	if config["reach"] != 18.0 || found["reach"] != 18.0 || config["heat-width"] == nil || found["heat_width"] != config["heat-width"] {
		t.Errorf("%v, %v", config, found)
	}
	labels := write(t, dir, "few.csv", "doc-0-0,topic0\ndoc-0-1,topic0\ndoc-0-2,topic0\ndoc-1-0,topic1\ndoc-1-1,topic1\ndoc-2-0,topic2\n")
	if notes := notesOf(mustCall(t, "embed", file, "--method", "scple", "--labels", labels, "--json").object(t)); !strings.Contains(notes, "at the origin: topic2") || !strings.Contains(notes, "here 5 of 60") {
		t.Errorf("%s", notes)
	}
	out := filepath.Join(dir, "cas")
	mustCall(t, "cluster", file, "--method", "le-cas", "--paper", "--out", out)
	page, err := os.ReadFile(filepath.Join(out, "report.html"))
	if err != nil || !strings.Contains(string(page), "eigenvalue 3: 0.00000000") || strings.Contains(string(page), "eigenvalue 4: 0.00000000") || !strings.Contains(string(page), "eigenvalue 6: ") {
		t.Errorf("the spectrum of le-cas does not number its eigenvalues after the three that are left out (%v)", err)
	}
}
