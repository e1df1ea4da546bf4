package predicting_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/predicting"
	"github.com/eigenmap/eigenmap/progress"
)

// packed is a text compressed by gzip.
func packed(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(text); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestWrittenAsPlaced: documents that are written as they are placed have the files, the numbers,
// the notes and the errors of documents that are held, whatever the file says of them.
func TestWrittenAsPlaced(t *testing.T) {
	defer predicting.SetBlockItems(7)()
	dir := t.TempDir()
	lines := func(n int, line func(i int, text string) string) []byte {
		var b bytes.Buffer
		for i := range n {
			b.WriteString(line(i, fmt.Sprintf("word%d word%d word%d", i%40, 100+i*7%40, i*3%40)) + "\n")
		}
		return b.Bytes()
	}
	plain := lines(30, func(i int, text string) string { return fmt.Sprintf(`{"text":%q}`, text) })
	files := map[string]struct {
		text []byte
		held bool // they are read into memory
	}{
		"no names or labels.jsonl": {text: plain},
		"packed.jsonl.gz":          {text: packed(t, plain)},
		"lines.txt":                {text: lines(30, func(_ int, text string) string { return text })},
		"table.csv": {text: append([]byte("id,text,label\n"), lines(30, func(i int, text string) string {
			return fmt.Sprintf("=d%d,%s,%s", i, text, []string{"a", "b", ""}[i%3])
		})...)},
		"some labels.jsonl": {text: lines(30, func(i int, text string) string {
			return fmt.Sprintf(`{"id":"d%d","label":%q,"text":%q}`, i, []string{"10", "9", "none", "-1"}[i%4], text)
		})},
		"lists of labels.jsonl": {text: lines(30, func(i int, text string) string {
			return fmt.Sprintf(`{"label":["a","b"],"text":%q}`, text)
		})},
		"missing texts.jsonl": {text: lines(30, func(i int, text string) string {
			return []string{`{"text":null}`, `{"id":"x` + fmt.Sprint(i) + `"}`, fmt.Sprintf(`{"text":%q}`, text)}[i%3]
		})},
		"no words.jsonl":     {text: []byte(`{"text":"-"}` + "\n" + `{"text":"+"}` + "\n")},
		"no documents.jsonl": {text: []byte{}, held: true},
		"German.jsonl": {text: lines(30, func(i int, text string) string {
			return fmt.Sprintf(`{"text":"die Katze jagt die Maus, und der Hund von %s schläft unter dem Tisch <b>%d</b>"}`, text, i)
		})},
		"twice.jsonl": {text: lines(30, func(i int, text string) string {
			return fmt.Sprintf(`{"id":"d%d","text":%q}`, i%29, text)
		}), held: true},
		"broken.jsonl": {text: append(slices.Clone(plain), []byte("{broken\n")...)},
		"of words.csv": {text: append([]byte("word0,word1,word2,word3\n"), lines(9, func(i int, _ string) string {
			return fmt.Sprintf("%d,%d,1,0", i%3, i%2)
		})...), held: true},
	}
	same := func(name string) string { return name }
	for kind, opt := range map[string]eigenmap.Options{
		"le":   {Method: "le", Clusters: 3},
		"plsa": {Method: "plsa", Clusters: 3, Text: eigenmap.Text{NGrams: 2}},
		"lsi":  {Method: "lsi"}, // without clusters
	} {
		fit := eigenmap.Cluster
		if kind == "lsi" {
			fit = eigenmap.Embed
		}
		run := must.Get(fit(t.Context(), topics(t, filepath.Join(dir, "fit.jsonl"), 90, 1), opt))(t)
		model := filepath.Join(dir, kind)
		must.Do(t, run.Save(model))
		for name, f := range files {
			file := filepath.Join(dir, name)
			must.Do(t, os.WriteFile(file, f.text, 0o666))
			var opt eigenmap.Options
			if kind == "plsa" {
				opt.Reject = .7
			}
			if name == "lines.txt" {
				opt.Source.Format = "lines"
			}
			u, failed := eigenmap.Update(t.Context(), model, file, opt)
			out := filepath.Join(t.TempDir(), "out")
			to := must.Get(eigenmap.OpenFolder(out))(t)
			got, _, err := eigenmap.UpdateInto(t.Context(), model, file, eigenmap.Into{Folder: to}, opt)
			to.Discard()
			if fmt.Sprint(err) != fmt.Sprint(failed) {
				t.Errorf("%s, %s: the error is %v, not %v", kind, name, err, failed)
			}
			if failed != nil || err != nil {
				continue
			}
			if held := got.Labels != nil; held != f.held && kind != "lsi" {
				t.Errorf("%s, %s: documents are held: %v", kind, name, held)
			}
			whole := filepath.Join(t.TempDir(), "whole")
			must.Do(t, u.Save(whole))
			want, have := saved(t, whole, u.JSON(same, nil)), saved(t, out, got.JSON(same, nil))
			if len(want) != len(have) {
				t.Errorf("%s, %s: %d files, not %d", kind, name, len(have), len(want))
			}
			for file, text := range want {
				if have[file] != text {
					t.Errorf("%s, %s: %s is\n%.700s\nnot\n%.700s", kind, name, file, have[file], text)
				}
			}
			if a, b := fmt.Sprint(got.Rows(), got.DriftRows()), fmt.Sprint(u.Rows(), u.DriftRows()); a != b {
				t.Errorf("%s, %s: it says\n%s\nnot\n%s", kind, name, a, b)
			}
		}
	}
}

// TestWrittenAsPlacedIsBounded: what is placed and written takes no memory for the documents of
// other blocks: a bound that does not hold the places of all documents holds those of a block.
func TestWrittenAsPlacedIsBounded(t *testing.T) {
	defer predicting.SetBlockItems(50)()
	dir := t.TempDir()
	model, file := clustered(t, dir), topics(t, filepath.Join(dir, "new.jsonl"), 3000, 2)
	ctx := memory.Bound(t.Context(), 200_000)
	if _, err := eigenmap.Predict(ctx, model, file); err == nil || !strings.Contains(err.Error(), "memory") {
		t.Errorf("3,000 documents that are held fit: %v", err)
	}
	p, _, err := eigenmap.PredictInto(ctx, model, file, eigenmap.Into{})
	if err != nil {
		t.Fatal(err)
	}
	if p.Labels != nil || p.Embedding != nil || p.Corpus.IDs != nil || p.Corpus.Len() != 3000 {
		t.Error("documents are held")
	}
	sum := 0
	for _, n := range p.Sizes {
		sum += n
	}
	if sum != 3000 || p.Scores == nil {
		text, _ := json.Marshal(p.JSON(func(name string) string { return name }, nil))
		t.Errorf("%d documents are in clusters: %s", sum, text)
	}
}

// TestFileThatGrows: a file that is written to between the two passes, or within the second one, is
// an error that says so, and nothing is left of the files.
func TestFileThatGrows(t *testing.T) {
	defer predicting.SetBlockItems(7)()
	dir := t.TempDir()
	model, file := clustered(t, dir), topics(t, filepath.Join(dir, "new.jsonl"), 30, 2)
	out := filepath.Join(dir, "out")
	to, err := eigenmap.OpenFolder(out)
	if err != nil {
		t.Fatal(err)
	}
	grown := false
	observer := func(e progress.Event) {
		if e.Stage != "predict" || grown {
			return
		}
		grown = true
		f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
		if err == nil {
			_, err = f.WriteString(`{"text":"word1 word2"}` + "\n")
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			t.Error(err)
		}
	}
	_, _, err = eigenmap.PredictInto(t.Context(), model, file, eigenmap.Into{Folder: to}, eigenmap.Options{Observer: observer})
	if !grown || !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "changed while it was read") {
		t.Errorf("it grew: %v, %v", grown, err)
	}
	to.Discard()
	if _, err := os.Stat(out); err == nil {
		t.Error("a folder is left")
	}
}

