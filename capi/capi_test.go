//go:build cgo

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// library builds the library once, or takes the one in the folder EIGENMAP_LIB.
var library = sync.OnceValues(func() (dir string, err error) {
	if dir = os.Getenv("EIGENMAP_LIB"); dir != "" {
		return dir, nil
	}
	if dir, err = os.MkdirTemp("", "eigenmap-lib"); err != nil {
		return "", err
	}
	out, err := exec.Command("../.ci/lib", dir).CombinedOutput()
	if err != nil {
		os.Stderr.Write(out)
	}
	return dir, err
})

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, _ := library0(); dir != "" && os.Getenv("EIGENMAP_LIB") == "" {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

var used bool

// library0 is the library if a test used it.
func library0() (string, error) {
	if !used {
		return "", nil
	}
	return library()
}

// libraryDir is the folder of the library; it skips what builds programs in short tests.
func libraryDir(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds the library and programs: make test-lib")
	}
	used = true
	dir := must.Get(library())(t)
	return dir
}

// compiled builds a program in a temporary folder; it skips if there is no such compiler.
func compiled(t *testing.T, compiler string, args ...string) (program string) {
	t.Helper()
	if _, err := exec.LookPath(compiler); err != nil {
		t.Skipf("there is no %s here", compiler)
	}
	dir := t.TempDir()
	program = filepath.Join(dir, "program")
	if compiler == "gfortran" {
		args = append([]string{"-J" + dir}, args...)
	}
	out, err := exec.Command(compiler, append(args, "-o", program)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", compiler, strings.Join(args, " "), err, out)
	}
	return program
}

// output runs a program beside the library.
func output(t *testing.T, lib, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+lib)
	var log bytes.Buffer
	cmd.Stderr = &log
	out, err := cmd.Output()
	if log.Len() > 0 {
		t.Log(log.String())
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// The examples cluster and embed 10,000 points.
func TestExamples(t *testing.T) {
	lib := libraryDir(t)
	for name, c := range map[string]struct {
		compiler string
		args     []string
		want     []string
	}{
		"c": {"gcc", []string{"-std=c11", "-Wall", "-Wextra", "-Werror", "../examples/c/clusters.c"},
			[]string{"clustered 10000 points: 1.0000 of", "in 4 dimensions", "with their groups", "gives code 2: matrix entry (0, 9999)"}},
		"c++": {"g++", []string{"-std=c++17", "-Wall", "-Wextra", "-Werror", "../examples/cpp/clusters.cpp"},
			[]string{"clustered 10000 points: 1.0000 of", "reported progress", "in 2 dimensions", `no method "gnm"`}},
		"fortran": {"gfortran", []string{"-Wall", "-ffpe-trap=invalid,zero,overflow", "../examples/fortran/eigenmap.f90", "../examples/fortran/clusters.f90"},
			[]string{"clustered 10000 points: 1.0000 of", "in 2 dimensions", "ring of six:  0.500  0.500", "the constant:  0.000  0.500", "give code 2"}},
	} {
		t.Run(name, func(t *testing.T) {
			program := compiled(t, c.compiler, append(c.args, "-I"+lib, "-L"+lib, "-leigenmap")...)
			out := output(t, lib, program)
			for _, want := range c.want {
				if !strings.Contains(out, want) {
					t.Errorf("it does not print %q:\n%s", want, out)
				}
			}
		})
	}
}

// hasBLAS says whether the library has OpenBLAS inside.
func hasBLAS(t *testing.T, lib string) bool {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join(lib, "eigenmap.pc")))(t)
	return bytes.Contains(text, []byte("gfortran"))
}

// What a host has is as it was: handlers, threads of BLAS, floating-point environment, memory.
func TestHost(t *testing.T) {
	lib := libraryDir(t)
	args := []string{"-g", "-Wall", "-Wextra", "-Werror", "testdata/host.c", "-I" + lib, "-L" + lib, "-leigenmap", "-lm", "-lpthread"}
	if hasBLAS(t, lib) {
		args = append(args, "-lopenblas")
	}
	program := compiled(t, "gcc", args...)
	for _, check := range []string{"errors", "given", "models", "callbacks", "signals", "blas", "floats", "child", "threads"} {
		t.Run(check, func(t *testing.T) {
			if out := output(t, lib, program, check); !strings.HasSuffix(out, "ok\n") {
				t.Error(out)
			}
		})
	}
	t.Run("leaks", func(t *testing.T) {
		if os.Getenv("EIGENMAP_ASAN") == "" {
			t.Skip("make test-lib runs it")
		}
		checked := compiled(t, "gcc", append([]string{"-fsanitize=address"}, args...)...)
		t.Setenv("CALLS", "200")
		for _, check := range []string{"errors", "given", "models", "callbacks", "threads"} {
			if out := output(t, lib, checked, check); !strings.HasSuffix(out, "ok\n") {
				t.Errorf("%s: %s", check, out)
			}
		}
	})
}

