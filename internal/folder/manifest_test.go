package folder

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

var errKilled = errors.New("killed")

// stopAt makes the n-th change of a name from now on fail, as if the program ended there.
func stopAt(t *testing.T, n int) {
	t.Helper()
	Step = func(string, string) error {
		if n--; n < 0 {
			return errKilled
		}
		return nil
	}
	t.Cleanup(func() { Step = nil })
}

// put commits files into a folder; a stopped run leaves what a killed program leaves, and more of
// it: temporary files go.
func put(t *testing.T, dir string, files map[string]string) error {
	t.Helper()
	o, err := Open(dir, all, results, false)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Discard()
	o.Origin = Origin{Command: "cluster", Method: "le", Version: "test"}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		add(t, o, name, files[name])
	}
	_, err = o.Commit()
	return err
}

// held are the files of a folder that runs can write.
func held(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, name := range all {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			files[name] = string(text)
		}
	}
	return files
}

// admitted checks every file, and says whether all may be read.
func admitted(t *testing.T, dir string) (bool, error) {
	t.Helper()
	var refused error
	n := 0
	for name := range held(t, dir) {
		if err := Check(context.Background(), filepath.Join(dir, name)); err != nil {
			refused = err
			n++
		}
	}
	if n > 0 && n < len(held(t, dir)) {
		t.Errorf("some files of %v are refused and others not: %v", held(t, dir), refused)
	}
	return refused == nil, refused
}

// A run that is stopped at any change of a name leaves the earlier results, the new ones, or files
// that are refused; and the next run makes the folder whole again.
func TestStoppedAtEveryStep(t *testing.T) {
	for _, c := range []struct {
		name     string
		old, new map[string]string
	}{
		{name: "empty folder", new: map[string]string{"a.csv": "new a", "b.npy": "new b"}},
		{name: "the same names", old: map[string]string{"a.csv": "old a", "b.npy": "old b"}, new: map[string]string{"a.csv": "new a", "b.npy": "new b"}},
		{name: "other names", old: map[string]string{"a.csv": "old a", "b.npy": "old b"}, new: map[string]string{"a.csv": "new a", "c.html": "new c"}},
		{name: "no name in common", old: map[string]string{"a.csv": "old a"}, new: map[string]string{"b.npy": "new b", "c.html": "new c"}},
		{name: "the same bytes", old: map[string]string{"a.csv": "same", "b.npy": "old b"}, new: map[string]string{"a.csv": "same"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			verdicts := map[string]int{}
			for n := 0; ; n++ {
				if n > 50 {
					t.Fatal("a run takes more than 50 steps")
				}
				dir := t.TempDir()
				if c.old != nil {
					must.Do(t, put(t, dir, c.old))
				}
				stopAt(t, n)
				err := put(t, dir, c.new)
				Step = nil
				if err != nil && !errors.Is(err, errKilled) {
					t.Fatal(err)
				}
				have := held(t, dir)
				switch ok, refused := admitted(t, dir); {
				case !ok:
					verdicts["refused"]++
					if !errors.Is(refused, fs.ErrInvalid) || !strings.Contains(refused.Error(), "do not belong to one run") || err == nil {
						t.Errorf("step %d: %v", n, refused)
					}
				case maps.Equal(have, c.new):
					verdicts["new"]++
				case maps.Equal(have, c.old):
					verdicts["old"]++
				default:
					t.Errorf("step %d: the folder holds %v, and nothing is refused", n, have)
				}
				if err == nil {
					if verdicts["new"] == 0 {
						t.Error("the run that was not stopped left no new results")
					}
					break
				}
				if err := put(t, dir, map[string]string{"a.csv": "third"}); err != nil {
					t.Errorf("step %d: the next run: %v", n, err)
				}
				if ok, refused := admitted(t, dir); !ok || names(dir) != "a.csv run.json" {
					t.Errorf("step %d: after the next run the folder holds %s, %v", n, names(dir), refused)
				}
			}
			t.Log(verdicts)
		})
	}
}

