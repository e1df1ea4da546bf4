package semildc

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestEvenedLengths: documents of 4, 2 and 8 words come to the median, 4; empty ones stay empty. The lengths of documents then change no soft label.
func TestEvenedLengths(t *testing.T) {
	x := mat.NewDense(4, 2, []float64{1, 3, 2, 0, 0, 0, 4, 4})
	a, err := evened(x)
	if err != nil {
		t.Fatal(err)
	}
	if want := mat.NewDense(4, 2, []float64{1, 3, 4, 0, 0, 0, 2, 2}); !mat.Equal(a.ToDense(), want) {
		t.Errorf("evened %v", mat.Formatted(a.ToDense()))
	}
	counts, truth := texts(t, 100, 3, 20, 40, 0.2, 1)
	known := draw(t, truth, 0.1, 1)
	factor := make([]float64, 100)
	for i := range factor {
		factor[i] = math.Pow(2, float64(i%5-2))
	}
	var soft [2]*mat.Dense
	for i, c := range []mat.Matrix{counts, counts.ScaleRows(factor)} {
		m, err := Fit(ctx, c, nil, known, 3, Options{Reduction: Raw})
		if err != nil {
			t.Fatal(err)
		}
		soft[i] = m.Soft
	}
	if !mat.EqualApprox(soft[0], soft[1], 0.05) {
		t.Error("the lengths of documents change the soft labels")
	}
}
