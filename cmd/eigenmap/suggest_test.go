package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

func TestSuggestOnTheCommandLine(t *testing.T) {
	const train = "../../testdata/golden/train.jsonl"
	dir := t.TempDir()
	out, file := filepath.Join(dir, "out"), filepath.Join(dir, "labels.csv")
	mustCall(t, "cluster", train, "-k", "3", "--confidence", "raw", "--out", out, "--seed", "1")
	r := mustCall(t, "suggest", out, "-n", "4", "--out", file)
	if lines := strings.Count(r.stdout, "typical of "); lines != 4 || !strings.Contains(r.stdout, "wrote  "+file) {
		t.Errorf("%d suggestions:\n%s", lines, r.stdout)
	}
	table := must.Get(os.ReadFile(file))(t)
	if !strings.HasPrefix(string(table), "id,label,cluster,confidence,why,text\n") {
		t.Errorf("the file is\n%s", table)
	}
	if r := call("suggest", out, "--out", file); r.status != exitRequest || !strings.Contains(r.stderr, "--labels") {
		t.Errorf("the file is written over: status %d: %s", r.status, r.stderr)
	}
	if v := mustCall(t, "suggest", out, "--json").object(t); len(v["suggestions"].([]any)) != 20 {
		t.Errorf("%v", v)
	}
	if r := call("suggest", train); r.status != exitRequest || !strings.Contains(r.stderr, "train.jsonl: it is no folder of results") {
		t.Errorf("a corpus: status %d: %s", r.status, r.stderr)
	}
}
