package softlda

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/methods/internal/cg"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Sizes of the largest matrix of the smaller side that is solved directly, of order 5,792 and
// 2,048: conjugate gradients are faster on larger ones.
const (
	denseBytes  = 256 << 20
	sparseBytes = 32 << 20
)

// directBytes is the size of the largest matrix that is solved directly.
func directBytes(isSparse bool) int64 {
	if isSparse {
		return sparseBytes
	}
	return denseBytes
}

// regress returns W = (AᵀA + μI)⁻¹AᵀH, d×K.
func (a *rows) regress(ctx context.Context, mu float64, opt Options) (blas64.General, error) {
	q := int64(min(a.Rows, a.Cols))
	if opt.iterate || 8*q*q > min(directBytes(a.sparse), memory.Left(ctx)) {
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
	w := panel.New(a.Cols, a.w.h.Cols)
	if a.Rows >= a.Cols {
		if err := a.MulT(ctx, w, panel.Clone(a.w.h)); err != nil {
			return none, err
		}
		return w, solve(ctx, g, mu, w)
	}
	dual := panel.Clone(a.w.h)
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

// iterate runs conjugate gradients on the regressions of H on A with penalty μ ([cg.Least]),
// 4·entries·K flops per step. A preconditioner, the diagonal of AᵀA + μI, took more steps on TDT2.
func (a *rows) iterate(ctx context.Context, mu float64, opt Options) (blas64.General, error) {
	// Aᵀ·root = 0: the part of H along root has no influence on W, and is most of the column of a
	// class whose mean is near the mean of all documents.
	target := panel.Clone(a.w.h)
	a.w.project(target)
	s, err := cg.NewLeast(ctx, nil, &keeping{rows: a, scratch: panel.New(target.Rows, target.Cols)}, a.Cols, mu, target)
	if err != nil {
		return s.X, err
	}
	// The norms of all columns are relative to the largest: a column that is small beside it does not
	// affect the directions, and cannot be found more accurately.
	if first := slices.Max(s.First); first > 0 {
		for j, v := range s.First {
			s.First[j], s.Left[j] = first, v/first
		}
	}
	if err := s.Solve(ctx, cg.Options{Tol: opt.Tol, MaxIter: opt.MaxIter, Stage: Stage, Observer: opt.Observer}); err != nil {
		return s.X, err
	}
	// The measured gradient cannot fall below rounding.
	if worst := slices.Max(s.Left); worst > 100*opt.Tol {
		return s.X, fmt.Errorf("the discriminants are not found to %g after %d steps (residual %.3g): raise μ, or give more memory", opt.Tol, s.Iterations, worst)
	}
	return s.X, nil
}

// keeping are rows whose MulT leaves its argument as it is.
type keeping struct {
	*rows
	scratch blas64.General
}

func (k *keeping) MulT(ctx context.Context, dst, u blas64.General) error {
	copy(k.scratch.Data, u.Data)
	return k.rows.MulT(ctx, dst, k.scratch)
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
	panel.Symmetrize(m)
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
	turn, values := panel.New(k, kept), make([]float64, kept)
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
	return invalid.Errorf("the classes have the same mean, so no direction separates them: give other soft labels, or documents that differ")
}

// product is aᵀ·b.
func product(a, b blas64.General) blas64.General {
	c := panel.New(a.Cols, b.Cols)
	native.Default().Gemm(blas.Trans, blas.NoTrans, 1, a, b, 0, c)
	return c
}
