package lapgmm

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/methods/gmm"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/internal/starts"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/method"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// origin is where a run starts: its name, and how its first state is made.
type origin struct {
	name  string
	start func(context.Context) (*state, error)
}

// origins lists the starts of the fit, and sets λ if the options give none.
func (f *fitter) origins(ctx context.Context, x mat.Matrix) ([]origin, error) {
	if err := f.e.Settle(ctx, f.m); err != nil {
		return nil, err
	}
	var means, clusters []origin
	for run := range f.opt.Starts {
		means = append(means, origin{"k-means", func(ctx context.Context) (*state, error) { return f.start(ctx, x, run) }})
	}
	if f.opt.StartFrom == StartKMeans && f.opt.Lambda > 0 {
		return means, nil
	}
	mixture, err := f.e.Fit(ctx)
	if err != nil {
		return nil, err
	}
	add := func(name string, responsibilities *mat.Dense) {
		clusters = append(clusters, origin{name, func(ctx context.Context) (*state, error) { return f.from(ctx, responsibilities) }})
	}
	add("gmm", mixture.Posterior)
	one, err := f.single(ctx)
	if err != nil {
		return nil, err
	}
	gain := mixture.Objective - one
	for _, normalize := range []bool{false, true} {
		labels, err := f.eigenmaps(ctx, normalize)
		if err != nil {
			return nil, err
		}
		if labels == nil || fallsApart(ranks.Counts(f.opt.Share, method.SizesOf(labels, f.opt.K)), mixture.Sizes) {
			continue
		}
		fit, err := f.objective(ctx, gmm.Indicators(labels, f.opt.K))
		if err != nil {
			return nil, err
		}
		if fit >= mixture.Objective-mostShort*gain {
			add("le", gmm.Indicators(labels, f.opt.K))
		}
	}
	if f.opt.Lambda == 0 {
		if err := f.weigh(ctx, mixture, gain); err != nil {
			return nil, err
		}
	}
	switch f.opt.StartFrom {
	case StartKMeans:
		return means, nil
	case StartAll:
		return append(means, clusters...), nil
	}
	return clusters, nil
}

// mostShort is the share of what the clusters of the mixture gain over one Gaussian by which the
// clusters of the graph may fall short of them, as a mixture, and still be a start.
const mostShort = 0.05

// eigenmaps are the clusters of Laplacian Eigenmaps of the graph: k-means of the K first
// eigenvectors, with rows scaled to unit length or not. They are nil if the graph has too few
// eigenvectors, or if the eigenproblem does not converge.
func (f *fitter) eigenmaps(ctx context.Context, normalize bool) ([]int, error) {
	opt := le.Options{Dims: f.opt.K, NormalizeRows: normalize}
	opt.Eigen.Seed = f.opt.Seed
	m, err := le.FitGraph(ctx, f.smoother.g, opt)
	_, stopped := f.opt.Share.Watch(ctx)
	if stop := stopped(); stop != nil {
		return nil, stop
	}
	if ranks.Agree(f.opt.Share, err) != nil {
		return nil, nil
	}
	k, err := kmeans.Fit(ctx, m.Embedding, kmeans.Options{K: f.opt.K, Restarts: f.opt.KMeansRestarts, Seed: f.opt.Seed, Share: f.opt.Share})
	if err != nil {
		return nil, errors.Join(err, stopped())
	}
	return k.Labels, nil
}

// fallsApart says whether clusters of the counts are too unequal to start from: beyond one, their
// effective number, the exponential of the entropy of their sizes, is below half of the mixture's
// without the graph. It is so where the graph has small parts of its own. The likelihood of a
// component on a handful of rows has no bound and their penalty is small, so such a start would
// win, with nearly all rows in one cluster.
func fallsApart(counts, sizes []int) bool {
	return effective(counts)-1 < (effective(sizes)-1)/2
}

// effective is the number of equal clusters that have the entropy of the given sizes.
func effective(sizes []int) float64 {
	shares := make([]float64, len(sizes))
	for k, size := range sizes {
		shares[k] = float64(size)
	}
	floats.Scale(1/floats.Sum(shares), shares)
	return math.Exp(stat.Entropy(shares))
}

// best runs all starts for a few iterations and goes on from the best. If components lose their
// rows on the way, it goes on from the second best too, and keeps the better result.
func (f *fitter) best(ctx context.Context, x mat.Matrix) (*state, origin, int, error) {
	all, err := f.origins(ctx, x)
	if err != nil {
		return nil, origin{}, 0, err
	}
	plan := f.plan(f.runsOf(ctx, x, "lapgmm-start"), f.opt.StartIter)
	plan.Count, plan.Keep = len(all), 2
	top, err := starts.Top(ctx, plan, func(int, parallel.Loop) *first { return &first{&state{f: f}, all} })
	if err != nil {
		return nil, origin{}, 0, err
	}
	ended := f.runsOf(ctx, x, "lapgmm-run")
	best := top[0]
	s, err := f.finish(ctx, ended, best.State.state, best.Start)
	if err == nil && len(top) > 1 && s.empty > top[1].State.empty {
		var second *state
		if second, err = f.finish(ctx, ended, top[1].State.state, top[1].Start); err == nil && second.before(s) {
			s, best = second, top[1]
		}
	}
	if err != nil {
		return nil, origin{}, 0, err
	}
	return s, all[best.Start], best.Start, nil
}

