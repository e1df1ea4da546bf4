package eigenmap_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// stubs writes programs of the shell into a folder and returns the environment whose PATH has them
// first. A name without a text is a program that fails.
func stubs(t *testing.T, programs map[string]string) []string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the scripts are bash's")
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	dir := t.TempDir()
	for name, text := range programs {
		if text == "" {
			text = "exit 1"
		}
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755))
	}
	return append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// make release builds for Linux on arm64 with OpenBLAS where .ci/cross prints nothing, and
// otherwise says what it printed.
func TestCrossSaysWhatIsMissing(t *testing.T) {
	const finds = `case $1 in *libarpack.a | *libgfortran*) echo "/lib/${1#*=}" ;; *) echo "${1#*=}" ;; esac`
	for want, compiler := range map[string]string{
		"": `echo "/lib/${1#*=}"`,
		"libopenblas.a of arm64, liblapacke.a of arm64": finds,
	} {
		cmd := exec.Command("bash", ".ci/cross")
		cmd.Env = stubs(t, map[string]string{"aarch64-linux-gnu-gcc": compiler})
		out, err := cmd.CombinedOutput()
		if err != nil || string(out) != want+"\n" {
			t.Errorf("%v, %q, not %q", err, out, want)
		}
	}
}

// A package of one processor does not stand for that of another, and one of every processor does.
func TestDepsKeepProcessorsApart(t *testing.T) {
	env := stubs(t, map[string]string{
		"dpkg":    "echo amd64",
		"apt-get": "", "sudo": "", "id": "echo 1000",
		"dpkg-query": `for p in "$@"; do case $p in
			one*) echo one:amd64 install ok installed ;;
			two*) echo two:arm64 install ok installed ;;
			data*) echo data:all install ok installed ;;
			esac; done`,
	})
	for _, c := range []struct{ packages, missing string }{
		{"one data", ""},
		{"two:arm64 data", ""},
		{"one two", "two"},
		{"one:arm64 two:arm64", "one:arm64"},
	} {
		cmd := exec.Command("bash", append([]string{".ci/deps", "--architecture", "arm64"}, strings.Fields(c.packages)...)...)
		cmd.Env = env
		out, err := cmd.CombinedOutput()
		switch {
		case c.missing == "" && (err != nil || len(out) > 0):
			t.Errorf("%s: %v, %s", c.packages, err, out)
		case c.missing != "" && (err == nil || !strings.Contains(string(out), "Missing packages: "+c.missing+".") ||
			!strings.Contains(string(out), "dpkg --add-architecture arm64")):
			t.Errorf("%s: %v, %s", c.packages, err, out)
		}
	}
}
