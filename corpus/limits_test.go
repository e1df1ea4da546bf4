package corpus

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// TestUnitOfNegativeExtremes: rows whose squares overflow or vanish have length 1 afterwards,
// whatever the signs of their entries.
func TestUnitOfNegativeExtremes(t *testing.T) {
	for _, scale := range []float64{-1e-320, -1e-200, -1e200, -1e307} {
		v := []float64{3 * scale, 4 * scale}
		toUnit(v)
		if math.Abs(v[0]+0.6) > 1e-3 || math.Abs(v[1]+0.8) > 1e-3 {
			t.Errorf("entries of %v become %v", scale, v)
		}
	}
}

// TestWriteRefusesClasses: a class that is neither -1 nor one of the names is not written.
func TestWriteRefusesClasses(t *testing.T) {
	for label, fits := range map[int]bool{-2: false, -1: true, 0: true, 1: false} {
		c := &Corpus{X: mat.NewDense(2, 1, []float64{1, 2}), Labels: []int{0, label}, ClassNames: []string{"x"}}
		if err := Write(t.Context(), filepath.Join(t.TempDir(), "a.csv"), c); (err == nil) != fits {
			t.Errorf("class %d of 1: %v", label, err)
		}
	}
}

// TestTopTermsOfNoClusters: a corpus with a vocabulary has an empty list for no cluster.
func TestTopTermsOfNoClusters(t *testing.T) {
	c := &Corpus{X: mat.NewDense(2, 1, []float64{1, 2}), Terms: []string{"a"}}
	if top := c.TopTerms([]int{-1, -1}, 0, 3); top == nil || len(top) != 0 {
		t.Errorf("%v", top)
	}
	if top := c.TopTerms([]int{-1, -1}, -1, 3); top != nil {
		t.Errorf("of -1 clusters: %v", top)
	}
}

// TestLabelColumnWithoutIDs: a header of three columns without ids names the column of labels, and
// the lines are the documents in order; of two columns the first is the id.
func TestLabelColumnWithoutIDs(t *testing.T) {
	dir := t.TempDir()
	l, err := ReadLabeling(t.Context(), writeFile(t, dir, "a.csv", []byte("size,colour,label\n1,red,x\n2,blue,y\n")), "")
	if err != nil || l.IDs != nil || !slices.Equal(l.Labels, []string{"x", "y"}) || l.Column != "label" {
		t.Errorf("%+v, %v", l, err)
	}
	l, err = ReadLabeling(t.Context(), writeFile(t, dir, "b.csv", []byte("one,label\ntwo,y\n")), "")
	if err != nil || !slices.Equal(l.IDs, []string{"one", "two"}) || !slices.Equal(l.Labels, []string{"label", "y"}) {
		t.Errorf("%+v, %v", l, err)
	}
}

// TestWriteNamesTheLastTerm: a file of svmlight has as many terms as the matrix, also if the last
// ones occur nowhere.
func TestWriteNamesTheLastTerm(t *testing.T) {
	for _, terms := range []int{2, 10, 11, 12, 36, 100} {
		x := mat.NewDense(2, terms, nil)
		x.Set(0, 0, 1)
		x.Set(1, 0, 2)
		path := filepath.Join(t.TempDir(), "a.svm")
		must.Do(t, Write(t.Context(), path, &Corpus{X: x}))
		c := must.Get(Read(t.Context(), path, ReadOptions{}))(t)
		if _, cols := c.X.Dims(); cols != terms {
			t.Errorf("%d terms are read as %d", terms, cols)
		}
	}
}

// TestWriteCSVHeads: a table has a column of names only if the documents have names, or if its head
// would else be read as something else.
func TestWriteCSVHeads(t *testing.T) {
	x := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	for want, c := range map[string]*Corpus{
		"tree,car\n":     {X: x, Terms: []string{"tree", "car"}},
		"id,tree,car\n":  {X: x, Terms: []string{"tree", "car"}, IDs: []string{"a", "b"}},
		"id,1984,2001\n": {X: x, Terms: []string{"1984", "2001"}},
		"x1,x2\n":        {X: x},
	} {
		path := filepath.Join(t.TempDir(), "a.csv")
		must.Do(t, Write(t.Context(), path, c))
		if text, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(text), want) {
			t.Errorf("%q is not the head of %q, %v", want, text, err)
		}
	}
}

// TestReutersLeavesNothingUnread: without a split all parts are read, so a label of a document that
// is not there is a fault; with one, labels of the other parts are passed over.
func TestReutersLeavesNothingUnread(t *testing.T) {
	for _, c := range []struct {
		split []string
		want  []string
	}{{nil, nil}, {[]string{"test"}, []string{"train", "not-used"}}} {
		got := readWires(t, wires, ReadOptions{Split: c.split}).unread
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("split %q leaves %q unread, want %q", c.split, got, c.want)
		}
	}
}
