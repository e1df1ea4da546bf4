package model

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// A category that new documents lack is named by its column, not by each of its values.
func TestAbsentCategory(t *testing.T) {
	r := Rows{Columns: 3, Weighting: corpus.WeightStandard, IDF: []float64{1, 1, 1}, Terms: []string{"age", "ward=a", "ward=b"}, Categories: []string{"ward"}}
	_, err := r.Match(&corpus.Corpus{Name: "new.csv", X: mat.NewDense(1, 1, []float64{4}), Terms: []string{"age"}})
	if err == nil || !strings.Contains(err.Error(), "measurements are missing: ward; write") {
		t.Errorf("%v", err)
	}
}

// A model of a table without names of columns knows which columns of the file its own are.
func TestColumnNumbers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	must.Do(t, os.WriteFile(path, []byte("d1,1,,2\nd2,4,,6.5\nd3,3,,9\n"), 0o600))
	c := must.Get(corpus.Read(t.Context(), path, corpus.ReadOptions{}))(t)
	r, err := NewRows(c, corpus.WeightTF, corpus.NormNone, nil)
	if err != nil || !slices.Equal(r.Numbers, []int{2, 4}) || r.check() != nil {
		t.Errorf("columns %v (%v, %v)", r.Numbers, err, r.check())
	}
	if r.Numbers = r.Numbers[:1]; r.check() == nil {
		t.Error("one number of two columns")
	}
}
