package folder

import (
	"context"
	"errors"
	"io"
	"maps"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/native"
)

// A folder that a program has abandoned stays as it was; while names change, and when all are
// there, Abandon says so.
func TestAbandon(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, put(t, dir, map[string]string{"a.csv": "first"}))
	before := held(t, dir)
	o := open(t, dir)
	add(t, o, "a.csv", "second")
	if stage := o.Abandon(); stage != Uncommitted {
		t.Errorf("before Commit the stage is %d", stage)
	}
	if _, err := o.Commit(); !errors.Is(err, context.Canceled) {
		t.Errorf("Commit after Abandon: %v", err)
	}
	o.Discard()
	if after := held(t, dir); !maps.Equal(before, after) {
		t.Errorf("the folder had %v and has %v", before, after)
	}

	o = open(t, dir)
	defer o.Discard()
	add(t, o, "a.csv", "third")
	Step = func(string, string) error {
		o.stage.Lock()
		defer o.stage.Unlock()
		if o.stage.now != Committing {
			t.Errorf("while names change the stage is %d", o.stage.now)
		}
		return nil
	}
	t.Cleanup(func() { Step = nil })
	if _, err := o.Commit(); err != nil {
		t.Fatal(err)
	}
	if stage := o.Abandon(); stage != Committed || held(t, dir)["a.csv"] != "third" {
		t.Errorf("after Commit the stage is %d, and the file %q", stage, held(t, dir)["a.csv"])
	}
	// Once it was abandoned no further file is begun, which nobody would remove.
	o = open(t, t.TempDir())
	defer o.Discard()
	defer native.SetThreads(0)
	native.SetThreads(1)
	leave := Content{"a.csv", func(io.Writer) error { o.Abandon(); return nil }}
	late := Content{"b.npy", func(io.Writer) error { t.Error("a file was begun after Abandon"); return nil }}
	if err := o.AddAll(context.Background(), leave, late); !errors.Is(err, context.Canceled) {
		t.Errorf("files of an abandoned folder: %v", err)
	}

	var none *Folder
	if stage := none.Abandon(); stage != Uncommitted {
		t.Errorf("without a folder the stage is %d", stage)
	}
}
