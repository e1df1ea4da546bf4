package papers

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// A draw takes at most 2,000 documents, others for another test and the same every time, with the
// classes of the whole corpus, by tf-idf and by the counts.
func TestDrawDocuments(t *testing.T) {
	all := topics(t, 30, 100)
	counts := all.X.(*sparse.CSR)
	first := must.Get(drawDocuments(all, "topics", 0, 7))(t)
	again := must.Get(drawDocuments(all, "topics", 0, 7))(t)
	other := must.Get(drawDocuments(all, "topics", 1, 7))(t)
	n, p := first.X.Dims()
	if n != defaultsDocuments || p > counts.NumCols || first.K != 30 || len(first.Truth) != n {
		t.Errorf("%d × %d, k = %d", n, p, first.K)
	}
	if !mat.Equal(first.X, again.X) || !slices.Equal(first.Truth, again.Truth) || slices.Equal(first.Truth, other.Truth) {
		t.Error("draws are not by the test")
	}
	tf := must.Get(defaultsWeighted(corpus.WeightTF)[0].rows(context.Background(), first))(t)
	same := true
	for i := range 20 {
		length := 0.0
		for j := range p {
			length += tf.At(i, j) * tf.At(i, j)
			same = same && tf.At(i, j) == first.X.At(i, j)
		}
		if math.Abs(length-1) > 1e-12 {
			t.Errorf("row %d has length² %v", i, length)
		}
	}
	if same {
		t.Error("tf-idf is tf")
	}
	if small, err := drawDocuments(topics(t, 3, 20), "small", 0, 7); err != nil || len(small.Truth) != 60 {
		t.Errorf("%v %v", small, err)
	}
}

// shippedCorpus writes texts of three classes where the repository has its corpus, and makes its
// folder the working directory.
func shippedCorpus(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	must.Do(t, os.MkdirAll("examples/debian", 0o777))
	var b strings.Builder
	for i := range 90 {
		words := []string{"alpha beta gamma", "delta epsilon zeta", "eta theta iota"}[i%3]
		fmt.Fprintf(&b, `{"id": "d%d", "text": "%s common%d", "label": "c%d"}`+"\n", i, words, i/3%2, i%3)
	}
	// The reader recognises packed files by their content.
	must.Do(t, os.WriteFile("examples/debian/packages.jsonl.gz", []byte(b.String()), 0o666))
}

// The study runs on the corpora that are there: without a folder on the shipped one, with a note of
// each that is left out. It goes on from its cells, and a run at once gives the same table.
func TestDefaultsStudy(t *testing.T) {
	shippedCorpus(t)
	views, err := Find("defaults")
	if err != nil || len(views) != 9 {
		t.Fatalf("%d views, %v", len(views), err)
	}
	e := views[0].Experiment
	left := 0
	opt := Options{Tests: 1, Cells: cellsIn(t), Observer: func(ev progress.Event) {
		if strings.Contains(ev.Message, "are left out") {
			left++
		}
	}}
	if _, err := e.Run(context.Background(), opt); err != nil {
		t.Fatal(err)
	}
	if left != len(e.Rows)-1 {
		t.Errorf("%d corpora are told to be left out of %d", left, len(e.Rows))
	}
	opt.Tests = 2
	more := must.Get(e.Run(context.Background(), opt))(t)
	if more.Computed != len(e.Columns) || len(more.Rows) != 1 {
		t.Errorf("%d cells computed of %d, rows %v", more.Computed, more.Cells, more.Rows)
	}
	opt.Cells = ""
	whole := must.Get(e.Run(context.Background(), opt))(t)
	for _, v := range views[:3] {
		table := v.Table(more)
		if csvOf(t, table) != csvOf(t, v.Table(whole)) {
			t.Errorf("%s: in two steps the table is another one", v.Name)
		}
		if table.Run.repeated() != "2 draws of documents" {
			t.Error(table.Run.repeated())
		}
		checkPictures(t, table)
	}
	// Three classes of words of their own are easy for any graph.
	for _, c := range more.Columns {
		if accuracy := more.Score(more.Rows[0], c, 0).Mean; c.Method == "spectral" && accuracy < 0.99 {
			t.Errorf("%s: %v", c.Title(), accuracy)
		}
	}
	// Images are not shipped.
	if _, err := views[5].Experiment.Run(context.Background(), Options{Tests: 1}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// A file in the folder counts before the shipped one, and without both it is missing.
func TestShipped(t *testing.T) {
	shippedCorpus(t)
	d := Dataset{Name: "x", File: "packages.jsonl.gz", Shipped: "examples/debian/packages.jsonl.gz"}
	dir := t.TempDir()
	for _, folder := range []string{"", dir} {
		if path, ok := d.path(folder); !ok || path != filepath.FromSlash(d.Shipped) || d.In(folder) != nil {
			t.Errorf("%q: %s %v", folder, path, ok)
		}
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, d.File), nil, 0o666))
	if path, _ := d.path(dir); path != filepath.Join(dir, d.File) {
		t.Error(path)
	}
	t.Chdir(t.TempDir())
	var missing *DataError
	if err := d.In(""); !errors.As(err, &missing) || !strings.Contains(err.Error(), "--data") {
		t.Error(err)
	}
}
