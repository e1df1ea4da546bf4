package ridge

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Design is B = s·F·(X − 1μᵀ), or s·F·X. s is a power of two, 1 unless squares of the data could overflow or vanish.
// It owns scratch memory and serves one goroutine.
type Design struct {
	// Rows and Cols are n and p.
	Rows, Cols int
	// Mean is μ in the units of the data, nil where nothing is centred.
	Mean []float64
	// Scale is s.
	Scale float64
	// Total is ‖B‖², the squared Frobenius norm, where rows have no weights; else 0.
	Total float64

	a       *svd.Matrix // s·X, or s·(X − 1mᵀ) with the plain mean m, which loses no digits to large means
	weight  []float64   // f, nil for ones
	unit    []float64   // f/‖f‖ where rows are weighted and centred
	scratch []float64
}

// New prepares the rows of x, n×p, with weights f ≥ 0, nil for ones. Rows of weight 0 take no part. With centre the mean of the rows is
// taken off, each counting f². Memory: a transpose of sparse data; dense data are not copied.
//
// Errors (fs.ErrInvalid): an empty matrix, values that are not finite.
func New(ctx context.Context, x mat.Matrix, weight []float64, centre bool) (*Design, error) {
	a, err := svd.New(ctx, x, centre)
	if err != nil {
		return nil, err
	}
	d := &Design{Rows: a.Rows, Cols: a.Cols, Mean: a.Mean, Scale: a.Scale, a: a}
	if weight == nil {
		d.Total = a.Total
		return d, nil
	}
	d.weight = weight
	norm := 0.0
	for _, f := range weight {
		norm = math.Hypot(norm, f)
	}
	if norm == 0 || math.IsInf(norm, 0) || math.IsNaN(norm) {
		return nil, invalid.Errorf("the weights of the documents sum to %v; at least one must be positive, and all finite", norm)
	}
	if !centre {
		return d, nil
	}
	d.unit = make([]float64, d.Rows)
	square := newBlock(d.Rows, 1)
	for i, f := range weight {
		d.unit[i] = f / norm
		square.Data[i] = d.unit[i] * d.unit[i]
	}
	// μ = m + Xᵀf²/Σf² for the centred X.
	shift := newBlock(d.Cols, 1)
	if err := a.MulT(ctx, shift, square); err != nil {
		return nil, err
	}
	d.Mean = make([]float64, d.Cols)
	for j := range d.Mean {
		d.Mean[j] = a.Mean[j] + shift.Data[j]/d.Scale
	}
	return d, nil
}

// Dims returns the rows and columns of B.
func (d *Design) Dims() (r, c int) { return d.Rows, d.Cols }

// Mul sets dst (n×b) = B·v. 2·entries·b flops.
func (d *Design) Mul(ctx context.Context, dst, v blas64.General) error {
	if err := d.a.Mul(ctx, dst, v); err != nil || d.weight == nil {
		return err
	}
	d.weigh(dst)
	d.project(dst)
	return nil
}

// MulT sets dst (p×b) = Bᵀ·u.
func (d *Design) MulT(ctx context.Context, dst, u blas64.General) error {
	if d.weight != nil {
		if need := u.Rows * u.Cols; cap(d.scratch) < need {
			d.scratch = make([]float64, need)
		}
		c := blas64.General{Rows: u.Rows, Cols: u.Cols, Stride: u.Cols, Data: d.scratch[:u.Rows*u.Cols]}
		for i := range u.Rows {
			copy(row(c, i), row(u, i))
		}
		d.project(c)
		d.weigh(c)
		u = c
	}
	return d.a.MulT(ctx, dst, u)
}

// weigh multiplies row i by f_i.
func (d *Design) weigh(b blas64.General) {
	for i, f := range d.weight {
		r := row(b, i)
		for j := range r {
			r[j] *= f
		}
	}
}

// project takes from each column its part along f, where rows are centred.
func (d *Design) project(b blas64.General) {
	if d.unit == nil {
		return
	}
	along := make([]float64, b.Cols)
	for i, f := range d.unit {
		for j, v := range row(b, i) {
			along[j] += f * v
		}
	}
	for i, f := range d.unit {
		r := row(b, i)
		for j, s := range along {
			r[j] -= f * s
		}
	}
}

func newBlock(r, c int) blas64.General {
	return blas64.General{Rows: r, Cols: c, Stride: max(1, c), Data: make([]float64, r*c)}
}

func row(a blas64.General, i int) []float64 { return a.Data[i*a.Stride:][:a.Cols] }

// part is the view of the rows [lo, hi) and columns [from, to), not empty.
func part(a blas64.General, lo, hi, from, to int) blas64.General {
	return blas64.General{Rows: hi - lo, Cols: to - from, Stride: a.Stride, Data: a.Data[lo*a.Stride+from:]}
}
