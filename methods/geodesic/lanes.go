package geodesic

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/sparse"
)

// width is the number of sources that are searched together.
const width = 16

// A run of [lanes] is given up if it takes much more than half of the time of single searches from
// its sources. For 16 sources these are 12 relaxations of each edge, for fewer sources fewer.
const (
	mostRelaxed = 12
	looks       = 8 // at a node of the order cost what a relaxation does
)

// lanes finds the distances from width sources at once. It keeps its memory, 8·width + 13 bytes per
// node, between runs. Only one goroutine may use it at a time.
//
// An edge is relaxed for all sources by one kernel, which reads it, and the distances at its ends,
// once. Nodes are taken in the order of their distance from a source near the others, and again
// where another one shortens a path to them, until none does (Bellman 1958, in an order close to
// Dijkstra's): some 2 relaxations of an edge for 16 near sources. The distances are those of a
// single [Search], bit for bit: both are the least sums over all paths, and sums of lengths never
// fall when a term grows.
type lanes struct {
	lengths *sparse.CSR
	dist    []float64 // width of each node, one after another; +Inf between runs
	dirty   []byte    // 1: the node's distances have not been passed on
	order   []int32   // nodes that can be reached
	edges   int       // of these, with one more for each node
	next    []int32
	starts  []int32 // of the buckets of a sort
}

func newLanes(lengths *sparse.CSR) *lanes {
	n := lengths.NumRows
	l := &lanes{lengths: lengths, dist: make([]float64, n*width), dirty: make([]byte, n), order: make([]int32, 0, n)}
	clearLanes(l.dist)
	return l
}

func clearLanes(dist []float64) {
	for i := range dist {
		dist[i] = math.Inf(1)
	}
}

// reach orders the nodes by their distance from one. all is false if the sum of the lengths
// overflows: paths as long as that end, and from other sources at other nodes.
func (l *lanes) reach(ctx context.Context, s *Search, from int) (all bool, err error) {
	l.order, l.edges = l.order[:0], 0
	sum := 0.0
	err = s.From(ctx, from, func(v int32, _ float64) bool {
		l.order = append(l.order, v)
		cols, vals := l.lengths.Row(int(v))
		l.edges += len(cols) + 1
		for _, w := range vals {
			sum += w
		}
		return true
	})
	return !math.IsInf(sum, 1), err
}

// run computes the distances from at most width sources of one component, all of whose nodes order
// has. They stay in dist until given. Nodes are taken in order and against it by turns: a path from
// a source far from that of the order comes nearer to it, and then leaves it. ok is false, and
// nothing stays, if the run was given up.
func (l *lanes) run(ctx context.Context, sources []int32) (ok bool, err error) {
	for b, v := range sources {
		l.dist[int(v)*width+b] = 0
		l.dirty[v] = 1
	}
	left := mostRelaxed * len(sources) * l.edges
	for changed, back := true, false; changed; back = !back {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		changed = false
		left -= width * len(l.order) / looks
		for i := range l.order {
			u := int(l.order[i])
			if back {
				u = int(l.order[len(l.order)-1-i])
			}
			if l.dirty[u] == 0 {
				continue
			}
			l.dirty[u] = 0
			cols, vals := l.lengths.Row(u)
			if relax(l.dist, l.dirty, u, cols, vals) {
				changed = true
			}
			left -= width * (len(cols) + 1)
		}
		if changed && left < 0 {
			clearLanes(l.dist)
			clear(l.dirty)
			return false, nil
		}
	}
	return true, nil
}

// give copies the distances from the sources to their rows, and forgets them. A row has +Inf where
// no node of order is.
func (l *lanes) give(rows [][]float64) {
	const tile = 64 // its lanes and its part of the rows stay in the first cache
	n := len(l.dirty)
	for from := 0; from < n; from += tile {
		to := min(from+tile, n)
		for b, row := range rows {
			for v := from; v < to; v++ {
				row[v] = l.dist[v*width+b]
			}
		}
	}
	clearLanes(l.dist)
}

// sort orders the nodes by their distances in row: by buckets of equal width first. Within these
// the order matters too: on a line each bucket with its nodes turned round takes passes of its own.
func (l *lanes) sort(row []float64) {
	const buckets = 1 << 11
	most := 0.0
	for _, v := range l.order {
		most = max(most, row[v])
	}
	scale := (buckets - 1) / most
	if math.IsInf(scale, 1) {
		return // no lengths, or tiny ones
	}
	l.starts = append(l.starts[:0], make([]int32, buckets+1)...)
	l.next = append(l.next[:0], l.order...)
	for _, v := range l.next {
		l.starts[int(row[v]*scale)+1]++
	}
	for b := range buckets {
		l.starts[b+1] += l.starts[b]
	}
	for _, v := range l.next {
		b := int(row[v] * scale)
		l.order[l.starts[b]] = v
		l.starts[b]++
	}
	from := int32(0)
	for _, to := range l.starts[:buckets] {
		slices.SortFunc(l.order[from:to], func(u, v int32) int { return cmp.Compare(row[u], row[v]) })
		from = to
	}
}

// relaxGo offers the neighbours cols of node u the paths by u, at the distances vals from it, in
// all lanes. It marks those that became nearer, and says whether there are any. Cost: width
// additions and comparisons for each neighbour, and 16·width bytes.
func relaxGo(dist []float64, dirty []byte, u int, cols []int32, vals []float64) bool {
	from := (*[width]float64)(dist[u*width:])
	any := false
	for k, v := range cols {
		w, to, nearer := vals[k], (*[width]float64)(dist[int(v)*width:]), false
		for b := range to {
			if d := from[b] + w; d < to[b] {
				to[b], nearer = d, true
			}
		}
		if nearer {
			dirty[v], any = 1, true
		}
	}
	return any
}
