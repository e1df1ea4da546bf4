package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestFlagsGivenTwice: of two values of a flag the last counts, and a note says which does not.
func TestFlagsGivenTwice(t *testing.T) {
	file := texts(t, t.TempDir(), 20)
	r := mustCall(t, "cluster", file, "--method", "kmeans", "-k", "2", "--clusters", "3", "--json")
	if n := r.object(t)["clusters"]; n != 3.0 {
		t.Errorf("%v clusters, want 3", n)
	}
	if want := "eigenmap: note: -k is given more than once: 3 counts, and 2 has no effect\n"; !strings.Contains(r.stderr, want) {
		t.Errorf("%q does not have %q", r.stderr, want)
	}
	for _, more := range [][]string{{"-k", "3"}, {"-k", "2", "--quiet"}, {"--stop-words", "english", "--json"}} {
		r := mustCall(t, append([]string{"cluster", file, "--method", "kmeans", "-k", "3", "--json"}, more...)...)
		if strings.Contains(r.stderr, "more than once") {
			t.Errorf("%q: %s", more, r.stderr)
		}
	}
}

// TestModelAfterItsFile: of MODEL and FILE in the wrong order the sentence gives the right one.
func TestModelAfterItsFile(t *testing.T) {
	dir := t.TempDir()
	out, file := filepath.Join(dir, "out"), texts(t, dir, 20)
	mustCall(t, "cluster", file, "--method", "kmeans", "-k", "3", "--out", out, "--quiet")
	for _, command := range []string{"predict", "update"} {
		checkSentence(t, call(command, file, out), "(the model stands first: "+out+" "+file+")")
	}
}

// TestResultsForACorpus: where a folder of results is no corpus, the sentence says what it is.
func TestResultsForACorpus(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	mustCall(t, "cluster", texts(t, dir, 20), "--method", "kmeans", "-k", "3", "--out", out, "--quiet")
	for _, args := range [][]string{{"cluster", out, "-k", "3"}, {"predict", out, out}} {
		r := call(args...)
		if r.status != exitRequest {
			t.Errorf("%q: status %d", args, r.status)
		}
		checkSentence(t, r, "out has the results of a run: FILE is the corpus")
	}
}
