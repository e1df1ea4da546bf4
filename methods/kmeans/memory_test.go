package kmeans

import (
	"math"
	"testing"

	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Sizes whose product overflows ask for more than any memory, and not for a wrapped number.
func TestMemoryOfAnySize(t *testing.T) {
	const large = math.MaxInt32
	for _, x := range []mat.Matrix{method.Shape(large, large), &sparse.CSR{NumRows: large, NumCols: large}} {
		if bytes := Memory(x, Options{K: large}); bytes != math.MaxInt64 {
			t.Errorf("%T: %d bytes", x, bytes)
		}
	}
}
