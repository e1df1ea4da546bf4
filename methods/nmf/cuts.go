package nmf

import "github.com/eigenmap/eigenmap/internal/ranks"

// The sweeps of HALS over a chunk of rows end when they change the chunk little, so the chunks are
// counted from the first row of all ranks, and are the same as in one process. A chunk that a
// boundary between ranks cuts is swept by its ranks together.

// cut is this rank's rows [lo, hi) of the chunk that is number at of those that are cut, of which
// there are count.
type cut struct{ lo, hi, at, count int }

// cutsOf are the cuts of a rank: at most one before its whole chunks and one after them.
func cutsOf(share *ranks.Share, chunk int) []cut {
	number := map[int]int{} // of each cut chunk
	for r := 1; r < share.Size(); r++ {
		at := share.Bounds[r]
		if _, known := number[at/chunk]; !known && at%chunk != 0 && at < share.Total() {
			number[at/chunk] = len(number)
		}
	}
	var list []cut
	first, end := share.First(), share.First()+share.Own()
	for at := first / chunk; at*chunk < end; at++ {
		if n, is := number[at]; is {
			list = append(list, cut{max(first, at*chunk) - first, min(end, (at+1)*chunk) - first, n, len(number)})
		}
	}
	if list == nil && len(number) > 0 {
		list = []cut{{count: len(number)}} // it takes part in the sums
	}
	return list
}

// whole are the rows that are here of chunks that are not cut.
func (s *side) whole() (lo, hi int) {
	lo, hi = 0, s.f.Rows
	for _, c := range s.cuts {
		switch {
		case c.lo == lo:
			lo = c.hi
		case c.hi == hi:
			hi = c.lo
		}
	}
	return lo, hi
}

// sweepCuts sweeps over the rows of cut chunks and returns the squared norm of their projected
// gradient.
func (w *workspace) sweepCuts(s *side, gram block) float64 {
	if len(s.cuts) == 0 {
		return 0
	}
	first := make([]float64, s.cuts[0].count)
	done := make([]bool, len(first))
	for sweep := range s.repeats {
		change := make([]float64, len(first))
		for _, c := range s.cuts {
			if !done[c.at] {
				change[c.at] += w.sweep(s, c.lo, c.hi, gram)
			}
		}
		s.join(change)
		if sweep == 0 {
			copy(first, change)
		}
		left := false
		for c, v := range change {
			done[c] = done[c] || v <= halsShare*halsShare*first[c]
			left = left || !done[c]
		}
		if !left {
			break
		}
	}
	sum := 0.0
	for _, c := range s.cuts {
		sum += projectedSquare(values(s.f, c.lo, c.hi), values(s.g, c.lo, c.hi))
	}
	return sum
}
