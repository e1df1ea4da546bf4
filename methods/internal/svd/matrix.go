package svd

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	docs "github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Matrix is the data as an operator: A = Scale·(X − 1μᵀ), or Scale·X if it is not centred. It owns
// scratch memory; use it from one goroutine. Ranks may divide the rows: then every rank has its own
// Matrix of them, and all call its methods together.
type Matrix struct {
	// Rows and Cols are n and d, of the rows of all ranks.
	Rows, Cols int
	// Mean is μ in the units of the data, nil without centring.
	Mean []float64
	// Scale is the power of two that brings the largest magnitude near 1 if squares could overflow
	// or underflow, else 1.
	Scale float64
	// Total is the squared Frobenius norm of A: n−1 times Scale² times the sum of the variances.
	Total float64

	// own is the number of rows that are here, of those that share divides; columns divides the
	// columns evenly among the same ranks.
	own            int
	share, columns *ranks.Share

	// a and at are Scale·X and its transpose for sparse data. If data are centred, columns without
	// a missing entry are already shifted by their mean, because only in these can a mean exceed
	// the spread by orders of magnitude.
	a, at  *sparse.CSR
	centre bool
	// x holds dense data as given; shift is the mean, or nil.
	x     blas64.General
	shift []float64
	// offset is Scale times shift, zeros without one.
	offset []float64

	panel, block []float64
}

// comfortable bounds the magnitudes whose fourth powers are far from overflow and underflow.
const comfortable = 0x1p100

// longest limits the rows and columns, because a sparse file of a few bytes can declare any size,
// and what is stored by column is allocated before the dimensions, for which memory is asked, are
// known.
const longest = 1 << 28

// New takes n×d data: *sparse.CSR remains sparse, *mat.Dense is not copied, any other matrix is
// made dense. If centre is set, every product subtracts the column means. Memory: for sparse data
// the transpose (12 bytes per entry) and at most 8 more bytes per entry; for dense data a panel of
// 2 MB, or of 256 rows or columns (the longer ones) if these are more.
//
// Errors (fs.ErrInvalid): an empty matrix, and values that are not finite as
// *sparse.NotFiniteError.
func New(ctx context.Context, x mat.Matrix, centre bool) (*Matrix, error) {
	return NewShared(ctx, nil, x, centre)
}

// NewShared is [New] of rows that ranks divide, of which x has this rank's; nil: x has all. All
// ranks call it, and all get the error of one. Means and scale are of the rows of all.
func NewShared(ctx context.Context, share *ranks.Share, x mat.Matrix, centre bool) (*Matrix, error) {
	x, largest, err := stored(x, share, !centre || share.Divided())
	if err = docs.Agreed(share, err); err != nil {
		return nil, err
	}
	own, d := x.Dims()
	m := &Matrix{Rows: share.Among(own), Cols: d, Scale: 1, centre: centre, own: own, share: share}
	if share.Divided() {
		m.columns = ranks.Evenly(share, d)
	}
	ctx, stopped := share.Watch(ctx)
	if s, ok := x.(*sparse.CSR); ok {
		m.setSparse(s)
		return m, stopped()
	}
	if err := m.setDense(ctx, x.(*mat.Dense).RawMatrix(), largest); err != nil {
		return m, err
	}
	return m, stopped()
}

// stored checks the rows and brings them into the storage of a Matrix. largest is the
// largest magnitude of dense ones if look is set; else it is NaN, and their values are not looked
// at yet.
func stored(x mat.Matrix, share *ranks.Share, look bool) (_ mat.Matrix, largest float64, err error) {
	if x == nil {
		return nil, 0, invalid.Errorf("there is no matrix to decompose")
	}
	n, d := x.Dims()
	if n = share.Among(n); n == 0 || d == 0 {
		return nil, 0, invalid.Errorf("the matrix to decompose is empty (%d × %d)", n, d)
	}
	if max(n, d) > longest {
		return nil, 0, invalid.Errorf("a matrix of %d × %d is too large to decompose (at most %d rows and columns): drop empty rows and columns", n, d, longest)
	}
	if x, err = sparse.Stored(x); err != nil {
		return nil, 0, err
	}
	if s, ok := x.(*sparse.CSR); ok {
		if err := s.CheckColumns(); err != nil {
			return nil, 0, err
		}
		return s, 0, s.CheckFinite()
	}
	if !look {
		return x, math.NaN(), nil
	}
	largest, err = checkDense(x.(*mat.Dense).RawMatrix())
	return x, largest, err
}

