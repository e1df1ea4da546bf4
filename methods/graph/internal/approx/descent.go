package approx

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
)

// descend tries the neighbours of every row with each other, on the rank that has the row's place.
//
// A rank receives 16 bytes per place of the lists, and for each batch of rows what [rowSource]
// says.
func (s *search) descend(ctx context.Context) error {
	t := exact.NewTicker(s.obs, s.share.Total())
	fresh := s.near.fresh()
	ptr, back := s.reversed(fresh)
	join, err := s.near.joined(ctx, fresh, ptr, back)
	if err = ranks.Agree(s.share, err); err != nil {
		return err
	}
	own := s.places.Own()
	for from := 0; s.more(own - from); {
		to, b, via, known, err := s.rows.joins(ctx, from, join)
		if err == nil {
			part := t.Part(float64(to-from)*float64(s.share.Total())/float64(max(1, own)), b.n)
			err = tryJoins(ctx, via, known, b.n, b.keys, b.near, part)
		}
		if err = ranks.Agree(s.share, err); err != nil {
			return err
		}
		s.rows.deliver(b)
		from = to
	}
	t.Finish()
	return nil
}

// reversed lists for each own place the places in whose lists it is, ascending, with their marks
// there: own place i has back[ptr[i]:ptr[i+1]]. 4 bytes per place of a list.
func (s *search) reversed(fresh []bool) (ptr []int, back []uint32) {
	n, first, own := s.places.Own(), int32(s.places.First()), s.places.Rank()
	here := func(j int32) bool { return j >= first && int(j-first) < n }
	parts := make([][]byte, s.places.Size())
	for p, j := range s.near.index {
		if j >= 0 && p%s.near.width < s.near.tries && !here(j) {
			r := s.places.Owner(int(j))
			parts[r] = le.AppendUint32(parts[r], uint32(int(j)-s.places.Bounds[r]))
			parts[r] = le.AppendUint32(parts[r], entry(int(first)+p/s.near.width, fresh[p]))
		}
	}
	got := s.places.Exchange(parts)
	each := func(visit func(at int32, e uint32)) { // the places ascend from rank to rank, and within each
		for r, part := range got {
			for m := ranks.Message(part); len(m) > 0; {
				visit(int32(m.Uint32()), m.Uint32())
			}
			if r != own {
				continue
			}
			for p, j := range s.near.index {
				if j >= 0 && p%s.near.width < s.near.tries && here(j) {
					visit(j-first, entry(int(first)+p/s.near.width, fresh[p]))
				}
			}
		}
	}
	ptr = make([]int, n+2)
	each(func(at int32, _ uint32) { ptr[at+2]++ })
	for i := range n {
		ptr[i+2] += ptr[i+1]
	}
	back = make([]uint32, ptr[n+1])
	each(func(at int32, e uint32) {
		back[ptr[at+1]] = e
		ptr[at+1]++
	})
	return ptr, back
}
