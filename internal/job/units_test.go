package job

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/request"
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
			if err := j.settleUnits(t.Context()); err != nil {
				t.Fatal(err)
			}
			if j.columnWeights == nil || j.Weighting != corpus.WeightStandard {
				t.Fatalf("the look at the units chose ‹weighting› %s and keeps the weights %v", j.Weighting, j.columnWeights)
			}
			j.Weighting = ""
		}
		if err := j.Weigh(t.Context()); err != nil {
			t.Fatal(err)
		}
		want, err := c.ColumnWeights(j.Weighting)
		if err != nil {
			t.Fatal(err)
		}
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
