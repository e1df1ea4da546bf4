package main

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/methods/gmm"
	"github.com/eigenmap/eigenmap/methods/lapgmm"
	"github.com/eigenmap/eigenmap/methods/pca"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

const nameLapGMM = "lapgmm"

// mixtureDims is how many principal components a mixture gets of sparse data where --pca does not say: covariances of a
// vocabulary cannot be held, let alone estimated.
const mixtureDims = 100

// mixtureRows are the rows that a mixture is fitted to: the documents, or their principal components where that is asked for or needed.
func mixtureRows(ctx context.Context, j *job) (x mat.Matrix, out *outcome, err error) {
	o := j.opt
	x, out = j.x, new(outcome)
	_, isSparse := x.(*sparse.CSR)
	if o.pca == (numberOrShare{}) && isSparse {
		n, terms := x.Dims()
		o.pca.number = min(mixtureDims, n, terms)
		j.ui.note(fmt.Sprintf("--pca %d: the mixture is one of principal components, since the data are sparse", o.pca.number))
	}
	if o.pca != (numberOrShare{}) {
		o.dims = o.pca.number
		out, err = embedPCA(ctx, j)
		o.dims = 0
		if err != nil {
			return nil, out, err
		}
		x = out.embedding
		out.reduced, _ = out.model.(*pca.Model)
	}
	return x, out, nil
}

func (o *options) shape() gmm.Covariance {
	if o.covariance == "diag" {
		return gmm.Diagonal
	}
	return gmm.Covariance(o.covariance)
}

// clusterLapGMM fits a mixture that is smooth along the graph of the rows that it is fitted to.
func clusterLapGMM(ctx context.Context, j *job) (*outcome, error) {
	x, out, err := mixtureRows(ctx, j)
	if err != nil {
		return out, err
	}
	o := j.opt
	if o.neighbors == 0 && o.epsilon == 0 {
		o.neighbors = max(1, min(lapgmm.DefaultNeighbors, j.corpus.Len()-1))
	}
	if out.graph, err = j.affinityOf(ctx, x); err != nil {
		return out, err
	}
	defer j.stage("mixture")()
	m, err := lapgmm.FitGraph(ctx, x, out.graph, lapgmm.Options{K: o.clusters, Lambda: o.lambda, Schedule: lapgmm.Schedule(o.schedule), Covariance: o.shape(),
		Ridge: o.ridge, Starts: o.starts, MaxIter: o.emIters, Tol: o.emTol, Seed: o.seed, KMeansRestarts: o.restarts, MaxMemory: allowed(methodMemory), Observer: j.ui.observe})
	if m != nil {
		out.model = &m.Model
		out.details = mixtureDetails(&m.Model)
		out.details["lambda"], out.details["penalty"], out.details["regularized_log_likelihood"] = m.Lambda, m.Penalty, m.Regularized
		out.partition = &partition{labels: m.Labels, sizes: m.Sizes, objective: m.Regularized, centers: m.Means, posterior: m.Posterior, by: "mixture",
			how: fmt.Sprintf("%s, %s covariances, λ %g, regularised log-likelihood %.6g (penalty %.4g) after %s", counted(o.clusters, "cluster"), o.covariance,
				m.Lambda, m.Regularized, m.Penalty, counted(len(m.Steps), "iteration"))}
	}
	return out, inFile(j.file, err)
}

// mixtureDetails is what a choice among mixtures rests on: the smallest BIC or AIC is the best.
func mixtureDetails(m *gmm.Model) map[string]any {
	return map[string]any{"covariance": m.Type, "log_likelihood": m.LogLikelihood, "parameters": m.Parameters(), "bic": m.BIC, "aic": m.AIC,
		"iterations": m.Iterations, "converged": m.Converged}
}

// clusterGMM fits the mixture.
func clusterGMM(ctx context.Context, j *job) (*outcome, error) {
	x, out, err := mixtureRows(ctx, j)
	if err != nil {
		return out, err
	}
	o := j.opt
	defer j.stage("mixture")()
	m, err := gmm.Fit(ctx, x, gmm.Options{K: o.clusters, Covariance: o.shape(), Ridge: o.ridge, Restarts: o.emRestarts, MaxIter: o.emIters, Tol: o.emTol,
		Seed: o.seed, KMeansRestarts: o.restarts, MaxMemory: allowed(methodMemory), Observer: j.ui.observe})
	if m != nil {
		out.model = m
		out.details = mixtureDetails(m)
		out.partition = &partition{labels: m.Labels, sizes: m.Sizes, objective: m.Objective, centers: m.Means, posterior: m.Posterior, by: "mixture",
			how: fmt.Sprintf("%s, %s covariances, log-likelihood %.6g after %s, BIC %.6g", counted(o.clusters, "cluster"), o.covariance,
				m.LogLikelihood, counted(m.Iterations, "iteration"), m.BIC)}
	}
	return out, inFile(j.file, err)
}
