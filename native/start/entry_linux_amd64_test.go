package start

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A pure-Go program that is linked as the Makefile links it refuses a small address space in one
// sentence, also where the Go runtime could not begin: without the entry the runtime ends with a
// trace and status 2, below 0.7 GB and around 1.2 GB.
func TestEntryOfThePureGoProgram(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go command")
	}
	program := filepath.Join(t.TempDir(), "nothing")
	build := exec.Command(goTool, "build", "-ldflags=-E=eigenmap_entry", "-o", program, "./testdata/nothing")
	build.Env = append(build.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const least = 1400
	for mib := 10; mib < 1700; mib += 35 {
		run := exec.Command("sh", "-c", "ulimit -v "+strconv.Itoa(mib<<10)+`; exec "$0"`, program)
		var said strings.Builder
		run.Stderr = &said
		out, err := run.Output()
		switch status := run.ProcessState.ExitCode(); {
		case mib >= least:
			if err != nil || strings.TrimSpace(string(out)) != strconv.Itoa(least<<20) {
				t.Errorf("%d MiB: %v: %s %s", mib, err, out, said.String())
			}
		case status != 1 || said.String() != "eigenmap: ulimit -v allows "+strconv.Itoa(mib)+
			" MiB of address space, and the program needs at least 1400 MiB to begin: raise the limit (ulimit -v unlimited)\n":
			t.Errorf("%d MiB: status %d: %.300s", mib, status, said.String())
		}
	}
}
