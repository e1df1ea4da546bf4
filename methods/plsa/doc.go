// Package plsa is probabilistic latent semantic analysis of term counts by EM, without labels or
// with labels of a part of the documents: the constrained PLSA of Semi-LDC (Liu et al. 2014,
// section III-C and algorithm 1) and Hofmann's models.
//
// # Models
//
// [Clustering]: a document belongs to one cluster, and its words are drawn from that cluster's
// distribution (a mixture of multinomials):
//
//	L = Σ_i log Σ_k P(z_k) Π_j Θ_kj^n(i,j)
//
// If document i has a label, the sum over k is the term of its class alone. The E-step (equation 4)
// is one product of the sparse counts with log Θ and a soft-max in log space, so that a document of
// a million words does not underflow; rows of labelled documents are clamped to their class (line
// 8). The M-step (equations 5 and 6) is one product of the transposed counts with the posterior.
//
// [Aspect]: every word of a document has a topic of its own (Hofmann 2001),
//
//	L = Σ_ij n(i,j) log Σ_k P(z_k|d_i) Θ_kj
//
// and for a document with a label P(z|d) is clamped to its class. The responsibilities of the
// entries are never stored: of each entry one number is kept, n(i,j) divided by its mixed
// probability, from which both updates follow.
//
// The constant terms of the likelihoods (multinomial coefficients, P(d)) are left out.
//
// # Prior
//
// Each Θ_k has a symmetric Dirichlet prior with parameters 1 + s. It acts like s more of every term
// in the cluster and keeps Θ positive; s is [Options.Smoothing] times the average entry above 0, so
// that counts and weights of any scale are smoothed alike. EM never lets the log-likelihood plus
// the log prior, Σ_kj s·log Θ_kj up to a constant, fall; [Model.History] keeps it. P(z) and P(z|d)
// have no prior: a cluster may lose all its documents.
//
// The posteriors of Clustering become more certain with the scale of the counts: a document of a
// hundred words has nearly always one cluster of probability near 1, a row of unit length does not.
// The model is one of plain term counts.
//
// # Start
//
// Classes with labels start from the mean of their documents, each divided by its length; the
// others from documents drawn as k-means++ draws them and a few rounds of spherical k-means. All
// weights start at 1/K, as do the topics of the documents of Aspect.
//
// The result depends on data and options alone, not on the number of threads.
package plsa