// setScale chooses Scale for own rows with the given largest magnitude.
func (m *Matrix) setScale(own float64) {
	all := []float64{own}
	ranks.Largest(m.share, all)
	largest := all[0]
	if largest > 0 && (largest > comfortable || largest < 1/comfortable) {
		_, e := math.Frexp(largest)
		m.Scale = math.Ldexp(1, min(1023, -e))
	}
}

func (m *Matrix) setSparse(x *sparse.CSR) {
	m.setScale(panel.Largest(x.Val))
	m.a = x
	if m.Scale != 1 {
		s := make([]float64, m.own)
		for i := range s {
			s[i] = m.Scale
		}
		m.a = x.ScaleRows(s)
	}
	m.at = m.a.Transpose()
	if m.centre {
		m.centreSparse()
	} else {
		for _, v := range m.a.Val {
			m.Total += v * v
		}
	}
	m.Total = m.sum([]float64{m.Total})[0]
}

// centreSparse computes the means, and this rank's part of the total, and shifts the columns that
// have an entry in every row. Such a mean is summed as differences to the column's first value, so
// that equal values have exactly themselves as their mean.
func (m *Matrix) centreSparse() {
	counts, origins, sums := make([]float64, m.Cols), make([]float64, m.Cols), make([]float64, m.Cols)
	for j := range counts {
		_, vals := m.at.Row(j)
		if counts[j] = float64(len(vals)); len(vals) == m.own && m.first() {
			origins[j] = vals[0]
		}
	}
	m.sum(counts)
	m.sum(origins)
	n := float64(m.Rows)
	for j := range sums {
		_, vals := m.at.Row(j)
		if counts[j] < n {
			origins[j] = 0
		}
		for _, v := range vals {
			sums[j] += v - origins[j]
		}
	}
	m.sum(sums)
	m.Mean = make([]float64, m.Cols)
	shifted := false
	for j := range m.Mean {
		_, vals := m.at.Row(j)
		mean := 0.0
		if counts[j] > 0 {
			mean = origins[j] + sums[j]/counts[j]
		}
		if counts[j] == n {
			m.Mean[j] = mean / m.Scale
			for k := range vals {
				vals[k] -= mean
				m.Total += vals[k] * vals[k]
			}
			shifted = shifted || mean != 0
			continue
		}
		mean *= counts[j] / n
		m.Mean[j] = mean / m.Scale
		sum := 0.0
		for _, v := range vals {
			sum += (v - mean) * (v - mean)
		}
		m.Total += sum + (float64(m.own)-float64(len(vals)))*mean*mean
	}
	if shifted {
		m.a = m.at.Transpose()
	}
}

func (m *Matrix) setDense(ctx context.Context, x blas64.General, largest float64) error {
	m.x = x
	m.offset = make([]float64, m.Cols)
	var squares, between float64
	again := m.centre
	if math.IsNaN(largest) {
		squares, between, largest = m.centreDense()
		if math.IsInf(largest, 0) {
			_, err := checkDense(x)
			return err
		}
		again = false
	}
	if m.setScale(largest); again || m.centre && m.Scale != 1 { // nearly no data need a scale
		squares, between, _ = m.centreDense()
	}
	if m.centre && m.fromFirst(squares, between) {
		return ctx.Err()
	}
	for i := range m.own {
		if i%1024 == 0 && ctx.Err() != nil {
			break
		}
		m.Total += m.squares(x.Data[i*x.Stride:][:m.Cols])
	}
	m.Total = m.sum([]float64{m.Total})[0]
	return ctx.Err()
}

// fromFirst sets Total from the sum of the squares of the differences to the first row and what
// each row has less by the differences to the mean, and reports whether that is accurate: not for a
// first row that is far from the mean, or if ranks divide rows.
func (m *Matrix) fromFirst(squares, between float64) bool {
	if m.share.Divided() || m.own == 0 {
		return false
	}
	m.Total = squares - float64(m.Rows)*between
	if m.Total > squares/16 {
		return true
	}
	m.Total = 0
	return false
}

