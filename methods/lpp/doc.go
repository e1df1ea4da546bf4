// Package lpp finds linear graph embeddings: directions a such that the projections X·a of the
// documents vary as little as possible over the edges of a graph. With a neighbour graph they are
// locality preserving projections.
//
// # Contract
//
// Eq. (3) of Cai, He and Han 2008 ("Sparse projections over graph"), after He and Niyogi 2003: with
// documents as rows of X
//
//	XᵀLX·a = λ·XᵀDX·a,   L = D − W,
//
// whose smallest λ minimise eq. (1). The program solves the equivalent problem XᵀWX·a = μ·(XᵀDX +
// αI)·a, μ = 1 − λ, for the largest μ. A ridge α > 0 is added on this side, so that it never
// favours a direction in which no document lies, as a ridge on XᵀLX with small λ would.
// [Model].Values are λ = 1 − μ. Directions are orthonormal in XᵀDX + αI.
//
// Without a ridge XᵀDX is singular if there are more terms than documents. Directions, with a ridge
// too, lie in the span of the documents, a = XᵀD^½·c; any other part changes no projection. With X
// of full row rank the λ are all eigenvalues of the graph itself (theorem 1).
//
// [Identity] replaces the right-hand side by a: directions of unit length. He, Yan, Hu, Niyogi and
// Zhang 2005: the graph with W_ij = 1/m for all pairs ([PCAGraph]) makes XᵀLX the scatter matrix,
// so that the largest values give PCA; for the graph with 1/m_t within class t ([ClassGraph]) it is
// the scatter within classes, and the smallest λ of eq. (3) on centred rows give LDA (package lda).
//
// # How
//
// With B = D^½X and S = D^-½WD^-½ all these problems are BᵀSB·a = μ(BᵀB + αI)·a. If the Gram matrix
// of B's smaller side is small, LAPACK whitens the problem, and a symmetric one of the order
// of its rank remains. Otherwise, with a ridge, a Davidson iteration in vectors of length n finds
// the pairs; it starts from the eigenvectors of the graph and solves regressions to one digit only.
// Without a ridge, for the other end of the spectrum, and if a solver is named, the largest
// eigenpairs of Π(S ⊕ 0)Π are found by package eigen, where Π projects on the range of B stacked on
// √α·I: each product solves a regression, by conjugate gradients in their stable form (CGLS, Björck
// 1996, section 7.4), which takes many steps on badly conditioned data. Sparse X is never made
// dense, and in these cases no p×p or n×n matrix is formed.
//
// # Hostile data
//
// Documents without neighbours have degree 0 and no influence; they are projected like new ones.
// Duplicated documents, zero and constant columns lower the rank, which bounds the number of
// directions. The result is the same, bit for bit, at any number of threads. Ranks that divide the
// documents find the same up to rounding.
package lpp
