package ridge

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Stage is the name under which this package reports.
const Stage = "regression"

// Defaults of Options.
const (
	DefaultTol     = 1e-10
	DefaultMemory  = 1 << 30
	DefaultMaxIter = 10000
)

// Options says how a regression is solved; the zero value is the default.
type Options struct {
	// Tol bounds ‖Bᵀ(y − Ba) − αa‖/‖Bᵀy‖ of the iteration; 0 is DefaultTol.
	Tol float64
	// Memory is how many bytes the Gram matrix and its factors may take; 0 is DefaultMemory.
	Memory int64
	// MaxIter bounds the steps of the iteration; 0 is DefaultMaxIter.
	MaxIter  int
	Observer progress.Observer
}

func (o Options) withDefaults() Options {
	if o.Tol == 0 {
		o.Tol = DefaultTol
	}
	if o.Memory == 0 {
		o.Memory = DefaultMemory
	}
	if o.MaxIter == 0 {
		o.MaxIter = DefaultMaxIter
	}
	return o
}

// Validate lists what is wrong with the options.
func (o Options) Validate() error {
	var errs []error
	if !(o.Tol >= 0 && o.Tol < 1) {
		errs = append(errs, invalid.Errorf("the tolerance is %v; it must be at least 0 (the default) and less than 1", o.Tol))
	}
	if o.Memory < 0 {
		errs = append(errs, invalid.Errorf("the memory is %d bytes; it must not be negative (0 means %d)", o.Memory, int64(DefaultMemory)))
	}
	if o.MaxIter < 0 {
		errs = append(errs, invalid.Errorf("the limit of steps is %d; it must not be negative (0 means %d)", o.MaxIter, DefaultMaxIter))
	}
	return invalid.Join(errs...)
}

// NotConvergedError tells that the iteration's limit came before the tolerance.
type NotConvergedError struct {
	Steps      int
	Worst, Tol float64
}

func (e *NotConvergedError) Error() string {
	return fmt.Sprintf("after %d steps of the regression the worst of the residuals is %.3g, wanted %.3g: add a ridge, or allow more steps", e.Steps, e.Worst, e.Tol)
}

// Orders of the Gram matrix up to which factoring it is quicker than iterating.
const (
	choleskySide = 3000
	spectrumSide = 1200
)

// Fits tells whether a dense solution of the order of the smaller side is worth it and within the memory.
func (d *Design) Fits(alpha float64, memory int64) bool {
	if memory == 0 {
		memory = DefaultMemory
	}
	q, _ := d.Side()
	limit := spectrumSide
	if alpha > 0 {
		limit = choleskySide
	}
	return q <= limit && 24*int64(q)*int64(q) <= memory
}

// Solve finds for each column of y (n×r) the a that minimises ‖B·a − y‖² + α‖a‖²; of several, for α = 0, the one of least norm.
// α is in the units of the data's squares; y belongs to the rows of B as they are, weighted.
// The result is p×r in the units of the data: X·a and not s·X·a approximates y.
//
// Errors: the context's, and *NotConvergedError, with which comes what was reached.
func (d *Design) Solve(ctx context.Context, y blas64.General, alpha float64, opt Options) (blas64.General, error) {
	opt = opt.withDefaults()
	scaled := alpha * d.Scale * d.Scale
	if math.IsInf(scaled, 0) {
		return blas64.General{}, invalid.Errorf("a ridge of %v is beyond all numbers on the scale of the data", alpha)
	}
	var a blas64.General
	var err error
	if d.Fits(alpha, opt.Memory) {
		a, err = d.direct(ctx, y, scaled)
	} else {
		a, err = d.iterate(ctx, y, scaled, opt)
	}
	for i := range a.Data {
		a.Data[i] *= d.Scale
	}
	return a, err
}

