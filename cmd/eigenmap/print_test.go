package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// TestNothingForTheTerminal: names in a corpus cannot steer a terminal or turn the direction of a
// line, on standard output or in an error; JSON has them as they are.
func TestNothingForTheTerminal(t *testing.T) {
	const bad = "\x1b\x07\u009b\u202e\u2066\u200f\u2028"
	dir := t.TempDir()
	text := must.Get(json.Marshal("ev" + bad + "il"))(t)
	plain := must.Get(os.ReadFile(texts(t, dir, 10)))(t)
	evil := strings.NewReplacer(`"topic0"`, string(text), `"doc-0-3"`, string(text)).Replace(string(plain))
	file, out := write(t, dir, "evil.jsonl", evil), filepath.Join(dir, "out")
	labels := write(t, dir, "labels.csv", "doc-0-1,\"ev"+bad+"il\"\n\"ev"+bad+"il\",topic1\ndoc-1-1,topic1\ndoc-2-1,topic2\n")
	for _, args := range [][]string{
		{"info", file},
		{"cluster", file, "--method", "kmeans", "--out", out},
		{"cluster", file, "--method", "semi-le", "--labels", labels},
		{"eval", file, filepath.Join(out, "clusters.csv")},
		{"predict", filepath.Join(out, modelName), file},
		{"info", filepath.Join(out, modelName)},
	} {
		r := mustCall(t, args...)
		if i := strings.IndexAny(r.stdout, bad); i >= 0 {
			t.Errorf("%v: standard output holds %q", args, r.stdout[max(0, i-40):i+20])
		}
		if args[0] == "cluster" && !regexp.MustCompile(`ev[? ]+il`).MatchString(r.stdout) {
			t.Errorf("%v: the class has gone:\n%s", args, r.stdout)
		}
	}
	if r := call("cluster", file, "--method", "kmeans", "--classes", "no"+bad); r.status != exitRequest || strings.ContainsAny(r.stderr, bad) {
		t.Errorf("status %d, standard error %q", r.status, r.stderr)
	}
	v := mustCall(t, "eval", file, filepath.Join(out, "clusters.csv"), "--json").stdout
	if strings.Contains(v, "ev?") {
		t.Errorf("JSON has another name:\n%s", v)
	}
	if s := printable("naïve 中文 👩‍🚀 a\tb\n"); s != "naïve 中文 👩‍🚀 a\tb\n" {
		t.Errorf("a harmless text became %q", s)
	}
}
