package gmm

import (
	"context"
	"math/rand/v2"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// start makes the first mixture of a run.
func (e *Estimator) start(ctx context.Context, r *run, number int) error {
	switch {
	case e.opt.StartPosterior != nil:
		r.made.Copy(e.opt.StartPosterior)
		return r.make(ctx)
	case e.opt.Start != nil:
		return e.StartAt(ctx, e.opt.Start, r.m)
	}
	if number == 0 && e.first != nil {
		r.made.Copy(Indicators(e.first, e.opt.K))
		return r.make(ctx)
	}
	var x mat.Dense
	x.SetRawMatrix(e.x)
	k, err := kmeans.Fit(ctx, &x, e.opt.kmeans(number))
	if err != nil {
		return err
	}
	r.made.Copy(Indicators(k.Labels, e.opt.K))
	return r.make(ctx)
}

// Indicators are the responsibilities of a hard clustering, n×k: one for the label of each row,
// which must lie in 0..k-1.
func Indicators(labels []int, k int) *mat.Dense {
	r := mat.NewDense(len(labels), k, nil)
	for i, label := range labels {
		r.Set(i, label, 1)
	}
	return r
}

// StartAt fills m with the given means, K×d and finite, equal weights and the covariance of all
// data for every component, whatever the clusters. Cost: an M-step.
func (e *Estimator) StartAt(ctx context.Context, means *mat.Dense, m *Mixture) error {
	if r, c := means.Dims(); r != e.opt.K || c != e.d {
		return invalid.Errorf("the given means are %d × %d, but %d components of %d columns need %d × %d", r, c, e.opt.K, e.d, e.opt.K, e.d)
	}
	for k := range e.opt.K {
		for j, v := range means.RawRowView(k) {
			if v-v != 0 {
				return &sparse.NotFiniteError{Row: k, Col: j, Value: v}
			}
		}
	}
	// With equal responsibilities every component is the fit of one component.
	equal := mat.NewDense(e.n, e.opt.K, nil)
	for i := range e.n {
		row := equal.RawRowView(i)
		for j := range row {
			row[j] = 1 / float64(e.opt.K)
		}
	}
	if err := e.MStep(ctx, equal, m); err != nil {
		return err
	}
	m.Means.Copy(means)
	e.hint = nil
	return nil
}

// kmeans are the options of the k-means start of the given number.
func (o Options) kmeans(number int) kmeans.Options {
	seed := o.Seed
	if number > 0 {
		seed = rand.New(rand.NewPCG(o.Seed, uint64(number))).Uint64()
	}
	return kmeans.Options{K: o.K, Restarts: o.KMeansRestarts, Seed: seed, Observer: o.Observer, Share: o.Share}
}
