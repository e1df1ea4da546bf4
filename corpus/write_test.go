package corpus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/classes"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var small = [][]float64{{1, 0, 2}, {0, 3, 0}, {4, 0, 0}, {0, 0, 5}} // 4×3

// drawCorpus makes any small corpus: sparse or dense, with or without labels, terms and names.
func drawCorpus(t *rapid.T) *Corpus {
	n, terms := rapid.IntRange(1, 6).Draw(t, "documents"), rapid.IntRange(1, 5).Draw(t, "terms")
	vals := rapid.SliceOfN(rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(-1e3, 1e3), rapid.Just(2.0), rapid.Just(1e-300)), n*terms, n*terms).Draw(t, "values")
	vals[0] = 1 // some entry
	d := mat.NewDense(n, terms, vals)
	c := &Corpus{X: d}
	if rapid.Bool().Draw(t, "sparse") {
		s := must.Get(sparse.FromMatrix(d))(t)
		c.X = s
	}
	word := rapid.SampledFrom([]string{"label", "id", "class", "y", "a b", "x,y", "1", "2001", "Ü", `"q"`, "nan", "d;e", "zebra", "cat"})
	distinct := func(k int, what string) []string {
		return rapid.SliceOfNDistinct(word, k, k, rapid.ID[string]).Draw(t, what)
	}
	if rapid.Bool().Draw(t, "named terms") {
		c.Terms = distinct(terms, "term names")
	}
	if rapid.Bool().Draw(t, "named documents") {
		c.IDs = distinct(n, "ids")
	}
	if rapid.Bool().Draw(t, "labelled") {
		raw := rapid.SliceOfN(rapid.OneOf(rapid.Just(""), word), n, n).Draw(t, "labels")
		if rapid.Bool().Draw(t, "numbers") {
			for i, w := range raw {
				if w != "" {
					raw[i] = strconv.Itoa(len(w) - 2)
				}
			}
		}
		if c.Labels, c.ClassNames = classes.OfWords(raw); len(c.ClassNames) == 0 {
			c.Labels = nil
		}
	}
	return c
}

// Reading gives back what was written: the matrix bit for bit, each document's class, names.
func TestWriteReadRoundTrip(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		c := drawCorpus(t)
		for _, name := range []string{"a.npz", "b.csv", "c.tsv.gz", "d.svm", "e.mtx", "f.npy"} {
			var b bytes.Buffer
			format := formatByExtension(name)
			if err := encode(context.Background(), &b, name, format, c); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got, err := readBytes(b.Bytes(), format, ReadOptions{})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if !mat.Equal(got.X, c.X) {
				t.Fatalf("%s: the matrix changed\n%v\n%v", name, mat.Formatted(c.X), mat.Formatted(got.X))
			}
			switch format {
			case "svm":
				compareClasses(t, got, c)
			case "npz", "csv", "tsv":
				compareNames(t, got, c)
				if c.Terms != nil && !slices.Equal(got.Terms, c.Terms) {
					t.Fatalf("%s: terms %q, were %q", name, got.Terms, c.Terms)
				}
			}
		}
	})
}

// compareNames compares the documents' names and the names of their classes.
func compareNames(t interface {
	Helper()
	Fatalf(string, ...any)
}, got, want *Corpus) {
	t.Helper()
	for i := range want.Len() {
		if got.ID(i) != want.ID(i) || got.className(i) != want.className(i) {
			t.Fatalf("document %d is %q of class %q, was %q of %q", i+1, got.ID(i), got.className(i), want.ID(i), want.className(i))
		}
	}
}

// compareClasses compares the partition: svmlight turns words into numbers, and no labels into
// class 0.
func compareClasses(t interface {
	Helper()
	Fatalf(string, ...any)
}, got, want *Corpus) {
	t.Helper()
	if want.Labels == nil {
		want = &Corpus{X: want.X, Labels: make([]int, want.Len()), ClassNames: []string{"0"}}
	}
	for i, a := range want.Labels {
		for j, b := range want.Labels {
			if (a < 0) != (got.Labels[i] < 0) || (a == b) != (got.Labels[i] == got.Labels[j]) {
				t.Fatalf("labels %v became %v", want.Labels, got.Labels)
			}
		}
	}
}

