package job

import (
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/copies"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// While equal documents count once, a job holds the rows of the distinct ones alone, whose weights
// share the columns of their counts; the rows of all documents come back with the same bits. Rows
// in memory, and those of documents that are left out, stay as they are.
func TestCopiesAreNotHeldTwice(t *testing.T) {
	rng := rand.New(rand.NewPCG(36, 4))
	x := mat.NewDense(60, 30, nil)
	for i := range 60 {
		for range 8 {
			x.Set(i, rng.IntN(30), float64(1+rng.IntN(3)))
		}
		if i > 20 && i%4 == 0 {
			x.SetRow(i, x.RawRowView(i/3))
		}
	}
	counts := must.Get(sparse.FromMatrix(x))(t)
	c := &corpus.Corpus{Name: "x", X: counts}
	rows := must.Get(c.Weighted(corpus.WeightTFIDF, corpus.NormL2))(t)
	groups, err := copies.Find(t.Context(), counts, nil, nil, nil)
	if err != nil || groups.Copies() == 0 {
		t.Fatalf("%d copies: %v", groups.Copies(), err)
	}
	for _, kind := range []string{"once", "drop", "in memory"} {
		j := &Job{Request: &request.Request{}, Corpus: c, X: rows, InMemory: kind == "in memory"}
		if j.Duplicates = request.DuplicatesOnce; kind == "drop" {
			j.Duplicates = request.DuplicatesDrop
		}
		j.Whole = &whole{Groups: groups, Corpus: c, X: rows}
		j.reduce(groups, groups.Here(nil))
		if j.Whole.lean {
			t.Errorf("%s: a few rows are made again", kind)
		}
		j.Whole.slim(j, 0)
		w, distinct, own := j.Whole, j.Corpus.X.(*sparse.CSR), j.X.(*sparse.CSR)
		if &distinct.Col[0] != &own.Col[0] || !mat.Equal(own, sparse.SelectRows(rows, groups.First)) || !mat.Equal(distinct, counts.SelectRows(groups.First)) {
			t.Errorf("%s: the rows of the distinct documents are others, or have columns of their own", kind)
		}
		_, held := w.Corpus.X.(*sparse.CSR)
		if held == (kind == "once") || w.Corpus.Len() != 60 || c.X != mat.Matrix(counts) {
			t.Errorf("%s: all %d documents are a %T", kind, w.Corpus.Len(), w.Corpus.X)
		}
		j.Restore()
		if !reflect.DeepEqual(w.Corpus.X, mat.Matrix(counts)) || !reflect.DeepEqual(w.X, rows) {
			t.Errorf("%s: the rows of all documents are others than before", kind)
		}
		if a, b := w.Corpus.X.(*sparse.CSR), w.X.(*sparse.CSR); &a.Col[0] != &b.Col[0] {
			t.Errorf("%s: weights have columns of their own", kind)
		}
	}
}

// Counts in single precision are held once as well, and their weights with them: the rows of all
// documents come back with the same values, and those of the distinct ones stay at hand.
func TestCopiesInSinglePrecision(t *testing.T) {
	x := mat.NewDense(40, 12, nil)
	for i := range 40 {
		for q := range 5 {
			x.Set(i, (i*3+q*q)%12, float64(1+(i+q)%3))
		}
		if i > 10 && i%5 == 0 {
			x.SetRow(i, x.RawRowView(i/2))
		}
	}
	full := must.Get(sparse.FromMatrix(x))(t)
	c := &corpus.Corpus{Name: "x", X: sparse.SingleCounts(full)}
	rows := must.Get(c.Weighted(corpus.WeightHellinger, corpus.NormL2))(t)
	groups, err := copies.Find(t.Context(), c.X, nil, nil, nil)
	if err != nil || groups.Copies() == 0 {
		t.Fatalf("%d copies: %v", groups.Copies(), err)
	}
	j := &Job{Request: &request.Request{}, Corpus: c, X: rows}
	j.Duplicates = request.DuplicatesOnce
	j.Whole = &whole{Groups: groups, Corpus: c, X: rows}
	j.reduce(groups, groups.Here(nil))
	j.Whole.slim(j, 0)
	own := j.X
	if !j.Whole.lean || !own.(*sparse.Single).SharesEntries(j.Corpus.X.(*sparse.Single)) || !mat.Equal(own, sparse.SelectRows(rows, groups.First)) {
		t.Error("the rows of the distinct documents are others, or have entries of their own")
	}
	j.Restore()
	if w := j.Whole; w.Distinct != own || !mat.Equal(w.Corpus.X, c.X) || !mat.Equal(w.X, rows) || !w.X.(*sparse.Single).SharesEntries(w.Corpus.X.(*sparse.Single)) {
		t.Error("the rows of all documents are others than before, or have entries of their own")
	}
}

// The names by which links and labels are found hold no rows.
func TestNamesHoldNoRows(t *testing.T) {
	j := &Job{Request: &request.Request{}, Corpus: &corpus.Corpus{X: mat.NewDense(3, 2, nil), IDs: []string{"a", "b", "c"}}}
	must.Do(t, j.ReadGiven(t.Context()))
	gone := make(chan bool, 1)
	runtime.AddCleanup(j.Corpus.X.(*mat.Dense), func(gone chan bool) { gone <- true }, gone)
	j.Corpus = nil
	runtime.GC()
	select {
	case <-gone:
	case <-time.After(10 * time.Second):
		t.Error("the rows are held by the names of the documents")
	}
	if name := j.Prior.id(1); name != "b" {
		t.Errorf("the second document is called %q", name)
	}
}
