package compound_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/compound"
	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
	"github.com/eigenmap/eigenmap/internal/must"
)

func open(data []byte) (*compound.Folder, error) {
	return compound.Open(bytes.NewReader(data), int64(len(data)))
}

// Streams of every size are read, in folders too, under names in any letters.
func TestStreams(t *testing.T) {
	content := map[string]string{"a": "x", "None": "", "inner/b": strings.Repeat("words ", 600), "inner/deep/c": strings.Repeat("y", 4096), "inner/d": strings.Repeat("z", 100_000)}
	var streams []string
	for name, data := range content {
		streams = append(streams, name, data)
	}
	data := corpustest.Compound(streams...)
	root := must.Get(open(data))(t)
	for name, want := range content {
		d := root
		steps := strings.Split(name, "/")
		for _, step := range steps[:len(steps)-1] {
			d = d.Folder(strings.ToUpper(step))
		}
		last := strings.ToUpper(steps[len(steps)-1])
		if got := must.Get(d.Read(last))(t); string(got) != want || !d.Has(last) || d.Size(last) != int64(len(want)) {
			t.Errorf("%s has %d bytes, not %d", name, len(got), len(want))
		}
	}
	if root.Has("b") || root.Folder("a") != nil || len(root.Names) != 3 {
		t.Errorf("names %q", root.Names)
	}
	if got, err := root.Read("b"); len(got) > 0 || err != nil {
		t.Errorf("a stream that is not there: %q, %v", got, err)
	}
}

// What is read of a file is never more than its bytes, though a stream is read again and again.
func TestAgain(t *testing.T) {
	root := must.Get(open(corpustest.Compound("a", strings.Repeat("z", 100_000))))(t)
	if _, err := root.Read("a"); err != nil {
		t.Fatal(err)
	}
	if _, err := root.Read("a"); err != compound.ErrDamaged {
		t.Errorf("got %v", err)
	}
}

// A file of folders within folders takes memory in proportion to its size.
func TestNestedFolders(t *testing.T) {
	data := corpustest.Compound(strings.Repeat("f/", 20000)+"s", "x")
	before := corpustest.Allocated()
	must.Get(open(data))(t)
	if took := corpustest.Allocated() - before; took > 12*uint64(len(data)) {
		t.Errorf("%d bytes for a file of %d", took, len(data))
	}
}

// A file that was cut off is refused, or what is read of it is what it held.
func TestCut(t *testing.T) {
	want := strings.Repeat("z", 5000)
	data := corpustest.Compound("a", want)
	for n := range len(data) {
		root, err := open(data[:n])
		if err == nil {
			var got []byte
			if got, err = root.Read("a"); err == nil && string(got) != want {
				t.Errorf("%d bytes: a stream of %d", n, len(got))
			}
		}
		if err != nil && err != compound.ErrDamaged {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// FuzzOpen reads arbitrary bytes as a compound file.
func FuzzOpen(f *testing.F) {
	f.Add(corpustest.Compound("a", "x", "inner/b", strings.Repeat("y", 5000)))
	f.Fuzz(func(t *testing.T, data []byte) {
		before, total := corpustest.Allocated(), 0
		root, err := open(data)
		if err == nil {
			for folders := []*compound.Folder{root}; len(folders) > 0; {
				d := folders[0]
				folders = folders[1:]
				for _, name := range d.Names {
					got, err := d.Read(name)
					if total += len(got); err != nil && err != compound.ErrDamaged {
						t.Fatal(err)
					}
					if inner := d.Folder(name); inner != nil {
						folders = append(folders, inner)
					}
				}
			}
		} else if err != compound.ErrDamaged {
			t.Fatal(err)
		}
		if took := corpustest.Allocated() - before; total > len(data) || took > uint64(corpustest.FuzzAllocs+100*len(data)) {
			t.Errorf("%d bytes of streams and %d taken for a file of %d", total, took, len(data))
		}
	})
}
