package graph

import (
	"slices"

	"github.com/eigenmap/eigenmap/sparse"
)

// givenAway is the part of the weights of a group's first node that its other nodes get together.
const givenAway = 0.25

// Together is a graph of n nodes in which each group of nodes counts as one node: its edges are
// those that its first node has in among, the graph of the nodes of no group and of the first
// ones of groups, ascending. The other nodes of a group get a part of its weights, each as much
// as the others, and no edges to each other. Reach and Scales of a node are those of its group's
// first.
//
// The eigenvectors of among's pencil, with the value of its first node for every node of a
// group, are then eigenvectors of the result, with the same eigenvalues and the same lengths in
// yᵀDy. All others have the eigenvalue 1 or belong to differences inside groups: none is small.
// It is for graphs that one process has whole and that are not complete. Memory: about twice
// that of among for one copy of each node.
func Together(n int, among *Graph, groups [][]int32) (*Graph, error) {
	first := make([]int32, n) // the first node of the node's group
	for i := range first {
		first[i] = int32(i)
	}
	others := map[int32][]int32{} // of a group, by its first node
	for _, set := range groups {
		others[set[0]] = set[1:]
		for _, i := range set[1:] {
			first[i] = set[0]
		}
	}
	number := make([]int32, 0, among.Len()) // of the nodes of among, in g
	place := make([]int32, n)               // and back
	for i, f := range first {
		if f == int32(i) {
			place[i] = int32(len(number))
			number = append(number, f)
		}
	}
	w := &sparse.CSR{NumRows: n, NumCols: n, RowPtr: make([]int, n+1)}
	row := together{others: others}
	for i, f := range first {
		cols, vals := among.W.Row(int(place[f]))
		row.reset()
		for k, c := range cols {
			row.add(f, number[c], vals[k], f == int32(i))
		}
		row.append(w)
		w.RowPtr[i+1] = len(w.Col)
	}
	out, err := newGraph(nil, w)
	if err != nil {
		return nil, err
	}
	out.HeatWidth = among.HeatWidth
	for _, list := range []struct{ from, to *[]float64 }{{&among.Reach, &out.Reach}, {&among.Scales, &out.Scales}} {
		if *list.from == nil {
			continue
		}
		*list.to = make([]float64, n)
		for i, f := range first {
			(*list.to)[i] = (*list.from)[place[f]]
		}
	}
	return out, nil
}

// together is one row of the graph with groups.
type together struct {
	others map[int32][]int32
	list   []entry
}

type entry struct {
	col int32
	val float64
}

func (t *together) reset() { t.list = t.list[:0] }

// share is what each of the other nodes of the group of node f has of f's weights.
func (t *together) share(f int32) float64 {
	if n := len(t.others[f]); n > 0 {
		return givenAway / float64(n)
	}
	return 0
}

// add adds the edge of weight w between f and q, first nodes of groups or nodes of none. isFirst
// says that the row is that of f itself, else of another node of its group.
func (t *together) add(f, q int32, w float64, isFirst bool) {
	if !isFirst {
		t.list = append(t.list, entry{q, w * t.share(f)})
		return
	}
	rest := 1.0
	for _, end := range []int32{min(f, q), max(f, q)} { // the same bits in both rows
		if len(t.others[end]) > 0 {
			rest -= givenAway
		}
	}
	t.list = append(t.list, entry{q, w * rest})
	for _, other := range t.others[q] {
		t.list = append(t.list, entry{other, w * t.share(q)})
	}
}

// append appends the row to a matrix.
func (t *together) append(w *sparse.CSR) {
	slices.SortFunc(t.list, func(a, b entry) int { return int(a.col - b.col) })
	for _, e := range t.list {
		if e.val > 0 { // not lost to rounding
			w.Col, w.Val = append(w.Col, e.col), append(w.Val, e.val)
		}
	}
}
