package corpus

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/progress"
)

func TestFolder(t *testing.T) {
	dir := makeFolder(t, map[string]string{
		"sport/2.txt":         "the match and the goal",
		"sport/10.txt":        "goal",
		"sport/old/a.txt.gz":  gzipped("match"),
		"animals/1":           "\ufeffcat and dog",
		"animals/empty":       "",
		"animals/.hidden":     "invisible",
		".git/config":         "invisible",
		"notes.txt":           "cat goal caf\xe9",
		"animals/sub/deep/x1": "dog",
	})
	c := must.Get(readFolder(context.Background(), dir, ReadOptions{Text: TextOptions{MinDF: 1}}, nil))(t)
	if want := []string{"animals/1", "animals/empty", "animals/sub/deep/x1", "notes.txt", "sport/10.txt", "sport/2.txt", "sport/old/a.txt"}; !slices.Equal(c.IDs, want) {
		t.Errorf("ids %q", c.IDs)
	}
	if !slices.Equal(c.ClassNames, []string{"animals", "sport"}) || !slices.Equal(c.Labels, []int{0, 0, 0, -1, 1, 1, 1}) {
		t.Errorf("classes %q, labels %v", c.ClassNames, c.Labels)
	}
	if !slices.Equal(c.Terms, []string{"caf", "cat", "dog", "goal", "match"}) {
		t.Errorf("terms %q", c.Terms)
	}
	if c.X.At(6, 4) != 1 || c.X.At(0, 1) != 1 || c.X.At(5, 3) != 1 {
		t.Error("counts differ from the files'")
	}
	if !slices.ContainsFunc(c.Notes, func(n string) bool { return strings.Contains(n, "not UTF-8 (first: notes.txt)") }) {
		t.Errorf("notes %q", c.Notes)
	}
}

