package folder

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/lock"
	"github.com/eigenmap/eigenmap/internal/must"
)

var (
	all     = []string{"a.csv", "b.npy", "c.html"}
	results = []string{"a.csv", "b.npy"}
)

func open(t *testing.T, dir string) *Folder {
	t.Helper()
	o := must.Get(Open(dir, all, results, false))(t)
	t.Cleanup(o.Discard)
	return o
}

func add(t *testing.T, o *Folder, name, text string) {
	t.Helper()
	err := o.Add(context.Background(), name, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// names are the names of the files in a folder, "" if there is no folder.
func names(dir string) string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	list := []string{}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return strings.Join(list, " ")
}

func write(t *testing.T, path string) {
	t.Helper()
	must.Do(t, os.WriteFile(path, []byte("x"), 0o666))
}

// locks skips a test where folders cannot be locked.
func locks(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	f, err := lock.Dir(dir, false)
	if err != nil || f == nil {
		t.Skip("no locks here")
	}
	defer f.Close()
	if g, err := lock.Dir(dir, false); err == nil {
		g.Close()
		t.Skip("no locks here")
	}
}

// Files appear together in Commit, and what an earlier run left goes.
func TestFilesAppearTogether(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "out")
	o := open(t, dir)
	if o.Earlier || o.Dir != dir {
		t.Errorf("earlier %v, folder %s", o.Earlier, o.Dir)
	}
	if got := names(dir); got != "" {
		t.Errorf("an open folder holds %s", got)
	}
	add(t, o, "a.csv", "first")
	add(t, o, "b.npy", "second")
	for name := range strings.FieldsSeq(names(dir)) {
		if !strings.HasSuffix(name, ".tmp") {
			t.Errorf("%s is there before Commit", name)
		}
	}
	saved, err := o.Commit()
	if err != nil || !slices.Equal(saved, []string{filepath.Join(dir, "a.csv"), filepath.Join(dir, "b.npy"), filepath.Join(dir, ManifestName)}) {
		t.Errorf("saved %v, %v", saved, err)
	}
	o.Discard()
	write(t, filepath.Join(dir, "of-others.txt"))
	if got := names(dir); got != "a.csv b.npy of-others.txt run.json" {
		t.Errorf("the folder holds %s", got)
	}

	second := open(t, dir)
	if !second.Earlier {
		t.Error("the earlier run is not seen")
	}
	add(t, second, "c.html", "third")
	if _, err := second.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := names(dir); got != "c.html of-others.txt run.json" {
		t.Errorf("the folder holds %s", got)
	}
}

// A page alone is no result: the folder does not belong to an earlier run.
func TestEarlier(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, put(t, dir, map[string]string{"c.html": "c"}))
	if o := open(t, dir); o.Earlier {
		t.Error("a page counts as a result")
	}
}

// Files of the names of results that no run wrote are neither replaced nor removed, and links to
// others are not either: the folder is refused, and stays as it is.
func TestOthersFilesStay(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "c.html"))
	write(t, filepath.Join(dir, "letter.txt"))
	if _, err := Open(dir, all, results, false); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "no run.json, which every run writes: c.html; choose another folder") {
		t.Errorf("the error is %v", err)
	}
	if got := names(dir); got != "c.html letter.txt" {
		t.Errorf("the folder holds %s", got)
	}
	must.Do(t, os.Remove(filepath.Join(dir, "c.html")))
	if err := put(t, dir, map[string]string{"a.csv": "a"}); err != nil {
		t.Errorf("without the file: %v", err)
	}
}

// Files in keep stay, however their paths are written, and so do folders and links.
func TestCommitKeeps(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, put(t, dir, map[string]string{"a.csv": "x"}))
	must.Do(t, os.Mkdir(filepath.Join(dir, "b.npy"), 0o777))
	if err := os.Symlink("a.csv", filepath.Join(dir, "c.html")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	o := open(t, dir)
	if _, err := o.Commit("", filepath.Join(dir, ".", "..", filepath.Base(dir), "a.csv"), "no such file"); err != nil {
		t.Fatal(err)
	}
	if got := names(dir); got != "a.csv b.npy c.html" {
		t.Errorf("the folder holds %s", got)
	}
}

