//go:build linux && cgo && !purego

package start

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A program begins without OpenBLAS's threads, and gets those that it asks for later.
func TestThreadsBegin(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go command")
	}
	program := filepath.Join(t.TempDir(), "threads")
	if out, err := exec.Command(goTool, "build", "-o", program, "./testdata/threads").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.Command(program).CombinedOutput()
	if got := strings.TrimSpace(string(out)); err != nil || got != "1 3 600" {
		t.Errorf("%v: %s in place of 1 thread, 3 and an entry of 600", err, got)
	}
}
