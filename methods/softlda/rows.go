package softlda

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// rows is A = scale·B^½(X − 1m̃₀ᵀ)/Ñ^½ as an operator, over the documents with weight.
type rows struct {
	*svd.Matrix
	w      *weights
	mean   []float64      // m̃₀, in the units of the data
	scale  float64        // the power of two that keeps squares from overflow and underflow; mostly 1
	dense  blas64.General // A if x is dense
	sparse bool
}

// newRows weights the rows of x. Dense rows are copied, 8·n·d bytes; sparse ones keep their
// entries, in a copy.
func newRows(ctx context.Context, x mat.Matrix, w *weights) (*rows, error) {
	a := &rows{w: w}
	var weighted mat.Matrix
	x, err := sparse.Stored(x)
	if err != nil {
		return nil, err
	}
	switch x := x.(type) {
	case *sparse.CSR:
		if err := invalid.Join(x.CheckColumns(), x.CheckFinite()); err != nil {
			return nil, err
		}
		a.sparse = true
		s := a.weightSparse(x)
		err = a.rescale(s.Val)
		weighted = s
	default:
		var m *mat.Dense
		if m, err = a.weightDense(ctx, x); err != nil {
			return nil, err
		}
		a.dense = m.RawMatrix()
		err = a.rescale(a.dense.Data)
		weighted = m
	}
	if err != nil {
		return nil, err
	}
	a.Matrix, err = svd.New(ctx, weighted, false)
	return a, err
}

// rescale scales values whose squares would overflow or vanish to near 1.
func (a *rows) rescale(vals []float64) error {
	a.scale = 1
	top := 0.0
	for _, v := range vals {
		if v-v != 0 {
			return tooLarge()
		}
		top = max(top, math.Abs(v))
	}
	if top == 0 || top < 1e30 && top > 1e-30 {
		return nil
	}
	_, e := math.Frexp(top)
	a.scale = math.Ldexp(1, min(1000, -e))
	for i := range vals {
		vals[i] *= a.scale
	}
	return nil
}

func (a *rows) weightSparse(x *sparse.CSR) *sparse.CSR {
	if len(a.w.rows) < x.NumRows {
		x = x.SelectRows(a.w.rows)
	}
	// Columns with an entry in every row are centred in place: only in these can the mean exceed the
	// spread by orders of magnitude, so that subtracting it from the products would lose digits.
	full := make([]bool, x.NumCols)
	for j, count := range x.ColCounts() {
		full[j] = count == x.NumRows
	}
	a.mean = make([]float64, x.NumCols)
	origin := make([]float64, x.NumCols)
	for i := range x.NumRows {
		cols, vals := x.Row(i)
		for t, j := range cols {
			if i == 0 && full[j] {
				origin[j] = vals[t]
			}
			a.mean[j] += a.w.share[i] * (vals[t] - origin[j])
		}
	}
	for j, o := range origin {
		a.mean[j] += o
	}
	weighted := x.ScaleRows(a.w.root)
	for i := range x.NumRows {
		cols, vals := x.Row(i)
		_, to := weighted.Row(i)
		for t, j := range cols {
			if full[j] {
				to[t] = (vals[t] - a.mean[j]) * a.w.root[i]
			}
		}
	}
	return weighted
}

func (a *rows) weightDense(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	n, d := x.Dims()
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for j := range d {
			if v := x.At(i, j); v-v != 0 {
				return nil, &sparse.NotFiniteError{Row: i, Col: j, Value: v}
			}
		}
	}
	m := mat.NewDense(len(a.w.rows), d, nil)
	for to, i := range a.w.rows {
		mat.Row(m.RawRowView(to), i, x)
	}
	// Sums of differences to the first row, so that the mean of equal values is exactly that value.
	origin := append([]float64(nil), m.RawRowView(0)...)
	a.mean = make([]float64, d)
	for i, p := range a.w.share {
		for j, v := range m.RawRowView(i) {
			a.mean[j] += p * (v - origin[j])
		}
	}
	for j, o := range origin {
		a.mean[j] += o
	}
	for i, r := range a.w.root {
		row := m.RawRowView(i)
		for j, v := range row {
			row[j] = r * (v - a.mean[j])
		}
	}
	return m, nil
}

// Mul sets dst = A·v, n×b.
func (a *rows) Mul(ctx context.Context, dst, v blas64.General) error {
	err := a.Matrix.Mul(ctx, dst, v)
	if a.sparse && err == nil {
		a.w.project(dst)
	}
	return err
}

// MulT sets dst = Aᵀ·u, d×b. u is overwritten if the rows are sparse.
func (a *rows) MulT(ctx context.Context, dst, u blas64.General) error {
	if a.sparse {
		a.w.project(u)
	}
	return a.Matrix.MulT(ctx, dst, u)
}

// trace is tr AᵀA, the squared norm of A.
func (a *rows) trace(ctx context.Context) (float64, error) {
	if !a.sparse {
		return a.Total, ctx.Err()
	}
	root, along := panel.New(a.Rows, 1), panel.New(a.Cols, 1)
	copy(root.Data, a.w.root)
	if err := a.Matrix.MulT(ctx, along, root); err != nil {
		return 0, err
	}
	return max(0, a.Total-squares(along)), nil
}

// stretch is the number of rows or columns of a Gram matrix computed between two checks of the
// context.
const stretch = 512

// gram computes AᵀA, or AAᵀ if there are fewer rows than columns, both triangles. n·d·q flops for
// dense rows by syrk, 4·entries·q for sparse ones, whose products include the centring.
func (a *rows) gram(ctx context.Context) (blas64.Symmetric, error) {
	tall := a.Rows >= a.Cols
	q := min(a.Rows, a.Cols)
	if !a.sparse {
		g := blas64.Symmetric{Uplo: blas.Upper, N: q, Stride: q, Data: make([]float64, q*q)}
		m := a.dense
		trans, count := blas.Trans, a.Rows
		if !tall {
			trans, count = blas.NoTrans, a.Cols
		}
		for lo := 0; lo < count; lo += stretch {
			if err := ctx.Err(); err != nil {
				return g, err
			}
			part := m
			if wide := min(stretch, count-lo); tall {
				part.Rows, part.Data = wide, m.Data[lo*m.Stride:]
			} else {
				part.Cols, part.Data = wide, m.Data[lo:]
			}
			native.Default().Syrk(trans, 1, part, 1, g)
		}
		return g, ctx.Err()
	}
	first, second, other := a.Mul, a.MulT, a.Rows
	if !tall {
		first, second, other = a.MulT, a.Mul, a.Cols
	}
	return panel.Gram(ctx, q, other, first, second)
}

func squares(a blas64.General) float64 {
	sum := 0.0
	for _, v := range a.Data {
		sum += v * v
	}
	return sum
}

// tooLarge is the error of results that overflow.
func tooLarge() error {
	return invalid.Errorf("a result exceeds the largest number (%.3g): divide them by a constant", math.MaxFloat64)
}
