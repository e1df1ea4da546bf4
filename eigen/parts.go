package eigen

import (
	"context"
	"slices"
	"sync"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
)

// Two parts of a graph are joined firmly if the edges between them have at least firm times the
// mass of the smaller one. Where that leaves more than mostParts parts, or mostWeak of which all
// are joined by less than feeble, firm is lowered, down to loosest.
const (
	firm      = 1e-1
	feeble    = 1e-6
	loosest   = 1e-13
	mostParts = 128
	mostWeak  = 512
)

// grouping is a graph whose points are being merged into parts.
type grouping struct {
	part   []int32       // of each point, or of each small part that a rank has made (see own)
	label  []int32       // the components of these
	own    []int32       // the small part of each own point of a shared graph; else nil
	graphs []*sparse.CSR // weights between parts; the weights of several graphs add up
	mass   []float64     // of each part
	// divided lists the parts of components that have more than one.
	divided []int32
}

// points returns the part of each own point.
func (g *grouping) points() []int32 {
	if g.own == nil {
		return g.part
	}
	part := make([]int32, len(g.own))
	for i, a := range g.own {
		part[i] = g.part[a]
	}
	return part
}

// stars joins the points of each set to its first one, by edges that are as heavy as all edges of a
// point within the set.
func (a *cliques) stars(n int) *sparse.CSR {
	b := sparse.NewBuilder(n, n)
	for _, set := range a.members {
		for _, i := range set[1:] {
			weight := a.weight * float64(len(set)-1)
			b.Add(int(i), int(set[0]), weight)
			b.Add(int(set[0]), int(i), weight)
		}
	}
	w, err := b.Build()
	space.MustRun(err) // places and weights have been checked
	return w
}

// heavyTrees joins points between which there is an edge that for both of them is at least half as
// heavy as their heaviest one, unless their edges weigh little beside their masses. This one pass
// over the edges leaves little to do in most graphs. Such an edge may join large parts that have no
// other, but then it is no weaker than the edges inside of them. Point 0 is column first of the
// graphs.
func (p *Pencil) heavyTrees(graphs []*sparse.CSR, first int) sparse.Forest {
	n := len(p.mass)
	heaviest := make([]float64, n)
	eachEdge := func(body func(i, j int, v float64)) {
		for _, w := range graphs {
			for i := range n {
				cols, vals := w.Row(i)
				for k, j := range cols {
					body(i, int(j)-first, vals[k])
				}
			}
		}
	}
	eachEdge(func(i, _ int, v float64) { heaviest[i] = max(heaviest[i], v) })
	forest := sparse.NewForest(n)
	firmly := func(i int) bool { return p.degree[i] >= firm*p.mass[i] }
	eachEdge(func(i, j int, v float64) {
		if j >= 0 && j < i && v > 0 && v >= max(heaviest[i], heaviest[j])/2 && firmly(i) && firmly(j) {
			forest.Join(int32(i), int32(j))
		}
	})
	return forest
}

// merge merges each part with the one that it is joined to most firmly, if that is at least limit,
// and reports whether there was one.
func (g *grouping) merge(limit float64) bool {
	n := len(g.mass)
	to := make([]int32, n)
	space.MustRun(parallel.For(context.Background(), n, 4096, func(_, lo, hi int) error {
		for a := lo; a < hi; a++ {
			to[a] = g.firmest(int32(a), limit)
		}
		return nil
	}))
	forest, merged := sparse.NewForest(n), false
	for a, b := range to {
		if b >= 0 {
			forest.Join(int32(a), b)
			merged = true
		}
	}
	if merged {
		g.contract(forest)
	}
	return merged
}

// firmest returns the part to which part a is joined most firmly, −1 if to none by limit.
func (g *grouping) firmest(a int32, limit float64) int32 {
	best, heaviest, firmest := int32(-1), 0.0, limit
	for _, w := range g.graphs {
		cols, vals := w.Row(int(a))
		for k, b := range cols {
			hold := vals[k] / min(g.mass[a], g.mass[b])
			if hold > firmest || hold == firmest && vals[k] > heaviest {
				best, heaviest, firmest = b, vals[k], hold
			}
		}
	}
	return best
}

// contract makes parts of the trees of a forest.
func (g *grouping) contract(trees sparse.Forest) {
	node, mass := numberTrees(trees, g.mass)
	g.mass = mass
	for i, a := range g.part {
		g.part[i] = node[a]
	}
	from, members := membersOf(node, len(mass))
	for at, w := range g.graphs {
		g.graphs[at] = merged(w, from, members, 0, node, len(mass))
	}
}

