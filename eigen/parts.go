package eigen

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
)

// Two parts of a graph are joined firmly if the edges between them have at least firm times the
// mass of the smaller one. Where that leaves more than mostParts parts, or mostWeak of which all
// are joined by less than feeble, firm is lowered, down to loosest.
const (
	firm      = 1e-2
	feeble    = 1e-6
	loosest   = 1e-13
	mostParts = 128
	mostWeak  = 512
)

// grouping is a graph whose points are being merged into parts.
type grouping struct {
	part   []int32       // of each point
	graphs []*sparse.CSR // weights between parts; those of several graphs add up
	mass   []float64     // of each part
	// divided lists the parts of components that have more than one.
	divided []int32
}

// parts divides the points into parts that are joined weakly to one another, by merging each part
// with the one that it is joined to most firmly (Borůvka). A part lies within one component. It
// returns nil if the graph has no weak spots, or too many of them, or if its edges are not at hand.
// O(nnz·log n) at the most; most graphs shrink fast.
func (p *Pencil) parts() *grouping {
	g := p.grouping()
	if g == nil {
		return nil
	}
	for limit, most := firm, mostParts; limit > loosest; limit /= 10 {
		for g.merge(limit) {
		}
		if len(g.mass) == p.count {
			return nil
		}
		if limit < 2*feeble {
			most = mostWeak
		}
		if g.number(p.label, p.count); len(g.divided) <= most {
			return g
		}
	}
	return nil
}

// grouping returns every point as a part of its own; nil if the edges are not at hand.
func (p *Pencil) grouping() *grouping {
	g := &grouping{part: make([]int32, len(p.mass)), mass: p.mass}
	for i := range g.part {
		g.part[i] = int32(i)
	}
	switch w := p.w.(type) {
	case *sparse.CSR:
		g.graphs = []*sparse.CSR{w}
	case *cliqued:
		g.graphs = []*sparse.CSR{w.CSR, w.stars(len(p.mass))}
	default:
		return nil
	}
	return g
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
	mustRun(err) // places and weights have been checked
	return w
}

// merge merges each part with the one that it is joined to most firmly, if that is at least limit,
// and reports whether there was one.
func (g *grouping) merge(limit float64) bool {
	n := len(g.mass)
	to := make([]int32, n)
	mustRun(parallel.For(context.Background(), n, 4096, func(_, lo, hi int) error {
		for a := lo; a < hi; a++ {
			to[a] = g.firmest(int32(a), limit)
		}
		return nil
	}))
	merged := 0
	root := make([]int32, n)
	for a := range root {
		root[a] = int32(a)
	}
	find := func(a int32) int32 {
		for root[a] != a {
			root[a] = root[root[a]]
			a = root[a]
		}
		return a
	}
	for a, b := range to {
		if b < 0 {
			continue
		}
		if r, s := find(int32(a)), find(b); r != s {
			root[max(r, s)] = min(r, s)
			merged++
		}
	}
	if merged == 0 {
		return false
	}
	g.contract(root, n-merged)
	return true
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

// contract makes parts of the trees of root, whose parents are lower than their children.
func (g *grouping) contract(root []int32, count int) {
	mass := make([]float64, 0, count)
	for a, r := range root {
		if int(r) == a {
			root[a] = int32(len(mass))
			mass = append(mass, g.mass[a])
			continue
		}
		root[a] = root[r]
		mass[root[a]] += g.mass[a]
	}
	g.mass = mass
	for i, a := range g.part {
		g.part[i] = root[a]
	}
	for at, w := range g.graphs {
		g.graphs[at] = mergeWeights(w, root, count)
	}
}

// number lists the parts of components that have more than one, ascending.
func (g *grouping) number(label []int32, count int) {
	of := make([]int32, len(g.mass)) // the component of each part
	for i, a := range g.part {
		of[a] = label[i]
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
	w := newBlock(len(g.divided), len(g.divided))
	for at, a := range g.divided {
		row := w.Data[at*w.Stride:]
		cols, vals := g.graphs[0].Row(int(a))
		for k, b := range cols {
			row[place[b]-1] += vals[k]
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