// Operators by callback, graphs, rows of floats, corpora and columns; and none of it leaks.
func TestOperators(t *testing.T) {
	lib := libraryDir(t)
	args := []string{"-g", "-Wall", "-Wextra", "-Werror", "testdata/operators.c", "-I" + lib, "-L" + lib, "-leigenmap", "-lm", "-lpthread"}
	ways := map[string][]string{"": args}
	if os.Getenv("EIGENMAP_ASAN") != "" {
		ways[" under the address sanitizer"] = append([]string{"-fsanitize=address"}, args...)
	}
	for way, args := range ways {
		program := compiled(t, "gcc", args...)
		for _, check := range []string{"symmetric", "graphs", "floats", "corpora", "columns"} {
			t.Run(check+way, func(t *testing.T) {
				if out := output(t, lib, program, check); !strings.HasSuffix(out, "ok\n") {
					t.Error(out)
				}
			})
		}
	}
}

// The library is loaded while floating-point traps are on and SIGINT has a handler, closed and
// loaded again.
func TestLoading(t *testing.T) {
	lib := libraryDir(t)
	program := compiled(t, "gcc", "-Wall", "-Wextra", "-Werror", "testdata/load.c", "-lm")
	if out := output(t, lib, program, filepath.Join(lib, "libeigenmap.so")); out != "ok\n" {
		t.Error(out)
	}
}

// flags are the compiler's flags of pkg-config for the library in its folder.
func flags(t *testing.T, lib string, args ...string) []string {
	t.Helper()
	if _, err := exec.LookPath("pkg-config"); err != nil {
		t.Skip("there is no pkg-config here")
	}
	cmd := exec.Command("pkg-config", append([]string{"--define-variable=libdir=" + lib, "--define-variable=includedir=" + lib}, append(args, "eigenmap")...)...)
	cmd.Env = append(os.Environ(), "PKG_CONFIG_PATH="+lib)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return strings.Fields(string(out))
}

// A program is built with what pkg-config says.
func TestPkgConfig(t *testing.T) {
	lib := libraryDir(t)
	program := compiled(t, "gcc", append([]string{"../examples/c/clusters.c"}, flags(t, lib, "--cflags", "--libs")...)...)
	if out := output(t, lib, program); !strings.Contains(out, "clustered 10000 points: 1.0000") {
		t.Error(out)
	}
}

// A program that was linked with the archive needs no shared library of ours.
func TestArchive(t *testing.T) {
	lib := libraryDir(t)
	args := []string{"../examples/c/clusters.c", "-I" + lib}
	for _, f := range flags(t, lib, "--static", "--libs") {
		if f == "-leigenmap" {
			f = filepath.Join(lib, "libeigenmap.a")
		}
		args = append(args, f)
	}
	program := compiled(t, "gcc", args...)
	if out := output(t, "", program); !strings.Contains(out, "clustered 10000 points: 1.0000") {
		t.Error(out)
	}
}

var declared = regexp.MustCompile(`(?m)^(?:int|int64_t|void|const char \*)\s*\*?(eigenmap_\w+)\(`)

// The header, the version script, the shared library and the archive have the same functions, and
// the library has its soname.
func TestSymbols(t *testing.T) {
	header := must.Get(os.ReadFile("eigenmap.h"))(t)
	var want []string
	for _, m := range declared.FindAllStringSubmatch(string(header), -1) {
		want = append(want, m[1])
	}
	slices.Sort(want)
	script := must.Get(os.ReadFile("eigenmap.map"))(t)
	if got := regexp.MustCompile(`eigenmap_\w+`).FindAllString(string(script), -1); !slices.Equal(got, want) {
		t.Errorf("the version script has %v, and the header %v", got, want)
	}
	lib := libraryDir(t)
	if _, err := exec.LookPath("nm"); err != nil {
		t.Skip("there is no nm here")
	}
	for _, args := range [][]string{{"-D", "--defined-only", filepath.Join(lib, "libeigenmap.so")}, {"-g", "--defined-only", filepath.Join(lib, "libeigenmap.a")}} {
		out := must.Get(exec.Command("nm", args...).Output())(t)
		var got []string
		for _, m := range regexp.MustCompile(`(?m) [A-Z] ([^@\s]+)`).FindAllStringSubmatch(string(out), -1) {
			if m[1] != "EIGENMAP_0" {
				got = append(got, m[1])
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%v exports %v, not %v", args, got, want)
		}
	}
	if out, err := exec.Command("readelf", "-d", filepath.Join(lib, "libeigenmap.so")).Output(); err == nil && !strings.Contains(string(out), "soname: [libeigenmap.so.0]") {
		t.Errorf("no soname:\n%s", out)
	}
}
