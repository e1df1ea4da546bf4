package exact

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
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
// With new rows a pair is a new row and a row of x; new rows are numbered after the rows of x.
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

// singleRow is row i in single precision.
func (m *denseRows) singleRow(i int) []float32 {
	if i >= m.x.Rows {
		return m.singleFresh.Row(i - m.x.Rows)
	}
	return m.single.Row(i)
}

// direct returns Σ(a−b)², in four partial sums of rounded squares.
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
		s0 += float64(d0 * d0)
		s1 += float64(d1 * d1)
		s2 += float64(d2 * d2)
		s3 += float64(d3 * d3)
	}
	for ; k < len(a); k++ {
		d := float64(a[k]) - float64(b[k])
		s0 += float64(d * d)
	}
	return s0 + s1 + (s2 + s3)
}

// directs sets out[c] to direct of rows i and js[c].
func (m *denseRows) directs(i int, js []int32, out []float64) {
	if m.single != nil {
		squaredDistances(m.singleRow(i), m.singleRow, js, out)
		return
	}
	squaredDistances(m.row(i, nil), func(j int) []float64 { return m.row(j, nil) }, js, out)
}

// dots sets out[c] to dot of rows i and js[c].
func (m *denseRows) dots(i int, js []int32, out []float64) {
	if m.single != nil {
		dotProducts(m.singleRow(i), m.singleRow, js, out)
		return
	}
	dotProducts(m.row(i, nil), func(j int) []float64 { return m.row(j, nil) }, js, out)
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
		s0 += float64(float64(p[0]) * float64(q[0]))
		s1 += float64(float64(p[1]) * float64(q[1]))
		s2 += float64(float64(p[2]) * float64(q[2]))
		s3 += float64(float64(p[3]) * float64(q[3]))
	}
	for ; k < len(a); k++ {
		s0 += float64(float64(a[k]) * float64(b[k]))
	}
	return s0 + s1 + (s2 + s3)
}

func (m *denseRows) measure(i, j int, score float64) (dist2, dot float64) { return -score, m.dot(i, j) }

// exact returns the squared distance of a pair from its lower bound.
func (m *denseRows) exact(i, j int, low float64) float64 {
	if m.slack == 0 {
		return low
	}
	return m.direct(i, j)
}

// SquaredDistance returns Σ(a−b)² with the bits of [Measurer].
func SquaredDistance(a, b []float64) float64 { return squaredDistance(a, b) }
