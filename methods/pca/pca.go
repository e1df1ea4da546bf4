package pca

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"gonum.org/v1/gonum/mat"
)

// Model is a fitted analysis, the largest variance first.
type Model struct {
	// Placer has the components, and places new rows.
	Placer
	// Embedding is n×k, the coordinates of the rows: uncorrelated, of mean 0.
	Embedding *mat.Dense
	// ExplainedVariance are the squares of the singular values over n − 1, ExplainedVarianceRatio
	// those over TotalVariance, the sum of all columns' variances (0 if that is 0).
	ExplainedVariance      []float64
	ExplainedVarianceRatio []float64
	TotalVariance          float64
	// NoiseVariance is the mean of the variances that are left out, of min(n, d) in all: σ² of the
	// probabilistic model (Tipping and Bishop 1999); 0 if none is left out.
	NoiseVariance float64
	// LeftResiduals are ‖Xv − σu‖ and RightResiduals ‖Xᵀu − σv‖ for the centred X with u = Xv/‖Xv‖,
	// measured on the final vectors.
	LeftResiduals, RightResiduals []float64
	// Rank counts the components that are not zero but for rounding; those after it are exact
	// zeros.
	Rank  int
	Stats eigen.Stats
}

// Fit analyses the rows of x, n×d: *sparse.CSR stays sparse, *mat.Dense is not copied, other
// matrices are made dense.
//
// Cost: LAPACK on a matrix of the smaller side p takes n·d·p flops to make it (dense rows) and
// 4/3·p³; the iterative solver a few times k products with x and its transpose, and about 10·p·k²
// flops. Memory: 16·p·(p + k) bytes or some 3k vectors of length p; the transpose of sparse x; the
// components twice.
//
// Errors: a request or data that are wrong (fs.ErrInvalid): options, fewer than two rows, more
// components than the smaller side, no variance to take a share of, values that are not finite
// (*sparse.NotFiniteError) or whose variance is not; the context's; and *eigen.NotConvergedError,
// with which comes a model of what was found.
func Fit(ctx context.Context, x mat.Matrix, opt Options) (*Model, error) {
	a, err := centred(ctx, x, opt)
	if err != nil {
		return nil, err
	}
	f, err := svd.Truncated(ctx, a, opt.svd())
	if f == nil {
		return nil, err
	}
	k := len(f.Singular)
	a.Drop() // the components take the place of what it holds
	m := &Model{
		Placer:            Placer{Components: f.Components(), Mean: a.Mean, Singular: f.Singular, Samples: a.Rows, Whiten: opt.Whiten},
		ExplainedVariance: make([]float64, k), ExplainedVarianceRatio: make([]float64, k),
		LeftResiduals: f.Left, RightResiduals: f.Right, Rank: f.Rank, Stats: f.Stats,
	}
	if e := m.variances(a); e != nil {
		return nil, e
	}
	m.Embedding = f.Coordinates(func(j int) float64 { return m.factor(j) / a.Scale })
	return m, err
}

// Coordinates returns the embedding of [Fit] alone, n×k. If LAPACK solves for the rows' Gram
// matrix, it is Fit without its most expensive part: for n rows of far more columns, and a share of
// the variance that thousands of components explain, the components would take 16·d·k bytes and
// some 6·k²·(n + d) flops. In return [Options].Tol is not used, a direction of singular value σ is
// exact to ε·(σ_1/σ)² or so, and directions with a σ below some 1e-8·√n of σ_1 are zeros. With
// Options.Solver dense LAPACK begins at once, without trying few components first. Signs are
// eigen.CanonicalSigns on the coordinates. x has all rows, and Options.Share is not used. Errors
// are as for Fit, without the model.
func Coordinates(ctx context.Context, x mat.Matrix, opt Options) (*mat.Dense, error) {
	opt.Share = nil
	a, err := centred(ctx, x, opt)
	if err != nil {
		return nil, err
	}
	y, singular, err := svd.Coordinates(ctx, a, opt.svd())
	if y == nil {
		return nil, err
	}
	k := len(singular)
	m := Model{Placer: Placer{Singular: singular, Whiten: opt.Whiten, Samples: a.Rows}, ExplainedVariance: make([]float64, k), ExplainedVarianceRatio: make([]float64, k)}
	if e := m.variances(a); e != nil {
		return nil, e
	}
	if opt.Whiten {
		for j := range singular {
			singular[j] = m.factor(j)
		}
		panel.ScaleColumns(y.RawMatrix(), singular)
	}
	return y, err
}

// centred checks the request and makes the operator of the centred rows.
func centred(ctx context.Context, x mat.Matrix, opt Options) (*svd.Matrix, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	if opt.Dims == 0 && opt.Amount.IsZero() {
		return nil, invalid.Errorf("neither a number of components nor a share of the variance is given; give one")
	}
	a, err := svd.NewShared(ctx, opt.Share, x, true)
	if err != nil {
		return nil, err
	}
	if a.Rows < 2 {
		return nil, invalid.Errorf("one row has no variance; principal components need at least two rows")
	}
	return a, nil
}

// variances fills in the values that follow from the singular values. The ratios are formed in the
// scaled units of a, in which nothing overflows or vanishes.
func (m *Model) variances(a *svd.Matrix) error {
	degrees := float64(a.Rows - 1)
	m.TotalVariance = a.Total / degrees / a.Scale / a.Scale
	if math.IsInf(m.TotalVariance, 0) {
		return invalid.Errorf("the variance of the data is beyond the largest number (%.3g): divide the data by a constant", math.MaxFloat64)
	}
	explained := 0.0
	for j, s := range m.Singular {
		scaled := s * a.Scale
		m.ExplainedVariance[j] = s / degrees * s
		if a.Total > 0 {
			m.ExplainedVarianceRatio[j] = scaled * scaled / a.Total
		}
		explained += m.ExplainedVarianceRatio[j]
	}
	if left := min(a.Rows, a.Cols) - len(m.Singular); left > 0 && m.Rank == len(m.Singular) {
		m.NoiseVariance = max(0, 1-explained) * m.TotalVariance / float64(left)
	}
	return nil
}
