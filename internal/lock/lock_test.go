//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package lock

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
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
	first, err := Dir(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	second, err := Dir(dir, true)
	if err != nil {
		t.Fatal(err)
	}
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
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	first, second := open(), open()
	defer second.Close()
	if err := File(first); err != nil {
		t.Fatal(err)
	}
	if err := File(second); !errors.Is(err, ErrHeld) {
		t.Errorf("a file that is held: %v", err)
	}
	first.Close()
	if err := File(second); err != nil {
		t.Errorf("after it was closed: %v", err)
	}
}