// TestFolderXZ: texts packed with xz are read as those packed with gzip.
func TestFolderXZ(t *testing.T) {
	files := map[string]string{"a/1.txt": "cat", "b/2.txt.xz": string(xzipped(t, "cat dog")), "b/3.gz": gzipped("dog")}
	c, err := Read(t.Context(), makeFolder(t, files), ReadOptions{Text: TextOptions{MinDF: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if got := classOf(c); got != "a/1.txt:a b/2.txt:b b/3:b" || textOf(c, 1) != "cat dog" {
		t.Errorf("%s: %q", got, textOf(c, 1))
	}
	_, err = Read(t.Context(), makeFolder(t, map[string]string{"a/1.xz": files["b/2.txt.xz"][:30]}), ReadOptions{})
	wantFault(t, err, "a/1.xz", "cut off")
	_, err = Read(t.Context(), makeFolder(t, map[string]string{"a/1.xz": string(xzipped(t, strings.Repeat("words ", 1<<18)))}), ReadOptions{MaxBytes: 4 << 20})
	wantFault(t, err, "a/1.xz", "longer")
}

func TestFolderWithoutSubfolders(t *testing.T) {
	dir := makeFolder(t, map[string]string{"a": "some words", "b": "some words"})
	c := must.Get(Read(context.Background(), dir, ReadOptions{}))(t)
	if c.Labels != nil || c.Len() != 2 {
		t.Errorf("%d documents, labels %v", c.Len(), c.Labels)
	}
}

func TestFolderLinks(t *testing.T) {
	dir := makeFolder(t, map[string]string{"a/1": "some words", "a/2": "some words"})
	for link, target := range map[string]string{"a/loop": "..", "a/self": "self2", "a/self2": ".", "b": "a", "a/3": "1"} {
		if err := os.Symlink(target, filepath.Join(dir, filepath.FromSlash(link))); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	c := must.Get(readFolder(context.Background(), dir, ReadOptions{}, nil))(t)
	if want := []string{"a/1", "a/2", "a/3"}; !slices.Equal(c.IDs, want) {
		t.Errorf("ids %q, want %q", c.IDs, want)
	}
	if !slices.ContainsFunc(c.Notes, func(n string) bool { return strings.HasPrefix(n, "4 names") }) {
		t.Errorf("links are not told: %q", c.Notes)
	}
}

// A path of hundreds of nested folders is read; the class is the outermost folder.
func TestFolderDeep(t *testing.T) {
	deep := strings.Repeat("d/", 400)
	c := must.Get(readFolder(context.Background(), makeFolder(t, map[string]string{"top/" + deep + "x": "some words", "side/y": "some words"}), ReadOptions{}, nil))(t)
	if got := classOf(c); got != "side/y:side top/"+deep+"x:top" {
		t.Errorf("documents %s", got)
	}
}

func TestFolderErrors(t *testing.T) {
	for name, tc := range map[string]struct{ file, text, why string }{
		"picture":          {"x/p.png", "\x89PNG\r\n\x1a\n\x00\x00", "NUL"},
		"PDF":              {"x/p.pdf", "%PDF-1.4\nstream", "PDF"},
		"UTF-16, no words": {"x/u", "\xff\xfea\x00", "has a word"},
		"UTF-16 of zeros":  {"x/u", "\xff\xfea\x00\x00\x00", "NUL"},
		"UTF-32":           {"x/u", "\xff\xfe\x00\x00a\x00\x00\x00", "is UTF-32"},
		"UTF-32 BE":        {"x/u", "\x00\x00\xfe\xff\x00\x00\x00a", "is UTF-32"},
		"picture, packed":  {"x/p.gz", gzipped("\x00\x01"), "NUL"},
		"gzip cut off":     {"x/p.gz", gzipped("some words and more")[:20], "cut off"},
		"gzip head only":   {"x/p.gz", "\x1f\x8b", "cut off"},
		"gzip damaged":     {"x/p.gz", "\x1f\x8bwords and more words", "damaged"},
		"no words":         {"x/p", "42", "has a word"},
		"longer than fits": {"x/p", strings.Repeat("words ", 1<<18), "longer"},
		"a gzip bomb":      {"x/p.gz", gzipped(strings.Repeat("words ", 1<<18)), "longer"},
	} {
		_, err := readFolder(context.Background(), makeFolder(t, map[string]string{tc.file: tc.text}), ReadOptions{MaxBytes: 8 << 20}, nil)
		var format *FormatError
		if !errors.As(err, &format) || !strings.Contains(format.Why, tc.why) {
			t.Errorf("%s: %v does not tell %q", name, err, tc.why)
		}
	}
	for _, files := range []map[string]string{{}, {".hidden": "words"}} {
		if _, err := readFolder(context.Background(), makeFolder(t, files), ReadOptions{}, nil); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("an empty folder: %v", err)
		}
	}
}

func TestFolderUnreadableFile(t *testing.T) {
	dir := makeFolder(t, map[string]string{"x/a": "some words", "x/b": "some words"})
	must.Do(t, os.Chmod(filepath.Join(dir, "x", "b"), 0))
	if _, err := os.ReadFile(filepath.Join(dir, "x", "b")); err == nil {
		t.Skip("this user may read everything")
	}
	if _, err := readFolder(context.Background(), dir, ReadOptions{}, nil); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "b: ") {
		t.Errorf("got %v", err)
	}
}

func TestFolderFirstBadFileIsNamed(t *testing.T) {
	files := map[string]string{}
	for i := range 400 {
		files[fmt.Sprintf("x/%03d", i)] = "some words"
	}
	for _, bad := range []int{7, 31, 399} {
		files[fmt.Sprintf("x/%03d", bad)] = "\x00"
	}
	dir := makeFolder(t, files)
	for range 5 {
		c := must.Get(readFolder(context.Background(), dir, ReadOptions{}, nil))(t)
		if want := "3 files of one kind are left out: the first, x/007, is not text, it holds NUL bytes; move it out of the folder."; c.Len() != 397 || !slices.Contains(c.Notes, want) {
			t.Fatalf("%d documents, %q", c.Len(), c.Notes)
		}
	}
}

func TestFolderCancelledAndObserved(t *testing.T) {
	dir := makeFolder(t, map[string]string{"a": "some words"})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := readFolder(ctx, dir, ReadOptions{Observer: func(progress.Event) {}}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