// centreDense computes the means, as differences to the first row, so that equal values have
// exactly themselves as their mean. It returns the sum of the squares of the differences of own
// rows, and how much smaller the square of a row's difference to offset is on average. With x the
// differences to the first row, d their mean, and offset = first row + d + e, where e is rounding,
// Σ(x − d − e)² = Σx² − n(d² − e²). largest is the largest magnitude of own rows, +Inf if one is
// not finite.
func (m *Matrix) centreDense() (squares, between, largest float64) {
	var b0, b1 uint64 // bits of magnitudes, shifted by one
	first := make([]float64, m.Cols)
	if m.first() {
		copy(first, m.x.Data)
	}
	m.sum(first)
	for j := range first {
		first[j] *= m.Scale
	}
	m.Mean = make([]float64, m.Cols)
	for i := range m.own {
		row := m.x.Data[i*m.x.Stride:][:m.Cols]
		origin, mean := first[:len(row)], m.Mean[:len(row)]
		var s0, s1 float64
		at := 0
		for ; at+2 <= len(row); at += 2 {
			u, o, t := row[at:at+2:at+2], origin[at:at+2:at+2], mean[at:at+2:at+2]
			d0, d1 := u[0]*m.Scale-o[0], u[1]*m.Scale-o[1]
			t[0] += d0
			t[1] += d1
			s0 += d0 * d0
			s1 += d1 * d1
			b0, b1 = max(b0, math.Float64bits(u[0])<<1), max(b1, math.Float64bits(u[1])<<1)
		}
		for ; at < len(row); at++ {
			d := row[at]*m.Scale - origin[at]
			mean[at] += d
			s0 += d * d
			b0 = max(b0, math.Float64bits(row[at])<<1)
		}
		squares += s0 + s1
	}
	if largest = math.Float64frombits(max(b0, b1) >> 1); !(largest <= math.MaxFloat64) {
		largest = math.Inf(1)
	}
	m.sum(m.Mean)
	m.shift = m.Mean
	for j := range m.Mean {
		d := m.Mean[j] / float64(m.Rows)
		m.Mean[j] = (first[j] + d) / m.Scale
		m.offset[j] = m.Mean[j] * m.Scale
		e := m.offset[j] - first[j] - d
		between += (d - e) * (d + e)
	}
	return squares, between, largest
}

// squares returns the sum of the squares of a row of A; row is the row of the data. Four sums do
// not wait for each other.
func (m *Matrix) squares(row []float64) float64 {
	var s0, s1, s2, s3 float64
	scale, offset := m.Scale, m.offset[:len(row)]
	at := 0
	for ; at+4 <= len(row); at += 4 {
		u, v := row[at:at+4:at+4], offset[at:at+4:at+4]
		d0, d1, d2, d3 := u[0]*scale-v[0], u[1]*scale-v[1], u[2]*scale-v[2], u[3]*scale-v[3]
		s0 += d0 * d0
		s1 += d1 * d1
		s2 += d2 * d2
		s3 += d3 * d3
	}
	for ; at < len(row); at++ {
		d := row[at]*scale - offset[at]
		s0 += d * d
	}
	return s0 + s1 + (s2 + s3)
}

// sum replaces x by its sum over the ranks, and returns it.
func (m *Matrix) sum(x []float64) []float64 {
	m.share.Sum(x)
	return x
}

// sumBlock replaces the entries of b by their sums over the ranks.
func (m *Matrix) sumBlock(b blas64.General) {
	if !m.share.Divided() { // there is nothing to add, and a view is not copied
		return
	}
	packed := panel.Clone(b).Data
	m.share.Sum(packed)
	for i := range b.Rows {
		copy(b.Data[i*b.Stride:][:b.Cols], packed[i*b.Cols:])
	}
}

// checkDense refuses rows that are not finite, and returns the largest magnitude.
func checkDense(x blas64.General) (float64, error) {
	const infinite = 0x7ff << 52 // its bits; NaN has larger ones
	largest := uint64(0)
	for i := range x.Rows {
		row := x.Data[i*x.Stride:][:x.Cols]
		var b0, b1, b2, b3 uint64
		at := 0
		for ; at+4 <= len(row); at += 4 {
			v := row[at : at+4 : at+4]
			b0 = max(b0, math.Float64bits(v[0])<<1)
			b1 = max(b1, math.Float64bits(v[1])<<1)
			b2 = max(b2, math.Float64bits(v[2])<<1)
			b3 = max(b3, math.Float64bits(v[3])<<1)
		}
		for ; at < len(row); at++ {
			b0 = max(b0, math.Float64bits(row[at])<<1)
		}
		largest = max(largest, b0>>1, b1>>1, b2>>1, b3>>1)
		if largest < infinite {
			continue
		}
		for j, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return 0, &sparse.NotFiniteError{Row: i, Col: j, Value: v}
			}
		}
	}
	return math.Float64frombits(largest), nil
}

