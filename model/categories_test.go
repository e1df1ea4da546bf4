package model

import (
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
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
