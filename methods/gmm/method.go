package gmm

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
	"gonum.org/v1/gonum/mat"
)

// Spec is a mixture of Gaussians as a method.
var Spec = method.Spec{
	Name:    "gmm",
	Grows:   "n·d²",
	Summary: "mixture of Gaussians on the principal components, started by k-means",
	About: "Fits p(x) = Σ_k α_k N(x; μ_k, Σ_k) to the documents, or to their principal components, by\n" +
		"expectation and maximisation (EM) from the clusters of k-means. A document's cluster is its most\n" +
		"probable component, P(k|x) ∝ α_k N(x; μ_k, Σ_k). A prior keeps covariances from being singular.",
	Reference: "Dempster, Laird and Rubin 1977; He, Cai, Shao, Bao and Han 2011, eq. (8), (13)-(15)",
	Cost:      "pca, and per iteration 2·k·n·d² operations of full covariances, 3·k·n·d of diagonal ones",
	Yields:    method.Yields{Clusters: true, Probabilities: true, Likelihood: true},
	Divided:   true,
	New:       func() method.Options { return new(ReducedOptions) },
	Paper:     []method.Setting{{Name: "ridge", Value: "1e-06"}},
	Placer:    func() method.Placer { return new(Placer) },
}

// ReducedOptions are the options of a mixture that is fitted to principal components of the rows.
type ReducedOptions struct {
	Reduce  Reduction `json:"reduce" flags:"*"`
	Mixture Options   `json:"mixture" flags:"*"`
}

// Validate implements method.Options.
func (o *ReducedOptions) Validate() error {
	return invalid.Join(option.Check(&o.Reduce), o.Mixture.Validate())
}

// Decided implements method.Deciding: whether dense rows are reduced depends on their columns.
func (o *ReducedOptions) Decided(n, d, _, clusters int) method.Options {
	own := *o
	own.Reduce = o.Reduce.Decided(n, d, clusters)
	return &own
}

// Fit implements method.Options.
func (o *ReducedOptions) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used := *o
	x, by, out, err := used.Reduce.Rows(ctx, in, Spec.Name)
	if err != nil {
		return out, err
	}
	out.Used = &used
	defer in.Stage("mixture")()
	opt := used.Mixture
	opt.K, opt.Seed, opt.Observer, opt.Share = in.Clusters, in.Seed, in.Observer, in.Share
	m, err := Fit(ctx, x, opt)
	if m != nil {
		out.Model, out.Facts, out.Placer = m, m.Facts(), NewPlacer(m.Mixture, by)
		out.Clusters = m.Clusters()
		joint, failed := m.LogJoint(ctx, x)
		if ranks.Agree(in.Share, failed) == nil { // else the posterior orders the documents
			out.Clusters.Certainty.Score = Lead(joint)
		}
		out.Clusters.How = fmt.Sprintf("%s, %s covariances, log-likelihood %.6g after %s, BIC %.6g", words.Counted(opt.K, "cluster"),
			cmp.Or(opt.Covariance, Full), m.LogLikelihood, words.Counted(m.Iterations, "iteration"), m.BIC)
	}
	return out, err
}

// Shares implements method.Sharer: vectors of ARPACK are not divided.
func (o *ReducedOptions) Shares() bool { return o.Reduce.Solver != eigen.ARPACK }

// Clusters are the clusters of a fitted mixture; how they were found is left to say.
func (m *Model) Clusters() *method.Clusters {
	return &method.Clusters{Labels: m.Labels, Sizes: m.Sizes, Objective: m.Objective, Centers: m.Means, Posterior: m.Posterior, By: "mixture"}
}

// Lead is by how much the log-density, with its weight, of the most probable component exceeds the
// next one's, for each row: the log-odds of the two, which go on where the posterior is 1 to
// rounding; at most [mostLead], of a single component too. joint is what [Mixture.LogJoint]
// returns.
func Lead(joint *mat.Dense) []float64 {
	n, _ := joint.Dims()
	lead := make([]float64, n)
	for i := range lead {
		first, second := math.Inf(-1), math.Inf(-1)
		for _, v := range joint.RawRowView(i) {
			if v > first {
				first, second = v, first
			} else {
				second = max(second, v)
			}
		}
		if !math.IsInf(first, -1) {
			lead[i] = min(first-second, mostLead)
		}
	}
	return lead
}

// mostLead bounds the lead of a component.
const mostLead = 1e6

// Facts are what a choice among mixtures rests on: the smallest BIC or AIC is the best.
func (m *Model) Facts() []method.Fact {
	return []method.Fact{
		method.Found("covariance", string(m.Type)), method.Found("log_likelihood", m.LogLikelihood), method.Found("parameters", m.Parameters()),
		method.Found("shrinkage", m.Shrinkage), method.Found("bic", m.BIC), method.Found("aic", m.AIC), method.Found("iterations", m.Iterations), method.Found("converged", m.Converged),
	}
}
