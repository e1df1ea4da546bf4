package lle

import (
	"context"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"gonum.org/v1/gonum/mat"
)

// Sparse rows without entries are placed at the origin, and the others as if these were not
// there, under either rule and with landmarks.
func TestEmptyRowsAreOutside(t *testing.T) {
	u, full := sheet(9, 5, 4)
	n, _ := u.Dims()
	empty := []int{0, 30, 31, n + 3}
	kept := rows.Others(n+len(empty), empty)
	with := mat.NewDense(n+len(empty), 5, nil)
	for r, i := range kept {
		with.SetRow(i, full.RawRowView(r))
	}
	for _, opt := range []Options{{Dims: 2, Neighbors: 8}, {Dims: 2, Neighbors: 8, Parts: All}, {Dims: 2, Neighbors: 8, Landmarks: 20}} {
		m, own := fit(t, sparseOf(t, with), opt), fit(t, sparseOf(t, full), opt)
		if !slices.Equal(m.Outside, empty) {
			t.Fatalf("%+v: outside are %v", opt, m.Outside)
		}
		for r, i := range kept {
			if !slices.Equal(m.Embedding.RawRowView(i), own.Embedding.RawRowView(r)) {
				t.Fatalf("%+v: row %d stands at %v, by itself at %v", opt, i, m.Embedding.RawRowView(i), own.Embedding.RawRowView(r))
			}
		}
		for _, i := range empty {
			if mat.Norm(m.Embedding.RowView(i), 2) != 0 {
				t.Errorf("%+v: row %d without entries stands at %v", opt, i, m.Embedding.RawRowView(i))
			}
		}
		again, err := m.Transform(context.Background(), sparseOf(t, with))
		if err != nil || !mat.EqualApprox(again, m.Embedding, 0) {
			t.Errorf("%+v: rows of the fit do not stand where they stood (%v)", opt, err)
		}
	}
	if _, err := Fit(context.Background(), sparseOf(t, mat.NewDense(6, 2, nil)), Options{Dims: 1, Neighbors: 2}); err == nil {
		t.Error("rows without any entry are embedded")
	}
}
