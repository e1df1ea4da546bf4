package native_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/native"
)

// A processor that OpenBLAS does not know gets the kernels of its instructions in place of those of
// 2004, computes rightly with them, and OPENBLAS_CORETYPE, which is obeyed, is left as it was.
func TestKernelsOfAnUnknownProcessor(t *testing.T) {
	if info := native.Info(); info.Kernels == native.KernelsOld {
		t.Error(info.Slow())
	}
	for _, library := range []string{"-lopenblas", "-l:libopenblas.a"} {
		program := filepath.Join(t.TempDir(), "kernels")
		build := exec.Command("gcc", "-Wall", "-Werror", "-o", program, "testdata/kernels.c", "kernels.c", library, "-lm", "-lpthread")
		if out, err := build.CombinedOutput(); err != nil {
			t.Logf("not built with %s: %v: %s", library, err, out)
			continue
		}
		out, err := exec.Command(program).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", library, err, out)
		}
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		if len(lines) != 5 {
			t.Fatalf("%s: %s", library, out)
		}
		if strings.HasPrefix(lines[2], "0 Prescott") {
			t.Skip("this processor has no AVX2, so that old kernels are right")
		}
		// The first state is that of this processor, which OpenBLAS may not know either.
		for i, want := range []string{lines[0], lines[0][:1] + " Prescott 1", "1 ", "", "2 Prescott 1"} {
			if !strings.HasPrefix(lines[i], want) || lines[i] != "" && !strings.HasSuffix(lines[i], " 1") {
				t.Errorf("%s, line %d: %q, want %q", library, i, lines[i], want)
			}
		}
		if strings.Contains(lines[2], "Prescott") || lines[3] != "" {
			t.Errorf("%s: %s", library, out)
		}
	}
}

// Only kernels that are older than the processor are spoken of.
func TestSlowKernels(t *testing.T) {
	for kernels, want := range map[native.Kernels]string{
		native.KernelsOwn: "", native.KernelsChosen: "",
		native.KernelsForced: "OPENBLAS_CORETYPE", native.KernelsOld: "no others",
	} {
		got := native.Information{Core: "Prescott", Kernels: kernels}.Slow()
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q", kernels, got)
		}
	}
}
