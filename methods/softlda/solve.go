package softlda

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// regress returns W = (AᵀA + μI)⁻¹AᵀH, d×K.
func (a *rows) regress(ctx context.Context, mu float64, opt Options) (blas64.General, error) {
	q := int64(min(a.Rows, a.Cols))
	if q > opt.MaxBytes/8/q {
		opt.Observer.Notef(Stage, "Conjugate gradients on %d classes at once.", a.w.h.Cols)
		return a.iterate(ctx, mu, opt)
	}
	opt.Observer.Detailf(Stage, "The scatter matrix of the smaller side (order %d, %d bytes) is solved directly.", q, 8*q*q)
	w, err := a.direct(ctx, mu)
	var singular *native.NotPositiveDefiniteError
	if errors.As(err, &singular) {
		opt.Observer.Notef(Stage, "With μ = %.3g that matrix is singular to rounding; conjugate gradients go on.", mu/a.scale/a.scale)
		return a.iterate(ctx, mu, opt)
	}
	return w, err
}

// direct solves with AᵀA + μI, or for fewer rows than columns with AAᵀ + μI.
func (a *rows) direct(ctx context.Context, mu float64) (blas64.General, error) {
	none := blas64.General{}
	g, err := a.gram(ctx)
	if err != nil {
		return none, err
	}
	w := block(a.Cols, a.w.h.Cols)
	if a.Rows >= a.Cols {
		if err := a.MulT(ctx, w, clone(a.w.h)); err != nil {
			return none, err
		}
		return w, solve(ctx, g, mu, w)
	}
	dual := clone(a.w.h)
	if err := solve(ctx, g, mu, dual); err != nil {
		return none, err
	}
	return w, a.MulT(ctx, w, dual)
}

// solve sets b = (G + μI)⁻¹b, and overwrites g. N³/3 flops.
func solve(ctx context.Context, g blas64.Symmetric, mu float64, b blas64.General) error {
	for i := range g.N {
		g.Data[i*g.Stride+i] += mu
	}
	if err := svd.Cholesky(ctx, g); err != nil {
		return err
	}
	defer native.Parallel()()
	factor := blas64.Triangular{Uplo: g.Uplo, Diag: blas.NonUnit, N: g.N, Stride: g.Stride, Data: g.Data}
	native.Default().Trsm(blas.Left, blas.Trans, 1, factor, b)
	native.Default().Trsm(blas.Left, blas.NoTrans, 1, factor, b)
	return ctx.Err()
}

// iterate is conjugate gradients on the regressions of H on A with penalty μ, in their stable form
// (CGLS, Björck 1996, section 7.4), all columns in one block: 4·entries·K flops per step. Columns
// that have converged are not changed. When the gradient of the recurrence says that all have, the
// true gradient replaces it, and the iteration restarts from there if needed. The diagonal of AᵀA +
// μI as a preconditioner took more steps on TDT2.
func (a *rows) iterate(ctx context.Context, mu float64, opt Options) (blas64.General, error) {
	k := a.w.h.Cols
	// Aᵀ·root = 0: the part of H along it has no influence on w, and is most of the column of a class
	// whose mean is near that of all.
	target := clone(a.w.h)
	a.w.project(target)
	w, rest := block(a.Cols, k), clone(target)
	grad, ahead := block(a.Cols, k), block(a.Cols, k)
	image, scratch := block(a.Rows, k), block(a.Rows, k)
	first, left, shares, gains := 0.0, make([]float64, k), make([]float64, k), make([]float64, k)
	measure := func() ([]float64, error) {
		copy(scratch.Data, rest.Data)
		if err := a.MulT(ctx, grad, scratch); err != nil {
			return nil, err
		}
		for i, v := range w.Data {
			grad.Data[i] -= mu * v
		}
		return dots(grad, grad), nil
	}
	gamma, err := measure()
	if err != nil {
		return w, err
	}
	// The norms of all columns are relative to the largest: a column that is small beside it does not
	// affect the directions, and cannot be found more accurately.
	for _, v := range gamma {
		first = max(first, math.Sqrt(v))
	}
	relate(left, gamma, first)
	steps := 0
	for round := 0; round < 4 && slices.Max(left) > opt.Tol; round++ {
		copy(ahead.Data, grad.Data)
		for steps < opt.MaxIter && slices.Max(left) > opt.Tol {
			opt.Observer.Report(Stage, int64(steps), 0, "steps")
			steps++
			if err := a.Mul(ctx, image, ahead); err != nil {
				return w, err
			}
			curve, size := dots(image, image), dots(ahead, ahead)
			for j := range shares {
				shares[j] = 0
				if c := curve[j] + mu*size[j]; left[j] > opt.Tol && c > 0 {
					shares[j] = gamma[j] / c
				}
			}
			add(w, shares, ahead, 1)
			add(rest, shares, image, -1)
			next, err := measure()
			if err != nil {
				return w, err
			}
			for j := range gains {
				gains[j] = 0
				if gamma[j] > 0 {
					gains[j] = next[j] / gamma[j]
					left[j] = math.Sqrt(next[j]) / first
				}
			}
			turn(ahead, gains, grad)
			gamma = next
		}
		// rest = H − AW, computed again.
		if err := a.Mul(ctx, image, w); err != nil {
			return w, err
		}
		for i, v := range target.Data {
			rest.Data[i] = v - image.Data[i]
		}
		if gamma, err = measure(); err != nil {
			return w, err
		}
		relate(left, gamma, first)
	}
	// The computed gradient cannot fall below rounding.
	if worst := slices.Max(left); worst > 100*opt.Tol {
		return w, fmt.Errorf("the discriminants are not found to %g after %d steps (residual %.3g): raise μ, or give more memory", opt.Tol, steps, worst)
	}
	return w, ctx.Err()
}

