package approx

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
)

// partition searches each cell on one rank: in a round a rank searches some cells and sends their
// candidates to the ranks that have the rows' places.
//
// A rank receives for each row of its cells, which are about twice as many as its own rows, the row
// and 8 bytes per candidate that is nearer than the last one of the row's list; and 16 bytes per
// own row.
func (s *search) partition(ctx context.Context) error {
	t := exact.NewTicker(s.obs, s.share.Total())
	if s.cells == nil {
		if err := s.divide(ctx); err != nil {
			return err
		}
	}
	plan := scheduled(s.cells, s.share.Size(), s.piece)
	members := s.members()
	s.cells = nil
	floors := s.near.floors()
	for _, round := range plan.rounds {
		b, cells, floor, err := s.rows.cells(ctx, plan, round, members, floors)
		if err == nil {
			own := make([]*keyScratch, parallel.Workers(len(cells), 1))
			err = parallel.For(ctx, len(cells), 1, func(worker, c, _ int) error {
				if own[worker] == nil {
					own[worker] = b.keys.Scratch()
				}
				defer t.Add(float64(len(cells[c])) / float64(max(1, plan.rows[s.share.Rank()])) * float64(s.share.Total()))
				return b.keys.within(ctx, cells[c], floor, b.near, own[worker])
			})
		}
		if err = ranks.Agree(s.share, err); err != nil {
			return err
		}
		s.rows.deliver(b)
	}
	t.Finish()
	return nil
}

// members are the own places of each cell, ascending.
func (s *search) members() [][]int32 {
	parts := make([][]byte, s.places.Size())
	for c, cell := range s.cells {
		for _, i := range cell.rows {
			p := int(s.place[i])
			r := s.places.Owner(p)
			parts[r] = le.AppendUint32(parts[r], uint32(c))
			parts[r] = le.AppendUint32(parts[r], uint32(p-s.places.Bounds[r]))
		}
	}
	list := make([][]int32, len(s.cells))
	for _, part := range s.places.Exchange(parts) {
		for m := ranks.Message(part); len(m) > 0; {
			cell := m.Uint32()
			list[cell] = append(list[cell], int32(m.Uint32()))
		}
	}
	for _, places := range list {
		slices.Sort(places)
	}
	return list
}
