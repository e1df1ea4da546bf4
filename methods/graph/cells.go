package graph

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

const (
	// mostCentres is the largest number of centres at a time. A cell of more than twice as many rows
	// as it should have is divided again.
	mostCentres = 2048
	// meanRows is the number of rows, per centre, whose means the centres become, meanPasses the
	// number of times, and meanTerms the number of terms that a centre of sparse rows keeps. On
	// 100,000 abstracts a partition finds 0.58 of the neighbours with them and 0.33 with centres that
	// are rows, at 1 µs per row.
	meanRows   = 24
	meanPasses = 2
	meanTerms  = 256
	// batchRows is the number of rows that are assigned at a time.
	batchRows = 2048
	// tileBytes bounds the memory of the centres' tiles.
	tileBytes = 256 << 20
)

// cellMaker divides the rows of all ranks at random. The rows that are drawn, and so the centres,
// are on every rank; each rank finds the cells of its own rows. The cells do not depend on the
// number of ranks.
type cellMaker struct {
	x     mat.Matrix   // the own rows as [stored] returns them; those of ranks are in double precision
	share *ranks.Share // which ones these are; nil: all rows are here
	wire  wire         // of the rows
	unit  bool         // sparse rows of length 1
	cell  int          // rows that a cell should have
	rng   *rand.Rand   // the same on all ranks
}

// rowSet is a set of rows of all ranks, which are numbered through: by rank, then by row.
type rowSet struct {
	rows          []int32 // the own ones, ascending, counted from the first own row
	before, total int     // how many lower ranks have, and how many all have
}

// all is the set of all rows.
func (d *cellMaker) all() rowSet {
	n, _ := d.x.Dims()
	s := rowSet{rows: make([]int32, n), before: d.share.First(), total: d.share.Among(n)}
	for i := range s.rows {
		s.rows[i] = int32(i)
	}
	return s
}

// sets are the sets of the rows that each rank has in them.
func (d *cellMaker) sets(own [][]int32) []rowSet {
	sets, count := make([]rowSet, len(own)), make([]int, len(own))
	for p, rows := range own {
		count[p] = len(rows)
		sets[p].rows = rows
	}
	before, total := ranks.Before(d.share, count)
	for p := range sets {
		sets[p].before, sets[p].total = before[p], total[p]
	}
	return sets
}

// chunks are parts of size rows of a set, in the order of the rows.
func (s rowSet) chunks(size int) []rowSet {
	var list []rowSet
	for lo := 0; lo < s.total; lo += size {
		hi := min(lo+size, s.total)
		a, b := min(max(lo-s.before, 0), len(s.rows)), min(max(hi-s.before, 0), len(s.rows))
		list = append(list, rowSet{rows: s.rows[a:b:b], before: max(0, min(s.before, hi)-lo), total: hi - lo})
	}
	return list
}

// divide appends cells of a set, with each row in the given number of them. All ranks call it.
func (d *cellMaker) divide(ctx context.Context, set rowSet, copies int, cells *[]rowSet) error {
	if set.total <= 2*d.cell {
		*cells = append(*cells, set)
		return nil
	}
	count := min(max(2, copies*set.total/d.cell), mostCentres, set.total)
	copies = min(copies, count)
	drawn := d.gather(set, draw(d.rng, set.total, min(set.total, count*meanRows)))
	var near []int32
	centres, err := d.centres(ctx, drawn, count)
	if err == nil {
		near, err = d.assign(ctx, d.x, set.rows, set.before, centres, copies)
	}
	if err = ranks.Agree(d.share, err); err != nil {
		return err
	}
	parts := make([][]int32, count)
	for r, p := range near {
		if p >= 0 {
			parts[p] = append(parts[p], set.rows[r/copies])
		}
	}
	for _, part := range d.sets(parts) {
		if part.total > set.total*9/10 {
			// Rows that no centre tells apart, such as copies of one row.
			*cells = append(*cells, part.chunks(2*d.cell)...)
		} else if part.total > 1 {
			if err := d.divide(ctx, part, 1, cells); err != nil {
				return err
			}
		}
	}
	return nil
}

// draw returns m of the first n numbers, drawn without replacement: the first m steps of a shuffle,
// which keeps in memory what it moved. O(m).
func draw(rng *rand.Rand, n, m int) []int {
	moved := make(map[int]int, m)
	at := func(p int) int {
		if v, ok := moved[p]; ok {
			return v
		}
		return p
	}
	out := make([]int, m)
	for i := range out {
		j := i + rng.IntN(n-i)
		out[i] = at(j)
		moved[j] = at(i)
	}
	return out
}

