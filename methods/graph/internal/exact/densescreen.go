package exact

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas/blas32"
)

// denseScreen finds shortlists of neighbours of dense rows by products in float32.
//
// The rows are shifted to mean 0 and scaled to lengths of at most 1. half[j] is ‖b‖²/2, less a
// bound of all rounding errors in proportion to it, and the key of j for row i is a·b − half[j]:
// ‖a−b‖²/2 is at least half[i] less the key.
type denseScreen struct {
	x    blas32.General
	half []float32
	// unit converts squared distances: scaled = unit·original.
	unit float64
}

const (
	// screenRows is the number of rows from which the screen pays.
	screenRows = 256
	// ScreenCols bounds the columns, and so the error of a sum in float32 to about 2⁻⁸.
	ScreenCols = 1 << 16
)

// newDenseScreen copies the rows to float32, 4 bytes per value. It returns nil if the screen does
// not apply: few rows, too many columns, or all rows equal.
func newDenseScreen(m *denseRows) *denseScreen {
	n, d := m.x.Rows, m.x.Cols
	if m.fresh.Rows > 0 || n < screenRows || d < 2 || d > ScreenCols {
		return nil
	}
	mean, buf := make([]float64, d), m.buffer()
	for i := range n {
		for j, v := range m.row(i, buf) {
			mean[j] += v / float64(n)
		}
	}
	norm2, most := make([]float64, n), 0.0
	for i := range n {
		for j, v := range m.row(i, buf) {
			norm2[i] += (v - mean[j]) * (v - mean[j])
		}
		most = max(most, norm2[i])
	}
	_, exponent := math.Frexp(math.Sqrt(most))
	scale := math.Ldexp(1, -exponent)
	if !(most > 0) || math.IsInf(scale*scale, 0) || scale*scale == 0 {
		return nil
	}
	s := &denseScreen{x: blas32.General{Rows: n, Cols: d, Stride: d, Data: make([]float32, n*d)},
		half: make([]float32, n), unit: scale * scale}
	// A sum of d products of rounded values has an error below (d+4)·u·(‖a‖²+‖b‖²)/2, u = 2⁻²⁴, in
	// any order; the rest is for rounding half, keys and their comparisons.
	slack := float64(d+16) * 1.02 * 0x1p-24
	for i := range n {
		out := s.x.Data[i*d : (i+1)*d]
		for j, v := range m.row(i, buf) {
			out[j] = float32(scale * (v - mean[j]))
		}
		const tiny = 1e-30 // more than underflow can change
		s.half[i] = float32((1-slack)*norm2[i]*s.unit/2 - tiny)
	}
	return s
}

// rows returns the rows from lo on, at most side of them.
func (s *denseScreen) rows(lo, side int) blas32.General {
	hi := min(lo+side, s.x.Rows)
	return blas32.General{Rows: hi - lo, Cols: s.x.Cols, Stride: s.x.Stride, Data: s.x.Data[lo*s.x.Stride : hi*s.x.Stride]}
}

// screenSide returns the number of rows of a tile of rows with d columns.
func screenSide(d int) int { return tileSide(d) / laneStep * laneStep }

// search offers every pair to the shortlists of both rows, in tiles of pairs; each list first
// receives the rows near it in the file. n²·d flops.
func (s *denseScreen) search(ctx context.Context, list *shortlists, loop parallel.Loop, t *Ticker) error {
	n := s.x.Rows
	side := screenSide(s.x.Cols)
	tiles := parallel.Chunks(n, side)
	chunks := tiles * (tiles + 1) / 2
	type buffers struct{ product, rowFloor, laneFloor, laneShift []float32 }
	own := make([]buffers, parallel.Workers(chunks, 1))
	engine := native.Default()
	return loop(ctx, chunks, 1, func(worker, chunk, _ int) error {
		w := &own[worker]
		if w.product == nil {
			*w = buffers{make([]float32, side*side), make([]float32, side), make([]float32, side), make([]float32, side)}
		}
		down, across := triangle(chunk)
		first, base := down*side, (down-across)*side
		a, b := s.rows(first, side), s.rows(base, side)
		engine.GemmFloat32(a, b, blas32.General{Rows: a.Rows, Cols: b.Rows, Stride: side, Data: w.product})
		list.floors(w.rowFloor[:a.Rows], first)
		list.floors(w.laneFloor[:b.Rows], base)
		copy(w.laneShift, s.half[base:base+b.Rows])
		tile := screenTile{product: w.product, stride: side, width: (b.Rows + laneStep - 1) / laneStep * laneStep,
			rowFloor: w.rowFloor[:a.Rows], rowShift: s.half[first : first+a.Rows], laneFloor: w.laneFloor, laneShift: w.laneShift}
		s.offer(list, &tile, first, base, b.Rows)
		t.Add(float64(n) / float64(chunks))
		return nil
	})
}

// offer passes on the pairs of a tile that may enter a list. The rows of the tile are those from
// first on, its lanes those from base on.
func (s *denseScreen) offer(list *shortlists, tile *screenTile, first, base, width int) {
	for row, lane := 0, 0; ; lane += laneStep {
		var mask uint32
		if row, lane, mask = passing(tile, row, lane); row == len(tile.rowFloor) {
			return
		}
		i := first + row
		for l := lane; mask != 0; l, mask = l+1, mask>>1 {
			j := base + l
			if mask&1 == 0 || j >= i || l >= width {
				continue
			}
			product := tile.product[row*tile.stride+l]
			if key := product - s.half[j]; key > tile.rowFloor[row] {
				tile.rowFloor[row] = list.offer(i, int32(j), key)
			}
			if key := product - s.half[i]; key > tile.laneFloor[l] {
				tile.laneFloor[l] = list.offer(j, int32(i), key)
			}
		}
	}
}
