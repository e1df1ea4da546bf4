//go:build cgo

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// A CMake project finds the library where make install-lib puts it, if its version is new enough.
func TestCMake(t *testing.T) {
	lib := libraryDir(t)
	if _, err := exec.LookPath("cmake"); err != nil {
		t.Skip("there is no cmake here")
	}
	prefix, project := t.TempDir(), t.TempDir()
	example := must.Get(filepath.Abs("../examples/c/clusters.c"))(t)
	for folder, names := range map[string]string{"lib": "libeigenmap*.so*", "include": "*.h", "lib/cmake/eigenmap": "*.cmake"} {
		must.Do(t, os.MkdirAll(filepath.Join(prefix, folder), 0o755))
		files := must.Get(filepath.Glob(filepath.Join(lib, names)))(t)
		for _, file := range files {
			must.Do(t, os.Symlink(file, filepath.Join(prefix, folder, filepath.Base(file))))
		}
	}
	configure := func(version string) (string, error) {
		text := "cmake_minimum_required(VERSION 3.16)\nproject(example C)\nfind_package(eigenmap " + version + " REQUIRED)\n" +
			"add_executable(program " + example + ")\ntarget_link_libraries(program eigenmap::eigenmap)\n"
		must.Do(t, os.WriteFile(filepath.Join(project, "CMakeLists.txt"), []byte(text), 0o644))
		out, err := exec.Command("cmake", "-S", project, "-B", filepath.Join(project, "build"), "-DCMAKE_PREFIX_PATH="+prefix).CombinedOutput()
		return string(out), err
	}
	if out, err := configure("99.0"); err == nil || !strings.Contains(out, "99.0") {
		t.Errorf("it is taken for version 99: %s", out)
	}
	if out, err := configure("0.1"); err != nil {
		t.Fatal(out)
	}
	if out, err := exec.Command("cmake", "--build", filepath.Join(project, "build")).CombinedOutput(); err != nil {
		t.Fatal(string(out))
	}
	if out := output(t, lib, filepath.Join(project, "build", "program")); !strings.Contains(out, "clustered 10000 points: 1.0000") {
		t.Error(out)
	}
}
