package exact

import (
	"math"

	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas/blas32"
)

// product is a part of the dot product of a lane and a row of a chunk.
type product struct {
	row, lane uint16
	val       float32
}

// pair is a row of a group and a later row.
type pair struct{ i, j int32 }

// block is the scratch memory of one worker for the rows of a block: one of its [group].
type block struct {
	lo, hi int
	terms  []float32 // frequent terms × lanes
	rare   []float32 // lanes × chunkStride: products of rare terms; the blocks of a group share it
	// rarest has the products of the rarest terms with each chunk of a span.
	rarest [spanChunks][]product
	near   *[]pair // of the group: pairs of a lane that has no list
	// tile has the products of laneStep rows with the lanes.
	tile                                     [laneStep * Lanes]float32
	laneFloor, laneShift, rowFloor, rowShift []float32
}

func newBlock(s *sparseScreen, rare []float32, near *[]pair) *block {
	return &block{terms: make([]float32, s.class[frequent].terms*Lanes), rare: rare, near: near,
		laneFloor: make([]float32, Lanes), laneShift: make([]float32, Lanes),
		rowFloor: make([]float32, laneStep), rowShift: make([]float32, laneStep)}
}

// load prepares the block of rows lo to hi.
func (b *block) load(s *sparseScreen, lo, hi int) {
	clear(b.terms)
	b.lo, b.hi = lo, hi
	a := &s.class[frequent]
	for i := lo; i < hi; i++ {
		for p := a.Ptr[i]; p < a.Ptr[i+1]; p++ {
			b.terms[int(a.Index[p])*Lanes+i-lo] = a.Val[p]
		}
	}
	for l := hi - lo; l < Lanes; l++ {
		b.laneFloor[l] = math.MaxFloat32
	}
}

// multiplyRare sets rare to the products of rare and the rarest terms, and of the columns of the
// dense matrix, with chunk c of the span.
func (b *block) multiplyRare(s *sparseScreen, sp *span, c int) {
	first := sp.lo + c*chunkRows
	last := min(first+chunkRows, sp.hi)
	if s.dense.Cols == 0 {
		for l := range b.hi - b.lo {
			clear(b.rare[l*chunkStride:][:last-first])
		}
	} else {
		native.Default().GemmFloat32(s.denseRows(b.lo, b.hi), s.denseRows(first, last),
			blas32.General{Rows: b.hi - b.lo, Cols: last - first, Stride: chunkStride, Data: b.rare})
	}
	for _, p := range b.rarest[c] {
		b.rare[int(p.lane)*chunkStride+int(p.row)] += p.val
	}
	a, p := &s.class[rare], &sp.rare[c]
	for i := b.lo; i < b.hi; i++ {
		sum := (*[chunkRows]float32)(b.rare[(i-b.lo)*chunkStride:])
		for k := a.Ptr[i]; k < a.Ptr[i+1]; k++ {
			t := a.Index[k]
			from, to := p.first[t], p.first[t+1]
			addProducts(sum, p.row[from:to], p.val[from:to], a.Val[k])
		}
	}
}

// denseRows are rows lo to hi of the dense matrix.
func (s *sparseScreen) denseRows(lo, hi int) blas32.General {
	return blas32.General{Rows: hi - lo, Cols: s.dense.Cols, Stride: s.dense.Stride, Data: s.dense.Data[lo*s.dense.Stride : hi*s.dense.Stride]}
}

// addProducts adds v·vals[q] to sum[rows[q]].
func addProducts(sum *[chunkRows]float32, rows []uint16, vals []float32, v float32) {
	vals = vals[:len(rows)]
	for q, r := range rows {
		sum[r%chunkRows] += v * vals[q]
	}
}

// meet offers the pairs of a row of the block and a later row of chunk c of the span.
func (b *block) meet(s *sparseScreen, sp *span, list *shortlists, c int) {
	first := sp.lo + c*chunkRows
	last := min(first+chunkRows, sp.hi)
	b.multiplyRare(s, sp, c)
	list.floors(b.laneFloor[:b.hi-b.lo], b.lo)
	for lo := first + max(0, b.lo-first)/laneStep*laneStep; lo < last; lo += laneStep {
		hi := min(lo+laneStep, last)
		MulLanes(&s.class[frequent], lo, hi, b.terms, b.tile[:])
		addTransposed(b.tile[:], b.rare[lo-first:], chunkStride)
		b.offer(list, lo, hi)
	}
}

// offer passes on the pairs of a lane and a row of the tile whose product may enter a list.
func (b *block) offer(list *shortlists, lo, hi int) {
	list.floors(b.rowFloor[:hi-lo], lo)
	tile := screenTile{product: b.tile[:], stride: Lanes, width: Lanes,
		rowFloor: b.rowFloor[:hi-lo], rowShift: b.rowShift[:hi-lo], laneFloor: b.laneFloor, laneShift: b.laneShift}
	for row, lane := 0, 0; ; lane += laneStep {
		var mask uint32
		if row, lane, mask = passing(&tile, row, lane); row == hi-lo {
			return
		}
		j := lo + row
		for l := lane; mask != 0; l, mask = l+1, mask>>1 {
			i := b.lo + l
			if mask&1 == 0 || i >= j || i >= b.hi {
				continue
			}
			product := b.tile[row*Lanes+l]
			switch {
			case !(product > b.laneFloor[l]):
			case i < list.first:
				*b.near = append(*b.near, pair{int32(i), int32(j)})
			default:
				b.laneFloor[l] = list.offer(i, int32(j), product)
			}
			if product > b.rowFloor[row] {
				b.rowFloor[row] = list.offer(j, int32(i), product)
			}
		}
	}
}
