package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// What is read in blocks has the terms, classes, notes and numbers of what is read whole, and its
// blocks have the rows.
func TestReadBlocksIsRead(t *testing.T) {
	var text strings.Builder
	for i := range 23 {
		label := fmt.Sprintf(`"label":%q,`, []string{"b", "a", "", "none"}[i%4])
		words := fmt.Sprintf("word%d word%d runs running ran", i%5, i%7)
		if i%6 == 5 {
			words = "..."
		}
		fmt.Fprintf(&text, "{%s\"text\":%q}\n", label, words)
	}
	path := filepath.Join(t.TempDir(), "texts.jsonl")
	must.Do(t, os.WriteFile(path, []byte(text.String()), 0o600))
	opt := ReadOptions{Text: TextOptions{MinDF: 1, NGrams: 2, ForModel: true}}
	want, err := Read(t.Context(), path, opt)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	b := must.Get(ReadBlocks(t.Context(), path, opt, func(id string) error {
		names = append(names, id)
		return nil
	}))(t)
	got := b.Outline
	sizes, none := got.ClassSizes()
	wantSizes, wantNone := want.ClassSizes()
	entries, _ := got.Entries()
	x := mat.DenseCopyOf(want.X)
	n, _ := x.Dims()
	count := nonZeros(x)
	if got.Len() != n || !slices.Equal(got.Terms, want.Terms) || !slices.Equal(got.ClassNames, want.ClassNames) || !slices.Equal(got.Notes, want.Notes) ||
		!slices.Equal(sizes, wantSizes) || none != wantNone || entries != count || !got.HasLabels() || got.Labels != nil || len(names) != n || names[22] != "23" {
		t.Errorf("%d documents, %d entries, %d and %d labelled, %q, notes %q; as a whole %d, %d, %d and %d, %q, %q", got.Len(), entries, sizes, none, got.Terms, got.Notes,
			n, count, wantSizes, wantNone, want.Terms, want.Notes)
	}
	first := 0
	err = b.Each(t.Context(), func(docs []Document) error {
		for part := range slices.Chunk(docs, 5) {
			c, err := b.Corpus(t.Context(), part, first)
			if err != nil {
				return err
			}
			for i := range part {
				if c.ID(i) != want.ID(first) || c.Labels[i] != want.Labels[first] || !mat.Equal(mat.DenseCopyOf(c.X).RowView(i), x.RowView(first)) {
					t.Errorf("document %d is another one in a block", first+1)
				}
				first++
			}
		}
		return nil
	})
	if err != nil || first != n {
		t.Errorf("%d documents in blocks: %v", first, err)
	}
}

// A table of numbers is not read in blocks, and that is no error.
func TestReadBlocksOfNumbers(t *testing.T) {
	matrix := filepath.Join(t.TempDir(), "x.csv")
	must.Do(t, os.WriteFile(matrix, []byte("a,b\n1,2\n3,4\n"), 0o600))
	if b, err := ReadBlocks(t.Context(), matrix, ReadOptions{}, func(string) error { return nil }); b != nil || err != nil {
		t.Errorf("numbers are read in blocks: %v, %v", b, err)
	}
}

// nonZeros counts the entries of a matrix.
func nonZeros(x *mat.Dense) (count int) {
	for _, v := range x.RawMatrix().Data {
		if v != 0 {
			count++
		}
	}
	return count
}

// The second pass over a file hands out no more documents than the first one found, and says so.
func TestSecondPassOfALongerFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "texts.jsonl")
	line := `{"text":"red house"}` + "\n"
	must.Do(t, os.WriteFile(path, []byte(strings.Repeat(line, 3)), 0o600))
	c, err := Survey(t.Context(), path, ReadOptions{}, func([]Document) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	must.Do(t, os.WriteFile(path, []byte(strings.Repeat(line, 5)), 0o600))
	got := 0
	err = c.Again(t.Context(), ReadOptions{}, func(docs []Document) error {
		got += len(docs)
		return nil
	})
	if got > 3 {
		t.Errorf("%d documents of 3", got)
	}
	wantFault(t, err, "it had 3 documents", "has more now", "do not write to it")
}

// Labels that are kept of documents that are not held take memory, which is counted.
func TestReadBlocksCountsLabels(t *testing.T) {
	path := filepath.Join(t.TempDir(), "texts.jsonl")
	var text strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&text, "{\"text\":\"red house\",\"label\":\"%s%d\"}\n", strings.Repeat("x", 60), i)
	}
	must.Do(t, os.WriteFile(path, []byte(text.String()), 0o600))
	for limit, fits := range map[int64]bool{2 << 20: false, 32 << 20: true} {
		_, err := ReadBlocks(t.Context(), path, ReadOptions{LabelColumn: "label", Text: TextOptions{MinDF: 1}, MaxBytes: limit}, func(string) error { return nil })
		if (err == nil) != fits {
			t.Errorf("within %d bytes: %v", limit, err)
		}
	}
}
