package approx

import (
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"gonum.org/v1/gonum/mat"
)

const (
	// packedRows is the number of own rows that are packed together: half of a second-level cache.
	packedRows = 2048
	// drawnTogether is the number of drawn rows that are compared with packed rows at a time, and
	// fewRows the number of rows from which it is ownRows, to save memory.
	drawnTogether, fewRows = 16, 1 << 18
	// topBlocks is the number of blocks of a group of keys.
	topBlocks = 32
)

// measureImages finds the k-th nearest of the drawn rows exactly, among all rows, by their images:
// an image is no farther than its row, so that few rows remain to be measured. It reports whether
// images suit the rows. 2 flops per drawn row, row and coordinate in integers, and 3 per value of a
// row that is measured.
func (s *recallSample) measureImages(ctx context.Context, d drawer, drawn *mat.Dense, p *projection, z, some *mat.Dense, k int) (suits bool, err error) {
	n, _ := z.Dims()
	m := len(s.rows)
	c, err := newImageSearch(ctx, d, drawn, p, z, some, k)
	if err = ranks.Agree(d.share, err); err != nil {
		return false, err
	}
	each := drawnTogether
	if n > fewRows {
		each = ownRows
	}
	best, ranked := make([][]float64, m), make([]float64, m)
	own := make([]imageScratch, parallel.Workers(m, each))
	err = parallel.For(ctx, m, each, func(worker, lo, hi int) error {
		if n > 0 {
			c.nearest(lo, hi, s.rows, best, ranked, &own[worker])
		}
		return ctx.Err()
	})
	if err = s.settle(d.share, best, k, err); err != nil {
		return false, err
	}
	found := []float64{0, 0}
	for r, list := range best {
		found[0], found[1] = found[0]+ranked[r], found[1]+float64(len(list))
	}
	d.share.Sum(found)
	return p.suits(s.worst) && found[0] >= leastRanked*found[1], nil
}

// imageSearch finds the nearest own rows of drawn ones.
type imageSearch struct {
	drawer
	drawn *mat.Dense
	p     *projection
	k, n  int
	of    *shortKeys // the drawn rows
	packs []cellPool // the own rows, packedRows of them each
}

// imageScratch is the memory of one worker.
type imageScratch struct {
	keys         []int32
	tops, passed []int32
	row          []float64
}

func newImageSearch(ctx context.Context, d drawer, drawn *mat.Dense, p *projection, z, some *mat.Dense, k int) (*imageSearch, error) {
	n, _ := z.Dims()
	m, _ := drawn.Dims()
	c := &imageSearch{drawer: d, drawn: drawn, p: p, k: k, n: n, packs: make([]cellPool, parallel.Chunks(n, packedRows))}
	var err error
	// A task of ownRows rows may begin at the last one.
	order := append(exact.InOrder(m), make([]int32, ownRows)...)
	if c.of, err = newShortKeys(ctx, some, order); err != nil || n == 0 {
		return c, err
	}
	err = parallel.For(ctx, n, packedRows, func(_, lo, hi int) error {
		rows := exact.InOrder(hi - lo)
		for r := range rows {
			rows[r] += int32(lo)
		}
		part, err := newShortKeys(ctx, z, rows)
		if err != nil {
			return err
		}
		pool := &c.packs[lo/packedRows]
		pool.load(part, exact.InOrder(hi-lo), (hi-lo+blockLanes-1)/blockLanes*blockLanes)
		pool.own, pool.keys = nil, nil
		return nil
	})
	return c, err
}

