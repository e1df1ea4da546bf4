// Package pairs computes dot products and squared distances between rows of data in blocks, dense
// rows with matrix products and sparse rows with sparse ones. It is for methods that need all pairs
// but cannot store them.
package pairs

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Rows are checked rows of data, sparse or dense, with their squared norms.
type Rows struct {
	N, D   int
	SqNorm []float64
	dense  blas64.General
	csr    *sparse.CSR
}

// New takes the rows of x, n×d: a *sparse.CSR and other matrices that list their entries as sparse,
// a *mat.Dense without a copy, all others copied into a dense matrix. Errors (fs.ErrInvalid): a
// missing or empty matrix, values that are not finite (*sparse.NotFiniteError) or whose squares
// overflow.
func New(ctx context.Context, x mat.Matrix) (*Rows, error) {
	if x == nil {
		return nil, invalid.Errorf("there is no data matrix")
	}
	n, d := x.Dims()
	if n == 0 || d == 0 {
		return nil, invalid.Errorf("the data matrix is empty (%d × %d)", n, d)
	}
	if n > math.MaxInt32 {
		return nil, invalid.Errorf("the data matrix has %d rows: at most %d are allowed", n, math.MaxInt32)
	}
	x, err := sparse.Stored(x)
	if err != nil {
		return nil, err
	}
	r := &Rows{N: n, D: d}
	if s, ok := x.(*sparse.CSR); ok {
		if err := s.CheckColumns(); err != nil {
			return nil, err
		}
		r.csr = s
	} else {
		r.dense = x.(*mat.Dense).RawMatrix()
	}
	return r, r.square(ctx)
}

// Like is New with the storage of other.
func Like(ctx context.Context, x mat.Matrix, other *Rows) (*Rows, error) {
	r, err := New(ctx, x)
	switch {
	case err != nil || (r.csr == nil) == (other.csr == nil):
		return r, err
	case other.csr == nil:
		return New(ctx, r.csr.ToDense())
	}
	s, err := sparse.FromMatrix(x)
	if err != nil {
		return nil, err
	}
	return New(ctx, s)
}

// Sparse reports whether the rows are sparse.
func (r *Rows) Sparse() bool { return r.csr != nil }

// Work estimates the number of multiplications of one dot product of two rows.
func (r *Rows) Work() int {
	if r.csr != nil {
		return r.csr.NNZ()/r.N + 1
	}
	return r.D
}

// Row returns the values of row i and, for sparse rows, their columns, as views; nil columns mean
// all columns.
func (r *Rows) Row(i int) (cols []int32, vals []float64) {
	if r.csr != nil {
		return r.csr.Row(i)
	}
	return nil, r.denseRow(i)
}

func (r *Rows) denseRow(i int) []float64 {
	at := i * r.dense.Stride
	return r.dense.Data[at : at+r.D : at+r.D]
}

// square computes the norms and checks the values.
func (r *Rows) square(ctx context.Context) error {
	r.SqNorm = make([]float64, r.N)
	limit := math.MaxFloat64 / 16 / float64(r.N)
	return parallel.For(ctx, r.N, max(1, min(4096, (1<<20)/r.Work())), func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			cols, vals := r.Row(i)
			s := 0.0
			for _, v := range vals {
				s += float64(v * v)
			}
			r.SqNorm[i] = s
			if s <= limit {
				continue
			}
			for p, v := range vals {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					if cols != nil {
						p = int(cols[p])
					}
					return &sparse.NotFiniteError{Row: i, Col: p, Value: v}
				}
			}
			return invalid.At(i, -1, "{} is too long, its squared length overflows: divide the data by a constant")
		}
		return nil
	})
}

// Window returns the rows [lo, hi), sharing the data.
func (r *Rows) Window(lo, hi int) *Rows {
	w := &Rows{N: hi - lo, D: r.D, SqNorm: r.SqNorm[lo:hi]}
	if r.csr == nil {
		w.dense = blas64.General{Rows: w.N, Cols: r.D, Stride: r.dense.Stride, Data: r.dense.Data[lo*r.dense.Stride : (hi-1)*r.dense.Stride+r.D]}
		return w
	}
	first := r.csr.RowPtr[lo]
	w.csr = &sparse.CSR{NumRows: w.N, NumCols: r.D, RowPtr: make([]int, w.N+1), Col: r.csr.Col[first:], Val: r.csr.Val[first:]}
	for i := range w.csr.RowPtr {
		w.csr.RowPtr[i] = r.csr.RowPtr[lo+i] - first
	}
	w.csr.Col, w.csr.Val = w.csr.Col[:w.csr.RowPtr[w.N]], w.csr.Val[:w.csr.RowPtr[w.N]]
	return w
}

