//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package lock

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// TestDir checks exclusive and shared locks, and that they leave no files.
func TestDir(t *testing.T) {
	dir := t.TempDir()
	alone, err := Dir(dir, false)
	if err != nil || alone == nil {
		t.Fatalf("a free folder: %v, %v", alone, err)
	}
	for _, shared := range []bool{false, true} {
		if f, err := Dir(dir, shared); !errors.Is(err, ErrHeld) {
			t.Fatalf("a folder that is held (shared: %v): %v, %v", shared, f, err)
		}
	}
	alone.Close()
	first := must.Get(Dir(dir, true))(t)
	second := must.Get(Dir(dir, true))(t)
	first.Close()
	if _, err := Dir(dir, false); !errors.Is(err, ErrHeld) {
		t.Errorf("a folder that is shared: %v", err)
	}
	second.Close()
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("left behind: %v", entries)
	}
	if _, err := Dir(filepath.Join(dir, "none"), false); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	open := func() *os.File {
		f := must.Get(os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666))(t)
		return f
	}
	first, second := open(), open()
	defer second.Close()
	must.Do(t, File(first))
	if err := File(second); !errors.Is(err, ErrHeld) {
		t.Errorf("a file that is held: %v", err)
	}
	first.Close()
	if err := File(second); err != nil {
		t.Errorf("after it was closed: %v", err)
	}
}