// failAt makes the n-th change of a name from now on fail once, as a full disk does.
func failAt(t *testing.T, n int) {
	t.Helper()
	Step = func(string, string) error {
		if n--; n == -1 {
			return errKilled
		}
		return nil
	}
	t.Cleanup(func() { Step = nil })
}

// A change of a name that fails leaves the folder as it was, or the error says that it is mixed.
func TestFailedAtEveryStep(t *testing.T) {
	for _, c := range []struct {
		name     string
		old, new map[string]string
		undone   int // steps after which the folder must be as it was
	}{
		{"empty folder", nil, map[string]string{"a.csv": "new a", "b.npy": "new b"}, 4},
		{"the same names", map[string]string{"a.csv": "old a", "b.npy": "old b"}, map[string]string{"a.csv": "new a", "b.npy": "new b"}, 2},
		{"no name in common", map[string]string{"a.csv": "old a"}, map[string]string{"b.npy": "new b", "c.html": "new c"}, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			undone := 0
			for n := range 50 {
				dir := t.TempDir()
				manifest := ""
				if c.old != nil {
					must.Do(t, put(t, dir, c.old))
					text := must.Get(os.ReadFile(filepath.Join(dir, ManifestName)))(t)
					manifest = string(text)
				}
				failAt(t, n)
				err := put(t, dir, c.new)
				Step = nil
				if err == nil {
					break
				}
				var failed *WriteError
				if !errors.As(err, &failed) {
					t.Fatalf("step %d: %v", n, err)
				}
				ok, _ := admitted(t, dir)
				text, _ := os.ReadFile(filepath.Join(dir, ManifestName))
				asBefore := maps.Equal(held(t, dir), c.old) && string(text) == manifest
				switch {
				case !failed.Mixed && asBefore && ok:
					undone++
				case !failed.Mixed:
					t.Errorf("step %d: the folder holds %v and %s", n, held(t, dir), text)
				case ok && !maps.Equal(held(t, dir), c.new):
					t.Errorf("step %d: a mixed folder is not refused: %v", n, held(t, dir))
				}
				if err := put(t, dir, c.new); err != nil || !maps.Equal(held(t, dir), c.new) {
					t.Errorf("step %d: the next run leaves %v, %v", n, held(t, dir), err)
				}
			}
			if undone < c.undone {
				t.Errorf("%d failed steps left the folder as it was, want at least %d", undone, c.undone)
			}
		})
	}
}

// Files that were changed after the run are refused, with their names and a way out; a copy in
// another folder is read, and so is what no manifest lists.
func TestChangedFiles(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name   string
		change func(path string) error
		ok     bool
	}{
		{"untouched", func(string) error { return nil }, true},
		{"edited", func(p string) error { return os.WriteFile(p, []byte("OLD a"), 0o666) }, false},
		{"truncated", func(p string) error { return os.Truncate(p, 3) }, false},
		{"another length", func(p string) error { return os.WriteFile(p, []byte("a longer text"), 0o666) }, false},
		{"removed", os.Remove, true},
	} {
		dir := t.TempDir()
		must.Do(t, put(t, dir, map[string]string{"a.csv": "old a", "b.npy": "old b"}))
		must.Do(t, c.change(filepath.Join(dir, "a.csv")))
		write(t, filepath.Join(dir, "of-others.csv"))
		if err := Check(ctx, filepath.Join(dir, "of-others.csv")); err != nil {
			t.Errorf("%s: a foreign file: %v", c.name, err)
		}
		err := Check(ctx, filepath.Join(dir, "b.npy"))
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
		if err == nil {
			continue
		}
		for _, part := range []string{"a.csv is not the file", ManifestName, "run again", "copy the file to another folder"} {
			if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q does not say %q", c.name, err, part)
			}
		}
		link := filepath.Join(t.TempDir(), "link")
		if os.Symlink(filepath.Join(dir, "b.npy"), link) == nil && Check(ctx, link) == nil {
			t.Errorf("%s: a link to the file is not refused", c.name)
		}
		copied := filepath.Join(t.TempDir(), "b.npy")
		write(t, copied)
		if err := Check(ctx, copied); err != nil {
			t.Errorf("%s: a copy: %v", c.name, err)
		}
	}
}