// gather copies the rows of a set with the given numbers, in double precision. Every rank gets all
// of them.
func (d *cellMaker) gather(set rowSet, numbers []int) mat.Matrix {
	if !d.share.Divided() {
		rows := make([]int, len(numbers))
		for r, at := range numbers {
			rows[r] = int(set.rows[at])
		}
		return selectRows(d.x, rows)
	}
	w := d.wire
	var own []byte
	for r, at := range numbers {
		if at -= set.before; at >= 0 && at < len(set.rows) {
			own = binary.LittleEndian.AppendUint32(own, uint32(r))
			own = w.put(own, d.x, int(set.rows[at]))
		}
	}
	records := make([][]byte, len(numbers))
	for _, part := range ranks.Gather(d.share, own) {
		for len(part) > 0 {
			r := binary.LittleEndian.Uint32(part)
			records[r], part = w.cut(part[4:])
		}
	}
	return w.rows(records)
}

// centres returns count means of the rows drawn near each of the first ones.
func (d *cellMaker) centres(ctx context.Context, drawn mat.Matrix, count int) (mat.Matrix, error) {
	n, _ := drawn.Dims()
	all := make([]int32, n)
	for r := range all {
		all[r] = int32(r)
	}
	var centres mat.Matrix = selectRows(drawn, whole(all[:count]))
	for range meanPasses {
		near, err := d.assign(ctx, drawn, all, 0, centres, 1)
		if err != nil {
			return nil, err
		}
		members := make([][]int32, count)
		for r, p := range near {
			if p >= 0 {
				members[p] = append(members[p], int32(r))
			}
		}
		switch x := drawn.(type) {
		case *sparse.CSR:
			centres, err = d.sparseMeans(ctx, x, centres.(*sparse.CSR), members)
		case *mat.Dense:
			centres = denseMeans(x, centres.(*mat.Dense), members)
		}
		if err != nil {
			return nil, err
		}
	}
	return centres, nil
}

