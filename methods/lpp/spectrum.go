package lpp

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas/blas64"
)

// side is the order of the smaller Gram matrix; byRows says that it is B·Bᵀ and not Bᵀ·B.
func (d *design) side() (q int, byRows bool) { return min(d.Rows, d.Cols), d.Rows <= d.Cols }

// gram computes the smaller Gram matrix, both triangles, column block by column block with the
// products of B: 4·entries·q flops, 8·q² bytes.
func (d *design) gram(ctx context.Context) (blas64.Symmetric, error) {
	q, byRows := d.side()
	other, first, second := d.own, d.Mul, d.MulT
	if byRows {
		other, first, second = d.Cols, d.unitMulT, d.wholeMul
	}
	g, err := panel.Gram(d.inner(ctx), q, other, first, second)
	if err != nil {
		return g, err
	}
	panel.Symmetrize(blas64.General{Rows: q, Cols: q, Stride: g.Stride, Data: g.Data})
	return g, nil
}

// unitMulT sets dst = Bᵀ·u for u with the rows of all ranks.
func (d *design) unitMulT(ctx context.Context, dst, u blas64.General) error {
	first := d.share.First()
	return d.MulT(ctx, dst, part(u, first, first+d.own, 0, u.Cols))
}

// wholeMul sets dst, with the rows of all ranks, to B·v.
func (d *design) wholeMul(ctx context.Context, dst, v blas64.General) error {
	if !d.share.Divided() {
		return d.Mul(ctx, dst, v)
	}
	own := panel.New(d.own, v.Cols)
	err := d.Mul(ctx, own, v)
	all := ranks.GatherFloats(d.share, own.Data)
	fill(dst, blas64.General{Rows: d.Rows, Cols: v.Cols, Stride: v.Cols, Data: all})
	return err
}

// thin is the thin decomposition B = U·diag(√Values)·Vᵀ through the smaller Gram matrix, for values
// above rounding: squaring hides singular values below about 1e-7 of the largest, which count as
// zero.
type thin struct {
	// Values are the eigenvalues of the Gram matrix, descending, and > 0.
	Values []float64
	// Vectors is q×rank: U if ByRows, of which a rank has its own rows, else V.
	Vectors blas64.General
	ByRows  bool
}

// spectrum computes all of it: about 9q³ flops besides gram, 24·q² bytes.
func (d *design) spectrum(ctx context.Context) (*thin, error) {
	g, err := d.gram(ctx)
	if err != nil {
		return nil, err
	}
	values, vectors, err := d.eigenpairs(ctx, g, native.EigRange{})
	if err != nil {
		return nil, err
	}
	q := g.N
	rank := 0
	for rank < q && values[q-1-rank] > d.floor && values[q-1-rank] > float64(10*max(d.Rows, d.Cols))*0x1p-52*values[q-1] {
		rank++
	}
	s := &thin{Values: make([]float64, rank), Vectors: panel.New(q, rank)}
	_, s.ByRows = d.side()
	for j := range rank {
		s.Values[j] = values[q-1-j]
	}
	for i := 0; rank > 0 && i < q; i++ {
		from, to := row(vectors, i), row(s.Vectors, i)
		for j := range to {
			to[j] = from[q-1-j]
		}
	}
	if s.ByRows && rank > 0 {
		first := d.share.First()
		s.Vectors = part(s.Vectors, first, first+d.own, 0, rank)
	}
	return s, nil
}