// numberTrees replaces the parents of a forest by the numbers of the trees, which it returns with
// the masses of these.
func numberTrees(trees sparse.Forest, mass []float64) (node []int32, merged []float64) {
	for i, r := range trees { // parents are lower than their children
		if int(r) == i {
			trees[i] = int32(len(merged))
			merged = append(merged, mass[i])
			continue
		}
		trees[i] = trees[r]
		merged[trees[i]] += mass[i]
	}
	return trees, merged
}

// rowSums is scratch memory of merged: sums by column, and the row that each is of.
type rowSums struct {
	sum []float64
	of  []int32
}

// merged returns the summed weights between the nodes of a partition, without a diagonal, the
// columns of each row in any order. Row v is node first+v and has the rows
// members[from[v]:from[v+1]] of w; node is the node of each column, of count. O(nnz).
func merged(w *sparse.CSR, from []int, members []int32, first int32, node []int32, count int) *sparse.CSR {
	own := len(from) - 1
	scratch := sync.Pool{New: func() any {
		return &rowSums{make([]float64, count), slices.Repeat([]int32{-1}, count)}
	}}
	grain := max(1024, (own+31)/32)
	parts := make([]*sparse.CSR, parallel.Chunks(own, grain))
	space.MustRun(parallel.For(context.Background(), own, grain, func(_, lo, hi int) error {
		s := scratch.Get().(*rowSums)
		defer scratch.Put(s)
		out := &sparse.CSR{}
		for v := int32(lo); v < int32(hi); v++ {
			start := len(out.Col)
			for _, i := range members[from[v]:from[v+1]] {
				cols, vals := w.Row(int(i))
				for k, j := range cols {
					u := node[j]
					if u == v+first {
						continue
					}
					if s.of[u] != v {
						s.of[u], s.sum[u] = v, 0
						out.Col = append(out.Col, u)
					}
					s.sum[u] += vals[k]
				}
			}
			for _, u := range out.Col[start:] {
				out.Val = append(out.Val, s.sum[u])
			}
			out.RowPtr = append(out.RowPtr, len(out.Col))
		}
		parts[lo/grain] = out
		return nil
	}))
	all := &sparse.CSR{NumRows: own, NumCols: count, RowPtr: []int{0}}
	for _, part := range parts {
		before := len(all.Col)
		for _, end := range part.RowPtr {
			all.RowPtr = append(all.RowPtr, before+end)
		}
		all.Col, all.Val = append(all.Col, part.Col...), append(all.Val, part.Val...)
	}
	return all
}

// membersOf lists the points of each node, ascending: node v has members[from[v]:from[v+1]].
func membersOf(node []int32, count int) (from []int, members []int32) {
	from = make([]int, count+1)
	for _, v := range node {
		from[v+1]++
	}
	for v := range count {
		from[v+1] += from[v]
	}
	members, fill := make([]int32, len(node)), slices.Clone(from[:count])
	for i, v := range node {
		members[fill[v]] = int32(i)
		fill[v]++
	}
	return from, members
}

// number lists the parts of components that have more than one, ascending.
func (g *grouping) number(count int) {
	of := make([]int32, len(g.mass)) // the component of each part
	for i, a := range g.part {
		of[a] = g.label[i]
	}
	parts := make([]int, count)
	for _, c := range of {
		parts[c]++
	}
	g.divided = g.divided[:0]
	for a, c := range of {
		if parts[c] > 1 {
			g.divided = append(g.divided, int32(a))
		}
	}
}

// between returns the weights between the divided parts as a dense matrix with zeros on its
// diagonal.
func (g *grouping) between(p *Pencil) blas64.General {
	place := make([]int32, len(g.mass)) // 1 + the place among the divided ones
	for at, a := range g.divided {
		place[a] = int32(at) + 1
	}
	w := space.NewBlock(len(g.divided), len(g.divided))
	for at, a := range g.divided {
		cols, vals := g.graphs[0].Row(int(a))
		for k, b := range cols {
			if b < a { // the sums of both directions may differ by rounding
				other := int(place[b]) - 1
				w.Data[at*w.Stride+other], w.Data[other*w.Stride+at] = vals[k], vals[k]
			}
		}
	}
	if sets, ok := p.w.(*cliqued); ok {
		g.addSets(w, sets.cliques, place)
	}
	return w
}

// addSets adds the edges of the sets between the divided parts: |a|·|b| edges between those that
// have |a| and |b| points of a set.
func (g *grouping) addSets(w blas64.General, sets cliques, place []int32) {
	points := make([]float64, w.Rows)
	for _, set := range sets.members {
		var met []int32
		for _, i := range set {
			at := place[g.part[i]] - 1
			if at < 0 {
				continue
			}
			if points[at] == 0 {
				met = append(met, at)
			}
			points[at]++
		}
		for _, a := range met {
			for _, b := range met {
				if a != b {
					w.Data[int(a)*w.Stride+int(b)] += sets.weight * points[a] * points[b]
				}
			}
		}
		for _, a := range met {
			points[a] = 0
		}
	}
}
