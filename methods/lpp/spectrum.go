package lpp

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas/blas64"
)

// side is the order of the smaller Gram matrix; byRows says that it is B·Bᵀ and not Bᵀ·B.
func (d *design) side() (q int, byRows bool) { return min(d.Rows, d.Cols), d.Rows <= d.Cols }

// gram computes the smaller Gram matrix, both triangles, column block by column block with the
// products of B: 4·entries·q flops, 8·q² bytes.
func (d *design) gram(ctx context.Context) (blas64.Symmetric, error) {
	q, byRows := d.side()
	first, second := d.mul, d.mulT
	if byRows {
		first, second = d.mulT, d.mul
	}
	g, err := panel.Gram(ctx, q, max(d.Rows, d.Cols), first, second)
	if err != nil {
		return g, err
	}
	for i := range q {
		for j := range i {
			v := (g.Data[i*q+j] + g.Data[j*q+i]) / 2
			g.Data[i*q+j], g.Data[j*q+i] = v, v
		}
	}
	return g, nil
}

// thin is the thin decomposition B = U·diag(√Values)·Vᵀ through the smaller Gram matrix, for values
// above rounding: squaring hides singular values below about 1e-7 of the largest, which count as
// zero.
type thin struct {
	// Values are the eigenvalues of the Gram matrix, descending, and > 0.
	Values []float64
	// Vectors is q×rank: U if ByRows, else V.
	Vectors blas64.General
	ByRows  bool
}

// spectrum computes all of it: about 9q³ flops besides gram, 24·q² bytes.
func (d *design) spectrum(ctx context.Context) (*thin, error) {
	g, err := d.gram(ctx)
	if err != nil {
		return nil, err
	}
	values, vectors, err := eigenpairs(ctx, g, native.EigRange{})
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
	return s, nil
}

// eigenpairs is LAPACK on one thread, whose bits do not depend on the number of threads. The call
// cannot be interrupted: if the context ends first, it goes on in the background.
func eigenpairs(ctx context.Context, g blas64.Symmetric, r native.EigRange) (values []float64, vectors blas64.General, err error) {
	type pairs struct {
		values  []float64
		vectors blas64.General
	}
	found, err := native.Abandonable(ctx, func() (p pairs, err error) {
		defer native.Parallel()()
		p.values, p.vectors, err = native.Default().SymEig(g, r, true)
		return p, err
	})
	return found.values, found.vectors, err
}
