package graph

import (
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
)

// Rows among points: a copy has its place, the first of equal points, and any other row has none.
func TestSame(t *testing.T) {
	points := mat.NewDense(4, 2, []float64{1, 2, 0, 0, 3, 4, 3, 4})
	rows := mat.NewDense(4, 2, []float64{3, 4, 1, 3, 0, 0, 1, 2})
	for _, threads := range []int{1, 3} {
		native.SetThreads(threads)
		got, err := Same(background, rows, points, nil)
		if err != nil || !slices.Equal(got, []int{2, -1, 1, 0}) {
			t.Errorf("%v, %v", got, err)
		}
	}
	native.SetThreads(0)
}
