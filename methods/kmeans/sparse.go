package kmeans

import (
	"context"
	"math"
	"math/bits"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
)

type sparsePoints struct {
	x       *sparse.CSR // their columns
	rows    sparse.Rows // x itself, or rows in single precision
	longest int         // entries of a row
	norms   []float64
	buffers rowBuffers
}

// sparseShape are sparse rows without what is computed of them.
func sparseShape(rows sparse.Rows) *sparsePoints {
	return &sparsePoints{x: rows.Pattern(), rows: rows, buffers: rowBuffers{single: sparse.IsSingle(rows)}}
}

func newSparsePoints(ctx context.Context, rows sparse.Rows) (*sparsePoints, error) {
	p := sparseShape(rows)
	err := p.x.CheckColumns()
	if err != nil {
		return nil, err
	}
	for i := range p.x.NumRows {
		p.longest = max(p.longest, len(p.columns(i)))
	}
	p.norms, err = squareRows(ctx, p.x.NumRows, p.work(), rows.Values, func(i, v int) int { return int(p.columns(i)[v]) }, sparse.IsSingle(rows))
	return p, err
}

// columns are the columns of row i.
func (p *sparsePoints) columns(i int) []int32 { return p.x.Col[p.x.RowPtr[i]:p.x.RowPtr[i+1]] }

// row are the columns and the values of row i, which are in buf if the rows are in single
// precision.
func (p *sparsePoints) row(i int, buf *[]float64) ([]int32, []float64) {
	return p.columns(i), p.rows.Values(i, *buf)
}

func (p *sparsePoints) dims() (n, d int)   { return p.x.Dims() }
func (p *sparsePoints) sqNorms() []float64 { return p.norms }
func (p *sparsePoints) work() int          { return p.x.NNZ()/p.x.NumRows + 1 }
func (p *sparsePoints) gather(int) int     { return 0 }
func (p *sparsePoints) bytes(k int) int64 {
	return memory.Sum(memory.Bytes(8, p.x.NumCols, padded(k)+1), memory.Bytes(8, words64(p.x.NumCols), k))
}

func (p *sparsePoints) tileBytes(k int) int64 { return memory.Bytes(8, tileRows(k, p.x.NumCols), k) }

// padded rounds k up to a multiple of the narrower kernel's width.
func padded(k int) int { return (k + 3) &^ 3 }

func (p *sparsePoints) newCenters(k int) centers {
	return &sparseCenters{
		p: p, k: k, stride: padded(k),
		c:     make([]float64, p.x.NumCols*padded(k)),
		norms: make([]float64, k), support: make([]int, k), holds: make([]uint64, k*words64(p.x.NumCols)),
	}
}

// sparseCenters holds the centres as columns, d×k, so the t-th coordinates of all centres are
// contiguous for an entry (i, t) of the data.
type sparseCenters struct {
	p         *sparsePoints
	k, stride int
	c         []float64
	norms     []float64
	support   []int     // coordinates that are not zero
	holds     []uint64  // a bit for each of these, of one centre after another
	room      []float64 // of place
}

func (c *sparseCenters) place(j, i int) {
	if c.room == nil {
		c.room = make([]float64, c.p.x.NumCols)
	}
	clear(c.room)
	c.p.copyRow(i, c.room)
	c.set(j, c.room)
}

func (c *sparseCenters) set(j int, to []float64) { c.move(j, to) }

// words64 is how many words of 64 bits hold a bit for each of d coordinates.
func words64(d int) int { return (d + 63) / 64 }

// move sets centre j and returns the squared distance from its previous position. Only coordinates
// that are, or were, not zero are touched, since those of one centre lie far apart.
func (c *sparseCenters) move(j int, to []float64) float64 {
	moved, norm, support := 0.0, 0.0, 0
	size := words64(len(to))
	for w := range size {
		from := 64 * w
		part := to[from:min(from+64, len(to))]
		now := uint64(0)
		for b, v := range part {
			if v != 0 {
				now |= 1 << b
			}
		}
		held := &c.holds[j*size+w]
		for left := *held | now; left != 0; left &= left - 1 {
			b := bits.TrailingZeros64(left)
			v, at := part[b], (from+b)*c.stride+j
			if old := c.c[at]; old != v {
				moved += (v - old) * (v - old)
				c.c[at] = v
			}
			norm += v * v
		}
		*held = now
		support += bits.OnesCount64(now)
	}
	c.norms[j], c.support[j] = norm, support
	return moved
}

