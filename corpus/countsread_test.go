package corpus_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// manyTexts is a file of texts with empty ones, copies, classes, and two languages.
func manyTexts(t *testing.T, n int) string {
	t.Helper()
	var b strings.Builder
	for i := range n {
		text := fmt.Sprintf("the cat number w%d chases w%d w%d and w%d mice mice", i, i%7, i%11, i%50)
		switch i % 10 {
		case 3:
			text = ""
		case 4:
			text = "die Katze jagt die Maus und der Hund schläft unter dem Tisch"
		case 5:
			text = "the cat chases mice"
		}
		fmt.Fprintf(&b, `{"id":"d%d","label":"c%d","text":%q}`+"\n", i, i%3, text)
	}
	file := filepath.Join(t.TempDir(), "texts.jsonl")
	must.Do(t, os.WriteFile(file, []byte(b.String()), 0o666))
	return file
}

// TestReadCounts: documents whose counts stay as they were counted are the documents that Read
// gives without, and weigh the same.
func TestReadCounts(t *testing.T) {
	file := manyTexts(t, 500)
	for name, text := range map[string]corpus.TextOptions{
		"auto": {}, "for a model": {Language: "auto", MinDF: 1, MaxDF: 1, ForModel: true}, "runs": {NGrams: 2, MinDF: 2}, "rare left out": {MinDF: 5},
	} {
		opt := corpus.ReadOptions{Text: text, Snippets: 20}
		want := must.Get(corpus.Read(t.Context(), file, opt))(t)
		opt.Counts = true
		got := must.Get(corpus.Read(t.Context(), file, opt))(t)
		if _, ok := got.X.(*sparse.Counts); !ok || !mat.Equal(got.X, want.X) {
			t.Fatalf("%s: a %T, or other counts", name, got.X)
		}
		if !slices.Equal(got.Terms, want.Terms) || !slices.Equal(got.Stems, want.Stems) || !slices.Equal(got.IDs, want.IDs) || !slices.Equal(got.Labels, want.Labels) ||
			!slices.Equal(got.ClassNames, want.ClassNames) || !slices.Equal(got.Notes, want.Notes) || !slices.Equal(got.Snippets, want.Snippets) || !slices.Equal(got.Rarities, want.Rarities) {
			t.Errorf("%s: other names or notes:\n%q\n%q", name, got.Notes, want.Notes)
		}
		a := must.Get(got.Weighted(corpus.WeightTFIDF, corpus.NormL2))(t)
		b, err := want.Weighted(corpus.WeightTFIDF, corpus.NormL2)
		if err != nil || !mat.Equal(a, b) {
			t.Errorf("%s: other weights: %v", name, err)
		}
		idf, err := got.IDF()
		wanted, _ := want.IDF()
		if err != nil || !slices.Equal(idf, wanted) {
			t.Errorf("%s: other idf: %v", name, err)
		}
		if !mat.Equal(corpus.RowsOf(got.X, 100, 140), corpus.RowsOf(want.X, 100, 140)) || !mat.Equal(got.SelectRows([]int{9, 3}).X, want.SelectRows([]int{9, 3}).X) {
			t.Errorf("%s: other rows", name)
		}
		if again, err := corpus.Read(t.Context(), file, opt); err != nil || again.Digest() != got.Digest() {
			t.Errorf("%s: another digest: %v", name, err)
		}
	}
}

// TestReadCountsInLessMemory: counts that fit and would not as a sparse matrix are read.
func TestReadCountsInLessMemory(t *testing.T) {
	file := manyTexts(t, 500)
	words := make([]string, 400)
	for k := range words {
		words[k] = fmt.Sprintf("word%d", k)
	}
	line := fmt.Sprintf(`{"text":%q}`+"\n", strings.Join(words, " "))
	must.Do(t, os.WriteFile(file, []byte(strings.Repeat(line, 1000)), 0o666))
	opt := corpus.ReadOptions{Text: corpus.TextOptions{MinDF: 1, MaxDF: 1, ForModel: true}, MaxBytes: 5 << 20}
	if _, err := corpus.Read(t.Context(), file, opt); !errors.As(err, new(*corpus.FormatError)) {
		t.Errorf("400,000 entries as a sparse matrix in 5 MiB: %v", err)
	}
	opt.Counts = true
	if _, err := corpus.Read(t.Context(), file, opt); err != nil {
		t.Error(err)
	}
}

// Keys of counts differ if an entry does.
func TestHashCounts(t *testing.T) {
	key := func(count int32) store.Key {
		h := store.NewHasher("test")
		h.Matrix(sparse.NewCounts(1, []sparse.CountsPart{{Data: sparse.AppendCount(nil, 0, count), Ends: []int{1 + int(min(1, count-1))}, Column: []int32{0}}}))
		return h.Key()
	}
	if one, two, again := key(1), key(2), key(2); one == two || two != again {
		t.Error("keys do not follow the counts")
	}
}

// A corpus whose counts stay as they were counted holds counts, like the one as a CSR.
func TestCountsHoldCounts(t *testing.T) {
	var texts strings.Builder
	for i := range 300 {
		for j := range 12 {
			texts.WriteString(fmt.Sprintf("word%c%c ", 'a'+i*7%26, 'a'+(i+j*j)%26))
		}
		texts.WriteString("twice twice\n")
	}
	path := filepath.Join(t.TempDir(), "a.txt")
	must.Do(t, os.WriteFile(path, []byte(texts.String()), 0o644))
	for _, counts := range []bool{false, true} {
		c := must.Get(corpus.Read(t.Context(), path, corpus.ReadOptions{Format: "lines", Counts: counts}))(t)
		if _, ok := c.X.(*sparse.Counts); ok != counts {
			t.Fatalf("counts %v: %T", counts, c.X)
		}
		if !c.HoldsCounts() {
			t.Errorf("counts %v: they are taken for no counts", counts)
		}
	}
}
