package exact

import (
	"context"
	"math/bits"
	"slices"
)

const (
	// groupBlocks is the number of blocks of a group. On 33,000 documents of 125 terms, beside other
	// work, one took 1.3 and two 1.1 times as long, and eight as long.
	groupBlocks = 4
	groupRows   = groupBlocks * Lanes
	// bucketBits is the logarithm of the number of buckets in which a group sorts its entries.
	bucketBits = 8
)

// group is the scratch memory of one worker for blocks that are searched together: every chunk of
// the index is read once for all of them, and stays in the second cache meanwhile. At most 192 KiB
// per block for frequent terms, 260 KiB for the products of rare ones, 12 bytes per entry and 8 per
// product of the rarest terms with a span.
type group struct {
	lo, hi int
	block  [groupBlocks]*block
	// rarest are the entries of the rarest terms in the order of their buckets, whose terms lie near
	// each other in the index of a span.
	rarest []groupEntry
	// near are pairs of a row of the group that has no list.
	near []pair
}

// groupEntry is an entry of a row of a group; row is counted from the first one.
type groupEntry struct {
	term, row int32
	val       float32
}

func newGroup(s *sparseScreen) *group {
	g := new(group)
	shared := make([]float32, Lanes*chunkStride)
	for i := range g.block {
		g.block[i] = newBlock(s, shared, &g.near)
	}
	return g
}

// load prepares the group of rows lo to hi. Blocks beyond hi have no rows.
func (g *group) load(s *sparseScreen, lo, hi int) {
	g.lo, g.hi = lo, hi
	for i, b := range g.block {
		from := min(lo+i*Lanes, hi)
		b.load(s, from, min(from+Lanes, hi))
	}
	g.sortRarest(&s.class[rarest])
}

// sortRarest sets rarest to the entries of the rows in a, by bucket of their terms and then by row.
// O(entries).
func (g *group) sortRarest(a *LaneRows) {
	start, end := a.Ptr[g.lo], a.Ptr[g.hi]
	shift := max(0, bits.Len(uint(a.terms))-bucketBits)
	var next [1<<bucketBits + 1]int // bucket q begins at next[q]
	for _, t := range a.Index[start:end] {
		next[t>>shift+1]++
	}
	for q := range 1 << bucketBits {
		next[q+1] += next[q]
	}
	g.rarest = slices.Grow(g.rarest[:0], end-start)[:end-start]
	for i := g.lo; i < g.hi; i++ {
		for k := a.Ptr[i]; k < a.Ptr[i+1]; k++ {
			at := &next[a.Index[k]>>shift]
			g.rarest[*at] = groupEntry{a.Index[k], int32(i - g.lo), a.Val[k]}
			*at++
		}
	}
}

// multiplyRarest finds the products of the rarest terms with the rows of the span.
func (g *group) multiplyRarest(sp *span) {
	for _, b := range g.block {
		for c := range b.rarest {
			b.rarest[c] = b.rarest[c][:0]
		}
	}
	p := &sp.rarest
	for _, e := range g.rarest {
		found, lane := &g.block[e.row/Lanes].rarest, uint16(e.row%Lanes)
		for q := p.first[e.term]; q < p.first[e.term+1]; q++ {
			c := &found[p.row[q]/chunkRows]
			*c = append(*c, product{p.row[q] % chunkRows, lane, e.val * p.val[q]})
		}
	}
}

// meet offers the pairs of a row of the group and a later row of the span.
func (g *group) meet(ctx context.Context, s *sparseScreen, sp *span, list *shortlists) error {
	g.multiplyRarest(sp)
	for c := max(0, (g.lo-sp.lo)/chunkRows); sp.lo+c*chunkRows < sp.hi; c++ {
		for _, b := range slices.Backward(g.block[:]) {
			if err := ctx.Err(); err != nil {
				return err
			}
			if b.lo < b.hi && b.lo < sp.lo+(c+1)*chunkRows {
				b.meet(s, sp, list, c)
			}
		}
	}
	return nil
}
