package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// With --quiet a run prints its results alone, and nothing if files have them.
func TestQuiet(t *testing.T) {
	dir := t.TempDir()
	file, made := texts(t, dir, 20), filepath.Join(dir, "made")
	head := func(args ...string) []string {
		var list []string
		for line := range strings.SplitSeq(mustCall(t, append(args, "--quiet")...).stdout, "\n") {
			word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			list = append(list, word)
		}
		return list
	}
	run := []string{"cluster", file, "--method", "kmeans", "-k", "3"}
	want := "cluster 0 1 2  accuracy "
	got := head(run...)
	for i := range got {
		if strings.HasPrefix(got[i], "1.0") || strings.HasPrefix(got[i], "0.") {
			got[i] = ""
		}
	}
	if s := strings.Join(strings.Fields(strings.Join(got, " ")), " "); s != strings.Join(strings.Fields(want), " ") {
		t.Errorf("cluster prints lines of %q", s)
	}
	for _, args := range [][]string{append(run, "--out", made), {"predict", made, file, "--out", filepath.Join(dir, "placed")}, {"update", made, file, "--out", filepath.Join(dir, "updated")},
		{"embed", file, "--method", "lsi", "-d", "2", "--out", filepath.Join(dir, "embedded")}, {"graph", file, "--out", filepath.Join(dir, "graph")}, {"convert", file, filepath.Join(dir, "counts.npz")}} {
		if said := mustCall(t, append(args, "--quiet")...); said.stdout != "" || said.stderr != "" && args[0] != "update" { // which says when to make the model again
			t.Errorf("%s prints %q and %q", args[0], said.stdout, said.stderr)
		}
	}
	if s := strings.Join(head("predict", made, file), " "); !strings.HasPrefix(s, "cluster 0 1 2") || strings.Contains(s, "note") || strings.Contains(s, "time") {
		t.Errorf("predict prints lines of %q", s)
	}
}

// With --quiet what warns goes to standard error: here that iterations ended early.
func TestQuietWarns(t *testing.T) {
	dir := t.TempDir()
	for _, out := range []string{"", filepath.Join(dir, "out")} {
		args := []string{"cluster", texts(t, dir, 40), "--method", "nmf", "-k", "3", "--nmf-iter", "1", "--quiet"}
		if out != "" {
			args = append(args, "--out", out)
		}
		if said := mustCall(t, args...); !strings.HasPrefix(said.stderr, "eigenmap: warning: ") || strings.Contains(said.stdout, "warning") {
			t.Errorf("on standard error %q, on standard output %q", said.stderr, said.stdout)
		}
	}
}
