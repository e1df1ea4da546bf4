package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/lock"
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

// TestOutIsShared: runs that write different files share the folder, not with others.
func TestOutIsShared(t *testing.T) {
	dir := t.TempDir()
	first, err := openOutput(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	defer first.discard()
	second, err := openOutput(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	second.discard()
	if first.held == nil {
		t.Skip("no locks here")
	}
	if f, err := lock.Dir(dir, false); err == nil {
		f.Close()
		t.Skip("no locks here")
	}
	if _, err := openOutput(dir, false); exitStatus(err) != exitRequest {
		t.Errorf("a run alone: %v", err)
	}
}

// TestHastyOutput: after an interrupt short files are written whole, however late it is, and a long
// one is left out.
func TestHastyOutput(t *testing.T) {
	dir := t.TempDir()
	o, err := openOutput(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	defer o.discard()
	o.until = time.Now()
	for name, blocks := range map[string]int{"short": 2, "long": 64} {
		err := o.add(context.Background(), name, func(w io.Writer) error {
			for range blocks {
				if _, err := w.Write(make([]byte, 1<<16)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	saved, err := o.commit()
	if err != nil || len(saved) != 1 || filepath.Base(saved[0]) != "short" {
		t.Errorf("saved %v, %v", saved, err)
	}
	if left := leftovers(t, dir); left != nil {
		t.Errorf("left behind: %v", left)
	}
}
