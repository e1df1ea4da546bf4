package manifold

import (
	"slices"
	"testing"
)

// TestLargestPart: of components of equal size the first is kept; of one, nothing is outside.
func TestLargestPart(t *testing.T) {
	for _, c := range []struct {
		of            []int32
		kept, outside []int
	}{
		{[]int32{0, 1, 0, 2, 1}, []int{0, 2}, []int{1, 3, 4}},
		{[]int32{0, 1, 1}, []int{1, 2}, []int{0}},
		{[]int32{0, 0}, []int{0, 1}, nil},
		{nil, nil, nil},
	} {
		kept, outside := LargestPart(c.of, len(c.of))
		if !slices.Equal(kept, c.kept) || !slices.Equal(outside, c.outside) {
			t.Errorf("of %v %v are kept and %v outside, want %v and %v", c.of, kept, outside, c.kept, c.outside)
		}
	}
}
