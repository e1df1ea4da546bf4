package gmm

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Lead is the difference of the two largest entries; rows without one lead by nothing.
func TestLead(t *testing.T) {
	none := math.Inf(-1)
	joint := mat.NewDense(4, 3, []float64{3, 1, 2, 5, 5, 0, none, none, none, 7, none, none})
	if got := Lead(joint); !slices.Equal(got, []float64{1, 0, 0, mostLead}) {
		t.Errorf("leads %v", got)
	}
	if got := Lead(mat.NewDense(1, 1, []float64{-3})); got[0] != mostLead {
		t.Errorf("of a single component: %v", got)
	}
}
