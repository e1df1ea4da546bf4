package kmeans

import (
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// fewColumns is the largest number of columns for which distances are summed directly; for more
// columns, tiles use gemm.
const fewColumns = 8

type densePoints struct {
	x       blas64.General      // without Data if single is there
	single  *sparse.SingleDense // rows in single precision; else nil
	norms   []float64
	buffers rowBuffers
	images  *images // nil if rows have none
}

// denseShape are dense rows without what is computed of them.
func denseShape(x mat.Matrix) *densePoints {
	if s, ok := x.(*sparse.SingleDense); ok {
		return &densePoints{x: blas64.General{Rows: s.NumRows, Cols: s.NumCols, Stride: s.NumCols}, single: s, buffers: rowBuffers{single: true}}
	}
	return &densePoints{x: x.(*mat.Dense).RawMatrix()}
}

func newDensePoints(ctx context.Context, x mat.Matrix) (*densePoints, error) {
	p := denseShape(x)
	var err error
	p.norms, err = squareRows(ctx, p.x.Rows, p.x.Cols, p.row, func(_, v int) int { return v }, p.single != nil)
	return p, err
}

func (p *densePoints) dims() (n, d int)   { return p.x.Rows, p.x.Cols }
func (p *densePoints) sqNorms() []float64 { return p.norms }
func (p *densePoints) work() int          { return p.x.Cols }

// bytes counts the centres, in both precisions if rows are screened, the sums that they are moved
// by, and the lists of nearby centres.
func (p *densePoints) bytes(k int) int64 {
	b := memory.Bytes(8, k, 2*p.x.Cols+1)
	if p.screened(k) {
		b = memory.Sum(b, memory.Bytes(4, k, p.x.Cols))
	}
	if p.nearby(k) {
		b = memory.Sum(b, memory.Bytes(24, k, k))
	}
	return b
}

// tileBytes counts what is gathered, the distances, and both in single precision if rows are
// screened.
func (p *densePoints) tileBytes(k int) int64 {
	m := tileRows(k, p.x.Cols)
	b := memory.Bytes(8, p.gather(m)+m*k)
	if p.screened(k) {
		b = memory.Sum(b, memory.Bytes(4, m, p.x.Cols+k))
	}
	return b
}

func (p *densePoints) gather(rows int) int {
	if p.x.Cols <= fewColumns {
		return 0
	}
	return rows * p.x.Cols
}

// row is row i: a view, or buf, which is made longer if it is short, if the rows are in single
// precision.
func (p *densePoints) row(i int, buf []float64) []float64 {
	if p.single != nil {
		buf = slices.Grow(buf[:0], p.x.Cols)[:p.x.Cols]
		p.single.Values(i, buf)
		return buf
	}
	lo := i * p.x.Stride
	return p.x.Data[lo : lo+p.x.Cols : lo+p.x.Cols]
}

func (p *densePoints) newCenters(k int) centers {
	d := p.x.Cols
	return &denseCenters{p: p, k: k, d: d, c: make([]float64, k*d), norms: make([]float64, k), screen: p.newScreen(k)}
}

// denseCenters holds the centres as rows, k×d.
type denseCenters struct {
	p     *densePoints
	k, d  int
	c     []float64
	norms []float64
	// screen has them in single precision, if rows may be screened so.
	screen *screen
}

func (c *denseCenters) center(j int) []float64 { return c.c[j*c.d : (j+1)*c.d : (j+1)*c.d] }

func (c *denseCenters) place(j, i int) { c.set(j, c.p.row(i, nil)) }

func (c *denseCenters) set(j int, to []float64) {
	copy(c.center(j), to)
	s := 0.0
	for _, v := range to {
		s += v * v
	}
	c.norms[j] = s
	if c.screen != nil && c.screen.c != nil {
		narrow(c.screen.c[j*c.d:(j+1)*c.d], to)
	}
}

// mean sums differences to the cluster's first row, so that equal rows have exactly themselves as
// their mean and a common offset does not lose digits.
func (c *denseCenters) mean(ctx context.Context, j int, rows []int32, tmp []float64) (float64, error) {
	buf := c.p.buffers.get(c.d)
	defer c.p.buffers.put(buf)
	origin, every := c.p.row(int(rows[0]), nil), grain(len(rows), c.d)
	clear(tmp)
	for r, i := range rows {
		if r%every == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		addDifference(tmp, c.p.row(int(i), *buf), origin)
	}
	c.p.finishMean(tmp, origin, float64(len(rows)))
	return c.shift(j, tmp), nil
}

func (c *denseCenters) shift(j int, to []float64) float64 {
	moved := sqDist(c.center(j), to)
	c.set(j, to)
	return math.Sqrt(moved) * (1 + float64(c.d+8)*ulp)
}

func (p *densePoints) copyRow(i int, dst []float64) { copy(dst, p.row(i, dst)) }

func (p *densePoints) addRows(sum []float64, rows []int32, origin []float64) {
	buf := p.buffers.get(p.x.Cols)
	defer p.buffers.put(buf)
	for _, i := range rows {
		addDifference(sum, p.row(int(i), *buf), origin)
	}
}

func (p *densePoints) finishMean(sum, origin []float64, n float64) {
	for t, v := range sum {
		sum[t] = origin[t] + v/n
	}
}

func addDifference(sum, x, origin []float64) {
	x, origin = x[:len(sum)], origin[:len(sum)]
	for t := range sum {
		sum[t] += x[t] - origin[t]
	}
}

func (c *denseCenters) sqNorm(j int) float64 { return c.norms[j] }

func (c *denseCenters) exact(i, j int) float64 {
	if s := c.p.single; s != nil {
		return sqDist(s.Row(i), c.center(j))
	}
	return sqDist(c.p.row(i, nil), c.center(j))
}

func (c *denseCenters) near(i, j int) float64 {
	if s := c.p.single; s != nil {
		return sqDistFast(s.Row(i), c.center(j))
	}
	return sqDistFast(c.p.row(i, nil), c.center(j))
}

func (c *denseCenters) row(j int, dst []float64) { copy(dst, c.center(j)) }

func (c *denseCenters) compact() bool            { return true }
func (c *denseCenters) between(a, b int) float64 { return sqDistFast(c.center(a), c.center(b)) }

func (c *denseCenters) errors() (rel, exactAbs, tileAbs float64) {
	rel = float64(c.d+8) * ulp
	if c.d <= fewColumns {
		return rel, 0, 0
	}
	return rel, 0, 4 * rel
}

// tile multiplies the rows, ascending and no two alike, by all centres at once: 2dk flops per
// row at the speed of gemm, ‖x‖² + ‖c‖² − 2x·c. If no more rows lie between these than they are,
// all are multiplied; else, and in single precision, the rows are gathered first. Distances of
// few columns are summed directly instead, four centres at a time.
func (c *denseCenters) tile(rows []int32, out, gather []float64) {
	k, d := c.k, c.d
	if d <= fewColumns {
		buf := c.p.buffers.get(d)
		defer c.p.buffers.put(buf)
		for r, i := range rows {
			c.direct(c.p.row(int(i), *buf), out[r*k:(r+1)*k])
		}
		return
	}
	m, at := len(rows), int(rows[0])
	span := int(rows[m-1]) - at + 1
	from := blas64.General{Rows: m, Cols: d, Stride: d, Data: gather}
	dots := out // of all rows from the first to the last, or of these rows
	switch {
	case c.p.single == nil && (span == m || span <= 2*m && span*k <= len(gather)):
		from = blas64.General{Rows: span, Cols: d, Stride: c.p.x.Stride, Data: c.p.x.Data[at*c.p.x.Stride:]}
		if span > m {
			dots = gather
		}
	default:
		span, at = m, -1
		for r, i := range rows {
			c.p.copyRow(int(i), gather[r*d:(r+1)*d])
		}
	}
	native.Default().Gemm(blas.NoTrans, blas.Trans, -2, from,
		blas64.General{Rows: k, Cols: d, Stride: d, Data: c.c},
		0, blas64.General{Rows: span, Cols: k, Stride: k, Data: dots})
	for r, i := range rows {
		xx, dot := c.p.norms[i], dots[r*k:]
		if at >= 0 {
			dot = dots[(int(i)-at)*k:]
		}
		o := out[r*k : (r+1)*k]
		for j, cc := range c.norms {
			o[j] = dot[j] + (xx + cc)
		}
	}
}

// direct sets out[j] = ‖x − c_j‖², with the same bits as sqDist.
func (c *denseCenters) direct(x, out []float64) {
	d, j := c.d, 0
	for ; j+4 <= c.k; j += 4 {
		block := c.c[j*d : (j+4)*d]
		c0, c1, c2, c3 := block[:d], block[d:2*d], block[2*d:3*d], block[3*d:]
		var s0, s1, s2, s3 float64
		for t, v := range x {
			d0, d1, d2, d3 := v-c0[t], v-c1[t], v-c2[t], v-c3[t]
			s0 += float64(d0 * d0)
			s1 += float64(d1 * d1)
			s2 += float64(d2 * d2)
			s3 += float64(d3 * d3)
		}
		out[j], out[j+1], out[j+2], out[j+3] = s0, s1, s2, s3
	}
	for ; j < c.k; j++ {
		out[j] = sqDist(x, c.center(j))
	}
}

// sqDist returns ‖a − b‖². The conversion prevents the compiler from fusing operations here but not
// in direct.
func sqDist[T float32 | float64](a []T, b []float64) float64 {
	b = b[:len(a)]
	s := 0.0
	for t, v := range a {
		d := float64(v) - b[t]
		s += float64(d * d)
	}
	return s
}

// sqDistFast is sqDist with four sums, which do not wait for each other: other bits, the same bound
// of the rounding error.
func sqDistFast[T float32 | float64](a []T, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	t := 0
	for ; t+4 <= len(a); t += 4 {
		u, v := a[t:t+4:t+4], b[t:t+4:t+4]
		d0, d1, d2, d3 := float64(u[0])-v[0], float64(u[1])-v[1], float64(u[2])-v[2], float64(u[3])-v[3]
		s0 += d0 * d0
		s1 += d1 * d1
		s2 += d2 * d2
		s3 += d3 * d3
	}
	for ; t < len(a); t++ {
		d := float64(a[t]) - b[t]
		s0 += d * d
	}
	return (s0 + s1) + (s2 + s3)
}