// A manifest that is damaged or of a later version is refused; a file of that name that is
// something else is not read, and not written over.
func TestManifestsThatAreNone(t *testing.T) {
	for text, want := range map[string]string{
		"":          "damaged",
		"{\"format": "damaged",
		`{"format": "eigenmap results 2", "files": []}`:                                                           "later version",
		`{"format": "eigenmap results 1", "files": [{"name": "../a.csv", "bytes": 1, "sha256": ""}]}`:             "damaged",
		`{"format": "eigenmap results 1", "files": [], "next": [{"name": "run.json", "bytes": 1, "sha256": ""}]}`: "damaged",
		`{"my": "own"}`: "",
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "a.csv"))
		must.Do(t, os.WriteFile(filepath.Join(dir, ManifestName), []byte(text), 0o666))
		err := Check(context.Background(), filepath.Join(dir, "a.csv"))
		if (err == nil) != (want == "") || err != nil && (!errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", text, err)
		}
		if _, err := Open(dir, all, results, false); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), ManifestName) {
			t.Errorf("%s: it would be written over: %v", text, err)
		}
	}
}

// A manifest cannot make a run remove what that run did not write.
func TestManifestOfOthers(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "letter.txt"))
	list := fmt.Sprintf(`{"format": %q, "files": [{"name": "letter.txt", "bytes": 1, "sha256": "00"}]}`, manifestFormat)
	must.Do(t, os.WriteFile(filepath.Join(dir, ManifestName), []byte(list), 0o666))
	must.Do(t, put(t, dir, map[string]string{"a.csv": "a"}))
	if got := names(dir); got != "a.csv letter.txt run.json" {
		t.Errorf("the folder holds %s", got)
	}
}

// A file that the run has read is not written over, and foreign files are named.
func TestCommitRefusesInput(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, put(t, dir, map[string]string{"a.csv": "x"}))
	write(t, filepath.Join(dir, "letter.txt"))
	o := open(t, dir)
	add(t, o, "a.csv", "new")
	if _, err := o.Commit(filepath.Join(dir, "a.csv")); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "would write over it") {
		t.Errorf("the error is %v", err)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "a.csv")); string(text) != "x" {
		t.Errorf("the input is %q", text)
	}
	if _, err := o.Commit(); err != nil || !slices.Equal(o.Foreign(), []string{"letter.txt"}) {
		t.Errorf("foreign: %v, %v", o.Foreign(), err)
	}
}

// An interrupted check ends with the context's error.
func TestCheckStops(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, put(t, dir, map[string]string{"a.csv": "a"}))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Check(ctx, filepath.Join(dir, "a.csv")); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestInside(t *testing.T) {
	dir := t.TempDir()
	texts := filepath.Join(dir, "texts")
	must.Do(t, os.MkdirAll(filepath.Join(texts, "a"), 0o777))
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(texts, "a"), link); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	for path, want := range map[string]bool{texts: true, filepath.Join(texts, "new", "out"): true, filepath.Join(link, "out"): true,
		filepath.Join(texts, "..", "out"): false, dir: false, filepath.Join(dir, "texts2"): false} {
		if Inside(path, texts) != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
}

// BenchmarkCheck is the speed at which a folder's files are checked.
func BenchmarkCheck(b *testing.B) {
	dir := b.TempDir()
	o := must.Get(Open(dir, all, results, false))(b)
	defer o.Discard()
	const size = 64 << 20
	must.Do(b, o.Add(context.Background(), "b.npy", func(w io.Writer) error { _, err := w.Write(make([]byte, size)); return err }))
	if _, err := o.Commit(); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(size)
	for b.Loop() {
		must.Do(b, Check(context.Background(), filepath.Join(dir, "b.npy")))
	}
}
