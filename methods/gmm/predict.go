package gmm

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// points checks new points against the mixture.
func (m *Mixture) points(ctx context.Context, x mat.Matrix) (blas64.General, error) {
	if m == nil || m.k == 0 {
		return blas64.General{}, invalid.Errorf("the mixture has no components: fit it first")
	}
	if x == nil {
		return blas64.General{}, invalid.Errorf("there is no matrix of points")
	}
	n, d := x.Dims()
	if n == 0 || d == 0 {
		return blas64.General{}, invalid.Errorf("the matrix of points is empty (%d × %d)", n, d)
	}
	if d != m.d {
		return blas64.General{}, invalid.Errorf("the points have %d columns, but the mixture was fitted on %d", d, m.d)
	}
	if sparse.Is(x) {
		if err := memory.Need(ctx, memory.Bytes(8, n, d), "give fewer rows at a time", "the dense copy of a sparse matrix (%d × %d)", n, d); err != nil {
			return blas64.General{}, err
		}
	}
	all := dense(x)
	return all, checkRows(ctx, all, all.Rows)
}

// LogJoint returns log(α_k·p_k(x_i)) of every row of x, n×K; −∞ for lost components. Errors are as
// for [Fit]; x must have as many columns as the means. The result for a row has the same bits
// whatever the other rows are. Cost: K·n·d² flops with full covariances.
func (m *Mixture) LogJoint(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	rows, err := m.points(ctx, x)
	if err != nil {
		return nil, err
	}
	out := mat.NewDense(rows.Rows, m.k, nil)
	return out, m.joint(ctx, &scratch{apart: true}, rows, nil, out.RawMatrix().Data)
}

// Evaluate returns P(k|x_i), n×K, eq. (8), and log p(x_i), n, of every row of x. A row so far away
// that every density underflows has the weights as its posterior and −∞ as its log-density. Errors
// and cost are as for LogJoint.
func (m *Mixture) Evaluate(ctx context.Context, x mat.Matrix) (posterior *mat.Dense, logDensity []float64, err error) {
	if posterior, err = m.LogJoint(ctx, x); err != nil {
		return nil, nil, err
	}
	n, _ := posterior.Dims()
	logDensity = make([]float64, n)
	_, err = normalise(ctx, posterior.RawMatrix().Data, m.Weights, logDensity)
	return posterior, logDensity, err
}

// Predict returns the most probable component of every row of x, the lower on a tie. Errors and
// cost are as for LogJoint.
func (m *Mixture) Predict(ctx context.Context, x mat.Matrix) ([]int, error) {
	p, _, err := m.Evaluate(ctx, x)
	if err != nil {
		return nil, err
	}
	return rows.Largest(p), nil
}
