//go:build !race

package main

import (
	"os"
	"testing"

	"github.com/eigenmap/eigenmap/native/start"
)

// TestAddressSpaces runs the program under limits of the address space: it ends with a result, or
// with one sentence and status 1, and never with a trace of the runtime. The race detector takes
// address space of its own before the program can count it, so its build leaves this test out.
func TestAddressSpaces(t *testing.T) {
	steps := []int{1500, 1600, 1800, 2010, 2100, 2500, 4000}
	if start.Least > 1400<<20 { // the native build: its check runs before the Go runtime begins
		steps = append(steps, 200, 500, 900, 1200)
	}
	switch {
	case os.Getenv("EIGENMAP_LONG") != "":
		for mib := 1400; mib < 4000; mib += 50 {
			steps = append(steps, mib)
		}
	case !testing.Short():
		for mib := 1400; mib < 4000; mib += 200 {
			steps = append(steps, mib)
		}
	}
	file := example(t)
	for _, mib := range steps {
		_, run := limited(t, mib, nil, "cluster", file, "--method", "le", "-k", "12", "--quiet")
		r := run()
		if r.status == exitDone && r.stderr == "" {
			continue
		}
		if r.status != exitFailed {
			t.Errorf("ulimit -v of %d MiB: status %d: %.300s", mib, r.status, r.stderr)
		}
		checkSentence(t, r, "iB")
	}
}
