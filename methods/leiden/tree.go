package leiden

import (
	"cmp"
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
)

// leastPart is the least number of nodes that a split parts from a group.
const leastPart = 5

// Tree is a partition of the nodes of a graph with coarser and finer ones, nested in each other:
// the partition with k+1 groups splits one group of that with k in two.
type Tree struct {
	// Leaf is the finest group of each node.
	Leaf []int
	// Groups is the number of groups that the tree was made around, without empty ones.
	Groups int
	// Splits lead from one group of all nodes to the leaves: each lists the leaves of the part with
	// fewer nodes, ascending. The first Groups-1 end at the partition that the tree was made
	// around.
	Splits [][]int

	sizes []int    // nodes of each leaf
	given []int    // the group of each leaf that the tree was made around
	net   *network // of the leaves
}

// Level is a partition of a tree.
type Level struct {
	Of     []int     // the group of each leaf, from 0
	Sizes  []int     // nodes of each group
	Inside []float64 // the share of the edges of each group, by weight, that do not leave it; 0 without edges
}

// FindTree makes a tree around groups of the nodes of a symmetric graph without negative weights:
// coarser partitions join the two groups whose merger gains most or loses least modularity, and
// finer ones divide each group by the communities of the edges inside it, the division that counts
// most for modularity first. No split parts fewer than five nodes from a group that was given.
// labels has a group for each node, from 0. One seed gives one tree.
//
// Cost: some tens of passes over the edges, and 16 bytes for an edge. Errors: fs.ErrInvalid for
// labels that are no such groups, memory.ErrLimit and the context's.
func FindTree(ctx context.Context, w *sparse.CSR, labels []int, seed uint64, obs progress.Observer) (*Tree, error) {
	if len(labels) != w.NumRows || len(labels) == 0 || slices.Min(labels) < 0 || slices.Max(labels) >= len(labels) {
		return nil, invalid.Errorf("levels need a cluster for each of the %s", words.Counted(w.NumRows, "document"))
	}
	if err := memory.Need(ctx, findBytes(w.NumRows, w.NNZ(), nil), "leave ‹levels› out", "the levels of %s", words.Counted(w.NumRows, "document")); err != nil {
		return nil, err
	}
	of := make([]int32, len(labels))
	for i, c := range labels {
		of[i] = int32(c)
	}
	t := &Tree{Groups: renumber(of), Leaf: make([]int, len(labels))}
	order, first := members(of, t.Groups)
	inside := make([]*branch, t.Groups)
	top := &branch{}
	for c := range inside {
		nodes := make([]int, 0, first[c+1]-first[c])
		for _, v := range order[first[c]:first[c+1]] {
			nodes = append(nodes, int(v))
		}
		obs.Report(stage, int64(c), int64(t.Groups), "clusters")
		b, err := divide(ctx, w.SelectRows(nodes).SelectCols(nodes), seed)
		if err != nil {
			return nil, err
		}
		b.first = len(t.sizes)
		for at, leaf := range b.leaf {
			t.Leaf[nodes[at]] = b.first + leaf
		}
		for range b.sizes {
			t.given = append(t.given, labels[nodes[0]])
		}
		t.sizes = append(t.sizes, b.sizes...)
		top.sizes = append(top.sizes, len(nodes))
		inside[c] = b
	}
	whole := newNetwork(w)
	net := whole.merged(of, t.Groups)
	total := max(sum(net.degree), leastTotal)
	above, err := agglomerate(ctx, net, 1, total, 1)
	if err != nil {
		return nil, err
	}
	top.build(above, 1)
	t.take(top, inside)
	for i, leaf := range t.Leaf {
		of[i] = int32(leaf)
	}
	t.net = whole.merged(of, len(t.sizes))
	return t, nil
}

// leastTotal stands for all weights where there are none.
const leastTotal = 1e-300

// branch is the tree of the communities of one network.
type branch struct {
	leaf   []int // of each node
	sizes  []int // of each leaf
	first  int   // number of the first leaf in the whole tree
	splits []branching
}

// branching is a split, with what a merger of its parts gains in modularity, in units of weights.
type branching struct {
	leaves []int
	gain   float64
}

// divide finds the communities of a graph and the tree of their mergers.
func divide(ctx context.Context, w *sparse.CSR, seed uint64) (*branch, error) {
	p, err := find(ctx, &graph.Graph{W: w, Degrees: w.RowSums()}, Search{Seed: seed, Resolution: 1})
	if err != nil {
		return nil, err
	}
	of := make([]int32, len(p.Labels))
	for i, c := range p.Labels {
		of[i] = int32(c)
	}
	net := newNetwork(w).merged(of, len(p.Sizes))
	list, err := agglomerate(ctx, net, 1, max(sum(net.degree), leastTotal), 1)
	if err != nil {
		return nil, err
	}
	b := &branch{sizes: p.Sizes}
	leaves := b.build(list, leastPart)
	b.leaf = make([]int, len(p.Labels))
	for i, c := range p.Labels {
		b.leaf[i] = leaves[c]
	}
	return b, nil
}