// iterate is CGLS on B with √α·I under it.
func (d *Design) iterate(ctx context.Context, y blas64.General, alpha float64, opt Options) (blas64.General, error) {
	var b Operator = d
	if alpha > 0 {
		b = Augment(d, math.Sqrt(alpha))
		long := newBlock(d.Rows+d.Cols, y.Cols)
		for i := range y.Rows {
			copy(row(long, i), row(y, i))
		}
		y = long
	}
	return CGLS(ctx, b, y, opt)
}

// direct solves (G + α)·z = t for the smaller Gram matrix G, and once more for what is left, measured with B itself. On the side of
// the columns G = BᵀB, t = Bᵀy and a = z; on that of the rows G = BBᵀ, t = y and a = Bᵀz.
func (d *Design) direct(ctx context.Context, y blas64.General, alpha float64) (blas64.General, error) {
	inverse, err := d.inverse(ctx, alpha)
	if err != nil {
		return blas64.General{}, err
	}
	q, byRows := d.Side()
	t := newBlock(q, y.Cols)
	if byRows {
		for i := range q {
			copy(row(t, i), row(y, i))
		}
	} else if err := d.MulT(ctx, t, y); err != nil {
		return blas64.General{}, err
	}
	z := inverse(t)
	long, product := newBlock(max(d.Rows, d.Cols), y.Cols), newBlock(q, y.Cols)
	first, second := d.Mul, d.MulT
	if byRows {
		first, second = d.MulT, d.Mul
	}
	if err := errors.Join(first(ctx, long, z), second(ctx, product, long)); err != nil {
		return blas64.General{}, err
	}
	for i, v := range product.Data {
		product.Data[i] = t.Data[i] - v - alpha*z.Data[i]
	}
	for i, v := range inverse(product).Data {
		z.Data[i] += v
	}
	if !byRows {
		return z, ctx.Err()
	}
	return long, d.MulT(ctx, long, z)
}

// inverse returns t ↦ (G + α)⁻¹t, by Cholesky's factor, or the pseudo-inverse from the eigenpairs.
func (d *Design) inverse(ctx context.Context, alpha float64) (func(t blas64.General) blas64.General, error) {
	if alpha > 0 {
		g, err := d.Gram(ctx)
		if err != nil {
			return nil, err
		}
		for i := range g.N {
			g.Data[i*g.Stride+i] += alpha
		}
		end := native.Parallel() // one thread: the bits of a wide factorisation depend on their number
		err = native.Default().Cholesky(g)
		end()
		var singular *native.NotPositiveDefiniteError
		if err == nil {
			u := blas64.Triangular{N: g.N, Stride: g.Stride, Data: g.Data, Uplo: blas.Upper, Diag: blas.NonUnit}
			return func(t blas64.General) blas64.General {
				z := clone(t)
				native.Default().Trsm(blas.Left, blas.Trans, 1, u, z)
				native.Default().Trsm(blas.Left, blas.NoTrans, 1, u, z)
				return z
			}, nil
		}
		if !errors.As(err, &singular) {
			return nil, err
		}
		// A ridge below rounding: as if there were none.
	}
	s, err := d.Spectrum(ctx)
	if err != nil {
		return nil, err
	}
	return func(t blas64.General) blas64.General {
		z, along := newBlock(t.Rows, t.Cols), newBlock(len(s.Values), t.Cols)
		if len(s.Values) == 0 {
			return z
		}
		native.Default().Gemm(blas.Trans, blas.NoTrans, 1, s.Vectors, t, 0, along)
		for i, v := range s.Values {
			r := row(along, i)
			for j := range r {
				r[j] /= v + alpha
			}
		}
		native.Default().Gemm(blas.NoTrans, blas.NoTrans, 1, s.Vectors, along, 0, z)
		return z
	}, nil
}

func clone(a blas64.General) blas64.General {
	c := newBlock(a.Rows, a.Cols)
	for i := range a.Rows {
		copy(row(c, i), row(a, i))
	}
	return c
}
