package bench

import (
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/sparse"
)

// checkGraph fails unless w is a valid symmetric matrix of ones without a diagonal.
func checkGraph(t *testing.T, name string, w *sparse.CSR) {
	t.Helper()
	if _, err := sparse.NewCSR(w.NumRows, w.NumCols, w.RowPtr, w.Col, w.Val); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	for i := range w.NumRows {
		cols, vals := w.Row(i)
		for e, j := range cols {
			back, _ := w.Row(int(j))
			if int(j) == i || vals[e] != 1 || !slices.Contains(back, int32(i)) {
				t.Errorf("%s: entry (%d, %d) = %g", name, i, j, vals[e])
				return
			}
		}
	}
}

func TestGraphsAreSymmetric(t *testing.T) {
	for name, c := range map[string]struct {
		w       *sparse.CSR
		entries int
	}{
		"path":           {pathGraph(50), 98},
		"grid":           {gridGraph(7), 4 * 7 * 6},
		"lattice":        {latticeGraph(9, false, 0), 18 * 81},
		"lattice, mixed": {latticeGraph(9, true, 3), 18 * 81},
	} {
		checkGraph(t, name, c.w)
		if c.w.NNZ() != c.entries {
			t.Errorf("%s: %d entries, want %d", name, c.w.NNZ(), c.entries)
		}
	}
	w := sheetGraph(400, 15, 1)
	checkGraph(t, "sheet", w)
	for i := range w.NumRows {
		if cols, _ := w.Row(i); len(cols) < 12 {
			t.Fatalf("sheet: point %d has %d neighbours", i, len(cols))
		}
	}
}

// A lattice in random order is the lattice with its points renumbered: the same products of a
// constant, and in another order.
func TestLatticeInRandomOrderIsAnotherOrder(t *testing.T) {
	a, b := latticeGraph(12, false, 0), latticeGraph(12, true, 5)
	if slices.Equal(a.Col, b.Col) {
		t.Error("the random order is the lattice's")
	}
	for i := range b.NumRows {
		if cols, _ := b.Row(i); len(cols) != 18 {
			t.Fatalf("point %d has %d neighbours", i, len(cols))
		}
	}
}