// Every kind of file on disk, with the labels beside those that have no place for them.
func TestWriteReadFiles(t *testing.T) {
	dir := t.TempDir()
	x := must.Get(sparse.FromMatrix(mat.NewDense(4, 3, slices.Concat(small...))))(t)
	c := &Corpus{X: x, Labels: []int{1, 0, -1, 1}, ClassNames: []string{"law", "war"}, IDs: []string{"p", "q", "r s", "t"}, Terms: []string{"a", "b,c", "d e"}}
	for _, ext := range []string{".npz", ".csv", ".tsv.gz", ".svm", ".mtx", ".npy", ".mtx.gz", ".npz.gz"} {
		path := filepath.Join(dir, "x"+ext)
		must.Do(t, Write(t.Context(), path, c))
		got, err := Read(t.Context(), path, ReadOptions{})
		if err != nil {
			t.Fatalf("%s: %v", ext, err)
		}
		checkMatrix(t, got.X, small)
		compareNames(t, got, c)
		if !slices.Equal(got.Terms, c.Terms) {
			t.Errorf("%s: terms %q", ext, got.Terms)
		}
	}
	left := must.Get(os.ReadDir(dir))(t)
	// One file of labels and one of terms serve .mtx, .mtx.gz, .npy and .svm of this name.
	if len(left) != 10 {
		t.Errorf("the folder holds %v", left)
	}
}

func TestWriteIsWholeOrNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.csv")
	c := &Corpus{X: mat.NewDense(300, 300, slices.Repeat([]float64{1.5}, 90000))}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Write(ctx, path, c); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	must.Do(t, Write(t.Context(), path, c))
	for _, p := range []string{"a.mat", "a", "a.jsonl"} {
		wantFault(t, Write(t.Context(), filepath.Join(dir, p), c), ".npz")
	}
	if err := Write(t.Context(), filepath.Join(dir, "no", "a.csv"), c); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	var lost *fs.PathError // names the matrix, not the labels beside it
	if err := Write(t.Context(), filepath.Join(dir, "no", "a.mtx"), &Corpus{X: c.X, Labels: make([]int, 300), ClassNames: []string{"x"}}); !errors.As(err, &lost) || filepath.Base(lost.Path) != "a.mtx" {
		t.Error(err)
	}
	wantFault(t, Write(t.Context(), path, &Corpus{X: c.X, Labels: []int{-1}}), "300 documents and 1 labels")
	// Labels beside a matrix that has none would be read as its own.
	writeFile(t, dir, "m.labels.csv", []byte("id,label\n1,x\n"))
	wantFault(t, Write(t.Context(), filepath.Join(dir, "m.mtx"), c), "m.labels.csv")
	writeFile(t, dir, "n.terms.txt", []byte("a\nb\n"))
	wantFault(t, Write(t.Context(), filepath.Join(dir, "n.svm"), c), "n.terms.txt")
	writeFile(t, dir, "n.mtx", []byte("%%MatrixMarket matrix coordinate real general\n1 3 1\n1 1 1\n"))
	_, err := Read(t.Context(), filepath.Join(dir, "n.mtx"), ReadOptions{})
	wantFault(t, err, "n.terms.txt", "2 terms", "3 columns")
}

func TestWriteSameBytes(t *testing.T) {
	c := &Corpus{X: mat.NewDense(2, 2, []float64{1, 0, 0, 2}), Labels: []int{0, 1}, ClassNames: []string{"a", "b"}}
	var first []byte
	for range 2 {
		p := filepath.Join(t.TempDir(), "a.npz")
		must.Do(t, Write(t.Context(), p, c))
		b := must.Get(os.ReadFile(p))(t)
		if first != nil && !bytes.Equal(first, b) {
			t.Error("the same corpus gave two different files")
		}
		first = b
	}
}

func ExampleWriteMatrix() {
	x, err := sparse.NewCSR(2, 3, []int{0, 1, 2}, []int32{2, 0}, []float64{1, 0.5})
	if err != nil {
		panic(err)
	}
	var b strings.Builder
	if err := WriteMatrix(&b, "mtx", x); err != nil {
		panic(err)
	}
	fmt.Print(b.String())
	// Output:
	// %%MatrixMarket matrix coordinate real general
	// 2 3 2
	// 1 3 1
	// 2 1 0.5
}
