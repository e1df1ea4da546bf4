package method

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// leastScale is the least size of the largest entry of data whose squares double precision holds
// with all digits.
const leastScale = 1e-150

// CheckScale refuses rows whose largest entry is so small, below 1e-150, that squares, and with
// them distances and products, are lost. Rows of zeros alone pass. [Spec.Fit] calls it; entries
// that are too large are refused where they are squared or summed, with the document.
func CheckScale(x mat.Matrix) error {
	most := 0.0
	rows, _ := x.Dims()
	take := func(list []float64) {
		for _, v := range list {
			most = max(most, math.Abs(v))
		}
	}
	switch m := x.(type) {
	case sparse.Rows:
		var buffer []float64
		for i := 0; i < rows && most < leastScale; i++ {
			buffer = m.Values(i, buffer)
			take(buffer)
		}
	case *mat.Dense:
		for i := 0; i < rows && most < leastScale; i++ {
			take(m.RawRowView(i))
		}
	default:
		return nil
	}
	if most == 0 || most >= leastScale {
		return nil
	}
	if 1/most > math.MaxFloat64 {
		return invalid.Errorf("the largest entry is %.2g, of which double precision has kept a few bits alone: make the data again in a larger unit", most)
	}
	return invalid.Errorf("the largest entry is %.2g, whose square is lost in double precision, and distances with it: multiply all entries by a constant such as %.0e", most, 1/most)
}
