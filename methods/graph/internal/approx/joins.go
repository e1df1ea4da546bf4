package approx

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
)

// joins are the neighbours of each row that are tried with each other: those in its list and some
// of the rows in whose lists it is. An entry is twice a row's number, plus 1 if it is fresh. The
// entries of a row ascend, each row once.
type joins struct {
	ptr     []int
	entries []uint32
}

// of returns the entries of row v.
func (g *joins) of(v uint32) []uint32 { return g.entries[g.ptr[v]:g.ptr[v+1]] }

// joined makes the joins of the lists and of the reversed ones, and marks all entries as tried. Of
// many lists that a row is in, as many as a list has places count, evenly spread. At most 8 bytes
// per place while they are put together.
func (l *nearLists) joined(ctx context.Context, fresh []bool, ptr []int, back []uint32) (*joins, error) {
	n := len(l.floor)
	const grain = 1 << 12
	parts := make([][]uint32, parallel.Chunks(n, grain))
	g := &joins{ptr: make([]int, n+1)}
	err := parallel.For(ctx, n, grain, func(_, lo, hi int) error {
		part := make([]uint32, 0, (hi-lo)*l.width*3/2)
		var row []uint32
		for i := lo; i < hi; i++ {
			row = row[:0]
			for p := i * l.width; p < i*l.width+l.tries && l.index[p] >= 0; p++ {
				row = append(row, entry(int(l.index[p]), fresh[p]))
			}
			from := back[ptr[i]:ptr[i+1]]
			count := min(len(from), l.tries)
			for c := range count {
				row = append(row, from[c*len(from)/count])
			}
			slices.Sort(row)
			start := len(part)
			for c, e := range row {
				// Of two entries of a row the second is the fresh one, if one of them is.
				if c+1 == len(row) || row[c+1]>>1 != e>>1 {
					part = append(part, e)
				}
			}
			g.ptr[i+1] = len(part) - start
		}
		parts[lo/grain] = part
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range n {
		g.ptr[i+1] += g.ptr[i]
	}
	g.entries = slices.Concat(parts...)
	l.tried = append(l.tried[:0], l.index...)
	return g, nil
}

func entry(i int, fresh bool) uint32 {
	if fresh {
		return uint32(i)<<1 | 1
	}
	return uint32(i) << 1
}

// transposed lists for each of n rows the rows in whose joins it is, with its mark there.
func (g *joins) transposed(n int) *joins {
	t := &joins{ptr: make([]int, n+2), entries: make([]uint32, len(g.entries))}
	for _, e := range g.entries {
		t.ptr[e>>1+2]++
	}
	for i := range n {
		t.ptr[i+2] += t.ptr[i+1]
	}
	for v := range len(g.ptr) - 1 {
		for _, e := range g.of(uint32(v)) {
			at := &t.ptr[e>>1+1]
			t.entries[*at] = uint32(v)<<1 | e&1
			*at++
		}
	}
	t.ptr = t.ptr[:n+1]
	return t
}

// tryJoins tries the rows of each of the joins with each other: each pair once, for both of n rows.
// Pairs that were tried before are skipped: the later row is among the known joins of the other, or
// neither entry is fresh.
//
// A pair costs a look at its mark, and its key if the pair is new: mostly a read of the later row,
// which is in cache if the order of rows keeps near rows together. 4 bytes per row and worker.
func tryJoins(ctx context.Context, join, known *joins, n int, keys keyer, near *nearLists, t *exact.Ticker) error {
	back := join.transposed(n)
	const grain = 256
	type scratch struct {
		*keyScratch
		seen []int32 // 1 + the last row that tried each row
		js   []int32
		keys []float32
	}
	own := make([]scratch, parallel.Workers(n, grain))
	return parallel.For(ctx, n, grain, func(worker, lo, hi int) error {
		defer t.Add(float64(hi - lo))
		w := &own[worker]
		if w.seen == nil {
			*w = scratch{keyScratch: keys.Scratch(), seen: make([]int32, n)}
		}
		for i := lo; i < hi; i++ {
			mark := int32(i + 1)
			for _, e := range known.of(uint32(i)) {
				w.seen[e>>1] = mark
			}
			w.js = w.js[:0]
			for _, via := range back.of(uint32(i)) {
				entries := join.of(via >> 1)
				for p := len(entries) - 1; p >= 0; p-- {
					e := entries[p]
					j := e >> 1
					if int(j) <= i {
						break
					}
					if (e|via)&1 != 0 && w.seen[j] != mark {
						w.seen[j] = mark
						w.js = append(w.js, int32(j))
					}
				}
			}
			w.keys = slices.Grow(w.keys[:0], len(w.js))[:len(w.js)]
			keys.keys(int32(i), w.js, w.keys, w.keyScratch)
			for c, j := range w.js {
				key := w.keys[c]
				near.offer(int32(i), j, key)
				near.offer(j, int32(i), key)
			}
		}
		return nil
	})
}
