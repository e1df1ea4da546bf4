package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// The config.yaml of a run whose method known labels chose repeats it: clusters, their names and
// confidences, whether the votes or the clusters found without labels were taken.
func TestConfigRepeatsTheChoiceByLabels(t *testing.T) {
	file := texts(t, t.TempDir(), 20)
	for _, c := range []struct{ flags, method string }{{"", ""}, {"-k 5-6", "diffusion"}, {"-k auto --k-by silhouette", ""}} {
		dir := t.TempDir()
		first, again := filepath.Join(dir, "first"), filepath.Join(dir, "again")
		mustCall(t, append([]string{"cluster", file, "--labeled-fraction", "0.3", "--seed", "3", "--out", first}, strings.Fields(c.flags)...)...)
		config := must.Get(os.ReadFile(filepath.Join(first, "config.yaml")))(t)
		if text := string(config); !strings.Contains(text, "\n#   method: "+c.method) || strings.Contains(text, "\nmethod:") {
			t.Errorf("%q: %s", c.flags, text)
		}
		mustCall(t, "cluster", "--config", filepath.Join(first, "config.yaml"), "--out", again)
		for _, name := range []string{"clusters.csv", "topics.csv", "model.npz", "config.yaml"} {
			sameFile(t, name, first, again)
		}
		named := false
		for _, class := range column(t, again, "class") {
			named = named || class != ""
		}
		if !named {
			t.Errorf("%q: the clusters have no names", c.flags)
		}
	}
}
