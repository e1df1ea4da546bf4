// Package plsa is probabilistic latent semantic analysis of term counts by EM, without labels or with labels of a part of
// the documents: the constrained PLSA of Semi-LDC (Liu et al. 2014, section III-C and algorithm 1) and Hofmann's models.
//
// # Models
//
// [Clustering]: a document belongs to one cluster, and its words are drawn from that cluster's distribution (a mixture of
// multinomials):
//
//	L = Σ_i log Σ_k P(z_k) Π_j Θ_kj^n(i,j)
//
// The sum over k is the labelled class alone where document i has a label. The E-step (equation 4) is one product of the
// sparse counts with log Θ and a soft-max in log space, so that a document of a million words does not underflow; rows of labelled
// documents are clamped to their class (line 8). The M-step (equations 5 and 6) is one product of the transposed counts with the posterior.
//
// [Aspect]: every word of a document has a topic of its own (Hofmann 2001),
//
//	L = Σ_ij n(i,j) log Σ_k P(z_k|d_i) Θ_kj
//
// and what is clamped where a document has a label is P(z|d). The responsibilities of the entries are never
// stored: an entry keeps one number, n(i,j) divided by its mixed probability, from which both updates follow.
//
// The constant terms of the likelihoods (multinomial coefficients, P(d)) are left out.
//
// # Prior
//
// Each Θ_k has a symmetric Dirichlet prior with parameters 1 + s. It acts like s more of every term in the cluster and keeps Θ
// positive; s is [Options.Smoothing] times the average entry above 0, so that counts and weights of any scale are smoothed
// alike. What EM never lets fall is log-likelihood + log prior, Σ_kj s·log Θ_kj up to a constant; [Model.History] keeps it.
// P(z) and P(z|d) have no prior: a cluster may lose all its documents.
//
// The posteriors of Clustering sharpen with the scale of the counts: a document of a hundred words is nearly always certain of
// its cluster, a row of unit length is not. Term counts as they are fit the model.
//
// # Start
//
// Classes with labels start from the mean of their documents, each divided by its length; the others from documents drawn as k-means++
// draws them and a few rounds of spherical k-means. Weights start alike, 1/K, and so do the documents' topics of Aspect.
//
// The result depends on data and options alone, not on the number of threads.
package plsa
