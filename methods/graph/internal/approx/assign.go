package approx

import (
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

const (
	// batchRows is the number of rows that are assigned at a time.
	batchRows = 2048
	// tileBytes bounds the memory of the centres' tiles.
	tileBytes = 256 << 20
)

// assign returns the nearest centres of each of the given rows of x, copies of them, -1 for none.
// The first of the rows is number before of its set.
func assign(ctx context.Context, x mat.Matrix, rows []int32, before int, centres mat.Matrix, copies int, unit, short bool) ([]int32, error) {
	if unit {
		return assignUnit(ctx, x.(sparse.Rows), rows, before, centres.(*sparse.CSR), copies)
	}
	if x, ok := x.(*mat.Dense); ok && short {
		return assignShort(ctx, x, rows, centres.(*mat.Dense), copies)
	}
	near := make([]int32, 0, len(rows)*copies)
	for some := range slices.Chunk(rows, copiedRows) {
		g, err := exact.Among(ctx, exact.SelectRows(x, indices.Ints(some)), centres, copies, nil)
		if err != nil {
			return nil, err
		}
		near = append(near, g.Index...)
	}
	return near, nil
}

// assignShort is assign for rows of whole numbers and centres rounded to such, by integers; of
// centres equally near the first. 2 flops per row, centre and coordinate.
func assignShort(ctx context.Context, x *mat.Dense, rows []int32, centres *mat.Dense, copies int) ([]int32, error) {
	count, _ := centres.Dims()
	whole := mat.DenseCopyOf(centres)
	whole.Apply(func(_, _ int, v float64) float64 { return math.Round(v) }, whole)
	c, err := newShortKeys(ctx, whole, exact.InOrder(count))
	if err != nil {
		return nil, err
	}
	padded := (count + blockLanes - 1) / blockLanes * blockLanes
	var packed cellPool
	packed.load(c, exact.InOrder(count), padded)
	near := make([]int32, len(rows)*copies)
	const grain = 512
	type scratch struct {
		keys, best []int32
		rows       *shortKeys
	}
	own := make([]scratch, parallel.Workers(len(rows), grain))
	err = parallel.For(ctx, len(rows), grain, func(worker, lo, hi int) error {
		w := &own[worker]
		if w.keys == nil {
			*w = scratch{make([]int32, ownRows*padded), make([]int32, copies), newShortRows(ownRows, whole.RawMatrix().Cols)}
		}
		for lo < hi {
			k, filled := w.rows, min(ownRows, hi-lo)
			for r, i := range rows[lo : lo+filled] {
				k.set(r, x.RawRowView(int(i)))
			}
			shortTile(k.rows, k.norm2, k.steps, packed.packed, packed.norm2, padded, w.keys)
			for r := range filled {
				nearestCentres(w.keys[r*padded:][:count], w.best, near[(lo+r)*copies:][:copies])
			}
			lo += filled
		}
		return nil
	})
	return near, err
}

// nearestCentres fills near with the numbers of the largest keys, the largest first.
func nearestCentres(keys, best, near []int32) {
	for c := range best {
		best[c], near[c] = math.MinInt32, -1
	}
	last := len(best) - 1
	for c, v := range keys {
		if v <= best[last] && near[last] >= 0 {
			continue
		}
		at := last
		for at > 0 && (near[at-1] < 0 || v > best[at-1]) {
			best[at], near[at] = best[at-1], near[at-1]
			at--
		}
		best[at], near[at] = v, int32(c)
	}
}

// assignUnit is assign for rows of length 1 by the largest dot products, in float32. The centres
// are dense tiles of terms × lanes, which each row multiplies by its entries.
//
// A row costs its entries times lanes multiply-adds per tile, and reads 256 bytes per entry, from
// the cache for frequent terms. Tiles take at most tileBytes, or one tile.
func assignUnit(ctx context.Context, x sparse.Rows, rows []int32, before int, centres *sparse.CSR, copies int) ([]int32, error) {
	near, best := make([]int32, len(rows)*copies), make([]float32, len(rows)*copies)
	for r := range near {
		near[r] = -1
	}
	_, terms := x.Dims()
	number := make([]int32, terms)
	most := max(1, tileBytes/(4*exact.Lanes*max(1, min(terms, centres.NNZ())))) * exact.Lanes
	for from := 0; from < centres.NumRows; from += most {
		to := min(from+most, centres.NumRows)
		// The terms of these centres, by falling number of centres.
		clear(number)
		for _, c := range centres.Col[centres.RowPtr[from]:centres.RowPtr[to]] {
			number[c]++
		}
		terms := rankCounts(number, 1)
		tiles := make([][]float32, (to-from+exact.Lanes-1)/exact.Lanes)
		for t := range tiles {
			tiles[t] = make([]float32, max(1, terms)*exact.Lanes)
		}
		for p := from; p < to; p++ {
			cols, vals := centres.Row(p)
			for q, c := range cols {
				tiles[(p-from)/exact.Lanes][int(number[c])*exact.Lanes+(p-from)%exact.Lanes] = float32(vals[q])
			}
		}
		type scratch struct {
			rows exact.LaneRows
			out  []float32
		}
		own := make([]scratch, parallel.Workers(len(rows), batchRows))
		err := parallel.For(ctx, len(rows), batchRows, func(worker, lo, hi int) error {
			w := &own[worker]
			if w.out == nil {
				w.out = make([]float32, batchRows*exact.Lanes)
			}
			loadLanes(&w.rows, x, rows[lo:hi], number)
			for t, tile := range tiles {
				exact.MulLanes(&w.rows, 0, hi-lo, tile, w.out)
				width := min(exact.Lanes, to-from-t*exact.Lanes)
				for r := lo; r < hi; r++ {
					first := int32(from + t*exact.Lanes)
					keep(best[r*copies:(r+1)*copies], near[r*copies:(r+1)*copies], w.out[(r-lo)*exact.Lanes:][:width], first)
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

// loadLanes copies rows of x, with their columns numbered; those without a number are left out.
func loadLanes(a *exact.LaneRows, x sparse.Rows, rows, number []int32) {
	p, buf := x.Pattern(), make([]float64, 0, 256)
	a.Ptr, a.Index, a.Val = append(a.Ptr[:0], 0), a.Index[:0], a.Val[:0]
	for _, i := range rows {
		vals := x.Values(int(i), buf)
		for q, c := range p.Col[p.RowPtr[i]:p.RowPtr[i+1]] {
			if t := number[c]; t >= 0 {
				a.Index, a.Val = append(a.Index, t), append(a.Val, float32(vals[q]))
			}
		}
		a.Ptr = append(a.Ptr, len(a.Index))
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
