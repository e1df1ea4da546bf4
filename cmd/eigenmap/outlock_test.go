package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/lock"
	"github.com/eigenmap/eigenmap/native/slepc"
	"github.com/eigenmap/eigenmap/progress"
)

// TestOutIsLocked: while a run is at work on a folder, a second process is refused at once and
// changes nothing; afterwards the folder is free, and holds nothing of the lock.
func TestOutIsLocked(t *testing.T) {
	if f, err := lock.Dir(t.TempDir(), false); err != nil || f == nil {
		t.Skip("no locks here")
	} else if g, err := lock.Dir(f.Name(), false); err == nil {
		g.Close()
		f.Close()
		t.Skip("no locks here")
	} else {
		f.Close()
	}
	dir := t.TempDir()
	file, out := texts(t, dir, 50), filepath.Join(dir, "new", "out")
	args := []string{"cluster", file, "--method", "le", "--quiet", "--out", out}
	tried := false
	r := callWatched(context.Background(), func(e progress.Event) {
		if e.Stage != "graph" || tried {
			return
		}
		tried = true
		_, run := play(t, nil, args...)
		second := run()
		if second.status != exitRequest {
			t.Errorf("status %d, want %d", second.status, exitRequest)
		}
		checkSentence(t, second, "another eigenmap is writing to "+out)
		if entries, err := os.ReadDir(out); err != nil || len(entries) > 0 {
			t.Errorf("the second run left %v, %v", entries, err)
		}
	}, args...)
	if r.status != exitDone || !tried {
		t.Fatalf("status %d, tried %v\n%s", r.status, tried, r.stderr)
	}
	mustCall(t, args...)
	if left := leftovers(t, dir); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// Processes that mpirun started, of a build without MPI, are told so where the first of them writes
// to the folder that all of them name.
func TestOutIsLockedByMPI(t *testing.T) {
	if slepc.Available {
		t.Skip("this build has MPI")
	}
	dir := t.TempDir()
	held, err := lock.Dir(dir, false)
	if err != nil || held == nil {
		t.Skip("no locks here")
	}
	defer held.Close()
	args := []string{"cluster", texts(t, t.TempDir(), 20), "--method", "kmeans", "-k", "2", "--quiet", "--out", dir}
	alone := call(args...)
	t.Setenv("OMPI_COMM_WORLD_SIZE", "1")
	one := call(args...)
	t.Setenv("OMPI_COMM_WORLD_SIZE", "2")
	two := call(args...)
	for _, r := range []result{alone, one} {
		if r.status != exitRequest || !strings.Contains(r.stderr, "wait for it") {
			t.Errorf("status %d: %s", r.status, r.stderr)
		}
	}
	if two.status != exitRequest || !strings.Contains(two.stderr, "started 2 processes, and this build has no MPI") || !strings.Contains(two.stderr, "make deps-slepc build-slepc") {
		t.Errorf("status %d: %s", two.status, two.stderr)
	}
}