// nearest sets best[r], for drawn rows lo to hi of which numbers are the numbers among all rows, to
// the squared distances of the k nearest own rows, ascending, and ranked[r] to the number of these
// among the nearest images.
func (c *imageSearch) nearest(lo, hi int, numbers []int, best [][]float64, ranked []float64, w *imageScratch) {
	width := c.of.steps * shortStep
	padded := 0
	for t := range c.packs {
		padded += len(c.packs[t].norm2)
	}
	groups := (hi - lo + ownRows - 1) / ownRows
	w.keys = slices.Grow(w.keys[:0], groups*ownRows*padded)[:groups*ownRows*padded]
	for t, first := 0, 0; t < len(c.packs); t++ {
		pack := &c.packs[t]
		count := len(pack.norm2)
		for g := range groups {
			r := lo + g*ownRows
			shortTile(c.of.rows[r*width:], c.of.norm2[r:], c.of.steps, pack.packed, pack.norm2, count, w.keys[(g*padded+first)*ownRows:])
		}
		first += count
	}
	for r := lo; r < hi; r++ {
		at := (r - lo) / ownRows * padded * ownRows
		own := numbers[r] - c.share.First()
		w.tops = w.tops[:0]
		c.each(w.keys[at:], r%ownRows, func(_ int, keys []int32) { w.tops = groupTops(keys, topBlocks, w.tops) })
		least := int32(math.MinInt32)
		if wanted := 2*c.k + 1; len(w.tops) > wanted {
			least = largest(w.tops, wanted)
		}
		// The k nearest of the nearest images bound the distance of the k-th.
		list := c.measured(w, at, r, own, least)
		if len(list) > c.k {
			if far := c.p.farthest(list[c.k-1]); far < -math.MinInt32 && -far < float64(least) {
				list = c.measured(w, at, r, own, int32(-far)-1)
			}
		}
		best[r] = slices.Clone(list[:min(c.k, len(list))])
		if count := len(best[r]); count > 0 {
			ranked[r] = float64(min(count, c.among(w, at, r, own, least, best[r][count-1])))
		}
	}
}

// among counts the rows at a squared distance of far or less from drawn row r, but own, among the
// 2k+1 with the largest keys, none of which is below least.
func (c *imageSearch) among(w *imageScratch, at, r, own int, least int32, far float64) (count int) {
	w.tops = w.tops[:0]
	others := func(visit func(j int, key int32)) {
		c.each(w.keys[at:], r%ownRows, func(first int, keys []int32) {
			w.passed = atLeast(keys, least, w.passed[:0])
			for _, l := range w.passed {
				if j := first + int(l); j < c.n && j != own {
					visit(j, keys[l])
				}
			}
		})
	}
	others(func(_ int, key int32) { w.tops = append(w.tops, key) })
	if wanted := 2*c.k + 1; len(w.tops) > wanted {
		least = largest(w.tops, wanted)
	}
	row := c.drawn.RawRowView(r)
	others(func(j int, _ int32) {
		if exact.SquaredDistance(row, exact.DenseRow(c.x, j, w.row)) <= far {
			count++
		}
	})
	return count
}

// each calls visit with the keys of a drawn row and the own rows from first on, by parts.
func (c *imageSearch) each(keys []int32, row int, visit func(first int, keys []int32)) {
	first, at := 0, 0
	for t := range c.packs {
		count := len(c.packs[t].norm2)
		visit(first, keys[at+row*count:][:count])
		first += packedRows
		at += ownRows * count
	}
}

// measured are the squared distances, ascending, of drawn row r and the own rows, but own, that
// have keys of least or more.
func (c *imageSearch) measured(w *imageScratch, at, r, own int, least int32) []float64 {
	if w.row == nil {
		_, d := c.x.Dims()
		w.row = make([]float64, d)
	}
	var list []float64
	row := c.drawn.RawRowView(r)
	c.each(w.keys[at:], r%ownRows, func(first int, keys []int32) {
		w.passed = atLeast(keys, least, w.passed[:0])
		for _, l := range w.passed {
			if j := first + int(l); j < c.n && j != own {
				list = append(list, exact.SquaredDistance(row, exact.DenseRow(c.x, j, w.row)))
			}
		}
	})
	slices.Sort(list)
	return list
}
