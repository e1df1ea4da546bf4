package geodesic

import (
	"cmp"
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
)

// hit is a node and its distance.
type hit struct {
	node     int32
	distance float64
}

// Nearest finds for every node the k nearest others by distance along the graph, ties by the lower
// number; fewer if fewer have a path. Row i of the result holds the nearest nodes of node i and
// their distances: directed edges, which [Union] makes a graph.
//
// Cost: one search of the surroundings per node, O(k·edges of a node·log k), and 12 bytes per
// entry.
func Nearest(ctx context.Context, lengths *sparse.CSR, k int, obs progress.Observer) (*sparse.CSR, error) {
	if err := Check(lengths); err != nil {
		return nil, err
	}
	n := lengths.NumRows
	if k < 1 {
		return nil, invalid.Errorf("the number of neighbours is %d: it must be at least 1", k)
	}
	const grain = 16
	searches := make([]*Search, parallel.Workers(n, grain))
	found := make([][]hit, n)
	tell := newCounter(obs, n)
	err := parallel.For(ctx, n, grain, func(w, lo, hi int) error {
		if searches[w] == nil {
			searches[w] = NewSearch(lengths)
		}
		for i := lo; i < hi; i++ {
			var list []hit
			err := searches[w].From(ctx, i, func(v int32, d float64) bool {
				// All nodes at the distance of the k-th are visited, so that the rule for ties
				// decides and not the order of the search.
				if len(list) >= k && d > list[k-1].distance {
					return false
				}
				if int(v) != i {
					list = append(list, hit{v, d})
				}
				return true
			})
			if err != nil {
				return err
			}
			slices.SortFunc(list, func(a, b hit) int {
				return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.node, b.node))
			})
			list = list[:min(k, len(list))]
			slices.SortFunc(list, func(a, b hit) int { return cmp.Compare(a.node, b.node) })
			found[i] = slices.Clip(list)
			tell.add(1)
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	out := &sparse.CSR{NumRows: n, NumCols: n, RowPtr: make([]int, n+1)}
	for i, list := range found {
		out.RowPtr[i+1] = out.RowPtr[i] + len(list)
	}
	out.Col, out.Val = make([]int32, 0, out.RowPtr[n]), make([]float64, 0, out.RowPtr[n])
	for _, list := range found {
		for _, h := range list {
			out.Col, out.Val = append(out.Col, h.node), append(out.Val, h.distance)
		}
	}
	return out, nil
}
