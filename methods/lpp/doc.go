// Package lpp finds linear graph embeddings: directions a along which the projections X·a of the documents vary as little as possible
// over the edges of a graph. With a neighbour graph these are Locality Preserving Projections.
//
// # Contract
//
// Eq. (3) of Cai, He and Han 2008 ("Sparse projections over graph"), after He and Niyogi 2003: with documents as rows of X
//
//	XᵀLX·a = λ·XᵀDX·a,   L = D − W,
//
// of which the smallest λ are wanted, since they minimise eq. (1). The program solves the same problem as XᵀWX·a = μ·(XᵀDX + αI)·a, μ = 1 − λ, for
// the largest μ. That is also the reading for a ridge α > 0: it then never rewards a direction in which no document lies, as a ridge beside XᵀLX with
// small λ would. [Model].Values are λ = 1 − μ. Directions are orthonormal in XᵀDX + αI.
//
// Without a ridge XᵀDX is singular where there are more terms than documents. Directions are then taken from the span of
// the documents, as a = XᵀD^½·c, with a ridge too; any other part changes no projection. With X of full row rank the λ are all those of the graph itself (theorem 1).
//
// [Identity] replaces the right-hand side by a: directions of unit length. He, Yan, Hu, Niyogi and Zhang 2005: the graph with W_ij = 1/m for all pairs
// ([PCAGraph]) has XᵀLX = the scatter matrix, so its largest end is PCA; the graph with 1/m_t within class t ([ClassGraph]) has the within-class
// scatter, and with [Options].Centre the smallest end of eq. (3) is LDA (package lda).
//
// # How
//
// With B = D^½X and S = D^-½WD^-½ all of them are BᵀSB·a = μ(BᵀB + αI)·a. Where the Gram matrix of B's smaller side fits the memory it is whitened by
// LAPACK, and the rest is a symmetric problem of its rank. Elsewhere, with a ridge, a Davidson iteration in vectors of the documents finds them, which starts from
// the graph's own eigenvectors and solves regressions to one digit only. Without a ridge, for the other end of the spectrum, and where a solver is named, the largest eigenpairs of Π(S ⊕ 0)Π are found by
// package eigen, where Π projects on the range of B with √α·I under it: a regression in every product, by conjugate gradients in their stable form (CGLS, Björck 1996, section
// 7.4), which takes many steps on data of bad condition. Sparse X is never made dense, and neither p×p nor n×n is formed in these cases.
//
// # Hostile data
//
// Documents without neighbours have no degree and take no part; they are projected like new ones. Duplicated documents, zero and constant columns lower
// the rank, which bounds the number of directions. The same bits come out at any number of threads.
package lpp
