package graph

import (
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"github.com/eigenmap/eigenmap/sparse"
)

// Part returns the nodes of a whole graph that this rank has by a division, with their edges. All
// ranks call it, each with the same graph.
func (g *Graph) Part(share *ranks.Share) (*Graph, error) {
	own := make([]int, share.Own())
	for i := range own {
		own[i] = share.First() + i
	}
	part, err := newGraph(share, g.W.SelectRows(own))
	if err == nil {
		part.HeatWidth, part.Reach, part.Scales = g.HeatWidth, ranks.Own(share, g.Reach), ranks.Own(share, g.Scales)
	}
	return part, err
}

// Whole joins the parts of all ranks to one graph, on every rank: 12 bytes per entry of W. All
// ranks call it.
func (g *Graph) Whole() (*Graph, error) {
	if g.IsComplete() {
		return newComplete(nil, exact.GatherRows(g.Share, g.Rows), allMarks(g.Share, g.apart))
	}
	w, _ := eigen.Shared{Share: g.Share, W: g.W}.Gather()
	whole, err := newGraph(nil, w)
	if err == nil {
		whole.HeatWidth = g.HeatWidth
		whole.Reach, whole.Scales = ranks.GatherFloats(g.Share, g.Reach), ranks.GatherFloats(g.Share, g.Scales)
	}
	return whole, err
}

// allMarks joins the marks of all ranks' points; nil if no rank has marks.
func allMarks(share *ranks.Share, own []bool) []bool {
	if own == nil {
		return nil
	}
	var said []byte
	for _, m := range own {
		said = append(said, 0)
		if m {
			said[len(said)-1] = 1
		}
	}
	all := []bool{}
	for _, part := range ranks.Gather(share, said) {
		for _, m := range part {
			all = append(all, m == 1)
		}
	}
	return all
}

// Joined is the graph of the own points kept, ascending, which have a neighbour or a companion in a
// set. sets has the own points of each set, numbered among those kept; every two points of a set,
// of all ranks, are joined by an edge of the weight. Sets without a point are left out.
func (g *Graph) Joined(kept []int, sets [][]int32, weight float64) (eigen.Shared, error) {
	share := ranks.NewShare(g.Share, len(kept))
	set, count := setOf(share, len(kept), sets)
	number := slices.Repeat([]int32{-1}, g.Len())
	for at, i := range kept {
		number[i] = int32(share.First() + at)
	}
	to := g.numbersOf(number)
	s := eigen.Shared{Share: share, Sets: count, Weight: weight, W: &sparse.CSR{NumRows: len(kept), NumCols: share.Total(), RowPtr: make([]int, 1, len(kept)+1)}}
	for _, i := range kept {
		cols, vals := g.W.Row(i)
		for k, j := range cols { // numbers of kept points ascend with the points
			s.W.Col, s.W.Val = append(s.W.Col, to(j)), append(s.W.Val, vals[k])
		}
		s.W.RowPtr = append(s.W.RowPtr, len(s.W.Col))
	}
	edges := s.W
	if count > 0 {
		s.Set = set
		edges = withHubs(share, s.W, s.Set, count)
	}
	s.Component, s.Components = components(share, edges)
	return s, nil
}

// setOf is the set of each of n own points, −1 for none, and the number of sets that have a point.
func setOf(share *ranks.Share, n int, sets [][]int32) (set []int32, count int) {
	size := make([]float64, len(sets))
	for s, members := range sets {
		size[s] = float64(len(members))
	}
	share.Sum(size)
	set = slices.Repeat([]int32{-1}, n)
	for s, members := range sets {
		if size[s] == 0 {
			continue
		}
		for _, i := range members {
			set[i] = int32(count)
		}
		count++
	}
	return set, count
}

// withHubs is the graph with an edge between each point of a set and its lowest point.
func withHubs(share *ranks.Share, w *sparse.CSR, set []int32, sets int) *sparse.CSR {
	hub := slices.Repeat([]float64{math.Inf(-1)}, sets)
	for i := len(set) - 1; i >= 0; i-- {
		if set[i] >= 0 {
			hub[set[i]] = -float64(share.First() + i)
		}
	}
	ranks.Largest(share, hub)
	out := &sparse.CSR{NumRows: w.NumRows, NumCols: w.NumCols, RowPtr: make([]int, w.NumRows+1)}
	for i, s := range set {
		if s >= 0 && int(-hub[s]) != share.First()+i {
			out.Col, out.Val = append(out.Col, int32(-hub[s])), append(out.Val, 1)
		}
		out.RowPtr[i+1] = len(out.Col)
	}
	both := join(out, incoming(share, out), Options{})
	return join(w, both.CSR, Options{}).CSR
}

// Most is the largest weight of all ranks' edges.
func (g *Graph) Most() float64 {
	largest := []float64{0}
	for _, v := range g.W.Val {
		largest[0] = max(largest[0], v)
	}
	ranks.Largest(g.Share, largest)
	return largest[0]
}