// Temporary files of killed runs go, but for those younger than this run or of other names.
func TestCommitRemovesTemporaryFiles(t *testing.T) {
	dir := t.TempDir()
	past := time.Now().Add(-time.Hour)
	for _, name := range []string{".a.csv.01234567.tmp", ".c.html.89abcdef.tmp", ".probe.00000000.tmp", ".d.csv.01234567.tmp", ".a.csv.tmp"} {
		write(t, filepath.Join(dir, name))
		must.Do(t, os.Chtimes(filepath.Join(dir, name), past, past))
	}
	o := open(t, dir)
	young := filepath.Join(dir, ".b.npy.01234567.tmp")
	write(t, young)
	later := time.Now().Add(time.Hour)
	must.Do(t, os.Chtimes(young, later, later))
	if _, err := o.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := names(dir); got != ".a.csv.tmp .b.npy.01234567.tmp .d.csv.01234567.tmp" {
		t.Errorf("the folder holds %s", got)
	}
}

// A run that fails leaves nothing, and the results of the earlier run stay.
func TestDiscard(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "new", "out")
	o := open(t, dir)
	add(t, o, "a.csv", "half")
	failed := errors.New("no more numbers")
	err := o.Add(context.Background(), "b.npy", func(io.Writer) error { return failed })
	var write *WriteError
	if !errors.Is(err, failed) || !errors.As(err, &write) || err.Error() != failed.Error() {
		t.Errorf("the error is %v", err)
	}
	o.Discard()
	if got := names(parent); got != "" {
		t.Errorf("left behind: %s", got)
	}

	o = open(t, dir)
	add(t, o, "a.csv", "whole")
	if _, err := o.Commit(); err != nil {
		t.Fatal(err)
	}
	o.Discard()
	o = open(t, dir)
	add(t, o, "a.csv", "half")
	o.Discard()
	if data, err := os.ReadFile(filepath.Join(dir, "a.csv")); string(data) != "whole" || names(dir) != "a.csv run.json" {
		t.Errorf("the folder holds %s, the file %q (%v)", names(dir), data, err)
	}
}

// Writing stops when the context is done, with its error.
func TestAddStops(t *testing.T) {
	o := open(t, t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	err := o.Add(ctx, "a.csv", func(w io.Writer) error {
		cancel()
		_, err := io.WriteString(w, "x")
		return err
	})
	var write *WriteError
	if err != context.Canceled || errors.As(err, &write) {
		t.Errorf("the error is %v", err)
	}
}

// A second run is refused at once and changes nothing; then the folder is free and holds nothing of
// the lock.
func TestLocked(t *testing.T) {
	locks(t)
	dir := filepath.Join(t.TempDir(), "new", "out")
	first := open(t, dir)
	_, err := Open(dir, all, results, false)
	if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "another eigenmap is writing to "+dir) {
		t.Errorf("the second run: %v", err)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() || names(dir) != "" {
		t.Errorf("the second run left %s, %v", names(dir), err)
	}
	first.Discard()
	second := open(t, dir)
	if got := names(dir); got != "" {
		t.Errorf("left behind: %s", got)
	}
	second.Discard()
}

// Runs that write different files share the folder, not with others.
func TestShared(t *testing.T) {
	locks(t)
	dir := t.TempDir()
	for range 2 {
		o := must.Get(Open(dir, all, results, true))(t)
		defer o.Discard()
	}
	if _, err := Open(dir, all, results, false); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a run alone: %v", err)
	}
}

