package exact

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/eigenmap/eigenmap/internal/parallel"
)

// heaps keeps the k best candidates found so far for each of n rows, from any goroutine.
//
// A candidate is better if its score is higher or, at equal scores, if its index is lower. That
// order has no ties, so the k best of a row are the same set in every order of arrival: results do
// not depend on the number of threads. 12 bytes per candidate and 20 per row.
type heaps struct {
	k     int
	score []float64 // n·k; each row a binary heap with its worst candidate first
	index []int32   // n·k
	count []int32
	mu    []sync.Mutex
	// Bits of the score that a candidate must reach: the worst score of a full row, or a little
	// less; -Inf before the row is full.
	floor []atomic.Uint64
	unit  bool // rows are sparse and have length 1; other scores are -d²
}

// newHeaps makes n empty lists of k candidates. unit says that the rows are sparse and have
// length 1.
func newHeaps(n, k int, unit bool) *heaps {
	h := &heaps{k: k, unit: unit, score: make([]float64, n*k), index: make([]int32, n*k),
		count: make([]int32, n), mu: make([]sync.Mutex, n), floor: make([]atomic.Uint64, n)}
	for i := range h.floor {
		h.floor[i].Store(math.Float64bits(math.Inf(-1)))
	}
	return h
}

// least returns a score below which row i takes no more candidates.
func (h *heaps) least(i int) float64 { return math.Float64frombits(h.floor[i].Load()) }

// offer proposes candidate j to row i.
func (h *heaps) offer(i int, j int32, score float64) {
	h.mu[i].Lock()
	lo := i * h.k
	s, x := h.score[lo:lo+h.k], h.index[lo:lo+h.k]
	if n := int(h.count[i]); n < h.k {
		s[n], x[n] = score, j
		h.count[i]++
		for c := n; c > 0; {
			p := (c - 1) / 2
			if !h.worse(s[c], x[c], s[p], x[p]) {
				break
			}
			s[c], s[p], x[c], x[p] = s[p], s[c], x[p], x[c]
			c = p
		}
		if n+1 == h.k {
			h.floor[i].Store(math.Float64bits(h.screen(s[0])))
		}
	} else if h.worse(s[0], x[0], score, j) {
		p := 0
		for {
			c := 2*p + 1
			if c >= h.k {
				break
			}
			if c+1 < h.k && h.worse(s[c+1], x[c+1], s[c], x[c]) {
				c++
			}
			if !h.worse(s[c], x[c], score, j) {
				break
			}
			s[p], x[p] = s[c], x[c]
			p = c
		}
		s[p], x[p] = score, j
		h.floor[i].Store(math.Float64bits(h.screen(s[0])))
	}
	h.mu[i].Unlock()
}

// worse reports whether candidate (s, i) ranks after (t, j): by distance, and not by score, because
// several dot products may have one distance. [graph.Attach] has distances only.
func (h *heaps) worse(s float64, i int32, t float64, j int32) bool {
	if h.unit {
		s, t = -unitDist2(s), -unitDist2(t)
	}
	return s < t || s == t && i > j
}

// screen returns the score that a candidate must reach in a row whose worst score is given: no more
// than the lowest dot product with the same distance, and no more than nearDot, from which a dot
// product is not the score.
func (h *heaps) screen(worst float64) float64 {
	if !h.unit {
		return worst
	}
	const step = 4e-16 // dot products that differ by more have different distances
	return min(worst, nearDot) - step
}

// lists converts the heaps to sorted lists; measure returns the distance and the dot product of a
// pair from its score.
func (h *heaps) lists(ctx context.Context, loop parallel.Loop, measure func(i, j int, score float64) (dist2, dot float64)) (*Lists, error) {
	n, k := len(h.count), h.k
	g := NewLists(n, k)
	err := loop(ctx, n, 256, func(_, lo, hi int) error {
		row := make([]candidate, k)
		for i := lo; i < hi; i++ {
			for c := range row {
				row[c] = candidate{h.score[i*k+c], h.index[i*k+c]}
			}
			slices.SortFunc(row, nearer(h.unit))
			g.set(i, row, measure)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return g, nil
}

// rows is the number of rows.
func (h *heaps) rows() int { return len(h.count) }