// plan is the plan of one start, of so many iterations. Its piece has the ridges in force, which
// the next start, or what goes on from the best one, begins with.
func (f *fitter) plan(finished *store.Restarts, iterations int) starts.Plan {
	return starts.Plan{
		Count: 1, Share: f.opt.Share, Finished: finished, Whole: true,
		Observer: f.opt.Observer, Stage: stage, Steps: iterations, Unit: "iterations", Each: true,
	}
}

// finish goes on with the run of a number, from its first iterations to its end.
func (f *fitter) finish(ctx context.Context, runs *store.Restarts, from *state, run int) (*state, error) {
	plan := f.plan(runs, f.opt.MaxIter)
	plan.First = run
	r, _, err := starts.Best(ctx, plan, func(int, parallel.Loop) *rest { return &rest{&state{f: f}, from} })
	if err != nil {
		return nil, err
	}
	return r.state, nil
}

// first is a run in its first iterations.
type first struct {
	*state
	from []origin
}

// Play implements [starts.State].
func (r *first) Play(ctx context.Context, t *starts.Turn) error {
	return r.play(ctx, t, r.f.opt.StartIter, func() error {
		r.f.give(r.made, r.posterior) // left from an earlier start, or from a refused piece
		r.made, r.posterior = nil, nil
		s, err := r.from[t.Start].start(ctx)
		if err == nil {
			*r.state = *s
		}
		return err
	})
}

// rest is a run that goes on from its first iterations.
type rest struct {
	*state
	from *state
}

// Play implements [starts.State].
func (r *rest) Play(ctx context.Context, t *starts.Turn) error {
	return r.play(ctx, t, r.f.opt.MaxIter, func() error {
		r.f.give(r.made, r.posterior)
		if *r.state = *r.from; !slices.Contains(r.f.m.Raised, true) {
			return nil
		}
		// Ridges belong to a run: this run finds its own again.
		r.f.fresh()
		return r.f.refit(ctx, r.state)
	})
}

// play takes the run of a turn to an iteration: from the state that begin makes, or from what was
// read.
func (s *state) play(ctx context.Context, t *starts.Turn, iterations int, begin func() error) error {
	if t.Resumed {
		s.f.m, s.f.levels = s.mixture, s.levels
	} else if err := begin(); err != nil {
		return err
	}
	if err := s.f.iterate(ctx, s, iterations, t); err != nil {
		return err
	}
	s.empty = s.f.empty(s)
	return nil
}

// empty counts the components that are the greatest of no row.
func (f *fitter) empty(s *state) int {
	empty := 0
	for _, size := range ranks.Counts(f.opt.Share, method.SizesOf(rows.Largest(s.made), f.opt.K)) {
		if size == 0 {
			empty++
		}
	}
	return empty
}

// Score implements [starts.State]: the fewest components without rows win, then the largest
// objective.
func (s *state) Score() []float64 { return []float64{float64(s.empty), -s.value.objective} }

// before reports whether s has the lower score.
func (s *state) before(o *state) bool { return starts.Less(s.Score(), o.Score()) }

// centres are the first means of a run, and the clusters that they are the means of: nil if means
// are given.
func (f *fitter) centres(ctx context.Context, x mat.Matrix, run int) (means *mat.Dense, labels []int, err error) {
	if f.opt.Start != nil {
		return f.opt.Start, nil, nil
	}
	opt := kmeans.Options{K: f.opt.K, Restarts: f.opt.KMeansRestarts, Seed: f.opt.Seed, Observer: f.opt.Observer, Share: f.opt.Share}
	if run > 0 {
		opt.Observer = opt.Observer.NotesAlone() // the stage of the runs has begun
		opt.Restarts, opt.Seed = 1, rand.New(rand.NewPCG(f.opt.Seed, uint64(run))).Uint64()
	}
	k, err := kmeans.Fit(ctx, x, opt)
	if err != nil {
		return nil, nil, err
	}
	return k.Centers, k.Labels, nil
}

// start makes the first state of a run: the centres of k-means with equal weights and the
// covariance of all data; for the literal schedule the clusters' own shares and covariances, as in
// line 2 of table 1.
func (f *fitter) start(ctx context.Context, x mat.Matrix, run int) (*state, error) {
	means, labels, err := f.centres(ctx, x, run)
	if err != nil {
		return nil, err
	}
	f.fresh()
	if f.opt.Schedule == Literal && labels != nil {
		err = f.e.MStep(ctx, gmm.Indicators(labels, f.opt.K), f.m)
	} else {
		err = f.e.StartAt(ctx, means, f.m)
	}
	if err != nil {
		return nil, err
	}
	return f.begin(ctx)
}

// begin makes the first state of the mixture as it is.
func (f *fitter) begin(ctx context.Context) (*state, error) {
	f.levels = f.ridges()
	s := &state{f: f, posterior: f.take(), value: value{objective: math.Inf(-1)}, gamma: firstGamma}
	_, err := f.e.EStep(ctx, f.m, s.posterior)
	return s, err
}
