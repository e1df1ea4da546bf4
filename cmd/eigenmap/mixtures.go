package main

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/methods/gmm"
	"github.com/eigenmap/eigenmap/methods/pca"
	"github.com/eigenmap/eigenmap/sparse"
)

// mixtureDims is how many principal components a mixture gets of sparse data where --pca does not say: covariances of a
// vocabulary cannot be held, let alone estimated.
const mixtureDims = 100

// clusterGMM reduces the documents where that is asked for or needed, and fits the mixture.
func clusterGMM(ctx context.Context, j *job) (*outcome, error) {
	o, out := j.opt, new(outcome)
	x := j.x
	_, isSparse := x.(*sparse.CSR)
	if o.pca == (numberOrShare{}) && isSparse {
		n, terms := x.Dims()
		o.pca.number = min(mixtureDims, n, terms)
		j.ui.note(fmt.Sprintf("--pca %d: the mixture is one of principal components, since the data are sparse", o.pca.number))
	}
	if o.pca != (numberOrShare{}) {
		o.dims = o.pca.number
		reduced, err := embedPCA(ctx, j)
		o.dims = 0
		out = reduced
		if err != nil {
			return out, err
		}
		x = reduced.embedding
		out.reduced, _ = reduced.model.(*pca.Model)
	}
	defer j.stage("mixture")()
	shape := gmm.Covariance(o.covariance)
	if o.covariance == "diag" {
		shape = gmm.Diagonal
	}
	m, err := gmm.Fit(ctx, x, gmm.Options{K: o.clusters, Covariance: shape, Ridge: o.ridge, Restarts: o.emRestarts, MaxIter: o.emIters, Tol: o.emTol,
		Seed: o.seed, KMeansRestarts: o.restarts, Observer: j.ui.observe})
	if m != nil {
		out.model = m
		out.partition = &partition{labels: m.Labels, sizes: m.Sizes, objective: m.Objective, centers: m.Means, posterior: m.Posterior, by: "mixture",
			how: fmt.Sprintf("%s, %s covariances, log-likelihood %.6g after %s, BIC %.6g", counted(o.clusters, "cluster"), o.covariance,
				m.LogLikelihood, counted(m.Iterations, "iteration"), m.BIC)}
	}
	return out, inFile(j.file, err)
}
