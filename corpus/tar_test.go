package corpus

import (
	"archive/tar"
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
)

// tarred packs files given as name, content, name, content, ...
func tarred(files ...string) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w.WriteHeader(&tar.Header{Name: files[i], Mode: 0o644, Size: int64(len(files[i+1])), Typeflag: tar.TypeReg})
		w.Write([]byte(files[i+1]))
	}
	w.WriteHeader(&tar.Header{Name: "news/link", Linkname: "x", Typeflag: tar.TypeSymlink})
	w.Close()
	return b.Bytes()
}

// TestTarIsItsFolder: an archive in any order gives the corpus of the unpacked folder.
func TestTarIsItsFolder(t *testing.T) {
	files := map[string]string{
		"b.x/2": "match goal", "b.x/10": "goal", "b/1": "cat dog", "b/old/1.gz": gzipped("dog"), "top": "match", "b/.hidden": "hidden",
	}
	want := must.Get(Read(context.Background(), makeFolder(t, files), ReadOptions{Text: TextOptions{MinDF: 1}}))(t)
	for _, order := range [][]string{{"b.x/2", "top", "b/old/1.gz", "b/1", "b/.hidden", "b.x/10"}, {"b/1", "b/old/1.gz", "b.x/10", "b.x/2", "top"}} {
		for _, prefix := range []string{"", "./", "news/", "./a/news/"} {
			var list []string
			for _, name := range order {
				list = append(list, prefix+name, files[name])
			}
			for name, data := range map[string][]byte{"n.tar": tarred(list...), "n.tar.gz": []byte(gzipped(string(tarred(list...))))} {
				c := must.Get(Read(context.Background(), writeFile(t, t.TempDir(), name, data), ReadOptions{Text: TextOptions{MinDF: 1}}))(t)
				if classOf(c) != classOf(want) || c.Format != "folder" || !slices.Equal(c.Terms, want.Terms) {
					t.Fatalf("the archive gives %s, the folder %s", classOf(c), classOf(want))
				}
				for i := range c.Len() {
					for j := range c.Terms {
						if c.X.At(i, j) != want.X.At(i, j) {
							t.Fatalf("document %s, term %s: %v, want %v", c.ID(i), c.Terms[j], c.X.At(i, j), want.X.At(i, j))
						}
					}
				}
			}
		}
	}
}

func TestTarOfReuters(t *testing.T) {
	data := tarred("reuters/README", "words", "reuters/a.sgm", doctype+wire("1", "TRAIN", "YES", "earn", story("Profit", "profit")),
		"reuters/b.sgm.gz", gzipped(wire("2", "TEST", "YES", "acq", story("Merger", "merger"))))
	c := must.Get(readBytes(data, "", ReadOptions{Text: TextOptions{MinDF: 1}}))(t)
	if got := classOf(c); got != "train/1:earn test/2:acq" || c.Format != "reuters" {
		t.Errorf("%s %s", c.Format, got)
	}
}

func TestTarErrors(t *testing.T) {
	good := tarred("a/1", "some words", "a/2", "some words")
	for _, tc := range []struct {
		name  string
		data  []byte
		opt   ReadOptions
		parts []string
	}{
		{"cut off", good[:515], ReadOptions{}, []string{"cut off"}},
		{"nothing in it", tarred(), ReadOptions{}, []string{"no files"}},
		{"twice", tarred("a/1", "words", "./a/1", "words"), ReadOptions{}, []string{"a/1 twice"}},
		{"NUL", tarred("a/1", "some words", "b/1", "a\x00"), ReadOptions{}, []string{"b/1", "NUL"}},
		{"too long", tarred("a/1", strings.Repeat("words ", 1<<18)), ReadOptions{MaxBytes: 4 << 20}, []string{"a/1", "longer"}},
		{"bad SGML", tarred("a.sgm", "<REUTERS"), ReadOptions{}, []string{"a.sgm", "line 1"}},
		{"no SGML", good, ReadOptions{Format: "reuters"}, []string{"none"}},
	} {
		_, err := readBytes(tc.data, tc.opt.Format, tc.opt)
		if tc.name == "no SGML" {
			wantFault(t, err, "no")
			continue
		}
		if err == nil {
			t.Errorf("%s: no error", tc.name)
			continue
		}
		wantFault(t, err, tc.parts...)
	}
}

