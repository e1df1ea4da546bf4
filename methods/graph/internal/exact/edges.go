package exact

import (
	"sync/atomic"

	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
)

// edge joins i and j < i, or a new point i and j; raw is the value for its weight.
type edge struct {
	i, j int32
	raw  float64
}

// Pass says what a pass over many pairs lists of them.
type Pass struct {
	// dot: the value for the weight of an edge is the dot product; else the squared distance.
	Dot bool
	// most is the largest number of edges, and tooMany the error for more.
	Most     int64
	TooMany  func(edges int64) error
	Observer progress.Observer
}

// raw returns the value for the weight of a pair.
func (p Pass) raw(dist2, dot float64) float64 {
	if p.Dot {
		return dot
	}
	return dist2
}

// edgeLists collects edges per chunk, so that their order does not depend on the goroutines, and
// checks their number against a limit.
type edgeLists struct {
	lists [][]edge
	count atomic.Int64
	pass  Pass
}

func newEdgeLists(chunks int, p Pass) *edgeLists {
	return &edgeLists{lists: make([][]edge, chunks), pass: p}
}

// added counts the edges that a visit appended.
func (l *edgeLists) added(edges int) error {
	if edges == 0 {
		return nil
	}
	if n := l.count.Add(int64(edges)); n > l.pass.Most {
		return l.pass.TooMany(n)
	}
	return nil
}

// matrix returns the edges i→j as a matrix with sorted rows.
func (l *edgeLists) matrix(n, cols int) *sparse.CSR {
	count := int(l.count.Load())
	t := &sparse.CSR{NumRows: n, NumCols: cols, RowPtr: make([]int, n+1), Col: make([]int32, count), Val: make([]float64, count)}
	next := make([]int, n+1)
	for _, list := range l.lists {
		for _, e := range list {
			next[e.i+1]++
		}
	}
	for i := range n {
		next[i+1] += next[i]
	}
	copy(t.RowPtr, next)
	for c, list := range l.lists {
		for _, e := range list {
			t.Col[next[e.i]], t.Val[next[e.i]] = e.j, e.raw
			next[e.i]++
		}
		l.lists[c] = nil
	}
	return t.Transpose().Transpose() // sorts the rows in O(edges)
}
