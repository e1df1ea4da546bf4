package gmm

import (
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Estimator is the E-step and the M-step on given data, for methods that add steps of their own
// between them. It owns scratch memory and is not safe for concurrent use; the mixtures that it
// fills do not belong to it.
type Estimator struct {
	opt  Options
	x    blas64.General // own rows
	n, d int            // n own rows
	all  int            // rows of all ranks
	// mean, variances and largest have the mean, variance and largest magnitude of each column;
	// variance is s², the mean of variances.
	mean, variances, largest []float64
	variance                 float64
	// pseudo is ν, the prior's pseudo-observations of an average component; with variance it is
	// estimated if the options leave the ridge open. settled says that this is done, and first are
	// the clusters of the first start that it took.
	pseudo  float64
	settled bool
	first   []int

	scratch  scratch
	partials []float64 // accumulators beside the mixture's own
	// hint is the component of the greatest responsibility in the last M-step, n; nil before.
	hint []int32
}

// NewEstimator checks the data, n×d, and the options, as [Fit] does; only K, Covariance, Ridge,
// RidgeKind and Observer matter here. x is a *mat.Dense (not copied, and not to be
// written while the Estimator is in use), or another matrix, which is copied into a dense one.
// Cost: three passes over x.
func NewEstimator(ctx context.Context, x mat.Matrix, opt Options) (*Estimator, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	opt = opt.withDefaults()
	ctx, _ = opt.Share.Watch(ctx)
	dense, err := rowsOf(ctx, x, opt)
	if err == nil {
		err = checkRows(ctx, dense, opt.Share.Among(dense.Rows))
	}
	if err = rows.Agreed(opt.Share, err); err != nil {
		return nil, err
	}
	e := &Estimator{opt: opt, x: dense, n: dense.Rows, d: dense.Cols, all: opt.Share.Among(dense.Rows)}
	if err := e.moments(ctx); err != nil {
		return nil, err
	}
	if e.variance == 0 {
		square := 0.0
		for _, v := range e.mean {
			square += v * v / float64(e.d)
		}
		if e.variance = square; square == 0 {
			e.variance = 1
		}
		opt.Observer.Warnf(stage, "All rows are equal; the ridge is relative to %.3g, the mean square of the values (1 where they are zero).", e.variance)
	}
	if e.pseudo = DefaultRidge * e.share(); opt.Ridge != nil {
		e.pseudo = *opt.Ridge * e.share()
	}
	return e, nil
}

// rowsOf checks x against the options and returns it as rows.
func rowsOf(ctx context.Context, x mat.Matrix, opt Options) (blas64.General, error) {
	if err := fits(ctx, x, opt); err != nil {
		return blas64.General{}, err
	}
	if err := CheckMemory(ctx, Memory(x, opt), opt, cols(x)); err != nil {
		return blas64.General{}, err
	}
	return dense(x), nil
}

// CheckMemory refuses a mixture over d columns that needs more bytes than are left under ctx.
func CheckMemory(ctx context.Context, need int64, opt Options, d int) error {
	return memory.Need(ctx, need, "reduce the columns first (‹pca›), or choose fewer components or covariance \""+string(Diagonal)+"\"",
		"a mixture of %s with %s covariances of %s", words.Counted(opt.K, "component"), opt.Covariance, words.Counted(d, "column"))
}

// dense returns x itself if it is dense, else a copy.
func dense(x mat.Matrix) blas64.General {
	if stored, err := sparse.Stored(x); err == nil {
		x = stored
	}
	switch x := x.(type) {
	case *mat.Dense:
		return x.RawMatrix()
	case *sparse.CSR:
		return x.ToDense().RawMatrix()
	}
	return mat.DenseCopyOf(x).RawMatrix()
}

// sparsePart is the part of the memory that is left which a dense copy of a sparse matrix may take:
// the sums of a mixture over as many columns take minutes.
const sparsePart = 10

// fits checks the size of x and of the given starts.
func fits(ctx context.Context, x mat.Matrix, opt Options) error {
	if x == nil {
		return invalid.Errorf("there is no matrix to fit a mixture to")
	}
	n, d := x.Dims()
	if n == 0 || d == 0 {
		return invalid.Errorf("the matrix to fit a mixture to is empty (%d × %d)", n, d)
	}
	if n > math.MaxInt32 || d > 1<<24 {
		return invalid.Errorf("%d rows of %d columns are more than a mixture takes (%d of %d)", n, d, math.MaxInt32, 1<<24)
	}
	if err := opt.CheckK(opt.Share.Among(n)); err != nil {
		return err
	}
	if sparse.Is(x) {
		if limit, size := memory.Left(ctx)/sparsePart, memory.Bytes(8, n, d); size > limit {
			return invalid.Errorf("the sparse matrix (%d × %d) would take %s as a dense one, which a mixture of Gaussians needs, and %s are allowed: reduce the columns first (‹pca›)",
				n, d, words.Bytes(size), words.Bytes(limit))
		}
	}
	for _, start := range []struct {
		what       string
		m          *mat.Dense
		rows, cols int
	}{{"means", opt.Start, opt.K, d}, {"responsibilities", opt.StartPosterior, n, opt.K}} {
		if start.m == nil {
			continue
		}
		if r, c := start.m.Dims(); r != start.rows || c != start.cols {
			return invalid.Errorf("the given %s are %d × %d, but %d components of %d rows and %d columns need %d × %d", start.what, r, c, opt.K, n, d, start.rows, start.cols)
		}
	}
	return nil
}

// moments computes the means and variances of the columns, of the rows of all ranks, in three
// passes, and refuses values that are too small to square.
func (e *Estimator) moments(ctx context.Context) error {
	n, d := e.n, e.d
	e.mean, e.variances, e.largest = make([]float64, d), make([]float64, d), make([]float64, d)
	// Sums of differences to the first row: equal rows have exactly themselves as their mean.
	first := slices.Clone(e.x.Data[:d])
	e.opt.Share.Share(first)
	sum := func(term func(v float64, j int) float64, out []float64) error {
		err := parallel.For(ctx, d, 16, func(_, lo, hi int) error {
			for i := range n {
				if i%4096 == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
				for j, v := range e.x.Data[i*e.x.Stride+lo : i*e.x.Stride+hi] {
					out[lo+j] += term(v, lo+j)
				}
			}
			return nil
		})
		e.opt.Share.Sum(out)
		return err
	}
	if err := sum(func(v float64, j int) float64 { return v - first[j] }, e.mean); err != nil {
		return err
	}
	for j := range e.mean {
		e.mean[j] = first[j] + e.mean[j]/float64(e.all)
	}
	if err := sum(func(v float64, j int) float64 { v -= e.mean[j]; return v * v / float64(e.all) }, e.variances); err != nil {
		return err
	}
	for _, v := range e.variances {
		e.variance += v / float64(d)
	}
	err := parallel.For(ctx, d, 16, func(_, lo, hi int) error {
		for i := range n {
			for j, v := range e.x.Data[i*e.x.Stride+lo : i*e.x.Stride+hi] {
				e.largest[lo+j] = max(e.largest[lo+j], math.Abs(v))
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	ranks.Largest(e.opt.Share, e.largest)
	if top := slices.Max(e.largest); top > 0 && top < leastValue {
		return invalid.Errorf("the values are too small to square (the largest is %.3g): multiply the data by a constant", top)
	}
	return nil
}

// leastValue is the least that the largest value must be: variances of some 1e-280 leave room for
// ridges and inverses.
const leastValue = 1e-140

// checkRows finds values that are not finite, and rows whose squares may overflow in a sum over all
// rows, of which there are so many.
func checkRows(ctx context.Context, x blas64.General, all int) error {
	limit := math.MaxFloat64 / 64 / float64(all)
	return parallel.For(ctx, x.Rows, grain(x.Cols), func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			row := x.Data[i*x.Stride:][:x.Cols]
			s, top := 0.0, 0.0
			for j, v := range row {
				if v-v != 0 {
					return &sparse.NotFiniteError{Row: i, Col: j, Value: v}
				}
				s += v * v
				top = max(top, math.Abs(v))
			}
			if s > limit {
				return invalid.At(i, -1, "{} is too long to square (its values reach %.3g): divide the data by a constant", top)
			}
		}
		return nil
	})
}

// NewMixture returns a mixture of the options' shape for [Estimator.MStep] to fill: 8·K·d² bytes
// with full covariances.
func (e *Estimator) NewMixture() *Mixture {
	return newMixture(e.opt.Covariance, e.opt.K, e.d, e.level())
}

// level is the ridge asked for, in the terms of Mixture.level.
func (e *Estimator) level() float64 {
	if e.opt.RidgeKind == RidgeAbsolute {
		return *e.opt.Ridge
	}
	return e.pseudo
}

// Shrinkage is the weight of the prior against an average component: ρ of (1−ρ)·S + ρ·s²·I; 0 with
// an absolute ridge.
func (e *Estimator) Shrinkage() float64 {
	if e.opt.RidgeKind == RidgeAbsolute {
		return 0
	}
	return e.pseudo / (e.pseudo + e.share())
}

// share is the rows of an average block: n/K, or n for a tied covariance.
func (e *Estimator) share() float64 { return float64(e.all) / float64(blocksOf(e.opt)) }

// MeanVariance returns s², the variance towards which the prior draws: the trace of the data's
// covariance divided by the number of columns, or what [Estimator.Settle] found within clusters.
func (e *Estimator) MeanVariance() float64 { return e.variance }

// EStep sets posterior, n×K, to P(k|x_i) under m, eq. (8), and returns log P(X|m), the sum of the
// rows' log-densities. Cost: K·n·d² flops with full covariances, less what the responsibilities of
// the last M-step allow to skip. Ranks that divide the rows call it together, each with the
// posteriors of its own rows; the log-likelihood is the sum over all rows.
func (e *Estimator) EStep(ctx context.Context, m *Mixture, posterior *mat.Dense) (logLikelihood float64, err error) {
	p, err := e.posteriorData(m, posterior)
	if err != nil {
		return 0, err
	}
	ctx, _ = e.opt.Share.Watch(ctx)
	if err := m.joint(ctx, &e.scratch, e.x, e.hint, p); err != nil {
		return 0, err
	}
	own, err := normalise(ctx, p, m.Weights, nil)
	all := []float64{own}
	e.opt.Share.Sum(all)
	return all[0], err
}

// posteriorData returns the storage of a contiguous n×K matrix.
func (e *Estimator) posteriorData(m *Mixture, posterior *mat.Dense) ([]float64, error) {
	if m.k != e.opt.K || m.d != e.d || m.Type != e.opt.Covariance {
		return nil, invalid.Errorf("the mixture has %d %s components of %d columns, but the data and options want %d %s ones of %d",
			m.k, m.Type, m.d, e.opt.K, e.opt.Covariance, e.d)
	}
	raw := posterior.RawMatrix()
	if raw.Rows != e.n || raw.Cols != m.k || raw.Stride != raw.Cols {
		return nil, invalid.Errorf("the responsibilities are %d × %d (stride %d), but %d rows and %d components need a contiguous %d × %d",
			raw.Rows, raw.Cols, raw.Stride, e.n, m.k, e.n, m.k)
	}
	return raw.Data, nil
}

// Objective returns logLikelihood less the penalty of the prior at m, which EM increases. See the
// package comment.
func (e *Estimator) Objective(m *Mixture, logLikelihood float64) float64 {
	for _, p := range m.penalty {
		logLikelihood -= p
	}
	return logLikelihood
}
