package sle

import (
	"context"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Sparse rows without entries are isolated, and the others have the graph that they have by
// themselves.
func TestEmptyRowsAreIsolated(t *testing.T) {
	ctx := context.Background()
	const n = 60
	full := cloud(n, 3, 5)
	empty := []int{0, 17, 18, n + 3}
	var kept []int
	for i := range n + len(empty) {
		if !slices.Contains(empty, i) {
			kept = append(kept, i)
		}
	}
	with := mat.NewDense(n+len(empty), 3, nil)
	for r, i := range kept {
		with.SetRow(i, full.RawRowView(r))
	}
	csr := func(x mat.Matrix) *sparse.CSR {
		s := must.Get(sparse.FromMatrix(x))(t)
		return s
	}
	opt := Options{LE: le.Options{Problem: nystrom.Problem{Graph: graph.Options{Neighbors: 8}}}}
	g, h, err := Graph(ctx, csr(with), opt)
	if err != nil {
		t.Fatal(err)
	}
	own, sizes, err := Graph(ctx, csr(full), opt)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(g.Isolated, empty) || h.Threshold != sizes.Threshold {
		t.Fatalf("isolated are %v, the threshold is %v, not %v", g.Isolated, h.Threshold, sizes.Threshold)
	}
	if sub := g.W.SelectRows(kept).SelectCols(kept); !slices.Equal(sub.Col, own.W.Col) || !slices.Equal(sub.Val, own.W.Val) {
		t.Error("rows without entries change the graph of the others")
	}
	for r, i := range kept {
		if h.Sizes[i] != sizes.Sizes[r] {
			t.Errorf("row %d has %d neighbours, by itself %d", i, h.Sizes[i], sizes.Sizes[r])
		}
	}
	if none, _, err := Graph(ctx, csr(mat.NewDense(5, 2, nil)), Options{}); err != nil || len(none.Isolated) != 5 {
		t.Errorf("of rows without any entry: %v", err)
	}
}
