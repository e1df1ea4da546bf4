package leiden

import (
	"cmp"
	"container/heap"
	"context"

	"github.com/eigenmap/eigenmap/sparse"
)

// Merge merges groups of the documents of a symmetric affinity w without negative entries two by
// two until at most k are left, those first whose merger raises the modularity most or lowers it
// least, and returns the new group of each old one, numbered from 0 in the order of their first old
// groups. of is the group of each document, from 0 to groups − 1. O(edges + mergers·groups).
//
// Errors: the context's.
func Merge(ctx context.Context, w *sparse.CSR, of []int, groups, k int) ([]int, error) {
	own := make([]int32, len(of))
	for i, c := range of {
		own[i] = int32(c)
	}
	net := newNetwork(w).merged(own, groups)
	list, err := agglomerate(ctx, net, 1, max(sum(net.degree), leastTotal), max(k, 1))
	if err != nil {
		return nil, err
	}
	into := mergedInto(list, groups)
	renumber(into)
	out := make([]int, groups)
	for c, g := range into {
		out[c] = int(g)
	}
	return out, nil
}

// merger joins group b to group a, which has the lower number and keeps it. gain is what that gains
// in units of weights, as of climber.gain.
type merger struct {
	a, b int32
	gain float64
}

// queue has mergers, the one that gains most first, of equal ones the one of the lower numbers.
type queue []merger

func (q queue) Len() int      { return len(q) }
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(merger)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
func (q queue) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(q[j].gain, q[i].gain), cmp.Compare(q[i].a, q[j].a), cmp.Compare(q[i].b, q[j].b)) < 0
}

// agglomerate merges the nodes of a network two by two until k are left, those first that gain most
// or lose least. Nodes without an edge to each other are merged, the lightest two first, where that
// loses less than any merger along an edge. O(edges·log) for a few edges a node.
func agglomerate(ctx context.Context, net *network, gamma, total float64, k int) ([]merger, error) {
	n := net.len()
	weights, mass, gone := make([]map[int32]float64, n), append([]float64(nil), net.degree...), make([]bool, n)
	var q queue
	pair := func(a, b int32) merger { // the same bits from both sides
		a, b = min(a, b), max(a, b)
		return merger{a, b, weights[a][b] - gamma*mass[a]*(mass[b]/total)}
	}
	for v := range n {
		cols, vals := net.row(v)
		weights[v] = make(map[int32]float64, len(cols))
		for e, u := range cols {
			if weights[v][u] = vals[e]; int(u) > v {
				q = append(q, pair(int32(v), u))
			}
		}
	}
	heap.Init(&q)
	light := make(queue, n) // a group and its mass, the lightest first; a group that grew has an older entry too
	for v := range light {
		light[v] = merger{a: int32(v), gain: -mass[v]}
	}
	heap.Init(&light)
	lightest := func() merger { // takes the lightest group that is left
		for gone[light[0].a] || light[0].gain != -mass[light[0].a] {
			heap.Pop(&light)
		}
		return heap.Pop(&light).(merger)
	}
	stale := func(m merger) bool { return gone[m.a] || gone[m.b] || m != pair(m.a, m.b) }
	var list []merger
	for left := n; left > k; left-- {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for len(q) > 0 && stale(q[0]) {
			heap.Pop(&q)
		}
		one, two := lightest(), lightest()
		next := pair(one.a, two.a)
		heap.Push(&light, one)
		heap.Push(&light, two)
		if len(q) > 0 && q[0].gain >= next.gain {
			next = heap.Pop(&q).(merger)
		}
		a, b := next.a, next.b
		list = append(list, next)
		gone[b] = true
		if before := mass[a]; before+mass[b] != before {
			mass[a] += mass[b]
			heap.Push(&light, merger{a: a, gain: -mass[a]})
		}
		for u, w := range weights[b] {
			if delete(weights[u], b); u != a {
				weights[a][u] += w
				weights[u][a] = weights[a][u]
			}
		}
		weights[b] = nil
		for u := range weights[a] {
			heap.Push(&q, pair(a, u))
		}
	}
	return list, nil
}

// mergedInto is the group in which each of n groups is after some mergers.
func mergedInto(list []merger, n int) []int32 {
	group := make([]int32, n)
	for c := range group {
		group[c] = int32(c)
	}
	for i := len(list) - 1; i >= 0; i-- { // later mergers first: each is then looked up once
		group[list[i].b] = group[list[i].a]
	}
	return group
}
