package folder

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// Parts that are written in turn, beside a file that is written at once, appear together and pass
// the check of the manifest; one that was not closed leaves nothing.
func TestPartsAppearTogether(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	o := must.Get(Open(dir, []string{"a", "b", "c", "d"}, []string{"a"}, false))(t)
	a, errA := NewPart(o, "a")
	b, errB := NewPart(o, "b")
	c, errC := NewPart(o, "c")
	if errA != nil || errB != nil || errC != nil {
		t.Fatal(errA, errB, errC)
	}
	for range 1000 {
		_, errA = a.Write([]byte("first "))
		_, errB = b.Write([]byte("second "))
		_, errC = c.Write([]byte("third "))
		if errA != nil || errB != nil || errC != nil {
			t.Fatal(errA, errB, errC)
		}
	}
	c.Abort()
	if a.Close() != nil || b.Close() != nil || b.Close() != nil || c.Close() != nil {
		t.Fatal("a part cannot be closed")
	}
	must.Do(t, o.Add(context.Background(), "d", func(w io.Writer) error { _, err := io.WriteString(w, "whole"); return err }))
	if _, err := os.Stat(filepath.Join(dir, "a")); err == nil {
		t.Error("a part has its name before the commit")
	}
	if _, err := o.Commit(); err != nil {
		t.Fatal(err)
	}
	o.Discard()
	if err := Check(context.Background(), dir); err != nil {
		t.Error(err)
	}
	for name, length := range map[string]int{"a": 6000, "b": 7000, "d": 5} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || len(text) != length {
			t.Errorf("%s: %d bytes, %v", name, len(text), err)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 4 { // and the manifest
		t.Errorf("%v in the folder", left)
	}
	var none *Part
	if n, err := none.Write([]byte("x")); n != 1 || err != nil || none.Close() != nil {
		t.Error("a part of no folder")
	}
}
