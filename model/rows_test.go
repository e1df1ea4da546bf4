package model

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// rowsOf are the rows of a corpus and how they were made.
func rowsOf(t *testing.T, c *corpus.Corpus, weighting, normalize string) (Rows, mat.Matrix) {
	t.Helper()
	r := must.Get(NewRows(c, weighting, normalize, nil))(t)
	x := must.Get(c.Weighted(weighting, normalize))(t)
	return r, x
}

// The corpus itself becomes the rows that it was, under every weighting and storage.
func TestRowsOfItself(t *testing.T) {
	for _, weighting := range []string{corpus.WeightTF, corpus.WeightTFIDF, corpus.WeightBinary} {
		for _, normalize := range []string{corpus.NormL2, corpus.NormNone} {
			c := counts(30, 1)
			r, want := rowsOf(t, c, weighting, normalize)
			got, match, err := r.Of(c)
			if err != nil || !mat.Equal(got, want) || match.By != "order" {
				t.Errorf("%s, %s: other rows: %v, %+v", weighting, normalize, err, match)
			}
			alone, _, err := r.Of(c.SelectRows([]int{17}))
			if err != nil || !mat.Equal(alone, want.(*sparse.CSR).SelectRows([]int{17})) {
				t.Errorf("%s, %s: a document alone has other weights: %v", weighting, normalize, err)
			}
		}
	}
}

// Columns are found by name in any order, with some missing and some unknown; by number otherwise.
func TestTermsAreMatched(t *testing.T) {
	train, fresh := counts(90, 1), counts(30, 9)
	// Back to front, without term07, with a column that the model does not know.
	source := []int{}
	moved := &corpus.Corpus{Name: "moved"}
	for j := len(fresh.Terms) - 1; j >= 0; j-- {
		if j != 7 {
			source = append(source, j)
			moved.Terms = append(moved.Terms, fresh.Terms[j])
		}
	}
	moved.Terms = append(moved.Terms, "unknown")
	x := rearranged(fresh.X.(*sparse.CSR), append(source, -1))
	extra := sparse.NewBuilder(30, 75)
	for i := range 30 {
		cols, vals := x.Row(i)
		for k, c := range cols {
			extra.Add(i, int(c), vals[k])
		}
		extra.Add(i, 74, 3)
	}
	movedX := must.Get(extra.Build())(t)
	without := fresh.X.(*sparse.CSR).Filter(func(_, j int, _ float64) bool { return j != 7 })
	for _, dense := range []bool{false, true} {
		c := *train
		if dense {
			c.X = c.X.(*sparse.CSR).ToDense()
		}
		r, _ := rowsOf(t, &c, corpus.WeightTFIDF, corpus.NormL2)
		want, match, err := r.Of(&corpus.Corpus{Name: "without", X: without})
		if err != nil {
			t.Fatal(err)
		}
		if match.By != "order" || match.String() != "" {
			t.Errorf("without names: %+v", match)
		}
		if _, isDense := want.(*mat.Dense); isDense != dense {
			t.Errorf("the rows are a %T", want)
		}
		for _, storage := range []mat.Matrix{movedX, movedX.ToDense()} {
			moved.X = storage
			got, match, err := r.Of(moved)
			if err != nil {
				t.Fatal(err)
			}
			if match != (Match{By: "name", Known: r.Columns - 1, New: 1, Missing: 1, absent: map[bool]string{true: "term07"}[dense]}) || !strings.Contains(match.String(), "1 is not in the model and is left out, 1 of the model does not occur") {
				t.Errorf("%+v", match)
			}
			if !mat.EqualApprox(got, want, 1e-15) {
				t.Error("matched by name the documents are others")
			}
		}
		for says, bad := range map[string]*corpus.Corpus{
			"75":                {Name: "narrow", X: fresh.X.(*sparse.CSR).SelectCols([]int{0, 1, 2})},
			"none of its":       {Name: "foreign", X: fresh.X.(*sparse.CSR).SelectCols([]int{0, 1}), Terms: []string{"x", "y"}},
			`are both called "`: {Name: "twins", X: fresh.X.(*sparse.CSR).SelectCols([]int{0, 1}), Terms: []string{"term00", "term00"}},
		} {
			if _, _, err := r.Of(bad); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), says) || !strings.HasPrefix(err.Error(), bad.Name) {
				t.Errorf("%s: %v", says, err)
			}
		}
	}
	r, _ := rowsOf(t, train, corpus.WeightTF, corpus.NormNone)
	r.Terms = slices.Clone(r.Terms)
	r.Terms[1] = r.Terms[0]
	if _, _, err := r.Of(fresh); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "several columns") {
		t.Errorf("a model with a name twice: %v", err)
	}
	back := &corpus.Corpus{Name: "back", X: fresh.X.(*sparse.CSR).SelectCols(slices.Insert(source, 67, 7)), Terms: slices.Clone(train.Terms)}
	slices.Reverse(back.Terms)
	r.Terms = train.Terms
	if _, match, err := r.Of(back); err != nil || match.String() != "All terms are the model's, in another order." {
		t.Errorf("%+v, %v", match, err)
	}
}

