package corpus

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// TestConvertedTextKeepsItsNames: counts of a raw text come back from every format with classes,
// ids and terms, and its terms can count a new text.
func TestConvertedTextKeepsItsNames(t *testing.T) {
	c := must.Get(readBytes([]byte(wires), "reuters", ReadOptions{Text: TextOptions{MinDF: 1, NGrams: 2}}))(t)
	dir := t.TempDir()
	for _, name := range []string{"a.npz", "b.mtx", "c.mtx.gz", "d.svm", "e.npy", "f.csv", "g.tsv.gz"} {
		path := filepath.Join(dir, name)
		must.Do(t, Write(t.Context(), path, c))
		got := must.Get(Read(t.Context(), path, ReadOptions{}))(t)
		compareNames(t, got, c)
		if !slices.Equal(got.Terms, c.Terms) || !mat.Equal(got.X, c.X) {
			t.Errorf("%s: terms %q, counts %v", name, got.Terms, mat.Formatted(got.X))
		}
	}
	for _, name := range []string{"a.npz", "b.terms.txt", "f.csv"} {
		terms, err := ReadVocabulary(t.Context(), filepath.Join(dir, name))
		if err != nil || !slices.Equal(terms, c.Terms) {
			t.Fatalf("%s: %q, %v", name, terms, err)
		}
		again, err := readBytes([]byte(wires), "reuters", ReadOptions{Text: TextOptions{Vocabulary: terms}})
		if err != nil || !mat.Equal(again.X, c.X) {
			t.Errorf("%s: counted again in its own vocabulary the text differs: %v", name, err)
		}
	}
	commented := writeFile(t, dir, "commented.txt", []byte("\ufeff# the terms\nbank\n#\n\n# more\n#tag\nbank profit\n"))
	if terms, err := ReadVocabulary(t.Context(), commented); err != nil || !slices.Equal(terms, []string{"bank", "#tag", "bank profit"}) {
		t.Errorf("with comments: %q, %v", terms, err)
	}
	for name, parts := range map[string][]string{"empty.txt": {"no terms"}, "d.svm": {""}, "none.txt": {"no such file"}, "plain.npy": {"does not name its columns"}} {
		switch name {
		case "empty.txt":
			writeFile(t, dir, name, []byte("\n\n"))
		case "plain.npy":
			must.Do(t, Write(t.Context(), filepath.Join(dir, name), &Corpus{X: c.X}))
		case "d.svm": // named by the file beside it
			if terms, err := ReadVocabulary(t.Context(), filepath.Join(dir, name)); err != nil || !slices.Equal(terms, c.Terms) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		_, err := ReadVocabulary(context.Background(), filepath.Join(dir, name))
		wantFault(t, err, parts...)
	}
}

// TestLongText: 100 MB without a line break, as words and as one endless word.
func TestLongText(t *testing.T) {
	if testing.Short() {
		t.Skip("100 MB of text")
	}
	const size = 100 << 20
	dir := makeFolder(t, map[string]string{"a/words": strings.Repeat("some more words ", size/2/16), "a/word": strings.Repeat("x", size/2)})
	c := must.Get(Read(t.Context(), dir, ReadOptions{Text: TextOptions{MinDF: 1}, MaxBytes: 1 << 30}))(t)
	if got := textOf(c, 1); got != "words" || c.X.At(1, 0) != size/2/16 || textOf(c, 0) != "" {
		t.Errorf("terms %q", c.Terms)
	}
}
