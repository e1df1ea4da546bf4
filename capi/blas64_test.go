//go:build cgo

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A host whose BLAS has 64-bit integers gets right answers, of its BLAS and of the library's. It is
// Debian's libopenblas64, or the file that EIGENMAP_BLAS64 names, such as MKL's libmkl_rt.so.2.
func TestHostWithAnotherBLAS(t *testing.T) {
	lib := libraryDir(t)
	if !hasBLAS(t, lib) {
		t.Skip("the library has no BLAS")
	}
	other := os.Getenv("EIGENMAP_BLAS64")
	if other == "" {
		found, err := exec.Command("gcc", "-print-file-name=libopenblas64.so.0").Output()
		if other = strings.TrimSpace(string(found)); err != nil || !filepath.IsAbs(other) {
			t.Skip("there is no libopenblas64 here: apt-get install libopenblas64-0")
		}
	}
	t.Setenv("MKL_INTERFACE_LAYER", "ILP64")
	for name, order := range map[string][]string{"BLAS first": {other, "-leigenmap"}, "library first": {"-leigenmap", other}} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"-Wall", "-Wextra", "-Werror", "testdata/blas64.c", "-I" + lib, "-L" + lib, "-Wl,-rpath," + filepath.Dir(other)}, order...)
			if out := output(t, lib, compiled(t, "gcc", args...)); out != "ok\n" {
				t.Error(out)
			}
		})
	}
}

// The library shares no BLAS with its host: it needs none at run time.
func TestNeedsNoBLAS(t *testing.T) {
	lib := libraryDir(t)
	out, err := exec.Command("readelf", "-d", filepath.Join(lib, "libeigenmap.so")).Output()
	if err != nil {
		t.Skip("there is no readelf here")
	}
	for _, name := range []string{"blas", "lapack", "arpack"} {
		if strings.Contains(string(out), "lib"+name) {
			t.Errorf("it needs %s at run time:\n%s", name, out)
		}
	}
}
