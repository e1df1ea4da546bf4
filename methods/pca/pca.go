package pca

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"
)

// Model is a fitted analysis, the largest variance first.
type Model struct {
	// Embedding is n×k, the coordinates of the rows: uncorrelated, of mean 0.
	Embedding *mat.Dense
	// Components is k×d, orthonormal rows with the signs of eigen.CanonicalSigns; Mean is μ.
	Components *mat.Dense
	Mean       []float64
	// Singular are the singular values of the centred rows, ExplainedVariance their squares over n − 1, and
	// ExplainedVarianceRatio those over TotalVariance, the sum of all columns' variances (0 where it is 0).
	Singular               []float64
	ExplainedVariance      []float64
	ExplainedVarianceRatio []float64
	TotalVariance          float64
	// NoiseVariance is the mean of the variances that are left out, of min(n, d) in all: σ² of the probabilistic model
	// (Tipping and Bishop 1999); 0 where none is left out.
	NoiseVariance float64
	// LeftResiduals are ‖Xv − σu‖ and RightResiduals ‖Xᵀu − σv‖ for the centred X with u = Xv/‖Xv‖, measured on
	// the final vectors.
	LeftResiduals, RightResiduals []float64
	// Samples is n, the number of rows of the fit.
	Samples int
	// Rank counts the components that are not zero but for rounding; those after it are exact zeros.
	Rank   int
	Whiten bool
	Stats  eigen.Stats
}

// Fit analyses the rows of x, n×d: *sparse.CSR stays sparse, *mat.Dense is not copied, other matrices are made dense.
//
// Cost: LAPACK on a matrix of the smaller side p takes n·d·p flops to make it (dense rows) and 4/3·p³; the iterative
// solver a few times k products with x and its transpose, and about 10·p·k² flops. Memory: 16·p·(p + k) bytes or some
// 3k vectors of length p; the transpose of sparse x; the components twice.
//
// Errors: a request or data that are wrong (fs.ErrInvalid): options, fewer than two rows, more components than the
// smaller side, no variance to take a share of, values that are not finite (*sparse.NotFiniteError) or whose variance
// is not; the context's; and *eigen.NotConvergedError, with which comes a model of what was found.
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
	m := &Model{
		Components: f.Components(), Mean: a.Mean, Samples: a.Rows, Singular: f.Singular,
		ExplainedVariance: make([]float64, k), ExplainedVarianceRatio: make([]float64, k),
		LeftResiduals: f.Left, RightResiduals: f.Right, Rank: f.Rank, Whiten: opt.Whiten, Stats: f.Stats,
	}
	if e := m.variances(a); e != nil {
		return nil, e
	}
	m.Embedding = f.Coordinates(func(j int) float64 { return m.factor(j) / a.Scale })
	return m, err
}

// Coordinates returns the embedding of [Fit] alone, n×k. Where LAPACK solves for the rows' Gram matrix it is Fit without
// its dearest part: for n rows of far more columns, and a share of the variance that thousands of components explain, those that nobody
// asks for would take 16·d·k bytes and some 6·k²·(n + d) flops. What that costs: [Options].Tol does not count there, a direction of singular value σ
// is exact to ε·(σ_1/σ)² or so, and those below some 1e-8·√n of σ_1 are zeros. Options.Solver dense has LAPACK do it at once, where few components
// would be tried first. Signs are eigen.CanonicalSigns on the coordinates. Errors: those of Fit, without the model.
func Coordinates(ctx context.Context, x mat.Matrix, opt Options) (*mat.Dense, error) {
	a, err := centred(ctx, x, opt)
	if err != nil {
		return nil, err
	}
	y, singular, err := svd.Coordinates(ctx, a, opt.svd())
	if y == nil {
		return nil, err
	}
	k := len(singular)
	m := Model{Singular: singular, ExplainedVariance: make([]float64, k), ExplainedVarianceRatio: make([]float64, k), Whiten: opt.Whiten, Samples: a.Rows}
	if e := m.variances(a); e != nil {
		return nil, e
	}
	if opt.Whiten {
		for j := range singular {
			singular[j] = m.factor(j)
		}
		svd.ScaleColumns(y, singular)
	}
	return y, err
}

// centred checks the request and makes the operator of the centred rows.
func centred(ctx context.Context, x mat.Matrix, opt Options) (*svd.Matrix, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	a, err := svd.New(ctx, x, true)
	if err != nil {
		return nil, err
	}
	if a.Rows < 2 {
		return nil, invalid.Errorf("one row has no variance; principal components need at least two rows")
	}
	return a, nil
}

// variances fills in what follows from the singular values. The ratios are formed in the scaled units of a, where
// nothing overflows or vanishes.
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

// factor is what the projection on component j is multiplied by.
func (m *Model) factor(j int) float64 {
	switch {
	case !m.Whiten:
		return 1
	case m.Singular[j] == 0:
		return 0
	}
	return m.deviations() / m.Singular[j]
}

// deviations is √(n − 1): singular values are that many standard deviations.
func (m *Model) deviations() float64 { return math.Sqrt(float64(m.Samples - 1)) }

// Transform returns the coordinates of new rows, n×k; for the rows of the fit their Embedding, to rounding. Sparse rows
// stay sparse. 2·entries·k flops. Errors (fs.ErrInvalid): an empty matrix, another number of columns, values that are
// not finite.
func (m *Model) Transform(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	y, err := svd.Project(ctx, x, m.Components, m.Mean)
	if err != nil || !m.Whiten {
		return y, err
	}
	by := make([]float64, len(m.Singular))
	for j := range by {
		by[j] = m.factor(j)
	}
	svd.ScaleColumns(y, by)
	return y, nil
}

// Inverse returns the points of the components' span whose coordinates are the rows of y, n×k: y·C + μ, dense n×d, which
// is 8·n·d bytes and 2·n·k·d flops. With all components it undoes [Model.Transform] up to rounding, with fewer it gives
// the nearest point of the span. Errors (fs.ErrInvalid): an empty matrix or another number of columns.
func (m *Model) Inverse(ctx context.Context, y *mat.Dense) (*mat.Dense, error) {
	if m.Components == nil || m.Components.IsEmpty() {
		return nil, invalid.Errorf("the model has no components: fit it first")
	}
	k, d := m.Components.Dims()
	if y == nil || y.IsEmpty() {
		return nil, invalid.Errorf("there are no coordinates to turn back")
	}
	n, c := y.Dims()
	if c != k {
		return nil, invalid.Errorf("the coordinates have %d columns, but the model has %d components", c, k)
	}
	if m.Whiten {
		by := make([]float64, k)
		for j := range by {
			by[j] = m.Singular[j] / m.deviations()
		}
		y = mat.DenseCopyOf(y)
		svd.ScaleColumns(y, by)
	}
	x := mat.NewDense(n, d, nil)
	raw := x.RawMatrix()
	// Rows by the thousand, so that the context is looked at.
	for lo := 0; lo < n; lo += 1024 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		hi := min(lo+1024, n)
		for i := lo; i < hi; i++ {
			copy(raw.Data[i*raw.Stride:], m.Mean)
		}
		from, to := y.Slice(lo, hi, 0, k).(*mat.Dense), x.Slice(lo, hi, 0, d).(*mat.Dense)
		native.Default().Gemm(blas.NoTrans, blas.NoTrans, 1, from.RawMatrix(), m.Components.RawMatrix(), 1, to.RawMatrix())
	}
	return x, ctx.Err()
}
