package lpp

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// design is B = s·F·(X − 1μᵀ), or s·F·X. s is a power of two, 1 unless squares of the data could
// overflow or vanish. It owns scratch memory and serves one goroutine.
type design struct {
	// Rows and Cols are n and p.
	Rows, Cols int
	// Mean is μ in the units of the data, nil if nothing is centred.
	Mean []float64
	// Scale is s.
	Scale float64

	floor float64 // see noise

	a       *svd.Matrix // s·X, or s·(X − 1mᵀ) with the plain mean m, which loses no digits to large means
	weight  []float64   // f, nil for ones
	unit    []float64   // f/‖f‖ if rows are weighted and centred
	scratch []float64
}

// newDesign prepares the rows of x, n×p, with weights f ≥ 0, nil for ones. Rows of weight 0 have no
// influence. With centre the mean of the rows, each counting f², is subtracted. Memory: a transpose
// of sparse data; dense data are not copied.
//
// Errors (fs.ErrInvalid): an empty matrix, values that are not finite.
func newDesign(ctx context.Context, x mat.Matrix, weight []float64, centre bool) (*design, error) {
	a, err := svd.New(ctx, x, centre)
	if err != nil {
		return nil, err
	}
	d := &design{Rows: a.Rows, Cols: a.Cols, Mean: a.Mean, Scale: a.Scale, a: a}
	size := a.Total
	for _, m := range a.Mean {
		size += float64(a.Rows) * (m * d.Scale) * (m * d.Scale)
	}
	d.floor = 0x1p-96 * size
	if weight == nil {
		return d, nil
	}
	d.weight = weight
	norm, top := 0.0, 0.0
	for _, f := range weight {
		norm, top = math.Hypot(norm, f), max(top, f)
	}
	d.floor *= top * top
	if norm == 0 || math.IsInf(norm, 0) || math.IsNaN(norm) {
		return nil, invalid.Errorf("the weights of the documents sum to %v; at least one must be positive, and all finite", norm)
	}
	if !centre {
		return d, nil
	}
	d.unit = make([]float64, d.Rows)
	square := panel.New(d.Rows, 1)
	for i, f := range weight {
		d.unit[i] = f / norm
		square.Data[i] = d.unit[i] * d.unit[i]
	}
	// μ = m + Xᵀf²/Σf² for the centred X.
	shift := panel.New(d.Cols, 1)
	if err := a.MulT(ctx, shift, square); err != nil {
		return nil, err
	}
	d.Mean = make([]float64, d.Cols)
	for j := range d.Mean {
		d.Mean[j] = a.Mean[j] + shift.Data[j]/d.Scale
	}
	return d, nil
}

// dims returns the rows and columns of B.
func (d *design) dims() (r, c int) { return d.Rows, d.Cols }

// noise is the squared norm that rounding can leave of B if all rows are equal.
func (d *design) noise() float64 { return d.floor }

// mul sets dst (n×b) = B·v. 2·entries·b flops.
func (d *design) mul(ctx context.Context, dst, v blas64.General) error {
	if err := d.a.Mul(ctx, dst, v); err != nil || d.weight == nil {
		return err
	}
	d.weigh(dst)
	d.project(dst)
	return nil
}

// mulT sets dst (p×b) = Bᵀ·u.
func (d *design) mulT(ctx context.Context, dst, u blas64.General) error {
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
func (d *design) weigh(b blas64.General) {
	for i, f := range d.weight {
		r := row(b, i)
		for j := range r {
			r[j] *= f
		}
	}
}

// project subtracts from each column its part along f if rows are centred.
func (d *design) project(b blas64.General) {
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

func row(a blas64.General, i int) []float64 { return a.Data[i*a.Stride:][:a.Cols] }

// part is the view of the rows [lo, hi) and columns [from, to), not empty.
func part(a blas64.General, lo, hi, from, to int) blas64.General {
	return blas64.General{Rows: hi - lo, Cols: to - from, Stride: a.Stride, Data: a.Data[lo*a.Stride+from:]}
}
