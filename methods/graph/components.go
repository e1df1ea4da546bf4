package graph

import (
	"encoding/binary"
	"slices"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
)

// components finds the connected components of a graph of which each rank has the rows of its own
// points, numbered by the lowest point of all. It returns the component of each own point, and the
// number of components.
//
// Every point has a parent, which is never above it. A round lowers the parents of roots and of
// points to the lowest grandparent of a neighbour, and shortens paths (Zhang, Azad and Hu 2020,
// "FastSV: a distributed-memory connected component algorithm with fast convergence", with the own
// edges joined before). The rounds end when no parent changes; their number grows with the
// logarithm of the points. 4 bytes per point and ghost go from rank to rank in a round.
func components(share *ranks.Share, w *sparse.CSR) (label []int32, count int) {
	first, own := int32(share.First()), w.NumRows
	parent := joinedHere(w, first)
	g := ranks.NewGhosts(share, share.Others(w.Col))
	place := make([]int32, len(w.Col)) // of each entry's node among the own ones and the ghosts
	for k, j := range w.Col {
		if at, found := slices.BinarySearch(g.IDs, j); found {
			place[k] = int32(own + at)
		} else {
			place[k] = j - first
		}
	}
	least := make([]int32, own)
	for {
		grand := share.Look(parent, parent)
		all := slices.Concat(grand, g.Numbers(grand))
		changed := 0
		lower := func(i, to int32) {
			if to < parent[i] {
				parent[i] = to
				changed++
			}
		}
		parts := make([][]byte, share.Size())
		var hooks [][2]int32
		for i := range own {
			least[i] = grand[i]
			for _, at := range place[w.RowPtr[i]:w.RowPtr[i+1]] {
				least[i] = min(least[i], all[at])
			}
			if root := parent[i]; least[i] < root {
				hooks = append(hooks, [2]int32{root, least[i]})
			}
		}
		for i := range own {
			lower(int32(i), min(grand[i], least[i]))
		}
		for _, h := range hooks {
			r := share.Owner(int(h[0]))
			parts[r] = binary.LittleEndian.AppendUint32(parts[r], uint32(int(h[0])-share.Bounds[r]))
			parts[r] = binary.LittleEndian.AppendUint32(parts[r], uint32(h[1]))
		}
		for _, part := range share.Exchange(parts) {
			for list := ranks.Ints(part); len(list) > 0; list = list[2:] {
				lower(list[0], list[1])
			}
		}
		if ranks.Count(share, changed) == 0 {
			break
		}
	}
	roots := make([]int32, own)
	for i, p := range parent {
		if p == first+int32(i) {
			roots[i] = int32(count)
			count++
		}
	}
	numbers := ranks.NewShare(share, count)
	for i := range roots {
		roots[i] += int32(numbers.First())
	}
	return share.Look(parent, roots), numbers.Total()
}

// joinedHere are the lowest own points that the own edges join each own point to, by their numbers
// among all.
func joinedHere(w *sparse.CSR, first int32) []int32 {
	parent := sparse.NewForest(w.NumRows)
	for i := range w.NumRows {
		cols, _ := w.Row(i)
		for _, j := range cols {
			if j -= first; j >= 0 && int(j) < w.NumRows {
				parent.Join(int32(i), j)
			}
		}
	}
	for i, p := range parent {
		parent[i] = parent[p] // parents are lower, so p is a root by now
	}
	for i := range parent {
		parent[i] += first
	}
	return parent
}
