package gmm

import (
	"context"

	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"gonum.org/v1/gonum/mat"
)

// mostShrinkage bounds the weight of the prior against an average component.
const mostShrinkage = 0.99

// Settle estimates the prior of the covariances, ν and s², if the options leave the ridge open and
// covariances are full or tied: see the package comment. It takes the clusters that the first run
// of EM begins with, and does nothing the second time. m is scratch. [Estimator.Fit] calls it; who
// calls [Estimator.MStep] alone calls it before, or has a ridge of [DefaultRidge]. Ranks that
// divide the rows call it together. Cost: the k-means of the start, and n·d² flops.
func (e *Estimator) Settle(ctx context.Context, m *Mixture) error {
	if e.settled || e.opt.Ridge != nil || !m.dense() {
		return nil
	}
	r, err := e.firstClusters(ctx)
	if err != nil {
		return err
	}
	if err := e.shrink(ctx, r, m); err != nil {
		return err
	}
	e.settled = true
	return nil
}

// firstClusters are the responsibilities that the first run of EM begins with, of given means those
// of the nearest mean.
func (e *Estimator) firstClusters(ctx context.Context) (*mat.Dense, error) {
	if e.opt.StartPosterior != nil {
		return e.opt.StartPosterior, nil
	}
	var x mat.Dense
	x.SetRawMatrix(e.x)
	if e.opt.Start != nil {
		near, err := (&kmeans.Model{Centers: e.opt.Start}).Predict(ctx, &x)
		if err = rows.Agreed(e.opt.Share, err); err != nil {
			return nil, err
		}
		return Indicators(near, e.opt.K), nil
	}
	k, err := kmeans.Fit(ctx, &x, e.opt.kmeans(0))
	if err != nil {
		return nil, err
	}
	e.first = k.Labels
	return Indicators(k.Labels, e.opt.K), nil
}

// shrink sets ν and s² from clusters. With N_k, S_k the count and the covariance of cluster k, s²
// is the mean variance within the clusters, and
//
//	ρ = Σ_k N_k·(tr²S_k + tr S_k²)/(N_k + 1) / Σ_k N_k·‖S_k − s²I‖²
//
// estimates the weight of s²I that makes (1−ρ)·S_k + ρ·s²I nearest to the covariance that the rows
// of the cluster were drawn from: Ledoit and Wolf 2004, eq. (14), with the variance that S_k has
// for Gaussian rows (Chen, Wiesel, Eldar and Hero 2010), for all clusters together. ν =
// n/K·ρ/(1−ρ), but at most d+1, the least that makes the prior a distribution: clusters of k-means
// are rounder than what EM is to find.
func (e *Estimator) shrink(ctx context.Context, responsibilities *mat.Dense, m *Mixture) error {
	ctx, stopped := e.opt.Share.Watch(ctx)
	if err := stopped(); err != nil {
		return err
	}
	counts, err := e.sums(ctx, responsibilities, m)
	if err != nil {
		return err
	}
	// In units of the mean variance of the data: squares of tiny or huge ones are no numbers.
	d, total := float64(e.d), 0.0
	traces, squares := make([]float64, len(counts)), make([]float64, len(counts))
	for b, count := range counts {
		if count < lost {
			continue
		}
		block := m.block(b)
		for i := range e.d {
			for j, v := range block[i*e.d+i : (i+1)*e.d] {
				v /= count * e.variance
				if j == 0 {
					traces[b] += v
					squares[b] += v * v
				} else {
					squares[b] += 2 * v * v
				}
			}
		}
		total += traces[b] * count
	}
	variance := total / float64(e.all) / d
	if !(variance > leastVariance) {
		return nil // the clusters are points
	}
	noise, apart := 0.0, 0.0
	for b, count := range counts {
		noise += count * (traces[b]*traces[b] + squares[b]) / (count + 1)
		apart += count * (squares[b] - 2*variance*traces[b] + d*variance*variance)
	}
	weight := mostShrinkage
	if apart > 0 {
		weight = min(weight, noise/apart)
	}
	prior := []float64{min(d+1, weight/(1-weight)*e.share()), variance * e.variance}
	e.opt.Share.Share(prior)
	e.pseudo, e.variance = max(e.pseudo, prior[0]), prior[1]
	return nil
}
