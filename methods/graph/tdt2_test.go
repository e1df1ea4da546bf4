package graph_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
)

// On a real corpus, the lists of a sample of rows equal a search of all rows with one dot product
// at a time.
func TestTDT2NeighboursAreBruteForce(t *testing.T) {
	x := tdt2(t)
	const k = 15
	g := must.Get(graph.Nearest(context.Background(), x, k, nil))(t)
	row := make([]float64, x.NumCols)
	type other struct {
		dot float64
		j   int32
	}
	for i := 0; i < x.NumRows; i += 211 {
		cols, vals := x.Row(i)
		clear(row)
		for c, j := range cols {
			row[j] = vals[c]
		}
		var all []other
		for j := range x.NumRows {
			s := 0.0
			cs, vs := x.Row(j)
			for c, col := range cs {
				s += vs[c] * row[col]
			}
			if j != i {
				all = append(all, other{s, int32(j)})
			}
		}
		slices.SortFunc(all, func(a, b other) int {
			if a.dot != b.dot {
				return int(math.Copysign(1, b.dot-a.dot))
			}
			return int(a.j - b.j)
		})
		index, dist2, dot := g.Row(i)
		for c, j := range index {
			// Copies and near copies are ranked by Σ(a−b)², all others by the dot product.
			if all[c].dot < 1-1e-8 && all[c].j != j || dot[c] != all[c].dot && all[c].dot < 1-1e-8 {
				t.Fatalf("row %d, neighbour %d: got %d with %v, want %d with %v", i, c, j, dot[c], all[c].j, all[c].dot)
			}
			if math.Abs(dist2[c]-max(0, 2-2*all[c].dot)) > 1e-14 {
				t.Fatalf("row %d: distance² %v of dot product %v", i, dist2[c], dot[c])
			}
		}
	}
}

func TestTDT2Graph(t *testing.T) {
	x := tdt2(t)
	g := must.Get(graph.Build(context.Background(), x, graph.Options{}))(t)
	if !g.W.IsSymmetric(0) || len(g.Isolated) != 0 || g.W.NNZ() < 15*x.NumRows || g.W.NNZ() > 30*x.NumRows {
		t.Errorf("%d edges, %d isolated, %d components", g.W.NNZ()/2, len(g.Isolated), g.Components)
	}
	t.Logf("%d edges, %d components", g.W.NNZ()/2, g.Components)
}
