package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
)

// names lists everything in dir, including hidden files.
func names(t *testing.T, dir string) string {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
	var s []string
	for _, e := range entries {
		s = append(s, e.Name())
	}
	return strings.Join(s, " ")
}

func TestWriteReplaces(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.csv")
	for _, text := range []string{"first and longer", "second"} {
		err := Write(path, func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != text {
			t.Fatalf("read %q, %v; want %q", got, err, text)
		}
	}
	if got := names(t, dir); got != "a.csv" {
		t.Errorf("the folder holds %q", got)
	}
}

func TestFailureLeavesTheOldFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.csv")
	must.Do(t, os.WriteFile(path, []byte("old"), 0o644))
	boom := errors.New("boom")
	err := Write(path, func(w io.Writer) error {
		fmt.Fprint(w, strings.Repeat("new", 1<<16))
		return boom
	})
	if !errors.Is(err, boom) {
		t.Fatalf("error %v", err)
	}
	if got, _ := os.ReadFile(path); string(got) != "old" {
		t.Errorf("the old file now holds %d bytes", len(got))
	}
	if got := names(t, dir); got != "a.csv" {
		t.Errorf("the folder holds %q", got)
	}
}

func TestRemovePending(t *testing.T) {
	dir := t.TempDir()
	f := must.Get(Create(filepath.Join(dir, "a")))(t)
	g := must.Get(Create(filepath.Join(dir, "b")))(t)
	must.Do(t, g.Seal())
	RemovePending()
	if got := names(t, dir); got != "" {
		t.Errorf("the folder still holds %q", got)
	}
	for _, h := range []*File{f, g} {
		if err := h.Commit(); err == nil {
			t.Error("a removed file was committed")
		}
	}
	if got := names(t, dir); got != "" {
		t.Errorf("after Commit the folder holds %q", got)
	}
}

func TestErrorsNameTheFile(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "missing", "a.csv")
	for _, path := range []string{missing, dir} {
		_, err := Create(path)
		if err == nil || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), ".tmp") {
			t.Errorf("Create(%s): %v", path, err)
		}
	}
}

func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full on this system")
	}
	f := must.Get(Create(filepath.Join(t.TempDir(), "a")))(t)
	f.tmp.Close()
	f.tmp = full
	f.buf.Reset(full)
	fmt.Fprint(f, "x")
	if err := f.Commit(); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("error %v", err)
	}
	if got := names(t, filepath.Dir(f.path)); got != "" {
		t.Errorf("the folder still holds %q", got)
	}
}

// TestRemoveStale checks that only old temporary files of the names asked for are removed.
func TestRemoveStale(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-time.Hour)
	aged := func(name string) string {
		path := filepath.Join(dir, name)
		must.Do(t, os.WriteFile(path, []byte("x"), 0o600))
		must.Do(t, os.Chtimes(path, old, old))
		return path
	}
	stale := []string{aged(".a.csv.0123abcd.tmp"), aged(".b.npy.ffffffff.tmp")}
	ahead := aged(".b.npy.00000004.tmp") // of a time when the clock was wrong
	must.Do(t, os.Chtimes(ahead, old.AddDate(50, 0, 0), old.AddDate(50, 0, 0)))
	stale = append(stale, ahead)
	kept := []string{aged("a.csv"), aged("a.csv.0123abcd.tmp"), aged(".a.csv.0123abc.tmp"), aged(".a.csv.0123abcd9.tmp"),
		aged(".a.csv.0123ABCD.tmp"), aged(".c.csv.0123abcd.tmp"), aged(".a.csv.0123abcd"), aged(".a.csv..tmp"), aged(".tmp")}
	fresh := aged(".a.csv.00000001.tmp")
	must.Do(t, os.Chtimes(fresh, time.Now(), time.Now()))
	folder, link := filepath.Join(dir, ".a.csv.00000002.tmp"), filepath.Join(dir, ".a.csv.00000003.tmp")
	must.Do(t, os.Mkdir(folder, 0o700))
	must.Do(t, os.Symlink("a.csv", link))
	f := must.Get(Create(filepath.Join(dir, "a.csv")))(t)
	defer f.Abort()
	must.Do(t, os.Chtimes(f.name, old, old))
	RemoveStale(dir, time.Now().Add(-time.Minute), func(base string) bool { return base == "a.csv" || base == "b.npy" })
	for _, path := range stale {
		if _, err := os.Lstat(path); err == nil {
			t.Errorf("%s is still there", path)
		}
	}
	for _, path := range append(kept, fresh, folder, link, f.name) {
		if _, err := os.Lstat(path); err != nil {
			t.Errorf("%s is gone", path)
		}
	}
}
