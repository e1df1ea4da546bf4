package main

import (
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/cores"
)

// Ranks on one machine share its processors unless a number was given for each: a variable that
// holds none does not give one.
func TestThreadsOfRanks(t *testing.T) {
	t.Setenv("SLURM_CPUS_PER_TASK", "")
	for value, own := range map[string]bool{"": false, "auto": false, "0": false, "100000": false, "1": true} {
		t.Setenv("OMP_NUM_THREADS", value)
		c := cores.Choose(0)
		c.Threads *= 8 // as on a larger machine
		want := c.Threads / 4
		if own {
			want = c.Threads
		}
		if got := threads(4, c); got != want {
			t.Errorf("OMP_NUM_THREADS=%q: each of 4 ranks has %d of %d threads, not %d", value, got, c.Threads, want)
		}
	}
}

// A variable that is set to no number of threads has no effect, and a note says so.
func TestThreadsUnusable(t *testing.T) {
	file := texts(t, t.TempDir(), 8)
	t.Setenv("OMP_NUM_THREADS", "auto")
	if r := call("cluster", file, "-k", "3"); r.status != 0 || strings.Count(r.stderr, `OMP_NUM_THREADS="auto" is no number of threads`) != 1 {
		t.Errorf("status %d: %s", r.status, r.stderr)
	}
	t.Setenv("OMP_NUM_THREADS", "1")
	if r := call("cluster", file, "-k", "3"); strings.Contains(r.stderr, "number of threads") {
		t.Error(r.stderr)
	}
}
