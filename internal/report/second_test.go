package report

import (
	"math"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// TestSeconds compares with distances written out, for dense and sparse rows.
func TestSeconds(t *testing.T) {
	x, labels := blobs(200, 5, 6, 9)
	centers, _ := blobs(6, 5, 6, 10)
	sizes := []int{40, 0, 40, 40, 40, 40}
	labels[0] = -1
	want := make([]int, 200)
	far := func(a, b []float64) (d float64) {
		for j := range a {
			d += (a[j] - b[j]) * (a[j] - b[j])
		}
		return d
	}
	for i := range want {
		least := math.Inf(1)
		for c := range 6 {
			if d := far(x.RawRowView(i), centers.RawRowView(c)); c != labels[i] && sizes[c] > 0 && d < least {
				want[i], least = c, d
			}
		}
	}
	s, err := sparse.FromMatrix(x)
	if err != nil {
		t.Fatal(err)
	}
	for _, rows := range []mat.Matrix{x, s} {
		if got, err := Seconds(t.Context(), rows, centers, labels, sizes); err != nil || !slices.Equal(got, want) {
			t.Errorf("%v\n%v\n%v", err, got, want)
		}
	}
	if got, _ := Seconds(t.Context(), x, centers, make([]int, 200), []int{200, 0, 0, 0, 0, 0}); got[5] != -1 {
		t.Errorf("the second of one cluster is %d", got[5])
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
