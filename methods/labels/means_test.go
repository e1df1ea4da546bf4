package labels

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestMeans(t *testing.T) {
	y := mat.NewDense(6, 2, []float64{1, 2, 3, 4, 0.1, 0.7, math.NaN(), math.Inf(1), 0.1, 0.7, math.MaxFloat64, -math.MaxFloat64})
	got := Means(y, []int{0, 0, 1, Unknown, 1, 2}, 3)
	want := mat.NewDense(3, 2, []float64{2, 3, 0.1, 0.7, math.MaxFloat64, -math.MaxFloat64})
	if !mat.Equal(got, want) {
		t.Errorf("means %v, want %v", mat.Formatted(got), mat.Formatted(want))
	}
}
