package kmeans

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/sparse"
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
func (p *sparsePoints) bytes(k int) int64  { return memory.Bytes(8, p.x.NumCols, padded(k)+1) }

func (p *sparsePoints) tileBytes(k int) int64 { return memory.Bytes(8, tileRows(k, p.x.NumCols), k) }

// padded rounds k up to a multiple of the narrower kernel's width.
func padded(k int) int { return (k + 3) &^ 3 }

func (p *sparsePoints) newCenters(k int) centers {
	return &sparseCenters{
		p: p, k: k, stride: padded(k),
		c:     make([]float64, p.x.NumCols*padded(k)),
		norms: make([]float64, k), support: make([]int, k),
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

// move sets centre j and returns the squared distance from its previous position.
func (c *sparseCenters) move(j int, to []float64) float64 {
	moved, norm, support := 0.0, 0.0, 0
	at := j
	for _, v := range to {
		if old := c.c[at]; old != v {
			moved += (v - old) * (v - old)
			c.c[at] = v
		}
		if v != 0 {
			norm += v * v
			support++
		}
		at += c.stride
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

// tile makes one pass over a row's entries for eight centres at a time: 2k flops per entry and 8k
// contiguous bytes of centres.
func (c *sparseCenters) tile(rows []int32, out, _ []float64) {
	buf := c.p.buffers.get(c.p.longest)
	defer c.p.buffers.put(buf)
	for r, i := range rows {
		cols, vals := c.p.row(int(i), buf)
		vals = vals[:len(cols)]
		o := out[r*c.k : (r+1)*c.k]
		var dots [8]float64
		for j := 0; j < c.k; j += 8 {
			width := 8
			if c.stride-j >= 8 {
				dots8(&dots, cols, vals, c.c[j:], c.stride)
			} else {
				width = 4
				dots4(&dots, cols, vals, c.c[j:], c.stride)
			}
			for q := range min(width, c.k-j) {
				o[j+q] = c.p.norms[i] + c.norms[j+q] - 2*dots[q]
			}
		}
	}
}

func dots8(dst *[8]float64, cols []int32, vals, c []float64, stride int) {
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	for p, t := range cols {
		v, r := vals[p], (*[8]float64)(c[int(t)*stride:])
		s0 += v * r[0]
		s1 += v * r[1]
		s2 += v * r[2]
		s3 += v * r[3]
		s4 += v * r[4]
		s5 += v * r[5]
		s6 += v * r[6]
		s7 += v * r[7]
	}
	*dst = [8]float64{s0, s1, s2, s3, s4, s5, s6, s7}
}

func dots4(dst *[8]float64, cols []int32, vals, c []float64, stride int) {
	var s0, s1, s2, s3 float64
	for p, t := range cols {
		v, r := vals[p], (*[4]float64)(c[int(t)*stride:])
		s0 += v * r[0]
		s1 += v * r[1]
		s2 += v * r[2]
		s3 += v * r[3]
	}
	*(*[4]float64)(dst[:]) = [4]float64{s0, s1, s2, s3}
}
