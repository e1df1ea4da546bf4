// Package scikit lets tests and benchmarks compare with scikit-learn. If no Python with
// scikit-learn is installed, they are skipped with a message.
package scikit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
)

// Python returns a Python interpreter that has scikit-learn: the one that EIGENMAP_PYTHON names,
// else Debian's own, else python3.
var Python = sync.OnceValues(func() (string, error) {
	for _, name := range []string{os.Getenv("EIGENMAP_PYTHON"), "/usr/bin/python3", "python3"} {
		path, err := exec.LookPath(name)
		if err == nil && exec.Command(path, "-c", "import importlib.util as u, sys; sys.exit(not u.find_spec('sklearn'))").Run() == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no python3 with scikit-learn is installed (Debian: python3-sklearn)")
})

// Ask runs a Python program, which reads the question as JSON from its standard input and prints
// the answer as JSON, and decodes the answer. It skips the test if scikit-learn is missing, and
// fails it if the program fails.
func Ask(t testing.TB, program string, question, answer any, args ...string) {
	t.Helper()
	python, err := Python()
	if err != nil {
		t.Skip(err)
	}
	in, err := json.Marshal(question)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, append([]string{"-W", "ignore", "-c", program}, args...)...)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if failed, ok := err.(*exec.ExitError); ok {
		t.Fatalf("scikit-learn: %v\n%s", err, failed.Stderr)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, answer); err != nil {
		t.Fatal(err)
	}
}
