package corpus

import (
	"compress/gzip"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
)

// A pass over a corpus, and rows of all its documents, are what Read gives: of every format that is
// read in blocks, with ids of some documents alone, labels that mean none, and odd ones.
func TestSurveyIsRead(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if strings.HasSuffix(name, ".gz") {
			z := gzip.NewWriter(f)
			_, err = z.Write([]byte(text))
			err = errors.Join(err, z.Close())
		} else {
			_, err = f.WriteString(text)
		}
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	lines := `{"id":"a","text":"the red house stands","label":"10"}
{"text":"a red car drives","label":"9"}

{"id":7,"text":null,"label":"none"}
{"text":"houses and cars","label":-1}
`
	table := "name,body,kind\nx,\"the red house, and a car\",b\ny,a red car drives,a\nz,houses stand here,b\n"
	for _, path := range []string{
		write("a.jsonl", lines), write("a.jsonl.gz", lines), write("parts/1.jsonl", lines),
		write("a.csv", table), write("a.tsv", strings.ReplaceAll(strings.ReplaceAll(table, ", ", " "), ",", "\t")),
		write("a.json", `[{"id":"p","text":"red house"},{"id":"q","text":"house car"}]`),
	} {
		if strings.HasSuffix(path, "1.jsonl") {
			write("parts/2.jsonl", "{\"id\":\"later\",\"text\":\"a house\",\"label\":\"x\"}\n")
			path = filepath.Dir(path)
		}
		opt := ReadOptions{Text: TextOptions{MinDF: 1}}
		want := must.Get(Read(context.Background(), path, opt))(t)
		var docs []Document
		c, err := Survey(context.Background(), path, opt, func(some []Document) error {
			docs = append(docs, some...)
			return nil
		})
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		got := must.Get(c.Corpus(context.Background(), docs, opt))(t)
		x, y := got.X.(*sparse.CSR), want.X.(*sparse.CSR)
		if !slices.Equal(x.RowPtr, y.RowPtr) || !slices.Equal(x.Col, y.Col) || !slices.Equal(x.Val, y.Val) || !slices.Equal(got.Terms, want.Terms) || got.Format != want.Format {
			t.Errorf("%s: other rows, terms or format (%s, %s)", path, got.Format, want.Format)
		}
		for i := range docs {
			if got.ID(i) != want.ID(i) || got.className(i) != want.className(i) {
				t.Errorf("%s: document %d is %s of %q, not %s of %q", path, i, got.ID(i), got.className(i), want.ID(i), want.className(i))
			}
		}
		if !slices.Equal(got.ClassNames, want.ClassNames) || c.Documents != want.Len() {
			t.Errorf("%s: classes %q of %d, not %q of %d", path, got.ClassNames, c.Documents, want.ClassNames, want.Len())
		}
		again := 0
		if err := c.Again(context.Background(), opt, func(some []Document) error { again += len(some); return nil }); err != nil || again != len(docs) {
			t.Errorf("%s: %d documents again, %v", path, again, err)
		}
	}
}

func TestSurveyRefuses(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"numbers.csv": "a,b\n1,2\n3,4\n", "a.mtx": "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n", "bad.jsonl": "{\"text\":\"a\"}\n{\"text\":\n", "empty.jsonl": "\n\n",
	} {
		path := filepath.Join(dir, name)
		must.Do(t, os.WriteFile(path, []byte(text), 0o644))
		if _, err := Survey(context.Background(), path, ReadOptions{}, func([]Document) error { return nil }); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	path := filepath.Join(dir, "grows.jsonl")
	_ = os.WriteFile(path, []byte("{\"text\":\"a\"}\n"), 0o644)
	c := must.Get(Survey(context.Background(), path, ReadOptions{}, func([]Document) error { return nil }))(t)
	_ = os.WriteFile(path, []byte("{\"text\":\"a\"}\n{\"text\":\"b\"}\n"), 0o644)
	if err := c.Again(context.Background(), ReadOptions{}, func([]Document) error { return nil }); err == nil || !strings.Contains(err.Error(), "had 1 documents") {
		t.Errorf("a file that grew: %v", err)
	}
	mine := errors.New("enough")
	if _, err := Survey(context.Background(), path, ReadOptions{}, func([]Document) error { return mine }); !errors.Is(err, mine) {
		t.Errorf("the caller's error became %v", err)
	}
}
