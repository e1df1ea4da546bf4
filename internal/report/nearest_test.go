package report

import (
	"slices"
	"testing"
)

// TestNearest: the nearest centres come first, and an empty cluster has none and is in none.
func TestNearest(t *testing.T) {
	centers, _ := blobs(6, 5, 6, 10)
	sizes := []int{40, 0, 40, 40, 40, 40}
	far := func(a, b []float64) (d float64) {
		for j := range a {
			d += (a[j] - b[j]) * (a[j] - b[j])
		}
		return d
	}
	near := Nearest(centers, sizes, 3)
	if near[1] != nil || len(near[0]) != 3 || slices.Contains(near[0], 1) || slices.Contains(near[0], 0) {
		t.Errorf("%v", near)
	}
	for c := range 2 {
		if far(centers.RawRowView(0), centers.RawRowView(near[0][c])) > far(centers.RawRowView(0), centers.RawRowView(near[0][c+1])) {
			t.Errorf("%v is not in order", near[0])
		}
	}
}
