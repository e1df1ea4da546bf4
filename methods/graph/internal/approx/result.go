package approx

import (
	"cmp"
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
)

// measure calls visit with the k nearest of the candidates of some own places, nearest first, with
// exact distances and the numbers of documents; visit is called from several goroutines, once for
// each entry of the list. If a place has fewer than k candidates, the lowest rows follow: others
// have no common term with it, or few rows do.
//
// A rank receives 12 bytes per entry of a row that it does not have, again for each batch.
func (s *search) measure(ctx context.Context, list []int, visit func(c int, nearest []exact.Neighbour)) error {
	for from := 0; s.more(len(list) - from); {
		to, m, err := s.rows.measured(list, from)
		if err == nil {
			own := make([]measuring, parallel.Workers(to-from, 256))
			err = parallel.For(ctx, to-from, 256, func(worker, lo, hi int) error {
				w := &own[worker]
				if w.exact == nil {
					*w = measuring{measuredRows: m, exact: m.Scratch(), k: s.k}
				}
				for c := from + lo; c < from+hi; c++ {
					_, index := s.near.row(list[c])
					visit(c, w.nearest(int32(s.places.First()+list[c]), index))
				}
				return nil
			})
		}
		if err = ranks.Agree(s.share, err); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// measuring is the memory of one worker.
type measuring struct {
	measuredRows
	k     int
	exact []float64 // of the measurer
	js    []int32
	sums  []float64
	found []measured
	best  []exact.Neighbour
}

// measured is a row at a squared distance; id is the number of its document.
type measured struct {
	row, id int32
	dist2   float64
}

// nearest returns the k nearest of the candidates of a place, which are places too. The result is
// overwritten by the next call.
func (w *measuring) nearest(place int32, candidates []int32) []exact.Neighbour {
	i := w.row(place)
	w.Open(int(i), w.exact)
	defer w.Close(int(i), w.exact)
	w.found = w.found[:0]
	w.js = w.js[:0]
	for _, p := range candidates {
		w.js = append(w.js, w.row(p))
	}
	w.sums = slices.Grow(w.sums[:0], len(w.js)+w.k)
	dist2 := w.sums[:len(w.js)]
	w.Dist2s(int(i), w.js, dist2, w.exact)
	for c, j := range w.js {
		w.found = append(w.found, measured{j, w.id(j), dist2[c]})
	}
	for _, j := range w.lowest {
		if len(w.found) >= w.k {
			break
		}
		if id := w.id(j); id != w.id(i) && !slices.ContainsFunc(w.found, func(v measured) bool { return v.id == id }) {
			w.found = append(w.found, measured{j, id, w.Dist2(int(i), int(j), w.exact)})
		}
	}
	slices.SortFunc(w.found, func(a, b measured) int { return cmp.Or(cmp.Compare(a.dist2, b.dist2), cmp.Compare(a.id, b.id)) })
	w.best, w.js = w.best[:0], w.js[:0]
	for _, v := range w.found[:w.k] {
		w.js = append(w.js, v.row)
	}
	dots := w.sums[:w.k]
	w.Inners(int(i), w.js, dots, w.exact)
	for c, v := range w.found[:w.k] {
		w.best = append(w.best, exact.Neighbour{J: v.id, Dist2: v.dist2, Dot: dots[c]})
	}
	return w.best
}

// recall is the share of the k neighbours of the sampled rows among the candidates that are no
// farther than the k-th of the exact result, up to rounding.
func (s *search) recall(ctx context.Context) (float64, error) {
	list := make([]int, len(s.drawn))
	for c, d := range s.drawn {
		list[c] = d.at
	}
	found := make([]int, len(list))
	err := s.measure(ctx, list, func(c int, nearest []exact.Neighbour) {
		limit := s.sample.limit(s.drawn[c].r)
		for _, v := range nearest {
			if v.Dist2 <= limit {
				found[c]++
			}
		}
	})
	total := 0
	for _, n := range found {
		total += n
	}
	return float64(ranks.Count(s.share, total)) / float64(len(s.sample.rows)*s.k), err
}

// result measures the lists and returns the k nearest of each own row. A rank receives 20 bytes per
// neighbour.
func (s *search) result(ctx context.Context) (*exact.Lists, error) {
	list := indices.UpTo(s.places.Own())
	g := exact.NewLists(len(list), s.k)
	if !s.share.Divided() {
		return g, s.measure(ctx, list, func(at int, nearest []exact.Neighbour) { g.Put(int(s.number[at]), nearest) })
	}
	err := s.measure(ctx, list, g.Put)
	if err != nil {
		return nil, err
	}
	parts := make([][]byte, s.share.Size())
	for at, i := range s.number {
		r := s.share.Owner(int(i))
		parts[r] = le.AppendUint32(parts[r], uint32(int(i)-s.share.Bounds[r]))
		index, dist2, dot := g.Row(at)
		for c, j := range index {
			parts[r] = exact.AppendNeighbour(parts[r], exact.Neighbour{J: j, Dist2: dist2[c], Dot: dot[c]})
		}
	}
	g = exact.NewLists(s.share.Own(), s.k)
	row := make([]exact.Neighbour, s.k)
	for _, part := range s.share.Exchange(parts) {
		for m := ranks.Message(part); len(m) > 0; {
			i := int(m.Uint32())
			for c := range row {
				row[c] = exact.CutNeighbour(&m)
			}
			g.Put(i, row)
		}
	}
	return g, nil
}