// After an interrupt short files are written whole, however late it is, and a long one is left out.
func TestHastyOutput(t *testing.T) {
	dir := t.TempDir()
	o := open(t, dir)
	o.Until = time.Now()
	for name, blocks := range map[string]int{"a.csv": 2, "b.npy": 64} {
		err := o.Add(context.Background(), name, func(w io.Writer) error {
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
	saved, err := o.Commit()
	if err != nil || len(saved) != 2 || filepath.Base(saved[0]) != "a.csv" {
		t.Errorf("saved %v, %v", saved, err)
	}
	if got := names(dir); got != "a.csv run.json" {
		t.Errorf("left behind: %s", got)
	}
}

// Folders that cannot take files are refused before any work, with the place and a way out.
func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	write(t, file)
	for _, path := range []string{file, filepath.Join(file, "below"), filepath.Join(file, "below", "deeper")} {
		_, err := Open(path, all, results, false)
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), file+": it is a file") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if os.Getuid() == 0 {
		return // who may write everywhere
	}
	closed := filepath.Join(dir, "closed")
	must.Do(t, os.Mkdir(closed, 0o555))
	for _, path := range []string{closed, filepath.Join(closed, "below")} {
		_, err := Open(path, all, results, false)
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "choose another folder") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A name that is a folder is a failure of the work, not a wrong request.
func TestWriteError(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(dir, "a.csv"), 0o777))
	o := open(t, dir)
	err := o.Add(context.Background(), "a.csv", func(io.Writer) error { return nil })
	var failed *WriteError
	if !errors.As(err, &failed) {
		t.Errorf("the error is %v", err)
	}
}

// A nil folder takes nothing.
func TestNilFolder(t *testing.T) {
	var o *Folder
	called := false
	err := o.Add(context.Background(), "a.csv", func(io.Writer) error { called = true; return nil })
	saved, committed := o.Commit()
	if err != nil || committed != nil || saved != nil || called {
		t.Errorf("%v, %v, %v, called %v", err, committed, saved, called)
	}
	o.RemoveEmpty()
	o.Discard()
}

func TestSame(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a"))
	write(t, filepath.Join(dir, "b"))
	a := filepath.Join(dir, "a")
	for path, want := range map[string]bool{a: true, filepath.Join(dir, "x", "..", "a"): true, filepath.Join(dir, "b"): false, "": false, filepath.Join(dir, "none"): false} {
		if Same(a, path) != want {
			t.Errorf("%q: %v", path, !want)
		}
	}
}

// Commit removes temporary files of killed runs of a series too, and leaves others.
func TestStaleOfSeries(t *testing.T) {
	dir := t.TempDir()
	stale, other := filepath.Join(dir, ".tile-7.js.0123abcd.tmp"), filepath.Join(dir, ".tale-7.js.0123abcd.tmp")
	for _, path := range []string{stale, other} {
		write(t, path)
		must.Do(t, os.Chtimes(path, time.Now().Add(-time.Hour), time.Now().Add(-time.Hour)))
	}
	o := open(t, dir)
	o.Series = func(name string) bool { return strings.HasPrefix(name, "tile-") }
	add(t, o, "a.csv", "a")
	if _, err := o.Commit(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(stale); err == nil {
		t.Error("the temporary file of a series is still there")
	}
	if _, err := os.Stat(other); err != nil {
		t.Error("a file of others is gone")
	}
}

// Files that are written together are listed in their order, whichever is ready first, and of
// several failures the first in this order is told; nothing is left of the others.
func TestAddAll(t *testing.T) {
	dir := t.TempDir()
	o, err := Open(dir, all, results, false)
	if err != nil {
		t.Fatal(err)
	}
	content := func(name string, err error) Content {
		return Content{name, func(w io.Writer) error {
			if _, failed := io.WriteString(w, name); failed != nil {
				return failed
			}
			return err
		}}
	}
	first, second := errors.New("first"), errors.New("second")
	err = o.AddAll(context.Background(), content("a.csv", nil), content("b.npy", first), content("c.html", second))
	if !errors.Is(err, first) || !errors.As(err, new(*WriteError)) {
		t.Error(err)
	}
	o.Discard()
	if left := names(dir); left != "" {
		t.Errorf("left: %s", left)
	}
	o = open(t, dir)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := o.AddAll(ctx, content("a.csv", nil)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	must.Do(t, o.AddAll(context.Background(), content("b.npy", nil), content("a.csv", nil)))
	saved, err := o.Commit()
	if err != nil || len(saved) != 3 || filepath.Base(saved[0]) != "b.npy" || filepath.Base(saved[1]) != "a.csv" {
		t.Error(saved, err)
	}
}