// panelSize is the number of entries of a dense panel, or more where 256 rows or columns have more:
// 2 MB, which is in a cache from its copy to its product.
const panelSize = 1 << 18

// rowPanels visits the own rows of A in panels of rows, which are views if the data need no change.
func (m *Matrix) rowPanels(ctx context.Context, visit func(lo int, p blas64.General)) error {
	return m.panels(ctx, m.own, m.Cols, func(lo, hi int) blas64.General { return m.part(lo, hi, 0, m.Cols) }, visit)
}

// colPanels visits A in panels of columns.
func (m *Matrix) colPanels(ctx context.Context, visit func(lo int, p blas64.General)) error {
	return m.panels(ctx, m.Cols, m.own, func(lo, hi int) blas64.General { return m.part(0, m.own, lo, hi) }, visit)
}

func (m *Matrix) panels(ctx context.Context, count, length int, part func(lo, hi int) blas64.General, visit func(int, blas64.General)) error {
	size := max(256, panelSize/max(1, length))
	for lo := 0; lo < count; lo += size {
		if err := ctx.Err(); err != nil {
			return err
		}
		visit(lo, part(lo, min(lo+size, count)))
	}
	return ctx.Err()
}

// part returns the part of A in rows [r0, r1) and columns [c0, c1), valid until the next call.
func (m *Matrix) part(r0, r1, c0, c1 int) blas64.General {
	p := blas64.General{Rows: r1 - r0, Cols: c1 - c0, Stride: m.x.Stride, Data: m.x.Data[r0*m.x.Stride+c0:]}
	if m.shift == nil && m.Scale == 1 {
		return p
	}
	c := blas64.General{Rows: p.Rows, Cols: p.Cols, Stride: p.Cols, Data: m.scratch(&m.panel, p.Rows*p.Cols)}
	for i := range p.Rows {
		from := p.Data[i*p.Stride:][:p.Cols]
		to := c.Data[i*c.Stride:][:len(from)]
		if m.shift == nil {
			for j, v := range from {
				to[j] = v * m.Scale
			}
			continue
		}
		off := m.offset[c0:c1][:len(from)]
		if m.Scale == 1 {
			for j, v := range from {
				to[j] = v - off[j]
			}
			continue
		}
		// Scale first: a difference of huge values must not overflow.
		for j, v := range from {
			to[j] = v*m.Scale - off[j]
		}
	}
	return c
}

// scratch returns size numbers of memory that is kept between calls.
func (m *Matrix) scratch(memory *[]float64, size int) []float64 {
	if cap(*memory) < size {
		*memory = make([]float64, size)
	}
	return (*memory)[:size]
}

// longBlock is an r×c block in the scratch memory of products with the Gram matrix, as it was left.
func (m *Matrix) longBlock(r, c int) blas64.General {
	return blas64.General{Rows: r, Cols: c, Stride: c, Data: m.scratch(&m.block, r*c)}
}

// Drop lets go of the transpose of sparse data and the scratch memory: no product follows.
func (m *Matrix) Drop() {
	m.a, m.at, m.panel, m.block = nil, nil, nil, nil
}

// Mul sets dst = A·v, of the own rows of n×b, for v of shape d×b. 2·nnz·b flops; 2·n·d·b for dense
// data.
func (m *Matrix) Mul(ctx context.Context, dst, v blas64.General) error {
	if m.a == nil {
		if m.nearZero() {
			return m.mulAsGiven(ctx, dst, v)
		}
		return m.rowPanels(ctx, func(lo int, p blas64.General) {
			native.Default().Gemm(blas.NoTrans, blas.NoTrans, 1, p, v, 0, panel.Rows(dst, lo, lo+p.Rows))
		})
	}
	m.a.MulBlock(dst, v)
	if m.centre {
		m.centreColumns(dst)
	}
	return ctx.Err()
}

