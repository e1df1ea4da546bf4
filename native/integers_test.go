package native_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/native"
)

// The BLAS of the tests has 32-bit integers; the check tells Debian's libopenblas64 from it.
func TestIntegersOfBLAS(t *testing.T) {
	if err := native.Usable(); err != nil {
		t.Error(err)
	}
	for name, want := range map[string]string{"libopenblas.so": "32\n", "libopenblas64.so.0": "64\n"} {
		found, err := exec.Command("gcc", "-print-file-name="+name).Output()
		library := strings.TrimSpace(string(found))
		if err != nil || !filepath.IsAbs(library) {
			t.Logf("there is no %s here", name)
			continue
		}
		program := filepath.Join(t.TempDir(), "integers")
		if out, err := exec.Command("gcc", "-Wall", "-Werror", "-o", program, "testdata/integers.c", library).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if out, err := exec.Command(program).CombinedOutput(); err != nil || string(out) != want {
			t.Errorf("%s: %v, %s", name, err, out)
		}
	}
}
