package exact

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// tileSide returns the number of rows of a tile. One product of two tiles takes at most about 0.2 G
// multiply-adds, so that a cancelled context is noticed soon. The limit is 512, from which packing
// and screening cost little compared with the product.
func tileSide(d int) int {
	return min(max(int(math.Sqrt(2e8/float64(d+1))), 32), 512)
}

// chunks returns the number of pairs of tiles.
func (m *denseRows) chunks() int {
	side := tileSide(m.x.Cols)
	tiles := parallel.Chunks(m.x.Rows, side)
	if m.fresh.Rows > 0 {
		return tiles * parallel.Chunks(m.fresh.Rows, side)
	}
	return tiles * (tiles + 1) / 2
}

// tiles returns the first rows of the two tiles of a chunk.
func (m *denseRows) tiles(chunk, side int) (i, j int) {
	if m.fresh.Rows > 0 {
		tiles := parallel.Chunks(m.x.Rows, side)
		return m.x.Rows + chunk/tiles*side, chunk % tiles * side
	}
	row, col := triangle(chunk)
	return row * side, col * side
}

// pairs calls visit once for every pair j < i with a lower bound of its squared distance; with
// slack 0 the bound is the distance itself. chunk numbers the pairs of tiles; visit runs on several
// goroutines, one per chunk at a time.
//
// Cost: n²·d flops in products of side×d by d×side, and n²/2 visits; with new rows 2·new·n·d flops
// and new·n visits. 16·side·d + 8·side² bytes per worker.
func (m *denseRows) pairs(ctx context.Context, t *Ticker, visit func(chunk, i, base int, low []float64) error) error {
	n, d := m.x.Rows, m.x.Cols
	looking := n // number of rows that search for partners
	if m.fresh.Rows > 0 {
		looking = m.fresh.Rows
	}
	side, chunks := tileSide(d), m.chunks()
	type buffers struct{ a, b, c []float64 }
	bufs := make([]buffers, parallel.Workers(chunks, 1))
	engine := native.Default()
	return m.loop(ctx, chunks, 1, func(worker, chunk, _ int) error {
		w := &bufs[worker]
		if w.c == nil {
			*w = buffers{make([]float64, side*d), make([]float64, side*d), make([]float64, side*side)}
		}
		first, base := m.tiles(chunk, side)
		last := n // number of rows among which first is
		if first >= n {
			last += m.fresh.Rows
		}
		a, b := m.pack(w.a, first, min(side, last-first)), m.pack(w.b, base, min(side, n-base))
		c := blas64.General{Rows: a.Rows, Cols: b.Rows, Stride: b.Rows, Data: w.c}
		if d > 0 {
			engine.Gemm(blas.NoTrans, blas.Trans, 1, a, b, 0, c)
		} else {
			clear(w.c)
		}
		for r := range a.Rows {
			if err := ctx.Err(); err != nil {
				return err
			}
			i := first + r
			row := c.Data[r*c.Stride:][:max(0, min(b.Rows, i-base))]
			const tiny = 1e-290 // the most that underflow may remove from a product
			ni, nj := m.norm2[i], m.norm2[base:]
			for j, s := range row {
				sum := ni + nj[j]
				row[j] = sum - 2*s - m.slack*(sum+tiny)
			}
			if err := visit(chunk, i, base, row); err != nil {
				return err
			}
		}
		t.Add(float64(looking) / float64(chunks))
		return nil
	})
}

// pack copies rows from row lo on, with the mean subtracted.
func (m *denseRows) pack(buf []float64, lo, rows int) blas64.General {
	d := m.x.Cols
	g := blas64.General{Rows: rows, Cols: d, Stride: max(d, 1), Data: buf}
	for r := range g.Rows {
		out := buf[r*d : (r+1)*d]
		row := m.row(lo+r, out)
		for j, mean := range m.mean {
			out[j] = row[j] - mean
		}
	}
	return g
}

// nearest offers every pair to the heaps of both rows.
func (m *denseRows) nearest(ctx context.Context, h *heaps, t *Ticker) error {
	return m.pairs(ctx, t, func(_, i, base int, low []float64) error {
		leastI := h.least(i)
		for j, bound := range low {
			forI, forJ := -bound >= leastI, -bound >= h.least(base+j)
			if !forI && !forJ {
				continue
			}
			score := -m.exact(i, base+j, bound)
			if forI {
				h.offer(i, int32(base+j), score)
				leastI = h.least(i)
			}
			if forJ {
				h.offer(base+j, int32(i), score)
			}
		}
		return nil
	})
}

// triangle returns the row and the column of an entry of the lower triangle, counted row by row.
func triangle(entry int) (row, col int) {
	row = int((math.Sqrt(8*float64(entry)+1) - 1) / 2)
	for row*(row+1)/2 > entry {
		row--
	}
	for (row+1)*(row+2)/2 <= entry {
		row++
	}
	return row, entry - row*(row+1)/2
}
