package lpp

import (
	"context"

	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// factorSide bounds the order of the Gram matrix that is factored for the regressions of the operator: its factorisation, q³/3 flops, and two
// triangular solutions a product take less than conjugate gradients do on rows of text.
const factorSide = 12000

// factored solves (BᵀB + αI)·a = s through the Cholesky factor of the smaller of BᵀB + αI and BBᵀ + αI, 8·q² bytes:
// with the latter a = (s − Bᵀ(BBᵀ + αI)⁻¹B·s)/α. Rounding is left to the regression that begins there.
type factored struct {
	b      *design
	alpha  float64
	upper  blas64.Triangular
	byRows bool
}

// factor makes the factor where a ridge is given and it fits in the memory; nil where not, or where rounding leaves the matrix indefinite.
func (p *problem) factor(ctx context.Context, memory int64) (*factored, error) {
	q, byRows := p.b.side()
	if p.alpha == 0 || q > factorSide || 8*int64(q)*int64(q) > memory {
		return nil, nil
	}
	g, err := p.b.gram(ctx)
	if err != nil {
		return nil, err
	}
	for i := range q {
		g.Data[i*g.Stride+i] += p.alpha
	}
	if err := svd.Cholesky(ctx, g); ctx.Err() != nil {
		return nil, ctx.Err()
	} else if err != nil {
		return nil, nil
	}
	return &factored{p.b, p.alpha, blas64.Triangular{N: q, Stride: g.Stride, Data: g.Data, Uplo: blas.Upper, Diag: blas.NonUnit}, byRows}, nil
}

// solve returns a for a block s.
func (f *factored) solve(ctx context.Context, s blas64.General) (blas64.General, error) {
	if !f.byRows {
		a := clone(s)
		f.backAndForth(a)
		return a, ctx.Err()
	}
	u := newBlock(f.b.Rows, s.Cols)
	if err := f.b.mul(ctx, u, s); err != nil {
		return u, err
	}
	f.backAndForth(u)
	a := newBlock(f.b.Cols, s.Cols)
	if err := f.b.mulT(ctx, a, u); err != nil {
		return a, err
	}
	for i, v := range s.Data {
		a.Data[i] = (v - a.Data[i]) / f.alpha
	}
	return a, ctx.Err()
}

// backAndForth solves UᵀU·x = b in place.
func (f *factored) backAndForth(b blas64.General) {
	defer native.Parallel()()
	native.Default().Trsm(blas.Left, blas.Trans, 1, f.upper, b)
	native.Default().Trsm(blas.Left, blas.NoTrans, 1, f.upper, b)
}
