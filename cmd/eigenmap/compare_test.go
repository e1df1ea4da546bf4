package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// compare prints one table and the agreement of methods, writes its files, and --json is
// compare.json without the prose.
func TestCompare(t *testing.T) {
	dir := t.TempDir()
	file, out := texts(t, dir, 20), filepath.Join(dir, "out")
	args := []string{"compare", file, "--methods", "kmeans,le,nmf", "--seeds", "2", "--set", "nmf.nmf-solver=hals", "--neighbors", "6"}
	r := mustCall(t, append(args, "--out", out)...)
	for _, want := range []string{"method", "kmeans", "le", "nmf", "accuracy", "NMI of seeds", "agreement between methods"} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("%q is not in\n%s", want, r.stdout)
		}
	}
	table := write(t, t.TempDir(), "a.csv", "when,x,y,kind\n"+strings.Repeat("2024-01-01,1,2,p\n2024-01-02,2,1,q\n2024-01-03,5,6,p\n", 12))
	told := mustCall(t, "compare", table, "--methods", "kmeans,gmm", "--seeds", "2", "-k", "2").stdout
	if strings.Count(told, "note     The first line is a header; --header no") != 1 || strings.Contains(told, "‹") {
		t.Errorf("how the file was read is not told once:\n%s", told)
	}
	for _, name := range []string{"compare.csv", "aligned.csv", "compare.json", "compare.html", "compare.tex"} {
		if readFile(t, filepath.Join(out, name)) == "" || !strings.Contains(r.stdout, name) {
			t.Errorf("%s is empty or not told", name)
		}
	}
	if left := leftovers(t, out); left != nil {
		t.Errorf("left behind: %v", left)
	}
	if lines := strings.Count(readFile(t, filepath.Join(out, "compare.csv")), "\n"); lines != 1+3*2 {
		t.Errorf("%d lines for six runs", lines)
	}
	v := mustCall(t, append(args, "--json")...).object(t)
	methods := v["methods"].([]any)
	if len(methods) != 3 || len(v["runs"].([]any)) != 6 || len(v["files"].([]any)) != 0 {
		t.Errorf("%v", v)
	}
	for i, name := range []string{"kmeans", "le", "nmf"} {
		m := methods[i].(map[string]any)
		accuracy := m["metrics"].(map[string]any)["accuracy"].(map[string]any)["mean"].(float64)
		if m["method"] != name || m["runs"] != 2.0 || accuracy <= 0 || accuracy > 1 || m["seeds"] == nil {
			t.Errorf("%v", m)
		}
	}
	if config := methods[2].(map[string]any)["config"].(map[string]any); config["nmf-solver"] != "hals" {
		t.Errorf("--set does not act: %v", config)
	}
	if config := methods[1].(map[string]any)["config"].(map[string]any); config["neighbors"] != 6.0 {
		t.Errorf("the flag of a method does not act: %v", config)
	}
}

// What compare cannot do is said before anything is read, and nothing is written.
func TestCompareRefusesFlags(t *testing.T) {
	dir := t.TempDir()
	file, out := texts(t, dir, 20), filepath.Join(dir, "out")
	for _, c := range []struct {
		want string
		args []string
	}{
		{"--methods", nil},
		{"there is no method \"umap\"", []string{"--methods", "kmeans,umap"}},
		{"seeds", []string{"--methods", "kmeans", "--seeds", "0"}},
		{"lsi", []string{"--methods", "kmeans", "--set", "lsi.dims=3"}},
		{"nmf-solver", []string{"--methods", "nmf", "--set", "nmf.nmf-solver=newton"}},
	} {
		r := call(append([]string{"compare", file, "--out", out}, c.args...)...)
		if r.status != exitRequest {
			t.Errorf("%v: status %d\n%s", c.args, r.status, r.stderr)
		}
		if !strings.Contains(r.stderr, c.want) {
			t.Errorf("%v: %s", c.args, r.stderr)
		}
		if _, err := os.Stat(filepath.Join(out, "compare.csv")); err == nil {
			t.Errorf("%v: a table was written", c.args)
		}
	}
}
