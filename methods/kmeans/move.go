package kmeans

import (
	"cmp"
	"context"
	"slices"
)

// fewChanges is the part of the rows, one in so many, up to which changes of clusters are added to
// the sums; if more rows changed, the sums are computed again.
const fewChanges = 8

// change is a row that changed its cluster; was is negative for the first one.
type change struct{ row, was, to int32 }

// sums has for each cluster of dense rows the sum of their differences to one of its rows, the
// origin. They move centres by the rows that changed, which are few after the first moves and were
// read just before. The rounding errors that gather are removed before a run ends: refresh computes
// sums that changed again.
type sums struct {
	p      *densePoints
	of     []float64 // k×d
	origin []int32   // the row; -1 if the sum is not known
	gained []bool    // whether changes were added since the sum was computed
	first  []int     // begin of each cluster in moves; k+1 entries
	moves  []int32   // rows that joined a cluster, and as -1-row those that left it, ascending
}

func newSums(p *densePoints, k int) *sums {
	d := p.x.Cols
	return &sums{p: p, of: make([]float64, k*d), origin: make([]int32, k), gained: make([]bool, k), first: make([]int, k+1)}
}

func (s *sums) at(j int) []float64 { d := s.p.x.Cols; return s.of[j*d : (j+1)*d : (j+1)*d] }

// drop marks the sum of cluster j as not known; nil has none.
func (s *sums) drop(j int) {
	if s != nil {
		s.origin[j], s.gained[j] = -1, false
	}
}

// changed reports whether changes were added to the sum of cluster j since it was computed.
func (s *sums) changed(j int) bool { return s != nil && s.gained[j] }

// list groups the changes by cluster.
func (s *sums) list(scratch []scratch) {
	clear(s.first)
	var all []change
	for w := range scratch {
		all = append(all, scratch[w].log...)
	}
	slices.SortFunc(all, func(a, b change) int { return cmp.Compare(a.row, b.row) })
	for _, c := range all {
		s.first[c.to+1]++
		if c.was >= 0 {
			s.first[c.was+1]++
		}
	}
	for j := range s.origin {
		s.first[j+1] += s.first[j]
	}
	s.moves = slices.Grow(s.moves[:0], s.first[len(s.origin)])[:s.first[len(s.origin)]]
	next := slices.Clone(s.first)
	for _, c := range all {
		s.moves[next[c.to]] = c.row
		next[c.to]++
		if c.was >= 0 {
			s.moves[next[c.was]] = -1 - c.row
			next[c.was]++
		}
	}
}

// apply adds the changes of cluster j to its sum.
func (s *sums) apply(j int) {
	sum, origin := s.at(j), s.p.row(int(s.origin[j]), nil)
	buf := s.p.buffers.get(s.p.x.Cols)
	defer s.p.buffers.put(buf)
	for _, i := range s.moves[s.first[j]:s.first[j+1]] {
		if i >= 0 {
			addDifference(sum, s.p.row(int(i), *buf), origin)
		} else {
			addDifference(sum, origin, s.p.row(int(-1-i), *buf))
		}
	}
	s.gained[j] = true
}

// total computes the sum of cluster j again.
func (s *sums) total(ctx context.Context, j int, rows []int32) error {
	s.origin[j], s.gained[j] = rows[0], false
	sum, origin := s.at(j), s.p.row(int(rows[0]), nil)
	clear(sum)
	for every := grain(len(rows), s.p.x.Cols); len(rows) > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		m := min(every, len(rows))
		s.p.addRows(sum, rows[:m], origin)
		rows = rows[m:]
	}
	return nil
}

// update moves the centre of every cluster that changed to the mean of its rows. whole computes the
// sums again in place of adding what changed.
func (r *run) update(ctx context.Context, whole bool) error {
	if r.share.Divided() {
		return r.updateShared(ctx)
	}
	if r.sums != nil && !whole {
		r.sums.list(r.scratch)
	}
	return r.move(ctx, whole)
}

// refresh computes sums to which changes were added again, moves their centres, and says whether
// there are any.
func (r *run) refresh(ctx context.Context) (bool, error) {
	if r.share.Divided() || r.sums == nil || !slices.Contains(r.sums.gained, true) {
		return false, nil
	}
	r.group()
	copy(r.touched, r.sums.gained)
	return true, r.move(ctx, true)
}

// move moves the centres of the touched clusters.
func (r *run) move(ctx context.Context, whole bool) error {
	clear(r.drift)
	err := r.each(ctx, r.k, 1, func(w, lo, hi int) error {
		for j := lo; j < hi; j++ {
			if r.size(j) == 0 {
				r.sums.drop(j)
				continue
			}
			if !r.touched[j] && !(whole && r.sums.changed(j)) {
				continue
			}
			var err error
			if r.drift[j], err = r.moveOne(ctx, j, whole, r.scratch[w].mean); err != nil {
				return err
			}
		}
		return nil
	})
	r.farthestDrift()
	return err
}

// moveOne moves centre j and returns what centers.mean does.
func (r *run) moveOne(ctx context.Context, j int, whole bool, tmp []float64) (float64, error) {
	s := r.sums
	if s == nil {
		return r.c.mean(ctx, j, r.members(j), tmp)
	}
	if whole || s.origin[j] < 0 {
		if err := s.total(ctx, j, r.members(j)); err != nil {
			return 0, err
		}
	} else {
		s.apply(j)
	}
	copy(tmp, s.at(j))
	s.p.finishMean(tmp, s.p.row(int(s.origin[j]), nil), float64(r.size(j)))
	return r.c.shift(j, tmp), nil
}
