package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// The step of CI that compares the Go API with the last tag, on a module of one function: it says
// that there is no tag, lets names be added, refuses one that is missing, and allows that in a new
// minor version.
func TestAPIStep(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds apidiff")
	}
	for _, tool := range []string{"bash", "git", "go", "tar"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("there is no " + tool)
		}
	}
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		must.Do(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755))
	}
	for _, name := range []string{".ci/api", ".ci/version"} {
		text := must.Get(os.ReadFile(filepath.Join(root, name)))(t)
		put(name, string(text))
	}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	step := func(want string, passes bool) {
		t.Helper()
		out, err := exec.Command("bash", filepath.Join(dir, ".ci/api")).CombinedOutput()
		if strings.Contains(string(out), "go: ") && err != nil {
			t.Skipf("apidiff cannot be had here: %s", out)
		}
		if (err == nil) != passes || !strings.Contains(string(out), want) {
			t.Errorf("%v, and it does not print %q:\n%s", err, want, out)
		}
	}
	put("go.mod", "module example.com/one\n\ngo 1.24\n")
	put("version.go", "package one\n\nconst Release = \"0.1.0\"\n")
	put("api.go", "package one\n\n// A is public.\nfunc A() {}\n")
	git("init", "-q")
	git("add", "-A")
	git("commit", "-qm", "one")
	step("no tag of a release (such as v0.1.0)", true)
	git("tag", "v0.1.0")
	put("api.go", "package one\n\n// A is public.\nfunc A() {}\n\n// B is new.\nfunc B() {}\n")
	step("has all of v0.1.0", true)
	put("api.go", "package one\n\n// A is public.\nfunc A(int) {}\n")
	step("breaks programs that were written for v0.1.0", false)
	put("version.go", "package one\n\nconst Release = \"0.2.0\"\n")
	step("come with version 0.2.0", true)
}
