package papers

import (
	"context"
	"math"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/labels"
	"gonum.org/v1/gonum/mat"
)

// Of two blobs that lie far apart all documents are right, and the figures are of those without a
// label: accuracies of 1, and a confidence whose distance from it is the error in every group.
func TestConfidenceWithFewLabels(t *testing.T) {
	x, truth := mat.NewDense(200, 2, nil), make([]int, 200)
	for i := range truth {
		truth[i] = i % 2
		x.SetRow(i, []float64{100*float64(truth[i]) + math.Sin(float64(i)), math.Cos(float64(i))})
	}
	u := &Unit{X: x, Truth: truth, K: 2, settings: map[string]string{"share": "0.2"}}
	var err error
	if u.known, err = labels.Draw(truth, 0.2, 0); err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"", "logistic", "semi-le"} {
		v := must.Get(labelledConfidence(context.Background(), u, method))(t)
		if v[0] != 1 || v[4] != 1 || v[5] != 1 {
			t.Errorf("%q: accuracies %v", method, v)
		}
		if v[1] < 0.9 || math.Abs(1-v[1]-v[2]) > 1e-12 || math.Abs(v[2]-v[3]) > 1e-12 {
			t.Errorf("%q: mean confidence %v, distance %v, error %v", method, v[1], v[2], v[3])
		}
	}
}
