package indices

import (
	"cmp"
	"slices"
	"testing"
)

// Equal values keep their order.
func TestOrders(t *testing.T) {
	values := []float64{1, 3, 2, 3, 1}
	if got := Falling(values); !slices.Equal(got, []int{1, 3, 2, 0, 4}) {
		t.Errorf("falling: %v", got)
	}
	rising := func(a, b int) int { return cmp.Compare(values[a], values[b]) }
	if got := By(len(values), rising); !slices.Equal(got, []int{0, 4, 2, 1, 3}) {
		t.Errorf("rising: %v", got)
	}
	if got := UpTo(3); !slices.Equal(got, []int{0, 1, 2}) || len(UpTo(0)) != 0 {
		t.Errorf("up to 3: %v", got)
	}
}
