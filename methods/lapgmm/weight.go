package lapgmm

import (
	"context"

	"github.com/eigenmap/eigenmap/methods/gmm"
	"gonum.org/v1/gonum/mat"
)

// The rule for λ, if the options give none. See the package comment.
const (
	// lambdaShare is the part of the clusters' gain that the penalty takes.
	lambdaShare = 0.5
	// leastCut bounds the penalty of the clusters from below, as a share of the penalty that labels
	// drawn at random have: clusters that the graph already agrees with say nothing of λ.
	leastCut = 0.01
)

// weigh sets λ by the rule: mixture is the fit without the graph, and gain by how much its
// objective exceeds one Gaussian's.
func (f *fitter) weigh(ctx context.Context, mixture *gmm.Model, gain float64) error {
	cut, err := f.smoother.penalty(ctx, mixture.Posterior)
	if err != nil {
		return err
	}
	random := f.randomCut(mixture.Sizes)
	if !(gain > 0) || random == 0 {
		f.opt.Lambda = 1 // one component, or no edges: any λ gives the same
		return nil
	}
	f.opt.Lambda = lambdaShare * gain / max(cut, leastCut*random)
	return nil
}

// single is the objective of package gmm for one Gaussian: with equal responsibilities every
// component is the fit of all rows.
func (f *fitter) single(ctx context.Context) (float64, error) {
	equal := f.take()
	defer f.give(equal)
	equal.Apply(func(_, _ int, _ float64) float64 { return 1 / float64(f.opt.K) }, equal)
	return f.objective(ctx, equal)
}

// objective is the value, without the graph, of the mixture that responsibilities make.
func (f *fitter) objective(ctx context.Context, responsibilities *mat.Dense) (float64, error) {
	posterior := f.take()
	defer f.give(posterior)
	f.fresh()
	if err := f.e.MStep(ctx, responsibilities, f.m); err != nil {
		return 0, err
	}
	l, err := f.e.EStep(ctx, f.m, posterior)
	value := []float64{f.e.Objective(f.m, l)}
	f.opt.Share.Share(value)
	return value[0], err
}

// randomCut is the expected Σ_k f_kᵀLf_k of labels drawn with the shares of the sizes: every edge
// joins two clusters with probability 1 − Σ_k share_k², and then counts twice its weight.
func (f *fitter) randomCut(sizes []int) float64 {
	apart := 1.0
	for _, size := range sizes {
		share := float64(size) / float64(f.all)
		apart -= share * share
	}
	weight := []float64{0}
	for _, d := range f.smoother.g.Degrees {
		weight[0] += d
	}
	f.opt.Share.Sum(weight)
	return max(0, apart) * weight[0]
}

// from makes the first state of a run from responsibilities, n×K.
func (f *fitter) from(ctx context.Context, responsibilities *mat.Dense) (*state, error) {
	f.fresh()
	if err := f.e.MStep(ctx, responsibilities, f.m); err != nil {
		return nil, err
	}
	return f.begin(ctx)
}
