package softlda

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"
)

// Model is a fitted analysis, the best separation first.
type Model struct {
	// Projection is d×dims; each column is a direction a with aᵀ(S_w + μI)a = 1 and the sign of
	// eigen.CanonicalSigns. Mean is m̃₀, the soft total mean.
	Projection *mat.Dense
	Mean       []float64
	// Embedding is n×dims: (x − m̃₀)·a for all documents, with weight or not.
	Embedding *mat.Dense
	// Values are λ > 0, falling.
	Values []float64
	// Masses are Ñ_c, the soft number of documents of each class (eq. 8); 0 for a class that was left
	// out.
	Masses []float64
	// Mu is the μ used, in the units of the data's squares.
	Mu float64
}

// Fit analyses the rows of x, n×d, by their soft labels q, n×K: *sparse.CSR stays sparse, any other
// matrix is copied to a dense one. A constant added to all rows changes nothing.
//
// Cost, with s = min(n, d): n·d·s + s³/3 flops for dense rows, 4·entries·s + s³/3 for sparse ones,
// if 8·s² bytes are at most 256 MiB (32 MiB of sparse rows) and fit what the context leaves; else
// conjugate gradients of 4·entries·K flops per step, in about √(‖S_t‖/μ) steps per digit of
// opt.Tol.
//
// Errors: a request or data that are wrong (fs.ErrInvalid): options, shapes, values that are not
// finite or, in q, negative, fewer than two classes with weight, means that do not differ; the
// context's; an iteration that did not converge.
func Fit(ctx context.Context, x, q mat.Matrix, opt Options) (*Model, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	if x == nil {
		return nil, invalid.Errorf("there is no matrix to analyse")
	}
	n, d := x.Dims()
	if n == 0 || d == 0 {
		return nil, invalid.Errorf("the matrix to analyse is empty (%d × %d)", n, d)
	}
	w, err := newWeights(q, n, opt)
	if err != nil {
		return nil, err
	}
	opt = opt.withDefaults()
	a, err := newRows(ctx, x, w)
	if err != nil {
		return nil, err
	}
	between := panel.New(a.Cols, w.h.Cols)
	if err := a.MulT(ctx, between, panel.Clone(w.h)); err != nil {
		return nil, err
	}
	total, err := a.trace(ctx)
	if err != nil {
		return nil, err
	}
	mu, err := opt.regulariser(squares(between), total, a.Total, min(a.Rows, a.Cols), a.scale)
	if err != nil {
		return nil, err
	}
	regressed, err := a.regress(ctx, mu, opt)
	if err != nil {
		return nil, err
	}
	values, turn, err := directions(product(between, regressed), w.null, opt.Dims)
	if err != nil {
		return nil, err
	}
	m := &Model{Projection: mat.NewDense(d, turn.Cols, nil), Mean: a.mean, Values: values, Masses: w.masses, Mu: mu / a.scale / a.scale}
	if math.IsInf(m.Mu, 0) {
		return nil, tooLarge()
	}
	native.Default().Gemm(blas.NoTrans, blas.NoTrans, a.scale, regressed, turn, 0, m.Projection.RawMatrix())
	eigen.CanonicalSigns(m.Projection)
	if m.Embedding, err = m.Transform(ctx, x); err != nil {
		return nil, err
	}
	return m, finite(m.Projection, m.Embedding)
}

// regulariser returns μ for scaled data, given tr S_b, tr S_t and the squared norm of the rows in
// the scaled units. rank is the number of eigenvalues that S_w can have.
func (o Options) regulariser(between, total, size float64, rank int, scale float64) (float64, error) {
	// Below this the differences of the means are rounding errors.
	if !(between > 1e-26*size) {
		return 0, sameMeans()
	}
	mu := o.Ridge * scale * scale
	if !o.Absolute {
		within := max(0, total-between)
		if within <= 1e-14*total {
			within = total
		}
		mu = o.Ridge * within / float64(rank)
	}
	if !(mu > 0) || math.IsInf(mu, 0) {
		return 0, invalid.Errorf("the regulariser μ = %v is out of reach of data of this size (tr S_t = %.3g): give another", o.Ridge, total/scale/scale)
	}
	return mu, nil
}

// finite refuses results that overflowed.
func finite(ms ...*mat.Dense) error {
	for _, m := range ms {
		for _, v := range m.RawMatrix().Data {
			if v-v != 0 {
				return tooLarge()
			}
		}
	}
	return nil
}

// Transform projects new documents, n×dims; documents of the fit get their rows of Embedding.
// 2·entries·dims flops. Errors (fs.ErrInvalid): an empty matrix, another number of columns, values
// that are not finite.
func (m *Model) Transform(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	if m.Projection == nil || m.Projection.IsEmpty() {
		return nil, invalid.Errorf("the model has no directions: fit it first")
	}
	return svd.Project(ctx, x, mat.DenseCopyOf(m.Projection.T()), m.Mean)
}
