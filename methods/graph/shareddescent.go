package graph

import (
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/ranks"
)

// descend tries the neighbours of every row with each other, on the rank that has the row's place:
// some rows at a time, whose neighbours together are about as many as the own rows. Those come with
// their joins, so that pairs tried before are skipped as on one process. A pair that has several
// rows as neighbours is tried once for all of a piece, and again in another one, with the same
// result.
//
// A rank receives 16 bytes per place of the lists, and for each neighbour in a piece its row as in
// a partition, 4 bytes per join, and 8 for each candidate that is nearer than the last of a list.
func (a *sharedApprox) descend(ctx context.Context) error {
	t := newTicker(a.obs, a.share.Total())
	le, w := binary.LittleEndian, a.keys()
	fresh := a.near.fresh()
	ptr, back := a.reversed(fresh)
	join, err := a.near.joined(ctx, fresh, ptr, back)
	if err = ranks.Agree(a.share, err); err != nil {
		return err
	}
	own := a.places.Own()
	for from := 0; a.more(own - from); {
		to, places, number := batch(from, own, a.piece, func(at int, member func(p int32)) {
			for _, e := range untried(join.of(uint32(at))) {
				member(int32(e >> 1))
			}
		})
		said := a.ask(places, func(b []byte, at int) []byte {
			entries := join.of(uint32(at))
			b = le.AppendUint32(b, math.Float32bits(a.near.least(int32(at))))
			b = le.AppendUint32(b, uint32(len(entries)))
			for _, e := range entries {
				b = le.AppendUint32(b, e>>1)
			}
			return w.put(b, a.rows, at)
		})
		found := newNearLists(len(places), a.near.width, a.near.start)
		known := &joins{ptr: make([]int, len(places)+1)}
		records := make([][]byte, len(places))
		for c := range places {
			next := said.next()
			found.floor[c].Store(next.uint32())
			for range next.uint32() {
				if j, here := number[int32(next.uint32())]; here {
					known.entries = append(known.entries, uint32(j)<<1)
				}
			}
			known.ptr[c+1] = len(known.entries)
			records[c] = next.row(w)
		}
		via := &joins{ptr: make([]int, to-from+1)}
		for at := from; at < to; at++ {
			for _, e := range untried(join.of(uint32(at))) {
				via.entries = append(via.entries, uint32(number[int32(e>>1)])<<1|e&1)
			}
			via.ptr[at-from+1] = len(via.entries)
		}
		keys, err := a.keyer(ctx, records)
		if err == nil {
			err = tryJoins(ctx, via, known, len(places), keys, found, t.part(float64(to-from)*float64(a.share.Total())/float64(max(1, own)), len(places)))
		}
		if err = ranks.Agree(a.share, err); err != nil {
			return err
		}
		a.deliver(places, found)
		from = to
	}
	t.finish()
	return nil
}

// untried are the entries of a row's joins, or none if no two of them are to be tried.
func untried(entries []uint32) []uint32 {
	if slices.ContainsFunc(entries, func(e uint32) bool { return e&1 == 1 }) {
		return entries
	}
	return nil
}

// reversed is that of the lists of all ranks, for the own places.
func (a *sharedApprox) reversed(fresh []bool) (ptr []int, back []uint32) {
	le := binary.LittleEndian
	parts := make([][]byte, a.places.Size())
	for p, j := range a.near.index {
		if j >= 0 {
			r := a.places.Owner(int(j))
			parts[r] = le.AppendUint32(parts[r], uint32(int(j)-a.places.Bounds[r]))
			parts[r] = le.AppendUint32(parts[r], entry(a.places.First()+p/a.near.width, fresh[p]))
		}
	}
	got := a.places.Exchange(parts)
	n := a.places.Own()
	ptr = make([]int, n+2)
	for _, part := range got {
		for c := cursor(part); len(c) > 0; c = c[8:] {
			ptr[le.Uint32(c)+2]++
		}
	}
	for i := range n {
		ptr[i+2] += ptr[i+1]
	}
	back = make([]uint32, ptr[n+1])
	for _, part := range got { // the rows ascend from rank to rank, and within each
		for c := cursor(part); len(c) > 0; {
			at := &ptr[c.uint32()+1]
			back[*at] = c.uint32()
			*at++
		}
	}
	return ptr, back
}