// TestNewsgroupsOriginal: 20news-bydate with its parts, without headers, quotes and footers.
func TestNewsgroupsOriginal(t *testing.T) {
	c := must.Get(Read(t.Context(), original(t, "20news-bydate.tar"), ReadOptions{Strip: []string{StripHeaders, StripQuotes, StripFooters}}))(t)
	checkInvariants(t, c)
	if c.Len() != 18846 || len(c.ClassNames) != 20 {
		t.Errorf("%d documents, %d classes", c.Len(), len(c.ClassNames))
	}
	train := 0
	for _, id := range c.IDs {
		if strings.HasPrefix(id, "train/") {
			train++
		}
	}
	if train != 11314 || !slices.Contains(c.IDs, "train/alt.atheism/49960") || !slices.Contains(c.IDs, "test/alt.atheism/53068") {
		t.Errorf("%d documents to train on", train)
	}
	if sizes, _ := c.ClassSizes(); c.ClassNames[0] != "alt.atheism" || sizes[0] != 799 {
		t.Errorf("%d of %s", sizes[0], c.ClassNames[0])
	}
	// Half of the posts have a header NNTP-Posting-Host.
	if j := slices.Index(c.Terms, "nntp"); j >= 0 && c.X.(*sparse.CSR).ColCounts()[j] > 200 {
		t.Errorf("nntp is still in %v documents", c.X.(*sparse.CSR).ColCounts()[j])
	}
}

// TestTarLinks: links to a file of the archive are documents as in the folder, in any order of
// entries; a note counts the links that lead elsewhere.
func TestTarLinks(t *testing.T) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	entry := func(kind byte, name, target, text string) {
		w.WriteHeader(&tar.Header{Name: name, Linkname: target, Mode: 0o644, Size: int64(len(text)), Typeflag: kind})
		w.Write([]byte(text))
	}
	entry(tar.TypeSymlink, "hl/b/early.txt", "../a/1.txt", "")
	entry(tar.TypeReg, "hl/a/1.txt", "", "cat dog")
	entry(tar.TypeLink, "hl/b/1.txt", "hl/a/1.txt", "")
	entry(tar.TypeSymlink, "hl/b/chain.txt", "1.txt", "")
	entry(tar.TypeReg, "hl/b/2.txt", "", "match")
	entry(tar.TypeReg, "hl/.store/x", "", "goal")
	entry(tar.TypeSymlink, "hl/b/3.txt", "../.store/x", "")
	for name, target := range map[string]string{"hl/b/out": "../../x", "hl/b/root": "/hl/a/1.txt", "hl/b/loop": "loop", "hl/b/folder": "../a", "hl/b/.gone": "gone"} {
		entry(tar.TypeSymlink, name, target, "")
	}
	entry(tar.TypeLink, "hl/b/hard", "hl/gone", "")
	entry(tar.TypeFifo, "hl/b/pipe", "", "")
	w.Close()
	for name, data := range map[string][]byte{"n.tar": b.Bytes(), "n.tar.gz": []byte(gzipped(b.String()))} {
		c := must.Get(Read(t.Context(), writeFile(t, t.TempDir(), name, data), ReadOptions{Text: TextOptions{MinDF: 1}}))(t)
		if got := classOf(c); got != "a/1.txt:a b/1.txt:b b/2.txt:b b/3.txt:b b/chain.txt:b b/early.txt:b" {
			t.Errorf("documents %s", got)
		}
		for i, want := range []string{"cat dog", "cat dog", "match", "goal", "cat dog", "cat dog"} {
			if got := textOf(c, i); got != want {
				t.Errorf("%s holds %q, want %q", c.ID(i), got, want)
			}
		}
		wantNote(t, c, "6 names in the archive were skipped")
	}
}

// TestTarReutersLinks: a file of SGML with two names is read once, and a link may give it the name
// with the extension.
func TestTarReutersLinks(t *testing.T) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	text := doctype + wire("1", "TRAIN", "YES", "earn", story("Profit", "profit"))
	w.WriteHeader(&tar.Header{Name: "data/blob", Size: int64(len(text)), Typeflag: tar.TypeReg})
	w.Write([]byte(text))
	for _, name := range []string{"a.sgm", "b.sgm"} {
		w.WriteHeader(&tar.Header{Name: name, Linkname: "data/blob", Typeflag: tar.TypeSymlink})
	}
	w.Close()
	c := must.Get(readBytes(b.Bytes(), "", ReadOptions{Text: TextOptions{MinDF: 1}}))(t)
	if got := classOf(c); got != "train/1:earn" {
		t.Errorf("documents %s", got)
	}
}
