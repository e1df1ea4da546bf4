package kmeans

import (
	"errors"
	"io/fs"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Rows aside change neither the centres nor the labels of the others, and belong to the nearest
// centre.
func TestAside(t *testing.T) {
	x := blobs(200, 5, 4, 10, 1)
	var aside, others []int
	for i := range 200 {
		if i%3 == 0 {
			aside = append(aside, i)
			x.SetRow(i, make([]float64, 5))
		} else {
			others = append(others, i)
		}
	}
	opt := Options{K: 4, Seed: 3}
	without := must.Get(Fit(t.Context(), sparse.SelectRows(x, others), opt))(t)
	opt.Aside = aside
	m := must.Get(Fit(t.Context(), x, opt))(t)
	number := make([]int, 4) // of a cluster, which others may make the largest
	for at, i := range others {
		number[without.Labels[at]] = m.Labels[i]
	}
	for at, i := range others {
		if number[without.Labels[at]] != m.Labels[i] {
			t.Fatalf("row %d is in cluster %d, without the others in %d", i, m.Labels[i], without.Labels[at])
		}
	}
	for c, now := range number {
		if !mat.Equal(m.Centers.RowView(now), without.Centers.RowView(c)) {
			t.Errorf("centre %d has moved", now)
		}
	}
	if !slices.Equal(m.Labels, must.Get(m.Predict(t.Context(), x))(t)) {
		t.Error("a row is not at its nearest centre")
	}
	if m.Sizes[0]+m.Sizes[1]+m.Sizes[2]+m.Sizes[3] != 200 || !slices.IsSortedFunc(m.Sizes, func(a, b int) int { return b - a }) {
		t.Errorf("sizes %v", m.Sizes)
	}
	opt.K = 150 // more than the others: all rows count
	if m, err := Fit(t.Context(), x, opt); err != nil || len(m.Labels) != 200 {
		t.Errorf("more clusters than other rows: %v", err)
	}
}

// Lists that are no rows in order are refused, and so are seeds beside them, which were lost with
// the rows.
func TestAsideRefused(t *testing.T) {
	x := blobs(20, 5, 2, 10, 1)
	for _, list := range [][]int{{3, 1}, {2, 2}, {-1}, {20}} {
		if _, err := Fit(t.Context(), x, Options{K: 2, Aside: list}); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%v: %v", list, err)
		}
	}
	seeds := slices.Repeat([]int{-1}, 20)
	seeds[0], seeds[5] = 0, 1
	if _, err := Fit(t.Context(), x, Options{K: 2, Seeds: seeds, Clamp: true, Aside: []int{0}}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("seeds: %v", err)
	}
}
