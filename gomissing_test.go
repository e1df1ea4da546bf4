package eigenmap_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// Without Go, and with one that is too old or that cannot fetch another, make says in one line what
// to do.
func TestGoMissing(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	dir := t.TempDir()
	for name, script := range map[string]string{
		"missing": "",
		"old":     `case $1 in version) echo "go version go1.19.8 linux/amd64";; *) echo go1.19.8;; esac`,
		"alone":   `case $1 in version) echo "go version go1.22.0 linux/amd64";; *) echo "go: no network" >&2; exit 1;; esac`,
		"lost":    `exit 1`,
	} {
		program := filepath.Join(dir, name)
		if script != "" {
			must.Do(t, os.WriteFile(program, []byte("#!/bin/sh\n"+script+"\n"), 0o755))
		}
		out, err := exec.Command(bash, ".ci/go-version", program).CombinedOutput()
		if err == nil || strings.Count(string(out), "\n") != 1 || !strings.Contains(string(out), "https://go.dev/dl") || !strings.Contains(string(out), "or newer is needed") {
			t.Errorf("%s: %v, %q", name, err, out)
		}
	}
	// A Go of 1.21 or later that may not fetch another says what keeps it; make install-go would not
	// help.
	held := filepath.Join(dir, "held")
	must.Do(t, os.WriteFile(held, []byte("#!/bin/sh\ncase \"$1 $2\" in \"env GOTOOLCHAIN\") echo local;; *) echo go1.23.5;; esac\n"), 0o755))
	if out, err := exec.Command(bash, ".ci/go-version", held).CombinedOutput(); err == nil || strings.Count(string(out), "\n") != 1 || !strings.Contains(string(out), "go env -u GOTOOLCHAIN") || strings.Contains(string(out), "install-go") {
		t.Errorf("a Go that is kept: %v, %q", err, out)
	}
	if out, err := exec.Command(bash, ".ci/go-version", "go").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("this Go: %v, %q", err, out)
	}
}