// MeanSqDist returns the mean squared distance between two different rows, 0 for a single row,
// without a loop over pairs: 2/(n−1)·Σ‖x_i − x̄‖². Two passes over the entries, O(n·d); sums are
// taken in chunks of a fixed size.
func (r *Rows) MeanSqDist(ctx context.Context) (float64, error) {
	if r.N < 2 {
		return 0, nil
	}
	means, err := r.Means(ctx, make([]int, r.N), 1)
	if err != nil {
		return 0, err
	}
	mean := means.RawRowView(0)
	meanSq := 0.0
	for _, m := range mean {
		meanSq += float64(m * m)
	}
	grain := max(1, min(4096, (1<<20)/r.Work()))
	part := make([]float64, parallel.Chunks(r.N, grain))
	err = parallel.For(ctx, r.N, grain, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			cols, vals := r.Row(i)
			s := 0.0
			if r.csr == nil {
				for t, v := range vals {
					s += float64((v - mean[t]) * (v - mean[t]))
				}
				// The columns without an entry contribute ‖x̄‖² minus the part of the others.
			} else {
				inside := 0.0
				for p, t := range cols {
					m := mean[t]
					s += float64((vals[p] - m) * (vals[p] - m))
					inside += float64(m * m)
				}
				s += max(0, meanSq-inside)
			}
			part[lo/grain] += s
		}
		return nil
	})
	sum := 0.0
	for _, s := range part {
		sum += s
	}
	return sum / float64(r.N-1) * 2, err
}

// Means returns the means of the rows of each label, k×d; the rows of labels that do not occur are
// zero. Rows are summed in their order. Equal rows have exactly themselves as mean.
func (r *Rows) Means(ctx context.Context, label []int, k int) (*mat.Dense, error) {
	sums, size := mat.NewDense(k, r.D, nil), make([]float64, k)
	first := make([]int, k)
	every := max(1, (1<<20)/r.Work())
	for i, c := range label {
		if i%every == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if size[c] == 0 {
			first[c] = i
		}
		size[c]++
		sum := sums.RawRowView(c)
		cols, vals := r.Row(i)
		if r.csr == nil {
			for t, v := range vals {
				sum[t] += v
			}
			continue
		}
		for p, t := range cols {
			sum[t] += vals[p]
		}
	}
	for c, n := range size {
		if n == 0 {
			continue
		}
		sum := sums.RawRowView(c)
		for t := range sum {
			sum[t] /= n
		}
		cols, vals := r.Row(first[c])
		for p, v := range vals {
			t := p
			if r.csr != nil {
				t = int(cols[p])
			}
			if math.Abs(sum[t]-v) <= n*0x1p-52*math.Abs(v) {
				sum[t] = v
			}
		}
	}
	return sums, nil
}

// Panel computes products of some rows of one set with all rows of another set (or the same).
//
// Dense: a tile is one matrix product, 2·d flops per entry. Sparse: Load scatters the rows side by
// side and computes all products at once, 2 flops per entry of the data and row of the panel.
type Panel struct {
	from, to *Rows
	size     int
	rows     []int32
	left     []float64      // dense: the gathered rows. size×d
	wide     []float64      // sparse: the rows as columns. d×size
	product  blas64.General // sparse: to × panel. n×size
	// FromApart says that the dense product of two rows has the same bits whatever the other rows of
	// from are; ToApart says it of the other rows of to. Sparse products always have the same bits.
	FromApart, ToApart bool
}

// NewPanel allocates a panel for rows of from against rows of to; both have the same storage and
// columns.
func NewPanel(from, to *Rows) *Panel {
	p := &Panel{from: from, to: to, size: panelSize(to.N, from.D, from.Sparse())}
	if !from.Sparse() {
		p.left = make([]float64, p.size*from.D)
		return p
	}
	p.wide = make([]float64, p.size*from.D)
	p.product = blas64.General{Rows: to.N, Stride: p.size, Data: make([]float64, p.size*to.N)}
	return p
}

// panelSize keeps a panel within 64 MiB, except for very wide data.
func panelSize(n, d int, sparse bool) int {
	if sparse {
		return max(8, min(64, (1<<23)/(n+d)))
	}
	return max(8, min(128, (1<<23)/d))
}

