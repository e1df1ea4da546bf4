package eigen

import (
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
)

// mostGathered is the number of edges between small parts of which every rank takes 24 bytes.
const mostGathered = 4_000_000

// sharedGrouping returns the small parts that heavy edges between the own points of a rank make,
// with the edges between all of them, on every rank. It returns nil if these are too many, or if
// sets join the points.
func (p *Pencil) sharedGrouping(a *ghosted) *grouping {
	if a.part.Sets > 0 {
		return nil
	}
	own, mass := numberTrees(p.heavyTrees([]*sparse.CSR{a.local}, a.low), p.mass)
	counts := ranks.GatherFloats(p.space.Share, []float64{float64(len(mass))})
	first, total := 0, 0
	for rank, c := range counts {
		if rank < p.space.Rank() {
			first += int(c)
		}
		total += int(c)
	}
	label, global := make([]float64, len(mass)), make([]float64, len(own))
	for i, v := range own {
		own[i] = v + int32(first)
		label[v], global[i] = float64(p.label[i]), float64(own[i])
	}
	node := toInts(a.extended(space.AsBlock(global, len(own), 1)).Data)
	from, members := membersOf(localOf(own, first), len(mass))
	edges := merged(a.local, from, members, int32(first), node, total)
	if ranks.Count(p.space.Share, edges.NNZ()) > mostGathered {
		return nil
	}
	g := &grouping{part: sparse.NewForest(total), own: own,
		mass:  ranks.GatherFloats(p.space.Share, mass),
		label: toInts(ranks.GatherFloats(p.space.Share, label))}
	g.graphs = []*sparse.CSR{gatherRows(p.space.Share, edges, total)}
	return g
}

// localOf subtracts first.
func localOf(node []int32, first int) []int32 {
	out := make([]int32, len(node))
	for i, v := range node {
		out[i] = v - int32(first)
	}
	return out
}

func toInts(x []float64) []int32 {
	out := make([]int32, len(x))
	for i, v := range x {
		out[i] = int32(v)
	}
	return out
}

// gatherRows returns the rows of all ranks, one after the other: n in all.
func gatherRows(team ranks.Team, own *sparse.CSR, n int) *sparse.CSR {
	var ends, cols []float64
	for i := range own.NumRows {
		ends = append(ends, float64(own.RowPtr[i+1]-own.RowPtr[i]))
	}
	for _, c := range own.Col {
		cols = append(cols, float64(c))
	}
	all := &sparse.CSR{NumRows: n, NumCols: n, RowPtr: make([]int, 1, n+1)}
	for _, entries := range ranks.GatherFloats(team, ends) {
		all.RowPtr = append(all.RowPtr, all.RowPtr[len(all.RowPtr)-1]+int(entries))
	}
	all.Col, all.Val = toInts(ranks.GatherFloats(team, cols)), ranks.GatherFloats(team, own.Val)
	return all
}

// grouping returns the points after heavy edges have merged them; nil if the edges are not at hand.
func (p *Pencil) grouping() *grouping {
	g := &grouping{mass: p.mass, label: p.label}
	switch w := p.w.(type) {
	case *sparse.CSR:
		g.graphs = []*sparse.CSR{w}
	case *cliqued:
		g.graphs = []*sparse.CSR{w.CSR, w.stars(len(p.mass))}
	case dividedOperator:
		return p.sharedGrouping(w.Divided.(*ghosted))
	default:
		return nil
	}
	g.part = sparse.NewForest(len(p.mass))
	g.contract(p.heavyTrees(g.graphs, 0))
	return g
}
