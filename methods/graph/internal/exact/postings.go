package exact

import (
	"math"

	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/floats"
)

const (
	// maxTile is the number of rows that a uint16 can number.
	maxTile = 1 << 16
	// smallTile is the usual number of rows of a tile: 64 KiB of accumulators. On 9,394 × 36,771
	// documents the times of tiles of 2,048 to 65,536 rows differ by less than 5 %; the small tile
	// is used for many rows.
	smallTile = 1 << 13
	// longTile is that of rows with more than longRow entries on average, most of which all rows
	// have, such as vectors beside terms: the postings of a tile stay in the second cache for them.
	longTile = 1 << 9
	longRow  = 256
	// leastRun is the number of consecutive rows from which a column is added as a vector.
	leastRun = 8
)

// postings is the inverted index of the rows of x, in tiles of rows: for every tile and column it
// lists the rows of the tile that contain the column, ascending. Inside a tile a row is a uint16,
// so an array of maxTile accumulators needs no bounds check. 14 bytes per entry, and 4 per column
// and tile.
type postings struct {
	x       *sparse.CSR // the rows that search for partners: the rows of the index and all after them
	values  sparse.Rows // of x
	longest int         // entries of a row
	rows    int         // number of leading rows of x in the index
	tile    int         // rows per tile
	// ptr[t][c] is the first posting of column c in tile t, counted from the tile's first posting.
	ptr  [][]int32
	row  []uint16
	val  []float64
	self []int32 // the posting of each entry of x, counted from the tile's first posting
}

// tileRows chooses the tile for the first n rows: small, but large enough that the pointers do not
// take more memory than the postings, and small enough that an int32 counts the postings of a tile.
func tileRows(x *sparse.CSR, n int) int {
	tile := smallTile
	if x.RowPtr[n] > longRow*n {
		tile = longTile
	}
	for tile < maxTile && (n+tile-1)/tile*x.NumCols > 2*x.RowPtr[n] {
		tile *= 2
	}
	for tile > 1 {
		most := 0
		for lo := 0; lo < n; lo += tile {
			most = max(most, x.RowPtr[min(lo+tile, n)]-x.RowPtr[lo])
		}
		if most <= math.MaxInt32 {
			break
		}
		tile /= 2
	}
	return tile
}

// newPostings indexes the first rows of x in O(nnz + tiles·columns).
func newPostings(values sparse.Rows, rows, tile int) *postings {
	x := values.Pattern()
	nnz := x.RowPtr[rows]
	p := &postings{x: x, values: values, rows: rows, tile: tile, ptr: make([][]int32, (rows+tile-1)/tile),
		row: make([]uint16, nnz), val: make([]float64, nnz), self: make([]int32, nnz)}
	for i := range x.NumRows {
		p.longest = max(p.longest, x.RowPtr[i+1]-x.RowPtr[i])
	}
	buf := make([]float64, 0, p.longest)
	next := make([]int32, x.NumCols)
	for t := range p.ptr {
		lo, hi := t*tile, min((t+1)*tile, rows)
		first, last := x.RowPtr[lo], x.RowPtr[hi]
		ptr := make([]int32, x.NumCols+1)
		for _, c := range x.Col[first:last] {
			ptr[c+1]++
		}
		for c := range x.NumCols {
			ptr[c+1] += ptr[c]
		}
		copy(next, ptr)
		row, val := p.row[first:last], p.val[first:last]
		for i := lo; i < hi; i++ {
			vals := values.Values(i, buf)
			for k := x.RowPtr[i]; k < x.RowPtr[i+1]; k++ {
				c := x.Col[k]
				q := next[c]
				next[c]++
				row[q], val[q], p.self[k] = uint16(i-lo), vals[k-x.RowPtr[i]], q
			}
		}
		p.ptr[t] = ptr
	}
	return p
}

// accumulate adds x_i·x_j to acc[j - t·tile] for the rows j < i of tile t that are in the index.
// Products are added in ascending order of columns, so the dot product of two rows has the same
// bits from both sides.
// buf is memory for the values of a row.
func (p *postings) accumulate(acc *[maxTile]float64, i, t int, buf []float64) {
	first := p.x.RowPtr[t*p.tile]
	rows, vals, ptr := p.row[first:], p.val[first:], p.ptr[t]
	own := i < p.rows && i/p.tile == t
	start := p.x.RowPtr[i]
	for q, v := range p.values.Values(i, buf) {
		k := start + q
		c := p.x.Col[k]
		from, to := ptr[c], ptr[c+1]
		if own {
			to = p.self[k] // postings before this row's own belong to earlier rows
		}
		if n := int(to - from); n >= leastRun && int(rows[to-1]-rows[from]) == n-1 {
			floats.AddScaled(acc[rows[from]:][:n], v, vals[from:to])
			continue
		}
		addTo(acc, rows[from:to], vals[from:to], v)
	}
}

// addTo is the inner loop of the search: acc[rows[q]] += v·vals[q]. 2 flops and 10 bytes of index
// per posting.
func addTo(acc *[maxTile]float64, rows []uint16, vals []float64, v float64) {
	vals = vals[:len(rows)]
	q := 0
	for ; q+4 <= len(rows); q += 4 {
		r, w := (*[4]uint16)(rows[q:]), (*[4]float64)(vals[q:])
		acc[r[0]] += v * w[0]
		acc[r[1]] += v * w[1]
		acc[r[2]] += v * w[2]
		acc[r[3]] += v * w[3]
	}
	for ; q < len(rows); q++ {
		acc[rows[q]] += v * vals[q]
	}
}