// build makes splits of mergers of groups, whose sizes b has, the last merger first. A group of
// fewer than least nodes becomes a part of a leaf of the group that it is merged with. build
// returns the leaf of each group, and makes b.sizes the sizes of the leaves.
func (b *branch) build(list []merger, least int) []int {
	n := len(b.sizes)
	size := slices.Clone(b.sizes)
	leaf, main, of := make([]int, n), make([]int, n), make([][]int, n)
	for c := range n {
		leaf[c], main[c], of[c] = c, c, []int{c}
	}
	for _, m := range list {
		big, small := int(m.a), int(m.b)
		if size[big] < size[small] {
			big, small = small, big
		}
		if size[small] < least { // no split is inside it: it is one leaf
			leaf[main[small]] = main[big]
		} else {
			b.splits = append(b.splits, branching{of[small], m.gain})
			of[big] = slices.Concat(of[big], of[small])
		}
		of[m.a], main[m.a] = of[big], main[big]
		size[m.a] += size[m.b]
	}
	slices.Reverse(b.splits)
	number, sizes := make([]int, n), []int{}
	for c := range n {
		if leaf[c] == c {
			number[c] = len(sizes)
			sizes = append(sizes, 0)
		}
	}
	for c := range n {
		to := leaf[c]
		for to != leaf[to] {
			to = leaf[to]
		}
		main[c] = number[to]
		sizes[main[c]] += b.sizes[c]
	}
	for i, s := range b.splits {
		leaves := make([]int, len(s.leaves))
		for at, c := range s.leaves {
			leaves[at] = main[c]
		}
		b.splits[i].leaves = leaves
	}
	b.sizes = sizes
	return main
}

// take makes the splits of the tree: first the splits of top, between groups, and then the splits
// inside the groups. Of these the one comes first whose parts would lose most modularity by a
// merger; a tie goes to the lower group.
func (t *Tree) take(top *branch, inside []*branch) {
	for _, s := range top.splits {
		var leaves []int
		for _, c := range s.leaves {
			for at := range inside[c].sizes {
				leaves = append(leaves, inside[c].first+at)
			}
		}
		slices.Sort(leaves)
		t.Splits = append(t.Splits, leaves)
	}
	for {
		var best *branch
		for _, b := range inside {
			if len(b.splits) > 0 && (best == nil || b.splits[0].gain < best.splits[0].gain) {
				best = b
			}
		}
		if best == nil {
			return
		}
		leaves := best.splits[0].leaves
		best.splits = best.splits[1:]
		for at := range leaves {
			leaves[at] += best.first
		}
		slices.Sort(leaves)
		t.Splits = append(t.Splits, leaves)
	}
}

// Most is the number of leaves: the largest number of groups.
func (t *Tree) Most() int { return len(t.sizes) }

// At is the partition with k groups, 1 ≤ k ≤ Most. The groups that the tree was made around keep
// their numbers at k = Groups; other groups are numbered by falling size, of equal ones the one
// with the first leaf first. O(leaves and edges between them).
func (t *Tree) At(k int) *Level {
	l := &Level{Of: t.given}
	if k != t.Groups {
		l.Of = t.numbered(k)
	}
	groups := slices.Max(l.Of) + 1
	l.Sizes, l.Inside = make([]int, groups), make([]float64, groups)
	all := make([]float64, groups)
	for leaf, c := range l.Of {
		l.Sizes[c] += t.sizes[leaf]
		all[c] += t.net.degree[leaf]
		out := 0.0
		cols, vals := t.net.row(leaf)
		for e, u := range cols {
			if l.Of[u] != c {
				out += vals[e]
			}
		}
		l.Inside[c] += t.net.degree[leaf] - out
	}
	for c := range l.Inside {
		if all[c] > 0 {
			l.Inside[c] = min(1, max(0, l.Inside[c]/all[c]))
		}
	}
	return l
}

// numbered is the group of each leaf after k-1 splits.
func (t *Tree) numbered(k int) []int {
	group := make([]int, t.Most())
	for s, leaves := range t.Splits[:k-1] {
		for _, leaf := range leaves {
			group[leaf] = s + 1
		}
	}
	count, first := make([]int, k), make([]int, k)
	for leaf := t.Most() - 1; leaf >= 0; leaf-- {
		count[group[leaf]] += t.sizes[leaf]
		first[group[leaf]] = leaf
	}
	order := indices.By(k, func(a, b int) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(first[a], first[b]))
	})
	number := make([]int, k)
	for to, c := range order {
		number[c] = to
	}
	for leaf, c := range group {
		group[leaf] = number[c]
	}
	return group
}