// sparseMeans returns the means of members, or the old centre of a cell without any. Each keeps its
// largest entries; those of rows of length 1 have length 1.
func (d *cellMaker) sparseMeans(ctx context.Context, x, old *sparse.CSR, members [][]int32) (*sparse.CSR, error) {
	type entry struct {
		col int32
		val float64
	}
	kept := make([][]entry, len(members))
	sums := make([][]float64, parallel.Workers(len(members), 16))
	err := parallel.For(ctx, len(members), 16, func(worker, lo, hi int) error {
		if sums[worker] == nil {
			sums[worker] = make([]float64, x.NumCols)
		}
		sum := sums[worker]
		for p := lo; p < hi; p++ {
			var list []entry
			if len(members[p]) == 0 {
				cols, vals := old.Row(p)
				for q, c := range cols {
					list = append(list, entry{c, vals[q]})
				}
				kept[p] = list
				continue
			}
			var seen []int32
			for _, i := range members[p] {
				cols, vals := x.Row(int(i))
				for q, c := range cols {
					if sum[c] == 0 {
						seen = append(seen, c)
					}
					sum[c] += vals[q]
				}
			}
			for _, c := range seen {
				if sum[c] != 0 {
					list = append(list, entry{c, sum[c]})
					sum[c] = 0
				}
			}
			if len(list) > meanTerms {
				slices.SortFunc(list, func(a, b entry) int {
					return cmp.Or(cmp.Compare(math.Abs(b.val), math.Abs(a.val)), cmp.Compare(a.col, b.col))
				})
				list = list[:meanTerms]
			}
			slices.SortFunc(list, func(a, b entry) int { return cmp.Compare(a.col, b.col) })
			scale := float64(len(members[p]))
			if d.unit {
				scale = 0
				for _, e := range list {
					scale = math.Hypot(scale, e.val)
				}
			}
			for q := range list {
				list[q].val /= scale
			}
			kept[p] = list
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	means := &sparse.CSR{NumRows: len(kept), NumCols: x.NumCols, RowPtr: make([]int, 1, len(kept)+1)}
	for _, list := range kept {
		for _, e := range list {
			means.Col, means.Val = append(means.Col, e.col), append(means.Val, e.val)
		}
		means.RowPtr = append(means.RowPtr, len(means.Col))
	}
	return means, nil
}

// denseMeans returns the means of members, or the old centre of a cell without any.
func denseMeans(x, old *mat.Dense, members [][]int32) *mat.Dense {
	means := mat.DenseCopyOf(old)
	for p, of := range members {
		row := means.RawRowView(p)
		if len(of) > 0 {
			clear(row)
		}
		for _, i := range of {
			for j, v := range x.RawRowView(int(i)) {
				row[j] += v / float64(len(of))
			}
		}
	}
	return means
}

// assign returns the nearest centres of each of the given rows of x, copies of them, -1 for none.
// The first of the rows is number before of its set.
func (d *cellMaker) assign(ctx context.Context, x mat.Matrix, rows []int32, before int, centres mat.Matrix, copies int) ([]int32, error) {
	if d.unit {
		return assignUnit(ctx, x.(sparse.Rows), rows, before, centres.(*sparse.CSR), copies)
	}
	near := make([]int32, 0, len(rows)*copies)
	const batch = 1 << 16 // rows copied at a time
	for some := range slices.Chunk(rows, batch) {
		g, err := NearestAmong(ctx, selectRows(x, whole(some)), centres, copies, nil)
		if err != nil {
			return nil, err
		}
		near = append(near, g.Index...)
	}
	return near, nil
}

// assignUnit is assign for rows of length 1 by the largest dot products, in float32. The centres
// are dense tiles of terms × lanes, which each row multiplies by its entries.
//
// A row costs its entries times lanes multiply-adds per tile, 256 bytes per entry, of which those
// of frequent terms are in cache. Tiles take at most tileBytes, or one tile.
func assignUnit(ctx context.Context, x sparse.Rows, rows []int32, before int, centres *sparse.CSR, copies int) ([]int32, error) {
	near, best := make([]int32, len(rows)*copies), make([]float32, len(rows)*copies)
	for r := range near {
		near[r] = -1
	}
	_, terms := x.Dims()
	number := make([]int32, terms)
	most := max(1, tileBytes/(4*lanes*max(1, min(terms, centres.NNZ())))) * lanes
	for from := 0; from < centres.NumRows; from += most {
		to := min(from+most, centres.NumRows)
		// The terms of these centres, by falling number of centres.
		clear(number)
		for _, c := range centres.Col[centres.RowPtr[from]:centres.RowPtr[to]] {
			number[c]++
		}
		terms := rankCounts(number, 1)
		tiles := make([][]float32, (to-from+lanes-1)/lanes)
		for t := range tiles {
			tiles[t] = make([]float32, max(1, terms)*lanes)
		}
		for p := from; p < to; p++ {
			cols, vals := centres.Row(p)
			for q, c := range cols {
				tiles[(p-from)/lanes][int(number[c])*lanes+(p-from)%lanes] = float32(vals[q])
			}
		}
		type scratch struct {
			rows laneRows
			out  []float32
		}
		own := make([]scratch, parallel.Workers(len(rows), batchRows))
		err := parallel.For(ctx, len(rows), batchRows, func(worker, lo, hi int) error {
			w := &own[worker]
			if w.out == nil {
				w.out = make([]float32, batchRows*lanes)
			}
			w.rows.load(x, rows[lo:hi], number)
			for t, tile := range tiles {
				mulLanes(&w.rows, 0, hi-lo, tile, w.out)
				width := min(lanes, to-from-t*lanes)
				for r := lo; r < hi; r++ {
					first := int32(from + t*lanes)
					keep(best[r*copies:(r+1)*copies], near[r*copies:(r+1)*copies], w.out[(r-lo)*lanes:][:width], first)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	// Rows without a term of any centre go to one in turn.
	for r := range rows {
		if near[r*copies] < 0 {
			near[r*copies] = int32((before + r) % centres.NumRows)
		}
	}
	return near, nil
}

// load copies rows of x, with their columns numbered; those without a number are left out.
func (a *laneRows) load(x sparse.Rows, rows, number []int32) {
	p, buf := x.Pattern(), make([]float64, 0, 256)
	a.ptr, a.index, a.val = append(a.ptr[:0], 0), a.index[:0], a.val[:0]
	for _, i := range rows {
		vals := x.Values(int(i), buf)
		for q, c := range p.Col[p.RowPtr[i]:p.RowPtr[i+1]] {
			if t := number[c]; t >= 0 {
				a.index, a.val = append(a.index, t), append(a.val, float32(vals[q]))
			}
		}
		a.ptr = append(a.ptr, len(a.index))
	}
}

// keep inserts positive products into the lists of the best, whose numbers count from first.
func keep(best []float32, near []int32, products []float32, first int32) {
	last := len(best) - 1
	for l, p := range products {
		if p <= best[last] {
			continue
		}
		at := last
		for at > 0 && p > best[at-1] {
			best[at], near[at] = best[at-1], near[at-1]
			at--
		}
		best[at], near[at] = p, first+int32(l)
	}
}

// whole converts row numbers.
func whole(rows []int32) []int {
	out := make([]int, len(rows))
	for r, i := range rows {
		out[r] = int(i)
	}
	return out
}

// selectRows copies rows of a matrix as [stored] returns it, in double precision.
func selectRows(x mat.Matrix, rows []int) mat.Matrix {
	switch x := x.(type) {
	case sparse.Rows:
		return x.Select(rows)
	case *sparse.SingleDense:
		return x.Select(rows)
	}
	d := x.(*mat.Dense)
	_, cols := d.Dims()
	out := mat.NewDense(len(rows), max(cols, 1), nil)
	for r, i := range rows {
		out.SetRow(r, d.RawRowView(i))
	}
	return out
}
