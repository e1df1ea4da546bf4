package exact

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/parallel"
)

// search offers every pair whose key exceeds the floors to the shortlists of both rows.
//
// Each list first receives the rows near it in the file: the pairs within a span, then the pairs
// with other spans, the nearest first. In a corpus sorted by time or topic most of these remain,
// and most later pairs fail at the first comparison.
func (s *sparseScreen) search(ctx context.Context, list *shortlists, loop parallel.Loop, t *Ticker) error {
	if s.split > 0 {
		return s.searchAcross(ctx, list, loop, t, nil)
	}
	spans := parallel.Chunks(s.n, spanRows)
	own := make([]*group, parallel.Workers(s.n, groupRows))
	var sp span
	for _, within := range []bool{true, false} {
		for number := range spans {
			lo := number * spanRows
			hi := min(lo+spanRows, s.n)
			from, to := 0, lo // rows of the groups
			if within {
				from, to = lo, hi
			}
			if from == to {
				continue
			}
			if err := sp.load(ctx, s, loop, lo, hi); err != nil {
				return err
			}
			groups := parallel.Chunks(to-from, groupRows)
			err := loop(ctx, groups, 1, func(worker, c, _ int) error {
				if own[worker] == nil {
					own[worker] = newGroup(s)
				}
				first := from + (groups-1-c)*groupRows
				own[worker].load(s, first, min(first+groupRows, to))
				return own[worker].meet(ctx, s, &sp, list)
			})
			if err != nil {
				return err
			}
			share := float64(to-from) * float64(hi-lo)
			if within {
				share /= 2
			}
			t.Add(2 * share / float64(s.n))
		}
	}
	return nil
}

// searchAcross is search for the pairs across the split.
//
// If only the rows from the split on have lists, near takes the pairs of the others: those of a
// group of rows, by its number, and of a span at a time. It runs on several goroutines, and must
// not keep them.
func (s *sparseScreen) searchAcross(ctx context.Context, list *shortlists, loop parallel.Loop, t *Ticker,
	near func(worker, number int, pairs []pair) error) error {
	own := make([]*group, parallel.Workers(s.split, groupRows))
	var sp span
	for lo := s.split; lo < s.n; lo += spanRows {
		hi := min(lo+spanRows, s.n)
		if err := sp.load(ctx, s, loop, lo, hi); err != nil {
			return err
		}
		err := loop(ctx, parallel.Chunks(s.split, groupRows), 1, func(worker, c, _ int) error {
			if own[worker] == nil {
				own[worker] = newGroup(s)
			}
			g := own[worker]
			g.load(s, c*groupRows, min((c+1)*groupRows, s.split))
			if err := g.meet(ctx, s, &sp, list); err != nil {
				return err
			}
			t.Add(float64(hi-lo) * float64(g.hi-g.lo) / float64(s.split))
			if near == nil {
				return nil
			}
			err := near(worker, c, g.near)
			g.near = g.near[:0]
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