// relate sets left to the roots of gamma relative to first; 0 if first is 0, as all of gamma then are.
func relate(left, gamma []float64, first float64) {
	for j, v := range gamma {
		if left[j] = math.Sqrt(v); first > 0 {
			left[j] /= first
		}
	}
}

// turn sets column j of ahead to that of grad plus gains[j] times itself.
func turn(ahead blas64.General, gains []float64, grad blas64.General) {
	for i := range ahead.Rows {
		to, g := ahead.Data[i*ahead.Stride:][:ahead.Cols], grad.Data[i*grad.Stride:][:ahead.Cols]
		for j := range to {
			to[j] = g[j] + gains[j]*to[j]
		}
	}
}

// directions solves the K×K problem M·y = ν·y for M = HᵀAW: λ = ν/(1 − ν), falling, and the columns
// y/√(ν(1 − ν)), K×dims, that make aᵀ(S_w + μI)a = 1 of a = W·y.
func directions(m blas64.General, null []float64, dims int) ([]float64, blas64.General, error) {
	k := m.Rows
	for _, v := range m.Data {
		if v-v != 0 {
			return nil, blas64.General{}, tooLarge()
		}
	}
	for i := range k {
		for j := range i {
			v := (m.Data[i*k+j] + m.Data[j*k+i]) / 2
			m.Data[i*k+j], m.Data[j*k+i] = v, v
		}
	}
	// (I − zzᵀ)M(I − zzᵀ) for the null direction z = null.
	image, along := make([]float64, k), 0.0
	for i := range k {
		for j, z := range null {
			image[i] += m.Data[i*k+j] * z
		}
		along += null[i] * image[i]
	}
	for i := range k {
		for j := range k {
			m.Data[i*k+j] += null[i]*null[j]*along - null[i]*image[j] - image[i]*null[j]
		}
	}
	end := native.Parallel()
	nu, y, err := native.Default().SymEig(blas64.Symmetric{N: k, Stride: k, Data: m.Data, Uplo: blas.Upper}, native.EigRange{}, true)
	end()
	if err != nil {
		return nil, blas64.General{}, err
	}
	wanted := k - 1
	if dims > 0 {
		wanted = min(wanted, dims)
	}
	kept := 0
	for kept < wanted && nu[k-1-kept] > 0 && nu[k-1-kept] > smallest*nu[k-1] {
		kept++
	}
	if kept == 0 {
		return nil, blas64.General{}, sameMeans()
	}
	turn, values := block(k, kept), make([]float64, kept)
	for j := range kept {
		v := nu[k-1-j]
		within := max(1-v, 0x1p-52)
		values[j] = v / within
		by := 1 / math.Sqrt(v) / math.Sqrt(within)
		for i := range k {
			turn.Data[i*kept+j] = y.Data[i*y.Stride+k-1-j] * by
		}
	}
	return values, turn, nil
}

// smallest is the share of the largest ν below which a ν is rounding error.
const smallest = 1e-10

func sameMeans() error {
	return invalid.Errorf("the classes have the same mean, so no direction tells them apart: give other soft labels, or documents that differ")
}

// product is aᵀ·b.
func product(a, b blas64.General) blas64.General {
	c := block(a.Cols, b.Cols)
	native.Default().Gemm(blas.Trans, blas.NoTrans, 1, a, b, 0, c)
	return c
}

func clone(a blas64.General) blas64.General {
	b := block(a.Rows, a.Cols)
	for i := range a.Rows {
		copy(b.Data[i*b.Stride:][:b.Cols], a.Data[i*a.Stride:])
	}
	return b
}

// dots are the inner products of the columns of a with those of b.
func dots(a, b blas64.General) []float64 {
	sums := make([]float64, a.Cols)
	for i := range a.Rows {
		u, v := a.Data[i*a.Stride:][:a.Cols], b.Data[i*b.Stride:][:a.Cols]
		for j, x := range u {
			sums[j] += x * v[j]
		}
	}
	return sums
}

// add adds sign·shares[j] times column j of x to that of to.
func add(to blas64.General, shares []float64, x blas64.General, sign float64) {
	for i := range to.Rows {
		d, v := to.Data[i*to.Stride:][:to.Cols], x.Data[i*x.Stride:][:to.Cols]
		for j, s := range shares {
			d[j] += sign * s * v[j]
		}
	}
}
