package result

import (
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Dense rows have the same products with a vector in both precisions, if single precision holds
// their values.
func TestRowDotsInBothPrecisions(t *testing.T) {
	x := mat.NewDense(5, 9, nil)
	x.Apply(func(i, j int, _ float64) float64 { return float64(float32(1 / float64(3*i+j+1))) }, x)
	single := must.Get(sparse.NewSingleDense(x))(t)
	want, _ := rowDots(x)
	got, ok := rowDots(single)
	if !ok {
		t.Fatal("rows in single precision have no products")
	}
	for i := range 5 {
		if v := x.RawRowView(4 - i); got(i, v) != want(i, v) {
			t.Errorf("row %d: %v, not %v", i, got(i, v), want(i, v))
		}
	}
}
