package graph

import (
	"cmp"
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
)

// tightCut is the share of the weights at a tight group's nodes that lead out of the group, at
// most. Each group adds to the graph's Laplacian an eigenvalue of about its share. Descriptions
// of Debian have 12 eigenvalues below .14, so groups of larger shares rarely take the place of
// an eigenvector that tells clusters apart; and of their groups of up to 60 documents none has a
// share below .1.
const tightCut = 0.1

// looseCut is that share in a graph that has groups of tightCut: what made these, such as a
// template of mails, makes others that are nearly as tight.
const looseCut = 0.2

// overlapGrain is the number of nodes that one step of the search for overlaps takes.
const overlapGrain = 256

// TightBytes is the memory that [Graph.Tight] takes beside the graph, in bytes.
func (g *Graph) TightBytes() int64 {
	n := g.Len()
	return memory.Sum(memory.Bytes(2*16, g.W.NNZ()/2), memory.Bytes(8*6, n), memory.Bytes(8, parallel.Workers(n, overlapGrain), n))
}

// Tight finds the groups of at most most nodes that have nearly all weights of their edges among
// themselves: near-copies of one text, for instance, each of which has only the others as
// neighbours. Every such group is nearly a component, and takes up an eigenvector of its own. A
// group is the smallest set of its kind: nodes are joined in the order of the share of their edges
// that they have in common ([overlaps]), until at most a tenth of the weights at the nodes joined
// leads elsewhere. alike is the least mean weight of its edges: by cosines it tells near-copies, of
// which most words are the same, from a narrow topic.
//
// The groups ascend by their first nodes, as the nodes in each do. Cost: O(edges·neighbours) and a
// sort of the edges. Memory: TightBytes. The graph must be whole, and not complete.
func (g *Graph) Tight(ctx context.Context, most int, alike float64) ([][]int32, error) {
	if most < 2 {
		return nil, nil
	}
	list, err := overlaps(ctx, g)
	if err != nil {
		return nil, err
	}
	groups := joined(g, list, most, tightCut, alike)
	if len(groups) == 0 {
		return nil, nil
	}
	taken := make([]bool, g.Len())
	for _, set := range groups {
		for _, i := range set {
			taken[i] = true
		}
	}
	for _, set := range joined(g, list, most, looseCut, alike) {
		if !slices.ContainsFunc(set, func(i int32) bool { return taken[i] }) {
			groups = append(groups, set)
		}
	}
	slices.SortFunc(groups, func(a, b []int32) int { return cmp.Compare(a[0], b[0]) })
	return groups, nil
}

// joined are the groups of which at most the share cut of the weights leads out, and whose edges
// have the mean weight alike at least.
func joined(g *Graph, list []overlap, most int, cut, alike float64) [][]int32 {
	j := newJoiner(g, most, cut, alike)
	for _, e := range list {
		j.join(e.i, e.j)
	}
	return slices.DeleteFunc(j.groups(), func(set []int32) bool { return g.within(set) < alike })
}

// within is the mean weight of the edges among the nodes of a set, which ascend.
func (g *Graph) within(set []int32) float64 {
	sum, count := 0.0, 0
	for _, i := range set {
		cols, vals := g.W.Row(int(i))
		for k, j := range cols {
			if _, in := slices.BinarySearch(set, j); in {
				sum += vals[k]
				count++
			}
		}
	}
	return sum / float64(max(1, count))
}

// overlap is how much of their edges two neighbours i < j have in common.
type overlap struct {
	i, j  int32
	share float64
}

// overlaps are the edges of a graph with Σ_k min(w_ik, w_jk) + w_ij, as a share of the smaller sum
// of weights of the two nodes, the largest first.
func overlaps(ctx context.Context, g *Graph) ([]overlap, error) {
	w, n := g.W, g.Len()
	list, first := make([]overlap, w.NNZ()/2), upper(w)
	weights := make([][]float64, parallel.Workers(n, overlapGrain)) // of one node, by the other end
	err := parallel.For(ctx, n, overlapGrain, func(worker, lo, hi int) error {
		if weights[worker] == nil {
			weights[worker] = make([]float64, n)
		}
		own := weights[worker]
		for i := lo; i < hi; i++ {
			cols, vals := w.Row(i)
			for k, j := range cols {
				own[j] = vals[k]
			}
			at := first[i]
			for k, j := range cols {
				if int(j) < i {
					continue
				}
				common := vals[k]
				others, theirs := w.Row(int(j))
				for q, c := range others {
					common += min(theirs[q], own[c])
				}
				list[at] = overlap{int32(i), j, common / min(g.Degrees[i], g.Degrees[j])}
				at++
			}
			for _, j := range cols {
				own[j] = 0
			}
		}
		return nil
	})
	if err == nil {
		err = parallel.Sort(ctx, list, closer)
	}
	return list, err
}

