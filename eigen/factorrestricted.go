package eigen

import (
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
)

// NewFactoredRestricted is NewRestricted of a complete graph without apart points. PᵀWP is
// (PᵀF)(PᵀF)ᵀ without PᵀCP, where C holds what F·Fᵀ has on its diagonal; it is never formed.
func NewFactoredRestricted(f *Factor, p *sparse.CSR) (*Restricted, error) {
	rows, q := p.Dims()
	if rows != f.Size() || q == 0 || f.apart != nil {
		return nil, invalid.Errorf("a %d×%d basis does not fit a complete graph of %d points without apart ones", rows, q, f.Size())
	}
	r, inverse, err := newRestricted(f.degree, p)
	if err != nil {
		return nil, err
	}
	own := congruence(diagonal(f.square), p)
	all := &Factor{rows: timesSparse(p.Transpose(), f.rows)}
	all.cols = all.rows.Transpose()
	all.nnz = all.rows.NNZ() + all.cols.NNZ()
	r.c = &without{factored{Factor: all, shift: make([]float64, q)}, own}
	r.s = &without{factored{Factor: all, cliques: cliques{scale: inverse}, shift: make([]float64, q)},
		own.Scale(inverse, inverse)}
	return r, nil
}

// without is the operator factored − less.
type without struct {
	factored
	less *sparse.CSR
}

// MulBlock sets dst = A·x, with one product more than factored takes.
func (a *without) MulBlock(dst, x blas64.General) {
	a.factored.MulBlock(dst, x)
	own := a.scratch(dst.Rows, dst.Cols)
	defer a.release(own)
	a.less.MulBlock(own, x)
	for i := range dst.Rows {
		to := dst.Data[i*dst.Stride:][:dst.Cols]
		for k, v := range own.Data[i*own.Stride:][:dst.Cols] {
			to[k] -= v
		}
	}
}
