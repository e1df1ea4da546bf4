package main

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/methods/lsi"
	"github.com/eigenmap/eigenmap/methods/nmf"
	"github.com/eigenmap/eigenmap/methods/pca"
)

func embedLSI(ctx context.Context, j *job) (*outcome, error) {
	defer j.stage("svd")()
	o, out := j.opt, new(outcome)
	m, err := lsi.Fit(ctx, j.x, lsi.Options{Dims: o.dims, Tol: o.tol, Solver: eigen.Solver(o.solver), Seed: o.seed, Observer: j.ui.observe})
	if m != nil {
		out.model, out.embedding = m, m.Embedding
		out.spectrum = &spectrum{kind: "singular value", values: m.Singular, residuals: larger(m.LeftResiduals, m.RightResiduals), stats: &m.Stats}
	}
	return out, inFile(j.file, err)
}

// pcaDims: --pca N is another way to say -d.
func pcaDims(j *job) (int, string) { return j.opt.pca.number, "as many components as --pca says" }

func embedPCA(ctx context.Context, j *job) (*outcome, error) {
	o, out := j.opt, new(outcome)
	if err := j.checkRank(o.pca.number, "--pca"); err != nil { // of a mixture
		return out, err
	}
	defer j.stage("svd")()
	m, err := pca.Fit(ctx, j.x, pca.Options{Components: o.dims, Share: o.pca.share, Tol: o.tol, Solver: eigen.Solver(o.solver), Seed: o.seed, Observer: j.ui.observe})
	if m != nil {
		share := 0.0
		for _, r := range m.ExplainedVarianceRatio {
			share += r
		}
		out.model, out.embedding = m, m.Embedding
		out.spectrum = &spectrum{kind: "variance", values: m.ExplainedVariance, residuals: larger(m.LeftResiduals, m.RightResiduals), stats: &m.Stats,
			how: fmt.Sprintf("%s, %.3g %% of the variance", counted(len(m.ExplainedVariance), "component"), 100*share)}
	}
	return out, inFile(j.file, err)
}

// larger takes the larger of two residuals of each value.
func larger(a, b []float64) []float64 {
	worst := make([]float64, len(a))
	for i := range a {
		worst[i] = max(a[i], b[i])
	}
	return worst
}

// nmfDims: a topic is a cluster; without clusters there are as many as are asked for.
func nmfDims(j *job) (int, string) { return j.opt.clusters, "one topic a cluster" }

// fitNMF makes coefficients and clusters at once.
func fitNMF(ctx context.Context, j *job) (*outcome, error) {
	defer j.stage("nmf")()
	o, out := j.opt, new(outcome)
	m, err := nmf.Fit(ctx, j.x, nmf.Options{Rank: o.dims, Weighting: nmf.Weighting(o.nmfWeighting), Solver: nmf.Solver(o.nmfSolver),
		Restarts: o.restarts, MaxIter: o.nmfIters, Tol: o.nmfTol, Seed: o.seed, Observer: j.ui.observe})
	if m != nil {
		sizes := make([]int, o.dims)
		for _, k := range m.Labels {
			sizes[k]++
		}
		out.model, out.embedding = m, m.W
		out.partition = &partition{labels: m.Labels, sizes: sizes, objective: m.Objective, by: "nmf",
			how: fmt.Sprintf("%s, %s, weighting %s, best of %s, objective %.6g after %s, projected gradient %.1e of the start's", counted(o.dims, "topic"), o.nmfSolver,
				o.nmfWeighting, counted(o.restarts, "start"), m.Objective, counted(m.Iterations, "iteration"), m.KKT)}
	}
	return out, inFile(j.file, err)
}
