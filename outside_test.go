package eigenmap_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// outside is a program in a module of its own that requires this one and nothing else.
const outside = "examples/outside"

// A program outside the module clusters, saves, loads and predicts with the root package alone.
func TestProgramOutsideTheModule(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a program")
	}
	dir := t.TempDir()
	golden := must.Get(filepath.Abs("testdata/golden"))(t)
	cmd := exec.Command("go", "run", ".", filepath.Join(golden, "train.jsonl"), filepath.Join(golden, "new.jsonl"), dir)
	cmd.Dir = outside
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOPROXY=off", "GOFLAGS=-mod=readonly")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const want = "clustered 60 documents into 3 clusters\n" +
		"loaded a model of le, made from 60 documents\n" +
		"predicted 10 new documents, accuracy 1.00, in 3 dimensions\n"
	if string(out) != want {
		t.Errorf("it printed\n%s\nwant\n%s", out, want)
	}
}

// Its go.mod requires this module alone by itself, and what follows from that at the versions of
// this module; go.sum is this module's.
func TestModuleOutside(t *testing.T) {
	read := func(name string) []byte {
		t.Helper()
		text := must.Get(os.ReadFile(name))(t)
		return text
	}
	own := string(read("go.mod"))
	for line := range strings.SplitSeq(string(read(outside+"/go.mod")), "\n") {
		line = strings.TrimPrefix(strings.TrimSpace(line), "require ")
		module, version, _ := strings.Cut(strings.TrimSuffix(line, " // indirect"), " ")
		switch {
		case !strings.HasPrefix(version, "v") || module == strings.TrimSuffix(modulePath, "/"):
		case !strings.HasSuffix(line, "// indirect"):
			t.Errorf("%s requires %s directly", outside, module)
		case !strings.Contains(own, "\t"+module+" "+version):
			t.Errorf("%s requires %s %s, and go.mod another version", outside, module, version)
		}
	}
	if !bytes.Equal(read("go.sum"), read(outside+"/go.sum")) {
		t.Errorf("%s/go.sum differs from this module's: copy it", outside)
	}
}