// nearZero reports whether dense rows are centred at a mean that is at most four times as long as
// their distances from it in the root mean square: then X·v − 1(μᵀv) has at most about five times
// the rounding error of A·v.
func (m *Matrix) nearZero() bool {
	if m.shift == nil || m.Scale != 1 {
		return false
	}
	length := 0.0
	for _, v := range m.offset {
		length += v * v
	}
	return float64(m.Rows)*length <= 16*m.Total
}

// mulAsGiven sets dst = X·v − 1(μᵀv) without a copy of the dense rows.
func (m *Matrix) mulAsGiven(ctx context.Context, dst, v blas64.General) error {
	mean := make([]float64, v.Cols)
	for i, o := range m.offset {
		for j, x := range v.Data[i*v.Stride:][:v.Cols] {
			mean[j] += o * x
		}
	}
	const step = 1024 // rows between two looks at the context, which stay in a cache
	for lo := 0; lo < m.own; lo += step {
		if err := ctx.Err(); err != nil {
			return err
		}
		hi := min(lo+step, m.own)
		out := panel.Rows(dst, lo, hi)
		native.Default().Gemm(blas.NoTrans, blas.NoTrans, 1, panel.Rows(m.x, lo, hi), v, 0, out)
		for i := range out.Rows {
			row := out.Data[i*out.Stride:][:len(mean)]
			for j, x := range mean {
				row[j] -= x
			}
		}
	}
	return ctx.Err()
}

// MulT sets dst (d×b) = Aᵀ·u for the own rows of u of shape n×b.
func (m *Matrix) MulT(ctx context.Context, dst, u blas64.General) error {
	err := m.ownMulT(ctx, dst, u)
	m.sumBlock(dst)
	return err
}

// ownMulT sets dst to what the own rows add to Aᵀ·u.
func (m *Matrix) ownMulT(ctx context.Context, dst, u blas64.General) error {
	if m.a == nil && m.own == 0 {
		for i := range dst.Rows {
			clear(dst.Data[i*dst.Stride:][:dst.Cols])
		}
		return ctx.Err()
	}
	if m.a == nil {
		return m.rowPanels(ctx, func(lo int, p blas64.General) {
			beta := 1.0
			if lo == 0 {
				beta = 0
			}
			native.Default().Gemm(blas.Trans, blas.NoTrans, 1, p, panel.Rows(u, lo, lo+p.Rows), beta, dst)
		})
	}
	if m.centre {
		c := blas64.General{Rows: u.Rows, Cols: u.Cols, Stride: u.Cols, Data: m.scratch(&m.panel, u.Rows*u.Cols)}
		for i := range u.Rows {
			copy(c.Data[i*c.Stride:][:c.Cols], u.Data[i*u.Stride:])
		}
		m.centreColumns(c)
		u = c
	}
	m.at.MulBlock(dst, u)
	return ctx.Err()
}

// AllMul sets dst, with the rows of all ranks, to A·v.
func (m *Matrix) AllMul(ctx context.Context, dst, v blas64.General) error {
	if !m.share.Divided() {
		return m.Mul(ctx, dst, v)
	}
	own := panel.New(m.own, v.Cols)
	err := m.Mul(ctx, own, v)
	copyRows(dst, whole(m.share, own))
	return err
}

// AllMulT sets dst = Aᵀ·u for u with the rows of all ranks.
func (m *Matrix) AllMulT(ctx context.Context, dst, u blas64.General) error {
	return m.MulT(ctx, dst, part(m.share, u))
}

// first says whether the first of all rows is here.
func (m *Matrix) first() bool { return m.own > 0 && m.share.First() == 0 }

// centreColumns subtracts its mean from each column of which b has the own rows: the product with
// I − 11ᵀ/n.
func (m *Matrix) centreColumns(b blas64.General) {
	mean := make([]float64, b.Cols)
	for i := range b.Rows {
		for j, v := range b.Data[i*b.Stride:][:b.Cols] {
			mean[j] += v
		}
	}
	m.sum(mean)
	for j := range mean {
		mean[j] /= float64(m.Rows)
	}
	for i := range b.Rows {
		row := b.Data[i*b.Stride:][:b.Cols]
		for j := range row {
			row[j] -= mean[j]
		}
	}
}

// columns returns the view of the columns [lo, hi) of a, not empty.
func columns(a blas64.General, lo, hi int) blas64.General {
	return blas64.General{Rows: a.Rows, Cols: hi - lo, Stride: a.Stride, Data: a.Data[lo:]}
}
