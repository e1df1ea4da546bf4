package text

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/must"
)

// entry is a file of an archive, or a link if target is set.
type entry struct{ name, text, target string }

// packed writes a compressed archive.
func packed(t testing.TB, entries []entry) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "texts.tar.gz")
	f := must.Get(os.Create(path))(t)
	defer f.Close()
	z := must.Get(gzip.NewWriterLevel(f, gzip.BestSpeed))(t)
	w := tar.NewWriter(z)
	for _, e := range entries {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: e.name, Size: int64(len(e.text)), Mode: 0o644}
		if e.target != "" {
			h.Typeflag, h.Linkname = tar.TypeSymlink, e.target
		}
		must.Do(t, w.WriteHeader(h))
		if _, err := w.Write([]byte(e.text)); err != nil {
			t.Fatal(err)
		}
	}
	must.Do(t, w.Close())
	must.Do(t, z.Close())
	return path
}

// reviews are texts in folders, in another order than by name.
func reviews(folders ...string) []entry {
	var all []entry
	for i := 11; i >= 0; i-- {
		for _, f := range folders {
			all = append(all, entry{name: fmt.Sprintf("%s/%d.txt", f, i), text: fmt.Sprintf("film number%d plot actor %s caf\xe9%d", i%5, strings.ReplaceAll(f, "/", " "), i%3)})
		}
	}
	return all
}

// TestTarOnce: one pass over an archive gives what two passes give, and is refused where names that
// come late change which files are documents.
func TestTarOnce(t *testing.T) {
	parts := reviews("set/train/pos", "set/train/neg", "set/test/pos", "set/test/neg", "set/train/unsup")
	beside := []entry{{name: "set/README", text: "words of the readme alone"}, {name: "set/train/urls.txt", text: "words of addresses alone"}}
	long := strings.Repeat("long text of many words ", holdBytes/24/2)
	for name, c := range map[string]struct {
		entries []entry
		opt     ReadOptions
		once    bool
	}{
		"classes":             {reviews("a/x", "a/y"), ReadOptions{}, true},
		"flat":                {reviews("a"), ReadOptions{}, true},
		"parts":               {parts, ReadOptions{}, true},
		"beside, first":       {append(beside[:2:2], parts...), ReadOptions{}, true},
		"beside, last":        {append(parts[:len(parts):len(parts)], beside...), ReadOptions{}, true},
		"one part":            {append(beside[:2:2], parts...), ReadOptions{Split: []string{"train"}}, true},
		"last folder":         {append(beside[:2:2], parts...), ReadOptions{ClassFolder: "last"}, false},
		"hidden":              {append(reviews("a/x", "a/y"), entry{name: "a/.hidden/t", text: "hidden words"}), ReadOptions{}, true},
		"more than held":      {append([]entry{{name: "a/x/0", text: long}, {name: "a/x/00", text: long}, {name: "a/x/000", text: "last words"}}, reviews("a/x", "a/y")...), ReadOptions{}, true},
		"a class called test": {reviews("a/test", "a/trial"), ReadOptions{}, false},
		"link":                {append(reviews("a/x", "a/y"), entry{name: "a/y/again.txt", target: "../x/0.txt"}), ReadOptions{}, false},
		"link outside":        {append(reviews("a/x", "a/y"), entry{name: "a/y/again.txt", target: "/etc/hostname"}), ReadOptions{}, true},
		"sgml":                {append(reviews("a/x", "a/y"), entry{name: "a/y/reut.sgm", text: "words"}), ReadOptions{Format: "folder"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			path := packed(t, c.entries)
			open := func() *source {
				in, done, err := input.Open(context.Background(), path, input.Limits{MaxBytes: 2 << 30})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(done)
				in.Path = path
				return &source{File: in, opt: c.opt}
			}
			in := open()
			list := must.Get(in.tarList())(t)
			want, err := in.readTarTexts(list)
			if want, err = in.finishTar(want, list, "folder", err); err != nil {
				t.Fatal(err)
			}
			once := open()
			list, c2, ok, err := once.readTarOnce()
			if err != nil || ok != c.once {
				t.Fatalf("one pass: %v, %v", ok, err)
			}
			if ok {
				got, err := once.finishTar(c2, list, "folder", nil)
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("one pass gives\n%+v\nwant\n%+v (error %v)", got, want, err)
				}
			} else if once.Mem.Used() != 0 {
				t.Errorf("%d bytes are still reserved", once.Mem.Used())
			}
			whole := open()
			if got, err := ReadTar(whole.File, c.opt); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("ReadTar gives\n%+v\nwant\n%+v (error %v)", got, want, err)
			}
		})
	}
}

// TestTarOnceErrors: an error is the error of reading twice, in which lists of names come before
// texts.
func TestTarOnceErrors(t *testing.T) {
	for name, c := range map[string]struct {
		entries []entry
		want    string
	}{
		"PDFs alone":       {[]entry{{name: "a/x/p", text: "%PDF-1.4"}, {name: "a/x/q", text: "%PDF-1.4"}}, "is a PDF"},
		"a PDF and a twin": {append(reviews("a/x"), entry{name: "a/x/p", text: "%PDF-1.4"}, entry{name: "a/x/p", text: "text"}), "twice"},
		"no files":         {[]entry{{name: "a/.b", text: "x"}}, "holds no files"},
	} {
		path := packed(t, c.entries)
		in, done, err := input.Open(context.Background(), path, input.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		in.Path = path
		_, err = ReadTar(in, ReadOptions{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v", name, err)
		}
		done()
	}
	// A PDF that is no document does no harm, and one among documents is left out.
	for _, name := range []string{"s/train/p", "s/train/a/p"} {
		in, done, err := input.Open(context.Background(), packed(t, append(reviews("s/train/a", "s/test/a"), entry{name: name, text: "%PDF-1.4"})), input.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ReadTar(in, ReadOptions{}); err != nil {
			t.Error(err)
		}
		done()
	}
}
