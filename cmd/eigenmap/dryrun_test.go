package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// --dry-run says what a run would take and writes nothing; a wrong request is refused as by the
// run.
func TestDryRun(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 40)
	out, work := filepath.Join(dir, "out"), filepath.Join(dir, "work")
	for _, args := range [][]string{{"cluster", file, "--method", "le", "-k", "3"}, {"cluster", file, "-k", "auto"}, {"embed", file, "--method", "le", "-d", "2"}} {
		args = append(args, "--dry-run", "--out", out)
		if args[0] == "cluster" {
			args = append(args, "--work", work)
		}
		v := mustCall(t, append(slices.Clone(args), "--json")...).object(t)
		if v["dry_run"] != true || v["documents"] != 120.0 || v["peak_bytes"].(float64) <= 0 || v["config"].(map[string]any)["min-df"] == nil {
			t.Errorf("%v: %v", args, v)
		}
		if text := mustCall(t, args...).stdout; !strings.Contains(text, "nothing was written") || !strings.Contains(text, "at the peak") {
			t.Errorf("%v: %s", args, text)
		}
	}
	for _, path := range []string{out, work} {
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			t.Errorf("%s is there", path)
		}
	}
	if r := call("cluster", file, "--method", "le", "-k", "3", "--covariance", "full", "--dry-run"); r.status != 2 {
		t.Errorf("status %d: %s", r.status, r.stderr)
	}
}

// TestInfoOfFew: of two documents the command that follows is one that runs, and one document has
// none.
func TestInfoOfFew(t *testing.T) {
	dir := t.TempDir()
	two := write(t, dir, "two.csv", "id,text\na,the apple was red and round\nb,the car was fast and blue\n")
	_, next, found := strings.Cut(mustCall(t, "info", two).stdout, "next  eigenmap ")
	if !found {
		t.Fatal("two documents have no command that follows")
	}
	t.Chdir(dir)
	mustCall(t, strings.Fields(next)...)
	one := write(t, dir, "one.csv", "id,text\na,the apple was red and round\n")
	r := mustCall(t, "info", one)
	if strings.Contains(r.stdout, "next") || !strings.Contains(r.stdout, "One document cannot be clustered") {
		t.Errorf("one document:\n%s", r.stdout)
	}
	if r := call("cluster", one, "-k", "1", "--min-df", "1"); r.status != exitRequest || !strings.Contains(r.stderr, "one document cannot be clustered") {
		t.Errorf("status %d: %s", r.status, r.stderr)
	}
}

// Info says what the documents hold, which methods fit and what to type next.
func TestInfoOfTexts(t *testing.T) {
	file := texts(t, t.TempDir(), 40)
	text := mustCall(t, "info", file).stdout
	for _, want := range []string{"lengths", "telling", "duplicates", "--method diffusion", "next  eigenmap cluster"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	v := mustCall(t, "info", file, "--json").object(t)
	survey := v["survey"].(map[string]any)
	if len(survey["lengths"].([]any)) != 5 || survey["near_searched"] != true || v["next"] == "" || v["documents"] != 120.0 {
		t.Errorf("%v", v)
	}
}
