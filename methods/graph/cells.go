package graph

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/eigenmap/eigenmap/internal/parallel"
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

// cellMaker divides the rows of x at random.
type cellMaker struct {
	x    mat.Matrix // as [stored] returns rows
	unit bool       // sparse rows of length 1
	cell int        // rows that a cell should have
	rng  *rand.Rand
}

// divide appends cells of rows, with each row in the given number of them.
func (d *cellMaker) divide(ctx context.Context, rows []int32, copies int, cells *[][]int32) error {
	if len(rows) <= 2*d.cell {
		*cells = append(*cells, rows)
		return nil
	}
	count := min(max(2, copies*len(rows)/d.cell), mostCentres, len(rows))
	centres, err := d.centres(ctx, rows, count)
	if err != nil {
		return err
	}
	near, err := d.assign(ctx, rows, centres, min(copies, count))
	if err != nil {
		return err
	}
	parts := make([][]int32, count)
	for r, p := range near {
		if p >= 0 {
			parts[p] = append(parts[p], rows[r/min(copies, count)])
		}
	}
	for _, part := range parts {
		if len(part) > len(rows)*9/10 {
			// Rows that no centre tells apart, such as copies of one row.
			for part := range slices.Chunk(part, 2*d.cell) {
				*cells = append(*cells, part)
			}
		} else if len(part) > 1 {
			if err := d.divide(ctx, part, 1, cells); err != nil {
				return err
			}
		}
	}
	return nil
}

// centres returns means of rows near some rows drawn at random.
func (d *cellMaker) centres(ctx context.Context, rows []int32, count int) (mat.Matrix, error) {
	drawn := make([]int32, min(len(rows), count*meanRows))
	for p, r := range d.rng.Perm(len(rows))[:len(drawn)] {
		drawn[p] = rows[r]
	}
	var centres mat.Matrix = selectRows(d.x, whole(drawn[:count]))
	for range meanPasses {
		near, err := d.assign(ctx, drawn, centres, 1)
		if err != nil {
			return nil, err
		}
		members := make([][]int32, count)
		for r, p := range near {
			if p >= 0 {
				members[p] = append(members[p], drawn[r])
			}
		}
		switch x := d.x.(type) {
		case sparse.Rows:
			centres, err = d.sparseMeans(ctx, x, centres.(*sparse.CSR), members)
		default:
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
func (d *cellMaker) sparseMeans(ctx context.Context, rows sparse.Rows, old *sparse.CSR, members [][]int32) (*sparse.CSR, error) {
	type entry struct {
		col int32
		val float64
	}
	x := rows.Pattern()
	kept := make([][]entry, len(members))
	sums := make([][]float64, parallel.Workers(len(members), 16))
	err := parallel.For(ctx, len(members), 16, func(worker, lo, hi int) error {
		if sums[worker] == nil {
			sums[worker] = make([]float64, x.NumCols)
		}
		sum, buf := sums[worker], make([]float64, 0, 256)
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
				vals := rows.Values(int(i), buf)
				for q, c := range x.Col[x.RowPtr[i]:x.RowPtr[i+1]] {
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
func denseMeans(x mat.Matrix, old *mat.Dense, members [][]int32) *mat.Dense {
	means := mat.DenseCopyOf(old)
	_, cols := x.Dims()
	buf := make([]float64, cols)
	for p, of := range members {
		row := means.RawRowView(p)
		if len(of) > 0 {
			clear(row)
		}
		for _, i := range of {
			for j, v := range mat.Row(buf, int(i), x) {
				row[j] += v / float64(len(of))
			}
		}
	}
	return means
}

// assign returns the nearest centres of each row, copies of them, -1 for none.
func (d *cellMaker) assign(ctx context.Context, rows []int32, centres mat.Matrix, copies int) ([]int32, error) {
	if d.unit {
		return assignUnit(ctx, d.x.(sparse.Rows), rows, centres.(*sparse.CSR), copies)
	}
	near := make([]int32, 0, len(rows)*copies)
	const batch = 1 << 16 // rows copied at a time
	for some := range slices.Chunk(rows, batch) {
		g, err := NearestAmong(ctx, selectRows(d.x, whole(some)), centres, copies, nil)
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
func assignUnit(ctx context.Context, x sparse.Rows, rows []int32, centres *sparse.CSR, copies int) ([]int32, error) {
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
			near[r*copies] = int32(r % centres.NumRows)
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
