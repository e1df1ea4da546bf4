package lpp

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// design is B = s·F·(X − 1μᵀ), or s·F·X. s is a power of two, 1 unless squares of the data could
// overflow or vanish. It owns scratch memory and serves one goroutine. Ranks may divide the rows:
// then vectors of length n are the own rows of them, and all ranks call the methods together.
type design struct {
	// Rows and Cols are n and p, of the documents of all ranks.
	Rows, Cols int
	// Mean is μ in the units of the data, nil if nothing is centred.
	Mean []float64
	// Scale is s.
	Scale float64

	share *ranks.Share
	own   int     // rows that are here
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
// Ranks that divide the rows give their own ones, with their weights.
//
// Errors (fs.ErrInvalid): an empty matrix, values that are not finite.
func newDesign(ctx context.Context, share *ranks.Share, x mat.Matrix, weight []float64, centre bool) (*design, error) {
	a, err := svd.NewShared(ctx, share, x, centre)
	if err != nil {
		return nil, err
	}
	own, _ := x.Dims()
	d := &design{Rows: a.Rows, Cols: a.Cols, Mean: a.Mean, Scale: a.Scale, a: a, share: share, own: own}
	size := a.Total
	for _, m := range a.Mean {
		size += float64(a.Rows) * (m * d.Scale) * (m * d.Scale)
	}
	d.floor = 0x1p-96 * size
	if weight == nil {
		return d, nil
	}
	d.weight = weight
	norm, top := 0.0, []float64{0}
	for _, f := range weight {
		norm, top[0] = math.Hypot(norm, f), max(top[0], f)
	}
	parts := ranks.GatherFloats(share, []float64{norm})
	norm = 0
	for _, part := range parts {
		norm = math.Hypot(norm, part)
	}
	ranks.Largest(share, top)
	d.floor *= top[0] * top[0]
	if norm == 0 || math.IsInf(norm, 0) || math.IsNaN(norm) {
		return nil, invalid.Errorf("the weights of the documents sum to %v; at least one must be positive, and all finite", norm)
	}
	if !centre {
		return d, nil
	}
	d.unit = make([]float64, own)
	square := panel.New(own, 1)
	for i, f := range weight {
		d.unit[i] = f / norm
		square.Data[i] = d.unit[i] * d.unit[i]
	}
	// μ = m + Xᵀf²/Σf² for the centred X.
	shift := panel.New(d.Cols, 1)
	if err := d.a.MulT(d.inner(ctx), shift, square); err != nil {
		return nil, err
	}
	d.Mean = make([]float64, d.Cols)
	for j := range d.Mean {
		d.Mean[j] = a.Mean[j] + shift.Data[j]/d.Scale
	}
	return d, nil
}

// inner is the context of products: where ranks divide the rows it never ends, so that none of them
// leaves a sum to which others add.
func (d *design) inner(ctx context.Context) context.Context {
	ctx, _ = d.share.Watch(ctx)
	return ctx
}

// stopped returns the context's error; with ranks, which call it together, the error of any rank's
// context.
func (d *design) stopped(ctx context.Context) error { return ranks.Agree(d.share, ctx.Err()) }

// dims returns the own rows and the columns of B.
func (d *design) dims() (r, c int) { return d.own, d.Cols }

func (d *design) division() *ranks.Share { return d.share }

// noise is the squared norm that rounding can leave of B if all rows are equal.
func (d *design) noise() float64 { return d.floor }

// Mul sets dst (n×b) = B·v. 2·entries·b flops.
func (d *design) Mul(ctx context.Context, dst, v blas64.General) error {
	if err := d.a.Mul(d.inner(ctx), dst, v); err != nil || d.weight == nil {
		return err
	}
	d.weigh(dst)
	d.project(dst)
	return nil
}

// MulT sets dst (p×b) = Bᵀ·u.
func (d *design) MulT(ctx context.Context, dst, u blas64.General) error {
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
	return d.a.MulT(d.inner(ctx), dst, u)
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
	d.share.Sum(along)
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
