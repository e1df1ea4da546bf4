package lapgmm

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/gmm"
	"github.com/eigenmap/eigenmap/methods/graph"
	"gonum.org/v1/gonum/mat"
)

const stage = "smoothed mixture"

// Fit fits a Laplacian regularised mixture to the rows of x, n×d, on the graph of their neighbours
// that the options describe.
//
// Errors of the data or the options satisfy fs.ErrInvalid: graph.Build, gmm.Fit and
// [Options.Validate] list them. When ctx is done, Fit returns its error.
func Fit(ctx context.Context, x mat.Matrix, opt Options) (*Model, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	if x == nil {
		return nil, invalid.Errorf("there is no matrix to fit a mixture to")
	}
	own, _ := x.Dims()
	n := opt.Share.Among(own)
	if err := opt.mixture().CheckK(n); err != nil {
		return nil, err
	}
	g, err := graph.Build(ctx, x, opt.graphOptions(n))
	if err != nil {
		return nil, err
	}
	return FitGraph(ctx, x, g, opt)
}

// FitGraph is Fit on a given graph of the rows; Options.Graph is not used.
func FitGraph(ctx context.Context, x mat.Matrix, g *graph.Graph, opt Options) (*Model, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	opt = opt.withDefaults()
	if x == nil || g == nil || g.W == nil {
		return nil, invalid.Errorf("there is no matrix, or no graph, to fit a mixture to")
	}
	n, d := x.Dims()
	all := opt.Share.Among(n)
	if err := opt.mixture().CheckK(all); err != nil {
		return nil, err
	}
	if g.W.NumRows != n {
		return nil, invalid.Errorf("the graph has %d nodes, but the matrix %d rows: they must be the same documents", g.W.NumRows, n)
	}
	if n > 0 && d > 0 {
		err := gmm.CheckMemory(ctx, Memory(x, g, opt), opt.mixture(), d)
		if err = ranks.Agree(opt.Share, err); err != nil {
			return nil, err
		}
	}
	e, err := gmm.NewEstimator(ctx, x, opt.mixture())
	if err != nil {
		return nil, err
	}
	f := &fitter{opt: opt, n: n, all: all, e: e, m: e.NewMixture(), smoother: newSmoother(g, opt.K), grid: gammas(opt.MaxGamma)}
	best, from, run, err := f.best(ctx, x)
	if err != nil {
		return nil, err
	}
	return f.model(ctx, best, from.name, run)
}

// fitter is a fit in progress. There is one mixture, which every trial overwrites: of a state it
// keeps the responsibilities, which make the mixture again.
type fitter struct {
	opt      Options
	n, all   int // rows that are here, and of all ranks
	e        *gmm.Estimator
	m        *gmm.Mixture
	levels   []float64 // the ridges of m, to notice one that was raised
	smoother *smoother
	grid     []float64    // the γ that are tried, ascending from 0
	spare    []*mat.Dense // n×K matrices not in use
}

// state is a mixture: the responsibilities that it was made from, and its posterior and value.
type state struct {
	f         *fitter
	made      *mat.Dense // F; nil for the mixture of the start
	posterior *mat.Dense // P(k|x_i) under the mixture
	value     value      // −∞ for the start
	gamma     float64    // of F; the next search begins with it
	history   []Step
	converged bool
	empty     int // components that are the greatest of no row, when its run has ended

	mixture *gmm.Mixture // of a state that was read: with its ridges in force
	levels  []float64    // fitter.levels then
}

// fresh sets the ridges of the mixture back to the one asked for.
func (f *fitter) fresh() {
	if slices.Contains(f.m.Raised, true) {
		f.m = f.e.NewMixture()
	}
	f.levels = nil
}

// measure sets posterior to P(k|x_i) under the mixture, and returns the value of the mixture
// together with the responsibilities it was made from.
func (f *fitter) measure(ctx context.Context, made, posterior *mat.Dense) (value, error) {
	l, err := f.e.EStep(ctx, f.m, posterior)
	if err != nil {
		return value{}, err
	}
	r, err := f.smoother.penalty(ctx, made)
	v := value{logLikelihood: l, penalty: f.opt.Lambda * r}
	objective := []float64{f.e.Objective(f.m, l) - v.penalty}
	f.opt.Share.Share(objective) // the prior's penalty is computed on every rank
	v.objective = objective[0]
	return v, err
}

// refit makes the state again after ridges were raised, until none is, and records it as a step of
// its own.
func (f *fitter) refit(ctx context.Context, s *state) error {
	if s.made == nil {
		return nil // the first search begins again
	}
	fits := 0
	for again := true; again; fits++ {
		if err := f.e.MStep(ctx, s.made, f.m); err != nil {
			return err
		}
		again = f.raised()
	}
	v, err := f.measure(ctx, s.made, s.posterior)
	if err != nil {
		return err
	}
	s.value = v
	s.history = append(s.history, f.step(v, s.gamma, fits, true))
	return nil
}

// raised says whether the last M-step raised a ridge.
func (f *fitter) raised() bool {
	old := f.levels
	f.levels = f.ridges()
	for k := range old {
		if f.levels[k] > 3*old[k] {
			return true
		}
	}
	return false
}

// ridges are the raised ridge of each component, in pseudo-observations or squared units; 0 if it
// was not raised. Raising multiplies by ten, so rounding does not matter; of a ridge that outweighs
// the data a billion times it is the last one known.
func (f *fitter) ridges() []float64 {
	level := make([]float64, f.opt.K)
	copy(level, f.levels)
	variance := f.e.MeanVariance()
	for k, r := range f.m.Ridge {
		if !f.m.Raised[k] || f.m.Lost[k] {
			continue
		}
		rows := f.m.Weights[k] * float64(f.all)
		if f.opt.Covariance == gmm.Tied {
			rows = float64(f.all)
		}
		if rest := variance - r; f.opt.RidgeKind == gmm.RidgeAbsolute {
			level[k] = r
		} else if rest > 1e-9*variance {
			level[k] = rows * r / rest
		}
	}
	return level
}

func (f *fitter) take() *mat.Dense {
	if last := len(f.spare) - 1; last >= 0 {
		m := f.spare[last]
		f.spare = f.spare[:last]
		return m
	}
	return mat.NewDense(f.n, f.opt.K, nil)
}

func (f *fitter) give(all ...*mat.Dense) {
	for _, m := range all {
		if m != nil {
			f.spare = append(f.spare, m)
		}
	}
}
