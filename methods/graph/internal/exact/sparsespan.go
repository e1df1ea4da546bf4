package exact

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/parallel"
)

// postingLists is an inverted index of the rows of a chunk or a span, for one class of terms.
type postingLists struct {
	first []int32  // postings of term t: [first[t], first[t+1])
	row   []uint16 // counted from the first row
	val   []float32
}

// load indexes rows lo to hi of a.
func (p *postingLists) load(a *LaneRows, lo, hi int) {
	if p.first == nil {
		p.first = make([]int32, a.terms+2)
	}
	start, end := a.Ptr[lo], a.Ptr[hi]
	// first[t+2] counts term t; then first[t+1] is its next place, and in the end its last.
	clear(p.first)
	for _, t := range a.Index[start:end] {
		p.first[t+2]++
	}
	for t := range a.terms {
		p.first[t+2] += p.first[t+1]
	}
	p.row, p.val = slices.Grow(p.row[:0], end-start)[:end-start], slices.Grow(p.val[:0], end-start)[:end-start]
	for i := lo; i < hi; i++ {
		for k := a.Ptr[i]; k < a.Ptr[i+1]; k++ {
			next := &p.first[a.Index[k]+1]
			p.row[*next], p.val[*next] = uint16(i-lo), a.Val[k]
			*next++
		}
	}
}

// span is the index of some rows.
type span struct {
	lo, hi int
	rare   [spanChunks]postingLists // by chunk
	rarest postingLists
}

// load indexes rows lo to hi.
func (sp *span) load(ctx context.Context, s *sparseScreen, loop parallel.Loop, lo, hi int) error {
	sp.lo, sp.hi = lo, hi
	return loop(ctx, 1+parallel.Chunks(hi-lo, chunkRows), 1, func(_, c, _ int) error {
		if c == 0 {
			sp.rarest.load(&s.class[rarest], lo, hi)
			return nil
		}
		from := lo + (c-1)*chunkRows
		sp.rare[c-1].load(&s.class[rare], from, min(from+chunkRows, hi))
		return nil
	})
}