// PanelBytes returns the memory of NewPanel for rows of d columns against n rows.
func PanelBytes(n, d int, sparse bool) int64 {
	size := int64(panelSize(n, d, sparse))
	if sparse {
		return 8 * size * int64(n+d)
	}
	return 8 * size * int64(d)
}

// Size is the largest number of rows of a panel.
func (p *Panel) Size() int { return p.size }

// Load loads at most Size rows of from; it keeps rows until the next Load.
func (p *Panel) Load(rows []int32) {
	d := p.from.D
	if p.from.csr == nil {
		p.rows = rows
		for q, i := range rows {
			copy(p.left[q*d:(q+1)*d], p.from.denseRow(int(i)))
		}
		return
	}
	p.scatter(false)
	p.rows = append(p.rows[:0], rows...)
	p.scatter(true)
	p.product.Cols = len(rows)
	p.to.csr.MulBlock(p.product, blas64.General{Rows: d, Cols: len(rows), Stride: p.size, Data: p.wide})
}

// Span lists the rows of [lo, hi).
func Span(lo, hi int) []int32 {
	rows := make([]int32, hi-lo)
	for i := range rows {
		rows[i] = int32(lo + i)
	}
	return rows
}

// scatter writes the panel's rows to wide, or zeros in their place.
func (p *Panel) scatter(in bool) {
	for q, i := range p.rows {
		cols, vals := p.from.csr.Row(int(i))
		for e, t := range cols {
			v := 0.0
			if in {
				v = vals[e]
			}
			p.wide[int(t)*p.size+q] = v
		}
	}
}

// Dots sets dst[q, i] to the product of the panel's row q and row lo+i of the other set. dst has
// one row for each row of the panel; its number of columns is the number of rows of the other set.
// Safe for concurrent use between two calls of Load.
func (p *Panel) Dots(lo int, dst blas64.General) {
	if p.from.csr != nil {
		for i := range dst.Cols {
			for q, v := range p.product.Data[(lo+i)*p.size : (lo+i)*p.size+dst.Rows] {
				dst.Data[q*dst.Stride+i] = v
			}
		}
		return
	}
	d, right := p.from.D, p.to.dense
	a := blas64.General{Rows: dst.Rows, Cols: d, Stride: d, Data: p.left}
	b := blas64.General{Rows: dst.Cols, Cols: d, Stride: right.Stride, Data: right.Data[lo*right.Stride:]}
	switch {
	case p.FromApart:
		panel.MulRows(blas.Trans, 1, a, b, 0, dst)
	case p.ToApart:
		t := panel.New(dst.Cols, dst.Rows)
		panel.MulRows(blas.Trans, 1, b, a, 0, t)
		for q := range dst.Rows {
			row := dst.Data[q*dst.Stride:][:dst.Cols]
			for i := range row {
				row[i] = t.Data[i*t.Stride+q]
			}
		}
	default:
		native.Default().Gemm(blas.NoTrans, blas.Trans, 1, a, b, 0, dst)
	}
}

// SqDists is Dots for ‖x − y‖². If ‖x‖² + ‖y‖² − 2x·y loses more than six digits, the squared
// differences are summed, so equal rows have distance 0.
func (p *Panel) SqDists(lo int, dst blas64.General) {
	p.Dots(lo, dst)
	for q, from := range p.rows {
		a := p.from.SqNorm[from]
		row := dst.Data[q*dst.Stride : q*dst.Stride+dst.Cols]
		norms := p.to.SqNorm[lo : lo+len(row)]
		for i, v := range row {
			both := a + norms[i]
			v = both - 2*v
			if v < 1e-6*both {
				v = SqDist(p.from, int(from), p.to, lo+i)
			}
			row[i] = v
		}
	}
}

// SqDist sums (x−y)² for row i of a and row j of b, which have the same storage.
func SqDist(a *Rows, i int, b *Rows, j int) float64 {
	s := 0.0
	ac, av := a.Row(i)
	bc, bv := b.Row(j)
	if a.csr == nil {
		for t, v := range av {
			s += float64((v - bv[t]) * (v - bv[t]))
		}
		return s
	}
	for p, q := 0, 0; p < len(ac) || q < len(bc); {
		switch {
		case q == len(bc) || p < len(ac) && ac[p] < bc[q]:
			s += float64(av[p] * av[p])
			p++
		case p == len(ac) || bc[q] < ac[p]:
			s += float64(bv[q] * bv[q])
			q++
		default:
			s += float64((av[p] - bv[q]) * (av[p] - bv[q]))
			p++
			q++
		}
	}
	return s
}
