package leiden

import (
	"github.com/eigenmap/eigenmap/sparse"
)

// network is an undirected graph whose nodes are documents, or groups of documents. Weights inside
// a group are in its degree alone: no gain depends on them.
type network struct {
	ptr    []int
	col    []int32
	val    []float64
	degree []float64 // sum of the weights at the documents of a node
}

// newNetwork is the network of a symmetric matrix without diagonal, which it shares.
func newNetwork(w *sparse.CSR) *network {
	return &network{ptr: w.RowPtr, col: w.Col, val: w.Val, degree: w.RowSums()}
}

func (g *network) len() int { return len(g.degree) }

// row are the neighbours of node v and the weights of its edges to them.
func (g *network) row(v int) ([]int32, []float64) {
	lo, hi := g.ptr[v], g.ptr[v+1]
	return g.col[lo:hi], g.val[lo:hi]
}

// members lists the nodes of each of k groups: those of group c are order[first[c]:first[c+1]],
// ascending.
func members(of []int32, k int) (order []int32, first []int) {
	first = make([]int, k+1)
	for _, c := range of {
		first[c+1]++
	}
	for c := range k {
		first[c+1] += first[c]
	}
	next := append([]int(nil), first[:k]...)
	order = make([]int32, len(of))
	for v, c := range of {
		order[next[c]] = int32(v)
		next[c]++
	}
	return order, first
}

// merged is the network whose nodes are k groups of nodes of g. Its edges are the sums of edges
// between groups, in the order in which the groups' members meet them. O(edges).
func (g *network) merged(of []int32, k int) *network {
	out := &network{ptr: make([]int, k+1), degree: make([]float64, k)}
	order, first := members(of, k)
	s := newSums(k)
	for c := range k {
		for _, v := range order[first[c]:first[c+1]] {
			out.degree[c] += g.degree[v]
			cols, vals := g.row(int(v))
			for e, u := range cols {
				if to := of[u]; int(to) != c {
					s.add(to, vals[e])
				}
			}
		}
		for _, to := range s.met {
			out.col, out.val = append(out.col, to), append(out.val, s.at[to])
		}
		s.clear()
		out.ptr[c+1] = len(out.col)
	}
	return out
}

// sums are weights by group, of the few groups met.
type sums struct {
	at  []float64
	met []int32 // in the order in which they were met
}

func newSums(k int) *sums { return &sums{at: make([]float64, k)} }

// add adds a positive weight.
func (s *sums) add(to int32, w float64) {
	if s.at[to] == 0 {
		s.met = append(s.met, to)
	}
	s.at[to] += w
}

func (s *sums) clear() {
	for _, to := range s.met {
		s.at[to] = 0
	}
	s.met = s.met[:0]
}

// renumber gives groups the numbers 0, 1, ... in the order of their first nodes, and counts them.
func renumber(of []int32) int {
	number := make([]int32, len(of))
	k := int32(0)
	for v, c := range of {
		if number[c] == 0 {
			k++
			number[c] = k
		}
		of[v] = number[c] - 1
	}
	return int(k)
}
