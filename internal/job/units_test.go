package job

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// The weights of the columns are found once, by the look at the units where there is one: the model
// has those by which the rows were weighed, and does not read the documents again.
func TestColumnWeightsAreFoundOnce(t *testing.T) {
	for _, given := range []string{"", corpus.WeightStandard, corpus.WeightTFIDF} {
		rng := rand.New(rand.NewPCG(36, 9))
		x := mat.NewDense(40, 3, nil)
		for i := range 40 {
			x.SetRow(i, []float64{float64(rng.IntN(3)), rng.Float64(), 1000 * rng.Float64()})
		}
		c := &corpus.Corpus{Name: "x", Format: "csv", Terms: []string{"height", "width", "price"}, X: x}
		j := &Job{Request: &request.Request{}, Corpus: c}
		j.Weighting = given
		if given == "" {
			must.Do(t, j.settleUnits(t.Context()))
			if j.columnWeights == nil || j.Weighting != corpus.WeightStandard {
				t.Fatalf("the look at the units chose ‹weighting› %s and keeps the weights %v", j.Weighting, j.columnWeights)
			}
			j.Weighting = ""
		}
		must.Do(t, j.Weigh(t.Context()))
		want := must.Get(c.ColumnWeights(j.Weighting))(t)
		rows := j.X.(*mat.Dense)
		for k, w := range want {
			if got := rows.At(5, k); got != x.At(5, k)*w {
				t.Errorf("‹weighting› %q: the weight of column %d is %v, want %v", given, k, got, x.At(5, k)*w)
			}
		}
		x.Zero() // rows that are read again have other weights
		r, err := j.TermRows()
		if err != nil || r.Weighting != j.Weighting || !slices.Equal(r.IDF, want) {
			t.Errorf("‹weighting› %q: the model weighs columns of ‹weighting› %s by %v, want %v (%v)", given, r.Weighting, r.IDF, want, err)
		}
	}
}

// A table most of whose numbers are 0 is compared by directions of rows, which a column of large
// numbers decides alone: a note names it, and a weighting that the table can have.
func TestSparseTableOfUnlikeUnits(t *testing.T) {
	for _, c := range []struct {
		name         string
		scale, least float64
		want         string
	}{
		{"one unit", 1, 0.1, ""},
		{"unlike units", 1000, 0.1, "‹weighting› hellinger"},
		{"unlike units below 0", 1000, -0.5, "‹weighting› standard"},
	} {
		rng := rand.New(rand.NewPCG(36, 10))
		x := mat.NewDense(60, 20, nil)
		names := make([]string, 20)
		for k := range names {
			names[k] = "share of " + string(rune('a'+k))
		}
		for i := range 60 {
			for range 3 {
				x.Set(i, rng.IntN(20), c.least+rng.Float64())
			}
			x.Set(i, 7, c.scale*(c.least+rng.Float64()))
		}
		rows := must.Get(sparse.FromMatrix(x))(t)
		j := &Job{Request: &request.Request{}, Corpus: &corpus.Corpus{Name: "x", Format: "csv", Terms: names, X: rows}}
		must.Do(t, j.settleUnits(t.Context()))
		notes := strings.Join(j.Notes.As(func(name string) string { return "‹" + name + "›" }, true), "\n")
		if j.Weighting != "" || (notes == "") != (c.want == "") || !strings.Contains(notes, c.want) {
			t.Errorf("%s: ‹weighting› %q, notes %q", c.name, j.Weighting, notes)
		}
	}
}
