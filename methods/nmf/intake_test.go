package nmf

import (
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// A matrix that lists its entries, or the transpose of a sparse one, is taken as sparse.
func TestListersAreSparse(t *testing.T) {
	b := sparse.NewBuilder(2, 3)
	b.Add(1, 2, 4)
	a := must.Get(b.Build())(t)
	for _, x := range []mat.Matrix{a, a.T(), mat.NewBandDense(3, 3, 0, 0, []float64{1, 0, 2})} {
		r, err := readRows(x)
		if _, isSparse := r.(sparseRows); err != nil || !isSparse {
			t.Errorf("%T is read as %T, %v", x, r, err)
		}
	}
}
