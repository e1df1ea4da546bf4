package geodesic

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/sparse"
)

// Search finds the nodes of one graph in the order of their distance from a source. It keeps its
// memory, 16 bytes per node, between runs. Only one goroutine may use it at a time.
type Search struct {
	lengths *sparse.CSR
	dist    []float64 // +Inf if the last run did not reach the node
	place   []int32   // position of a node in the heap, −1 if it is not there
	heap    []int32   // of arity 4: half the depth of a binary heap; children share a cache line
	touched []int32
}

const (
	arity = 4
	// checkEvery is the number of nodes settled between two checks of the context: some
	// milliseconds.
	checkEvery = 1 << 12
)

// NewSearch prepares searches in a graph of lengths. It does not check the graph (see Check).
func NewSearch(lengths *sparse.CSR) *Search {
	n := lengths.NumRows
	s := &Search{lengths: lengths, dist: make([]float64, n), place: make([]int32, n)}
	for i := range n {
		s.dist[i], s.place[i] = math.Inf(1), -1
	}
	return s
}

// Run visits nodes by ascending distance from a source that has an edge of length at[i] to the node
// seeds[i]. Nodes at equal distance come in ascending order of their numbers, among those known at
// that moment. Run ends if visit returns false or all reachable nodes were visited.
//
// Cost: O((nodes + edges)·log nodes) of the visited part only. The error is the context's.
func (s *Search) Run(ctx context.Context, seeds []int32, at []float64, visit func(node int32, distance float64) bool) error {
	defer s.reset()
	for i, v := range seeds {
		s.offer(v, at[i])
	}
	for settled := 1; len(s.heap) > 0; settled++ {
		if settled%checkEvery == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		u := s.pop()
		d := s.dist[u]
		if !visit(u, d) {
			return nil
		}
		cols, lengths := s.lengths.Row(int(u))
		for k, v := range cols {
			s.offer(v, d+lengths[k])
		}
	}
	return nil
}

// From is Run from a single node.
func (s *Search) From(ctx context.Context, source int, visit func(node int32, distance float64) bool) error {
	return s.Run(ctx, []int32{int32(source)}, []float64{0}, visit)
}

// offer proposes a path to v. A settled node is at most as far as any later path, so it is never
// changed again.
func (s *Search) offer(v int32, d float64) {
	if !(d < s.dist[v]) {
		return
	}
	if math.IsInf(s.dist[v], 1) {
		s.touched = append(s.touched, v)
	}
	s.dist[v] = d
	if s.place[v] < 0 {
		s.place[v] = int32(len(s.heap))
		s.heap = append(s.heap, v)
	}
	s.rise(int(s.place[v]))
}

func (s *Search) less(u, v int32) bool {
	return s.dist[u] < s.dist[v] || s.dist[u] == s.dist[v] && u < v
}

func (s *Search) rise(at int) {
	v := s.heap[at]
	for at > 0 {
		up := (at - 1) / arity
		if !s.less(v, s.heap[up]) {
			break
		}
		s.put(at, s.heap[up])
		at = up
	}
	s.put(at, v)
}

func (s *Search) put(at int, v int32) {
	s.heap[at] = v
	s.place[v] = int32(at)
}

func (s *Search) pop() int32 {
	top, last := s.heap[0], len(s.heap)-1
	v := s.heap[last]
	s.heap = s.heap[:last]
	s.place[top] = -1
	if last == 0 {
		return top
	}
	at := 0
	for {
		first := at*arity + 1
		if first >= last {
			break
		}
		least := first
		for c := first + 1; c < min(first+arity, last); c++ {
			if s.less(s.heap[c], s.heap[least]) {
				least = c
			}
		}
		if !s.less(s.heap[least], v) {
			break
		}
		s.put(at, s.heap[least])
		at = least
	}
	s.put(at, v)
	return top
}

func (s *Search) reset() {
	for _, v := range s.touched {
		s.dist[v], s.place[v] = math.Inf(1), -1
	}
	s.touched, s.heap = s.touched[:0], s.heap[:0]
}