// Text is cut into the model's terms, which are stems: another most frequent word of a stem is the
// same term.
func TestTextsAreMatchedByStem(t *testing.T) {
	dir := t.TempDir()
	read := func(name, text string, opt corpus.TextOptions) *corpus.Corpus {
		path := filepath.Join(dir, name)
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
		c := must.Get(corpus.Read(background, path, corpus.ReadOptions{Text: opt}))(t)
		return c
	}
	stop := filepath.Join(dir, "stop.txt")
	must.Do(t, os.WriteFile(stop, []byte("bright"), 0o600))
	opt := corpus.TextOptions{StopWords: stop}
	var train strings.Builder
	for range 3 {
		train.WriteString(`{"text":"boats sail the bright river"}` + "\n" + `{"text":"violins sing the bright melody"}` + "\n")
	}
	c := read("train.jsonl", train.String(), opt)
	rows := must.Get(NewRows(c, corpus.WeightTF, corpus.NormNone, &opt))(t)
	if err := os.Remove(stop); err != nil { // the model holds the words
		t.Fatal(err)
	}
	if rows.Text.StopWords != "none" || !slices.Equal(rows.Text.Stop, []string{"bright"}) {
		t.Errorf("the stop words are %+v", rows.Text)
	}
	fresh := read("fresh.jsonl", `{"text":"bright boat sailing rivers and planets"}`+"\n", rows.TextOptions())
	x, match, err := rows.Of(fresh)
	if err != nil {
		t.Fatal(err)
	}
	if match.By != "stem" || match.New != 2 { // and, planets
		t.Errorf("%+v of %q", match, fresh.Terms)
	}
	for j, term := range c.Terms {
		want := 0.0
		if slices.Contains([]string{"boats", "sail", "river"}, term) {
			want = 1
		}
		if x.At(0, j) != want {
			t.Errorf("term %q has %v, want %v", term, x.At(0, j), want)
		}
	}
}

// Texts are read for a model with every term kept, and other files without options.
func TestTextOptions(t *testing.T) {
	if opt := new(Rows).TextOptions(); opt.MinDF != 1 || opt.MaxDF != 1 {
		t.Errorf("%+v", opt)
	}
	r := &Rows{Text: &corpus.TextOptions{MinDF: 5, MaxDF: 0.5, MinDFShare: 0.1, MaxDFCount: 9, Language: "german"}}
	if opt := r.TextOptions(); opt.MinDF != 1 || opt.MaxDF != 1 || opt.MinDFShare != 0 || opt.MaxDFCount != 0 || opt.Language != "german" || r.Text.MinDF != 5 {
		t.Errorf("%+v", opt)
	}
	c := counts(6, 1)
	made, err := NewRows(c, corpus.WeightTF, corpus.NormNone, &corpus.TextOptions{StopWords: "none", Vocabulary: []string{"one", "two words"}})
	if r.TextOptions().Markup != "keep" { // an older model
		t.Errorf("HTML is %q to a model that does not say", r.TextOptions().Markup)
	}
	if err != nil || made.Text.NGrams != 2 || made.Text.Vocabulary != nil || made.TextOptions().Markup != "auto" {
		t.Errorf("%+v, %v", made.Text, err)
	}
}

// TestDenseRowsAreBounded: sparse documents that a model takes as dense rows of more than 4 GiB are
// refused before the rows are made.
func TestDenseRowsAreBounded(t *testing.T) {
	const columns = 9 << 26 // 4.5 GiB of 8 bytes
	c := &corpus.Corpus{Name: "wide", X: &sparse.CSR{NumRows: 1, NumCols: columns, RowPtr: []int{0, 1}, Col: []int32{7}, Val: []float64{1}}}
	r := &Rows{Columns: columns, Weighting: corpus.WeightTF, Normalize: corpus.NormNone}
	if _, _, err := r.Of(c); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "4.5 GiB") {
		t.Errorf("%v", err)
	}
}
