package eigen

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Generalized finds opt.K eigenpairs of A·y = λ·M·y at one end of the spectrum, for a symmetric
// operator A and the diagonal matrix M of mass, whose n entries are positive; nil is the identity,
// and [Symmetric].
//
// It solves the symmetric problem of M^(−½)·A·M^(−½), to which Options.Tol and Result.Residuals
// belong; vectors are scaled back, so that yᵀMy = 1, and vectors of different pairs are
// M-orthogonal. A *sparse.CSR is scaled in a copy of its values, 8 bytes an entry, and can be
// factored (shift-invert, Options.Verify); of other operators each product is scaled. Errors: as of
// Symmetric, and mass that is not positive and finite.
func Generalized(ctx context.Context, a Operator, mass []float64, opt Options) (*Result, error) {
	if mass == nil {
		return Symmetric(ctx, a, opt)
	}
	n, _ := a.Dims()
	if len(mass) != n {
		return nil, invalid.Errorf("the mass has %d entries; the problem has size %d", len(mass), n)
	}
	scale := make([]float64, n) // M^(−½)
	for i, m := range mass {
		if !(m > 0) || math.IsInf(m, 0) {
			return nil, invalid.Errorf("mass %d (counted from 0) is %v: it must be positive and finite", i, m)
		}
		scale[i] = 1 / math.Sqrt(m)
	}
	if opt.Start != nil {
		if r, _ := opt.Start.Dims(); r == n {
			opt.Start = mat.DenseCopyOf(opt.Start)
			for i, s := range scale {
				blas64.Scal(1/s, blas64.Vector{N: opt.Start.RawMatrix().Cols, Inc: 1, Data: opt.Start.RawRowView(i)})
			}
		}
	}
	var scaled Operator = &scaledOperator{a: a, scale: scale}
	if w, ok := a.(*sparse.CSR); ok && w.NumRows == w.NumCols {
		scaled = w.Scale(scale, scale)
	}
	r, err := Symmetric(ctx, scaled, opt)
	if r != nil {
		scaleRows(r.Vectors.RawMatrix(), r.Vectors.RawMatrix(), scale)
	}
	return r, err
}

// scaledOperator is S·A·S for the diagonal matrix S of scale.
type scaledOperator struct {
	a     Operator
	scale []float64
	x     []float64
}

func (o *scaledOperator) Dims() (r, c int) { return o.a.Dims() }

func (o *scaledOperator) MulBlock(dst, x blas64.General) {
	if len(o.x) < x.Rows*x.Cols {
		o.x = make([]float64, x.Rows*x.Cols)
	}
	in := blas64.General{Rows: x.Rows, Cols: x.Cols, Stride: x.Cols, Data: o.x}
	scaleRows(in, x, o.scale)
	o.a.MulBlock(dst, in)
	scaleRows(dst, dst, o.scale)
}

// scaleRows sets dst to diag(s)·x, which may be dst.
func scaleRows(dst, x blas64.General, s []float64) {
	for i := range x.Rows {
		to := dst.Data[i*dst.Stride:][:x.Cols]
		for j, v := range x.Data[i*x.Stride:][:x.Cols] {
			to[j] = s[i] * v
		}
	}
}
