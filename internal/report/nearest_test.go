package report

import (
	"cmp"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
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
	near := must.Get(Nearest(t.Context(), centers, sizes, 3))(t)
	if near[1] != nil || len(near[0]) != 3 || slices.Contains(near[0], 1) || slices.Contains(near[0], 0) {
		t.Errorf("%v", near)
	}
	for c := range 2 {
		if far(centers.RawRowView(0), centers.RawRowView(near[0][c])) > far(centers.RawRowView(0), centers.RawRowView(near[0][c+1])) {
			t.Errorf("%v is not in order", near[0])
		}
	}
}

// TestNearestLikeAllPairs: the lists are those of all pairs summed one by one, ties by number.
func TestNearestLikeAllPairs(t *testing.T) {
	for k := 1; k < 12; k++ {
		centers, sizes := mat.NewDense(k, 7, nil), make([]int, k)
		for a := range k {
			sizes[a] = a % 5
			for j := range 7 {
				centers.Set(a, j, float64((a*a+j*a)%4)/3)
			}
		}
		for a, near := range must.Get(Nearest(t.Context(), centers, sizes, k))(t) {
			far := make([]float64, k)
			var want []int
			for b := range k {
				for j, v := range centers.RawRowView(a) {
					far[b] += (v - centers.At(b, j)) * (v - centers.At(b, j))
				}
				if b != a && sizes[a] > 0 && sizes[b] > 0 {
					want = append(want, b)
				}
			}
			slices.SortStableFunc(want, func(b, c int) int { return cmp.Compare(far[b], far[c]) })
			if !slices.Equal(near, want) {
				t.Errorf("%d clusters, of %d: %v, want %v", k, a, near, want)
			}
		}
	}
}
