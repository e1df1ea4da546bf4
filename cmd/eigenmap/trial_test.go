package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
)

// tableCorpus writes a CSV corpus of two clear groups with n documents each.
func tableCorpus(t *testing.T, dir string, n int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("x,y,z,Class\n")
	for i := range 2 * n {
		fmt.Fprintf(&b, "%d.5,%d.25,%d,%d\n", 10*(i%2)+i%3, i%5, 20*(i%2)+i%7, i%2)
	}
	return write(t, dir, "table.csv", b.String())
}

// TestFewLabels: scores that rest on a few documents say so wherever they are shown.
func TestFewLabels(t *testing.T) {
	dir := t.TempDir()
	file := tableCorpus(t, dir, 20)
	truth := write(t, dir, "truth.csv", "id,label\n1,a\n2,b\n")
	args := []string{"cluster", file, "--method", "kmeans", "-k", "2", "--truth", truth, "--ids-from", "1", "--out", filepath.Join(dir, "out")}
	const says = "2 labelled of 40 documents"
	if r := mustCall(t, args...); !strings.Contains(r.stdout, "scored on "+says) {
		t.Errorf("the table does not say %q:\n%s", says, r.stdout)
	}
	v := mustCall(t, append(args, "--json")...).object(t)
	if v["scored"] != 2.0 || !strings.Contains(fmt.Sprint(v["notes"]), says) {
		t.Errorf("scored is %v, the notes are %v", v["scored"], v["notes"])
	}
	if strings.Contains(fmt.Sprint(v["notes"]), "The classes are column") {
		t.Errorf("the notes tell of labels that were replaced: %v", v["notes"])
	}
	page := must.Get(os.ReadFile(filepath.Join(dir, "out", "report.html")))(t)
	if !strings.Contains(string(page), "Scored on "+says) {
		t.Errorf("report.html does not say %q", says)
	}
	if v := mustCall(t, "cluster", file, "--method", "kmeans", "--json").object(t); v["scored"] != 40.0 {
		t.Errorf("scored is %v of 40 with all labels", v["scored"])
	}
}

// TestFlagsOfOtherFormats: a flag that the file's format has no use for is refused by name.
func TestFlagsOfOtherFormats(t *testing.T) {
	dir := t.TempDir()
	table, text := tableCorpus(t, dir, 10), texts(t, dir, 10)
	graph := write(t, dir, "graph.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1\n3 2 1\n")
	for _, c := range []struct{ file, flag, value string }{
		{table, "--var", "fea"}, {table, "--label-var", "gnd"}, {table, "--language", "french"}, {table, "--stop-words", "none"},
		{table, "--min-df", "3"}, {table, "--max-df", "0.5"}, {text, "--label-column", "1"}, {text, "--var", "x"},
		{graph, "--label-column", "1"}, {graph, "--min-df", "2"},
	} {
		r := call("info", c.file, c.flag, c.value)
		if r.status != exitRequest {
			t.Errorf("%s %s: status %d", filepath.Base(c.file), c.flag, r.status)
		}
		checkSentence(t, r, c.flag+" ")
	}
	r := call("cluster", graph, "--method", "le", "-k", "2", "--precomputed", "--transpose")
	if r.status != exitRequest {
		t.Errorf("--transpose with --precomputed: status %d", r.status)
	}
	checkSentence(t, r, "--transpose")
	mustCall(t, "info", table, "--transpose=false") // a switch that is off asks for nothing
}

// TestFullConfiguration: the configuration holds every value that the result depends on, and none
// that a repeated run would refuse.
func TestFullConfiguration(t *testing.T) {
	dir := t.TempDir()
	graph := filepath.Join(dir, "graph")
	mustCall(t, "graph", texts(t, dir, 20), "--out", graph)
	for _, c := range []struct {
		name string
		args []string
		want map[string]any
		not  []string
	}{
		{"text", []string{texts(t, dir, 20), "--method", "le", "--language", "french"},
			map[string]any{"language": "french", "stop-words": "french", "min-df": 2.0, "max-df": 1.0, "max-iter": 300.0, "edge-weight": "dot"},
			[]string{"backend", "heat-width", "poly-degree"}},
		{"table", []string{tableCorpus(t, dir, 20), "--method", "le", "--edge-weight", "poly"},
			map[string]any{"poly-degree": 2.0, "poly-offset": 1.0, "neighbors": 15.0},
			[]string{"language", "min-df", "max-df", "stop-words"}},
		{"heat", []string{tableCorpus(t, dir, 20), "--method", "le", "--edge-weight", "heat"},
			map[string]any{"edge-weight": "heat"}, []string{"poly-degree"}},
		{"graph", []string{filepath.Join(graph, "affinity.npz"), "--precomputed", "--method", "le", "-k", "3"},
			map[string]any{"precomputed": true}, []string{"symmetry", "weighting", "transpose"}},
	} {
		first, again := filepath.Join(dir, c.name+"1"), filepath.Join(dir, c.name+"2")
		v := mustCall(t, append([]string{"cluster", "--json", "--out", first}, c.args...)...).object(t)
		config := v["config"].(map[string]any)
		for key, want := range c.want {
			if config[key] != want {
				t.Errorf("%s: %s is %v, want %v", c.name, key, config[key], want)
			}
		}
		if width, ok := config["heat-width"].(float64); ok != (config["edge-weight"] == "heat") || ok && width <= 0 {
			t.Errorf("%s: the heat width is %v", c.name, config["heat-width"])
		}
		for _, key := range c.not {
			if have, ok := config[key]; ok {
				t.Errorf("%s: it records %s = %v, which it did not use", c.name, key, have)
			}
		}
		mustCall(t, "cluster", "--config", filepath.Join(first, "config.yaml"), "--out", again)
		one, _ := os.ReadFile(filepath.Join(first, "clusters.csv"))
		two, _ := os.ReadFile(filepath.Join(again, "clusters.csv"))
		if len(one) == 0 || string(one) != string(two) {
			t.Errorf("%s: the configuration gave other clusters", c.name)
		}
	}
}

// TestUnreachableTolerance: a tolerance below rounding is reported.
func TestUnreachableTolerance(t *testing.T) {
	v := mustCall(t, "embed", texts(t, t.TempDir(), 20), "--method", "le", "-d", "3", "--tol", "1e-300", "--json").object(t)
	if !strings.Contains(fmt.Sprint(v["notes"]), "what rounding allows; --tol 1e-300") {
		t.Errorf("the notes are %v", v["notes"])
	}
}

// TestKilledRun: what a killed run left in the folder goes with the next one that succeeds.
func TestKilledRun(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	must.Do(t, os.Mkdir(out, 0o755))
	old := time.Now().Add(-time.Minute)
	left := write(t, out, ".clusters.csv.0a1b2c3d.tmp", "id")
	must.Do(t, os.Chtimes(left, old, old))
	mustCall(t, "cluster", tableCorpus(t, dir, 10), "--method", "kmeans", "--out", out)
	if found := leftovers(t, out); found != nil {
		t.Errorf("left behind: %v", found)
	}
}

// TestOneText: a corpus of one text says that it is one, not that its terms are rare.
func TestOneText(t *testing.T) {
	file := write(t, t.TempDir(), "one.jsonl", "{\"id\":\"a\",\"text\":\"boat river water\"}\n")
	checkSentence(t, call("cluster", file, "--method", "le", "-k", "1"), "one document cannot be clustered")
}