// TestSharesNeedAllDocuments: a share of the documents is of all of them, not of each block.
func TestSharesNeedAllDocuments(t *testing.T) {
	defer predicting.SetBlockItems(7)()
	dir := t.TempDir()
	model, file := clustered(t, dir), topics(t, filepath.Join(dir, "new.jsonl"), 30, 2)
	want := must.Get(eigenmap.Predict(t.Context(), model, file, eigenmap.Options{RejectShare: .3}))(t)
	got, _, err := eigenmap.PredictInto(t.Context(), model, file, eigenmap.Into{}, eigenmap.Options{RejectShare: .3})
	if err != nil || !slices.Equal(got.Sizes, want.Sizes) {
		t.Errorf("clusters of %v documents, not %v: %v", got.Sizes, want.Sizes, err)
	}
}

// TestWrittenIsNotHeld: what was written as it was placed cannot be saved or explained again.
func TestWrittenIsNotHeld(t *testing.T) {
	dir := t.TempDir()
	model, file := clustered(t, dir), topics(t, filepath.Join(dir, "new.jsonl"), 30, 2)
	p, _, err := eigenmap.PredictInto(t.Context(), model, file, eigenmap.Into{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Save(filepath.Join(dir, "p")); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a prediction is saved: %v", err)
	}
	if _, err := p.Explain(t.Context(), 0); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a document is explained: %v", err)
	}
	u, _, err := eigenmap.UpdateInto(t.Context(), model, file, eigenmap.Into{})
	if err != nil {
		t.Fatal(err)
	}
	if err := u.Save(filepath.Join(dir, "u")); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("an update is saved: %v", err)
	}
}
