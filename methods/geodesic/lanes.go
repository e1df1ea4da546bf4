package geodesic

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/sparse"
)

// width is the number of sources that are searched together.
const width = 16

// lanes finds the distances from width sources at once. It keeps its memory, 8·width + 13 bytes per
// node, between runs. Only one goroutine may use it at a time.
//
// An edge is relaxed for all sources by one kernel, which reads it, and the distances at its ends,
// once. Nodes are taken in the order of their distance from a source near the others, and again
// where a later node shortens a path to them, until none does (Bellman 1958, in an order close to
// Dijkstra's): some 2 relaxations of an edge for 16 near sources. The distances are those of a
// single [Search], bit for bit: both are the least sums over all paths, and sums of lengths never
// fall when a term grows.
type lanes struct {
	lengths *sparse.CSR
	dist    []float64 // width of each node, one after another; +Inf between runs
	dirty   []byte    // 1: the node's distances have not been passed on
	order   []int32   // nodes that can be reached
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

// run computes the distances from at most width sources of one component, all of whose nodes order
// has. They stay in dist until done.
func (l *lanes) run(ctx context.Context, sources []int32) error {
	for b, v := range sources {
		l.dist[int(v)*width+b] = 0
		l.dirty[v] = 1
	}
	for changed := true; changed; {
		if err := ctx.Err(); err != nil {
			return err
		}
		changed = false
		for _, u := range l.order {
			if l.dirty[u] == 0 {
				continue
			}
			l.dirty[u] = 0
			cols, vals := l.lengths.Row(int(u))
			if relax(l.dist, l.dirty, int(u), cols, vals) {
				changed = true
			}
		}
	}
	return nil
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

// sort orders the nodes by their distances in row, near enough for run: by buckets of equal width.
func (l *lanes) sort(row []float64) {
	const buckets = 1 << 11
	most := 0.0
	for _, v := range l.order {
		most = max(most, row[v])
	}
	if most == 0 {
		return
	}
	l.starts = append(l.starts[:0], make([]int32, buckets+1)...)
	l.next = append(l.next[:0], l.order...)
	scale := (buckets - 1) / most
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
