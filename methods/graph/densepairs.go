package graph

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// denseRows are dense points with the data needed for distances.
//
// ‖a‖²+‖b‖²−2a·b from matrix products serves only as a screen: slack·(‖a‖²+‖b‖²) bounds its
// rounding error, and a pair that passes the screen is measured by Σ(a−b)², which depends on the
// pair only. The points are shifted so that their mean is 0, which keeps the screen precise for
// data far from the origin.
//
// With new rows the pairs are those of a new row and a row of x; new rows are numbered after those
// of x.
type denseRows struct {
	x blas64.General // without Data if single is there
	// single are the rows of x, and singleFresh the new ones, in single precision; else nil.
	single, singleFresh *sparse.SingleDense
	fresh               blas64.General // new rows; none: all pairs within x
	mean                []float64      // subtracted before the products
	norm2               []float64      // squared norms after that
	slack               float64        // 0 if the products are exact: integers
	loop                parallel.Loop
}

// newDenseRows takes the rows of x and, if fresh is not nil, new rows with as many columns.
// Both are *mat.Dense, or both *sparse.SingleDense.
func newDenseRows(x, fresh mat.Matrix) (*denseRows, error) {
	m := &denseRows{loop: parallel.For}
	m.x, m.single = rawRows(x)
	if fresh != nil {
		m.fresh, m.singleFresh = rawRows(fresh)
	}
	n, d := m.x.Rows+m.fresh.Rows, m.x.Cols
	m.mean, m.norm2 = make([]float64, d), make([]float64, n)
	whole := true
	buf := m.buffer()
	for i := range n {
		s := 0.0
		for j, v := range m.row(i, buf) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, &sparse.NotFiniteError{Row: own(i, m.x.Rows), Col: j, Value: v}
			}
			s += v * v
			m.mean[j] += v / float64(n)
			whole = whole && v == math.Trunc(v)
		}
		if err := checkNorm(own(i, m.x.Rows), s); err != nil {
			return nil, err
		}
		m.norm2[i] = s
		whole = whole && s <= wholeLimit
	}
	if whole {
		clear(m.mean)
		return m, nil
	}
	for i := range n {
		s := 0.0
		for j, v := range m.row(i, buf) {
			v -= m.mean[j]
			s += v * v
		}
		m.norm2[i] = s
	}
	// The dot product of d terms has an error below d·u·(‖a‖²+‖b‖²)/2, and so do the norms;
	// subtracting the mean has a relative error of u in each coordinate. u = 2⁻⁵³. Four times their
	// sum is safe for any order of summation.
	m.slack = 4 * float64(d+4) * 0x1p-53
	return m, nil
}

// rawRows is the storage of dense rows; in single precision, their sizes and the rows.
func rawRows(x mat.Matrix) (blas64.General, *sparse.SingleDense) {
	if s, ok := x.(*sparse.SingleDense); ok {
		return blas64.General{Rows: s.NumRows, Cols: s.NumCols, Stride: s.NumCols}, s
	}
	return x.(*mat.Dense).RawMatrix(), nil
}

// buffer is memory for [denseRows.row]: nil in double precision, which needs none.
func (m *denseRows) buffer() []float64 {
	if m.single == nil {
		return nil
	}
	return make([]float64, m.x.Cols)
}

// row is row i: a view, or buf if the rows are in single precision.
func (m *denseRows) row(i int, buf []float64) []float64 {
	if m.single != nil {
		for j, v := range m.singleRow(i) {
			buf[j] = float64(v)
		}
		return buf
	}
	if i >= m.x.Rows {
		i -= m.x.Rows
		return m.fresh.Data[i*m.fresh.Stride : i*m.fresh.Stride+m.fresh.Cols]
	}
	return m.x.Data[i*m.x.Stride : i*m.x.Stride+m.x.Cols]
}

// denseRow is row i of dense rows as [stored] returns them: a view, or buf, which has a row's
// length, if they are in single precision.
func denseRow(x mat.Matrix, i int, buf []float64) []float64 {
	if s, ok := x.(*sparse.SingleDense); ok {
		s.Values(i, buf)
		return buf
	}
	return x.(*mat.Dense).RawRowView(i)
}

// singleRow is row i in single precision.
func (m *denseRows) singleRow(i int) []float32 {
	if i >= m.x.Rows {
		return m.singleFresh.Row(i - m.x.Rows)
	}
	return m.single.Row(i)
}

// direct returns Σ(a−b)², in four partial sums.
func (m *denseRows) direct(i, j int) float64 {
	if m.single != nil {
		return squaredDistance(m.singleRow(i), m.singleRow(j))
	}
	return squaredDistance(m.row(i, nil), m.row(j, nil))
}

func squaredDistance[T float32 | float64](a, b []T) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	k := 0
	for ; k+4 <= len(a); k += 4 {
		p, q := a[k:k+4:k+4], b[k:k+4:k+4]
		d0, d1, d2, d3 := float64(p[0])-float64(q[0]), float64(p[1])-float64(q[1]), float64(p[2])-float64(q[2]), float64(p[3])-float64(q[3])
		s0 += d0 * d0
		s1 += d1 * d1
		s2 += d2 * d2
		s3 += d3 * d3
	}
	for ; k < len(a); k++ {
		d := float64(a[k]) - float64(b[k])
		s0 += d * d
	}
	return s0 + s1 + (s2 + s3)
}

// dot returns the dot product of rows i and j, in four partial sums.
func (m *denseRows) dot(i, j int) float64 {
	if m.single != nil {
		return dotProduct(m.singleRow(i), m.singleRow(j))
	}
	return dotProduct(m.row(i, nil), m.row(j, nil))
}

func dotProduct[T float32 | float64](a, b []T) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	k := 0
	for ; k+4 <= len(a); k += 4 {
		p, q := a[k:k+4:k+4], b[k:k+4:k+4]
		s0 += float64(p[0]) * float64(q[0])
		s1 += float64(p[1]) * float64(q[1])
		s2 += float64(p[2]) * float64(q[2])
		s3 += float64(p[3]) * float64(q[3])
	}
	for ; k < len(a); k++ {
		s0 += float64(a[k]) * float64(b[k])
	}
	return s0 + s1 + (s2 + s3)
}

func (m *denseRows) measure(i, j int, score float64) (dist2, dot float64) { return -score, m.dot(i, j) }

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
func (m *denseRows) pairs(ctx context.Context, t *ticker, visit func(chunk, i, base int, low []float64) error) error {
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
		t.add(float64(looking) / float64(chunks))
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

// exact returns the squared distance of a pair from its lower bound.
func (m *denseRows) exact(i, j int, low float64) float64 {
	if m.slack == 0 {
		return low
	}
	return m.direct(i, j)
}

// nearestDense is Nearest for dense rows; its loops run by loop.
func nearestDense(ctx context.Context, x mat.Matrix, k int, loop parallel.Loop, obs progress.Observer) (*KNN, error) {
	m, err := newDenseRows(x, nil)
	if err != nil {
		return nil, err
	}
	m.loop = loop
	t := newTicker(obs, m.x.Rows)
	var g *KNN
	var screen *denseScreen
	if memory.Bytes(4, m.x.Rows, m.x.Cols) <= memory.Left(ctx) {
		screen = newDenseScreen(m)
	}
	if screen != nil {
		g, err = m.screened(ctx, screen, k, t)
	} else {
		g, err = m.plain(ctx, k, t)
	}
	if err == nil {
		t.finish()
	}
	return g, err
}
