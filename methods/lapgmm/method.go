package lapgmm

import (
	"cmp"
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/gmm"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
)

// Spec is the Laplacian regularised mixture of Gaussians as a method.
var Spec = method.Spec{
	Name:    "lapgmm",
	Grows:   "n² + n·d²",
	Summary: "gmm whose probabilities vary little along the edges of the neighbour graph",
	About: "Fits a mixture of Gaussians so that log P(X|Θ) − λ Σ_k f_kᵀ L f_k is large, where f_k are the\n" +
		"probabilities of cluster k for all documents and L is the Laplacian of their neighbour graph:\n" +
		"neighbours get similar probabilities. Each iteration of EM smooths them along the edges.",
	Reference: "He, Cai, Shao, Bao and Han 2011, IEEE TKDE 23(9)",
	Cost:      "gmm, the neighbour search, and per iteration some hundred products with the graph",
	Yields:    method.Yields{Clusters: true, Probabilities: true, Likelihood: true},
	Divided:   true,
	New:       func() method.Options { return new(ReducedOptions) },
	Paper: []method.Setting{{Name: "lambda", Value: "1000"}, {Name: "start-from", Value: "kmeans"}, {Name: "ridge", Value: "1e-06"},
		{Name: "raw", Value: "true", When: "data=dense; pca="}},
	Placer: func() method.Placer { return new(Placer) },
}

// startNames say where a run started.
var startNames = map[string]string{"k-means": "k-means", "gmm": "the mixture without the graph", "le": "Laplacian Eigenmaps"}

// ReducedOptions are the options of a mixture that is fitted to principal components of the rows.
type ReducedOptions struct {
	Reduce  gmm.Reduction `json:"reduce" flags:"*"`
	Mixture Options       `json:"mixture" flags:"*"`
}

// Validate implements method.Options.
func (o *ReducedOptions) Validate() error {
	return invalid.Join(option.Check(&o.Reduce), o.Mixture.Validate())
}

// Shares implements method.Sharer: the nearest neighbours, and components whose vectors are
// divided.
func (o *ReducedOptions) Shares() bool {
	g := &o.Mixture.Graph
	return o.Reduce.Solver != eigen.ARPACK && g.Epsilon == 0 && g.HeatRule != graph.PairsWidth
}

// Decided implements method.Deciding: whether dense rows are reduced depends on their columns.
func (o *ReducedOptions) Decided(n, d, _, clusters int) method.Options {
	own := *o
	own.Reduce = o.Reduce.Decided(n, d, clusters)
	return &own
}

// Fit implements method.Options. The graph is made of the rows that the mixture is fitted to.
func (o *ReducedOptions) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used := *o
	x, by, out, err := used.Reduce.Rows(ctx, in, Spec.Name)
	if err != nil {
		return out, err
	}
	out.Used = &used
	if out.Graph, used.Mixture.Graph, err = in.AffinityOf(ctx, x, used.Mixture.graphOptions(in.Len())); err != nil {
		return out, err
	}
	defer in.Stage("mixture")()
	opt := used.Mixture
	opt.K, opt.Seed, opt.Observer, opt.Share = in.Clusters, in.Seed, in.Observer, in.Share
	m, err := FitGraph(ctx, x, out.Graph, opt)
	if m != nil {
		used.Mixture.Lambda = m.Lambda
		out.Model = m
		if in.Joins() {
			out.Placer = &Placer{Placer: *gmm.NewPlacer(m.Mixture, by), Joined: nystrom.NewJoined(x, out.Graph, used.Mixture.Graph),
				Posterior: m.Posterior, Labels: m.Labels, Gamma: m.gamma}
		}
		out.Facts = append(m.Facts(), method.Found("lambda", m.Lambda), method.Found("start", m.From), method.Found("penalty", m.Penalty),
			method.Found("regularized_log_likelihood", m.Regularized))
		out.Clusters = m.Clusters()
		out.Clusters.Objective = m.Regularized
		out.Clusters.How = fmt.Sprintf("%s, %s covariances, λ %.4g, regularised log-likelihood %.6g (penalty %.4g) after %s from %s", words.Counted(opt.K, "cluster"),
			cmp.Or(opt.Covariance, gmm.Full), m.Lambda, m.Regularized, m.Penalty, words.Counted(len(m.Steps), "iteration"), startNames[m.From])
	}
	return out, err
}
