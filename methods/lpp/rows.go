package lpp

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Sums over all documents, of blocks of which each rank has the own rows. Blocks of a row per term
// are on every rank, and have the same bits there.

// dots returns the inner product of each column of a with the same column of b.
func (d *design) dots(a, b blas64.General) []float64 {
	sums := panel.Dots(a, b)
	d.share.Sum(sums)
	return sums
}

// squares returns the squared norm of each column.
func (d *design) squares(a blas64.General) []float64 { return d.dots(a, a) }

// cross sets dst, without gaps between its rows, to aᵀ·b.
func (d *design) cross(a, b, dst blas64.General) {
	gemm(blas.Trans, 1, a, b, 0, dst)
	d.share.Sum(dst.Data)
}

// operator is a symmetric operator on vectors of a row per document, for package eigen.
type rowsOperator struct {
	rows *ranks.Share
	n    int // of all ranks
	mul  func(dst, x blas64.General)
}

// Rows implements eigen.RowsDivided.
func (o rowsOperator) Rows() *ranks.Share { return o.rows }

// Dims implements eigen.Operator.
func (o rowsOperator) Dims() (r, c int) { return o.n, o.n }

// MulBlock implements eigen.Operator.
func (o rowsOperator) MulBlock(dst, x blas64.General) { o.mul(dst, x) }

// onRows is an operator on vectors of a row per document.
func (d *design) onRows(mul func(dst, x blas64.General)) rowsOperator {
	return rowsOperator{d.share, d.Rows, mul}
}

// eigenpairs is LAPACK on one thread, whose bits do not depend on the number of threads. The call
// cannot be interrupted: if the context ends first, it goes on in the background. Ranks, which all
// have g, get what rank 0 found.
func (d *design) eigenpairs(ctx context.Context, g blas64.Symmetric, r native.EigRange) (values []float64, vectors blas64.General, err error) {
	type pairs struct {
		values  []float64
		vectors blas64.General
	}
	found, err := native.Abandonable(d.inner(ctx), func() (p pairs, err error) {
		defer native.Parallel()()
		p.values, p.vectors, err = native.Default().SymEig(g, r, true)
		return p, err
	})
	if err = ranks.Agree(d.share, err); err != nil {
		return nil, blas64.General{}, err
	}
	// Other processors may have rounded otherwise.
	d.share.Share(found.values)
	d.share.Share(found.vectors.Data)
	return found.values, found.vectors, nil
}