// mean costs one addition per entry and a pass over the d coordinates. A coordinate that differs
// from the first row's by no more than the rounding of the sum is set to it: equal rows have
// themselves as mean.
func (c *sparseCenters) mean(ctx context.Context, j int, rows []int32, tmp []float64) (float64, error) {
	every := grain(len(rows), c.p.work())
	buf := c.p.buffers.get(c.p.longest)
	defer c.p.buffers.put(buf)
	clear(tmp)
	for r, i := range rows {
		if r%every == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		cols, vals := c.p.row(int(i), buf)
		for p, t := range cols {
			tmp[t] += vals[p]
		}
	}
	n := float64(len(rows))
	for t, v := range tmp {
		if v != 0 {
			tmp[t] = v / n
		}
	}
	cols, vals := c.p.row(int(rows[0]), buf)
	for p, t := range cols {
		if v := vals[p]; math.Abs(tmp[t]-v) <= n*ulp*math.Abs(v) {
			tmp[t] = v
		}
	}
	return c.shift(j, tmp), nil
}

func (c *sparseCenters) shift(j int, to []float64) float64 {
	return math.Sqrt(c.move(j, to)) * (1 + float64(len(to)+8)*ulp)
}

func (p *sparsePoints) copyRow(i int, dst []float64) {
	buf := p.buffers.get(p.longest)
	defer p.buffers.put(buf)
	cols, vals := p.row(i, buf)
	for q, t := range cols {
		dst[t] = vals[q]
	}
}

func (p *sparsePoints) addRows(sum []float64, rows []int32, _ []float64) {
	buf := p.buffers.get(p.longest)
	defer p.buffers.put(buf)
	for _, i := range rows {
		cols, vals := p.row(int(i), buf)
		for q, t := range cols {
			sum[t] += vals[q]
		}
	}
}

func (p *sparsePoints) finishMean(sum, origin []float64, n float64) {
	for t, v := range sum {
		if v != 0 {
			sum[t] = v / n
		}
		if o := origin[t]; o != 0 && math.Abs(sum[t]-o) <= n*ulp*math.Abs(o) {
			sum[t] = o
		}
	}
}

func (c *sparseCenters) sqNorm(j int) float64 { return c.norms[j] }

func (c *sparseCenters) near(i, j int) float64 { return c.exact(i, j) }

// exact sums (x−c)² over the row's entries; the other coordinates add ‖c‖² minus the part inside,
// and exactly zero if the row covers the whole centre. O(entries of the row).
func (c *sparseCenters) exact(i, j int) float64 {
	buf := c.p.buffers.get(c.p.longest)
	defer c.p.buffers.put(buf)
	cols, vals := c.p.row(i, buf)
	near, inside, covered := 0.0, 0.0, 0
	for p, t := range cols {
		v := c.c[int(t)*c.stride+j]
		if v != 0 {
			covered++
			inside += v * v
		}
		near += (vals[p] - v) * (vals[p] - v)
	}
	if covered == c.support[j] {
		return near
	}
	return near + max(0, c.norms[j]-inside)
}

// rough is tile: products of sparse rows gain nothing by another precision.
func (c *sparseCenters) rough(rows []int32, out, gather []float64) { c.tile(rows, out, gather) }
func (c *sparseCenters) screenAbs() float64                        { return 0 }

func (c *sparseCenters) errors() (rel, exactAbs, tileAbs float64) {
	rel = float64(c.p.x.NumCols+8) * ulp
	return rel, 2 * rel, 4 * rel
}

// compact is false: the distance of two centres costs d operations, many times the cost of a
// distance to a row, and centres of text are never so far apart that rows could be skipped.
func (c *sparseCenters) compact() bool { return false }

func (c *sparseCenters) between(a, b int) float64 {
	s := 0.0
	for at := 0; at < len(c.c); at += c.stride {
		d := c.c[at+a] - c.c[at+b]
		s += d * d
	}
	return s
}

func (c *sparseCenters) row(j int, dst []float64) {
	for t := range dst {
		dst[t] = c.c[t*c.stride+j]
	}
}

// tile makes one pass over a row's entries for up to 32 centres at a time: 2k flops per entry and
// 8k contiguous bytes of centres.
func (c *sparseCenters) tile(rows []int32, out, _ []float64) {
	buf := c.p.buffers.get(c.p.longest)
	defer c.p.buffers.put(buf)
	centers := blas64.General{Rows: c.p.x.NumCols, Cols: c.stride, Stride: c.stride, Data: c.c}
	var few [64]float64
	dots := few[:]
	if c.stride > len(few) {
		dots = make([]float64, c.stride)
	}
	dots = dots[:c.stride]
	for r, i := range rows {
		cols, vals := c.p.row(int(i), buf)
		sparse.MulRow(dots, cols, vals, centers)
		o, norm := out[r*c.k:(r+1)*c.k], c.p.norms[i]
		for j := range o {
			o[j] = norm + c.norms[j] - 2*dots[j]
		}
	}
}
