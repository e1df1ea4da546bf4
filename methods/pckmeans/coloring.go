package pckmeans

import (
	"cmp"
	"container/heap"
	"context"
	"slices"
)

// coloring is the search for clusters of the units. Placing a unit takes time in proportion to its
// cannot-links and to the logarithm of the number of units.
type coloring struct {
	u     *units
	cost  [][]float64
	place []int   // -1: none yet
	taken [][]int // unit × clusters: placed units there that it cannot be with
	left  []int   // of each unit: the clusters in which it can be
	open  queue   // the units without a cluster
	steps int
	stuck int // the last unit without a cluster
}

func newColoring(u *units, cost [][]float64, k int) *coloring {
	n := len(u.rows)
	s := &coloring{u: u, cost: cost, place: make([]int, n), taken: make([][]int, n), left: make([]int, n)}
	s.open = queue{s: s, at: make([]int, n)}
	for at := range u.rows {
		s.place[at], s.taken[at], s.left[at] = -1, make([]int, k), k
		s.open.units, s.open.at[at] = append(s.open.units, at), at
	}
	heap.Init(&s.open)
	return s
}

// put places a unit, or takes it back with by −1.
func (s *coloring) put(at, c, by int) {
	if by > 0 {
		heap.Remove(&s.open, s.open.at[at])
		s.place[at] = c
	} else {
		s.place[at] = -1
		heap.Push(&s.open, at)
	}
	for _, b := range s.u.apart[at] {
		before := s.taken[b][c]
		s.taken[b][c] += by
		if now := s.taken[b][c]; (before == 0) != (now == 0) {
			s.left[b] -= by
			if s.place[b] < 0 {
				heap.Fix(&s.open, s.open.at[b])
			}
		}
	}
}

// search places the remaining units, and reports whether that was possible.
func (s *coloring) search(ctx context.Context) bool {
	if len(s.open.units) == 0 {
		return true
	}
	next := s.open.units[0]
	if s.left[next] == 0 {
		s.stuck = next
	}
	order := make([]int, 0, len(s.taken[next]))
	for c, n := range s.taken[next] {
		if n == 0 {
			order = append(order, c)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.cost[next][a], s.cost[next][b]) })
	for _, c := range order {
		if s.steps++; s.steps > mostSteps || ctx.Err() != nil {
			return false
		}
		s.put(next, c, 1)
		if s.search(ctx) {
			return true
		}
		s.put(next, c, -1)
	}
	return false
}

// queue is the heap of the units without a cluster: the one with the fewest clusters left is next,
// of several the one with the most cannot-links, of these the first.
type queue struct {
	s     *coloring
	units []int
	at    []int // of each unit: its place in units
}

func (q *queue) Len() int { return len(q.units) }

func (q *queue) Less(i, j int) bool {
	a, b := q.units[i], q.units[j]
	return cmp.Or(cmp.Compare(q.s.left[a], q.s.left[b]), cmp.Compare(len(q.s.u.apart[b]), len(q.s.u.apart[a])), cmp.Compare(a, b)) < 0
}

func (q *queue) Swap(i, j int) {
	q.units[i], q.units[j] = q.units[j], q.units[i]
	q.at[q.units[i]], q.at[q.units[j]] = i, j
}

// Push implements [heap.Interface].
func (q *queue) Push(unit any) {
	q.at[unit.(int)] = len(q.units)
	q.units = append(q.units, unit.(int))
}

// Pop implements [heap.Interface].
func (q *queue) Pop() any {
	last := q.units[len(q.units)-1]
	q.units = q.units[:len(q.units)-1]
	return last
}