// closer orders overlaps: the largest share first, equal ones by their nodes.
func closer(a, b overlap) int {
	if a.share != b.share { // nearly always; no share is NaN
		if a.share > b.share {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(a.i, b.i), cmp.Compare(a.j, b.j))
}

// upper is the number of entries above the diagonal in the rows before each one.
func upper(w *sparse.CSR) []int {
	first := make([]int, w.NumRows+1)
	for i := range w.NumRows {
		cols, _ := w.Row(i)
		at, _ := slices.BinarySearch(cols, int32(i))
		first[i+1] = first[i] + len(cols) - at
	}
	return first
}

// joiner joins nodes to sets. A set that is too large is not joined further, and one that has
// become tight takes in only what has nearly all its edges in it.
type joiner struct {
	w          *sparse.CSR
	most       int
	least      float64 // share of the weights that leads out of a tight set, at most
	alike      float64 // mean weight of the edges by which a tight set takes in others, at least
	root       sparse.Forest
	size       []int32 // of the set of a root; 0: too large
	next, last []int32 // the next node of a node's set, -1 after the last; the last node of a root's set
	cut, sum   []float64
	tight      []bool
}

func newJoiner(g *Graph, most int, cut, alike float64) *joiner {
	n := g.Len()
	j := &joiner{w: g.W, most: most, least: cut, alike: alike, root: sparse.NewForest(n), size: make([]int32, n), next: make([]int32, n), last: make([]int32, n),
		cut: slices.Clone(g.Degrees), sum: slices.Clone(g.Degrees), tight: make([]bool, n)}
	for i := range n {
		j.size[i], j.next[i], j.last[i] = 1, -1, int32(i)
	}
	return j
}

// join joins the sets of two nodes.
func (j *joiner) join(x, y int32) {
	a, b := j.root.Root(x), j.root.Root(y)
	if a == b || j.tight[a] && j.tight[b] {
		return
	}
	a, b = min(a, b), max(a, b)
	if j.tight[a] || j.tight[b] {
		j.absorb(a, b)
		return
	}
	if j.size[a] == 0 || j.size[b] == 0 || int(j.size[a]+j.size[b]) > j.most {
		j.root.Join(a, b)
		j.size[a] = 0
		return
	}
	sum, _ := j.between(a, b)
	j.merge(a, b, sum)
}

// absorb joins the sets of the roots a < b, of which one is tight, if at most the share least of
// the other's weights leads to neither, the edges between them have the mean weight alike at least,
// and both are tight together: the last of many near-copies, whose group was tight without them.
func (j *joiner) absorb(a, b int32) {
	if j.size[a] == 0 || j.size[b] == 0 || int(j.size[a]+j.size[b]) > j.most {
		return
	}
	other := a
	if j.tight[a] {
		other = b
	}
	sum, edges := j.between(a, b)
	if j.cut[other]-sum <= j.least*j.sum[other] && sum >= j.alike*float64(edges) && j.cut[a]+j.cut[b]-2*sum <= j.least*(j.sum[a]+j.sum[b]) {
		j.merge(a, b, sum)
	}
}

// merge makes one set of those of the roots a < b, with the sum of the weights between them.
func (j *joiner) merge(a, b int32, sum float64) {
	j.cut[a] += j.cut[b] - 2*sum
	j.sum[a] += j.sum[b]
	j.size[a] += j.size[b]
	j.root.Join(a, b)
	j.next[j.last[a]], j.last[a] = b, j.last[b]
	j.tight[a], j.tight[b] = j.cut[a] <= j.least*j.sum[a], false
}

// between is the sum of the weights of the edges between the sets of two roots, and their number.
func (j *joiner) between(a, b int32) (sum float64, edges int) {
	if j.size[a] > j.size[b] {
		a, b = b, a
	}
	for i := a; i >= 0; i = j.next[i] {
		cols, vals := j.w.Row(int(i))
		for k, c := range cols {
			if j.root.Root(c) == b {
				sum += vals[k]
				edges++
			}
		}
	}
	return sum, edges
}

// groups are the tight sets.
func (j *joiner) groups() (list [][]int32) {
	for i, tight := range j.tight {
		if !tight {
			continue
		}
		var set []int32
		for k := int32(i); k >= 0; k = j.next[k] {
			set = append(set, k)
		}
		slices.Sort(set)
		list = append(list, set)
	}
	return list
}
