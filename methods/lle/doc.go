// Package lle is locally linear embedding: each point is a weighted mean of its neighbours in the
// data, and the embedding keeps the weights.
//
// # Contract
//
// Roweis and Saul 2000 ("Nonlinear dimensionality reduction by locally linear embedding"). Points
// are rows. Each point x_i is reconstructed from its k nearest neighbours by the weights that
// minimise ‖x_i − Σ_j w_ij·x_j‖² with Σ_j w_ij = 1. The embedding Y minimises
//
//	Σ_i ‖y_i − Σ_j w_ij·y_j‖² = tr YᵀMY, M = (I − W)ᵀ(I − W),
//
// with columns of mean 0 and YᵀY = n·I: the eigenvectors of M with the smallest eigenvalues, after
// the constant one.
//
// The local Gram matrix G_ab = (x_a − x_i)·(x_b − x_i) is singular if k exceeds the number of
// columns. Its diagonal gets Ridge·trace(G), as in Saul and Roweis 2003 ("Think globally, fit
// locally"), section 5.1. If the trace is 0 (copies) the weights are equal.
//
// In a graph that is not connected M has an eigenvalue 0 for each component, and these
// coordinates only indicate the components. [Largest] embeds the component of the most points (of
// "neighbour of", in either direction) and puts the others at the origin; [All] follows the
// formulas. Sparse rows without entries are equally far from all points. They are no point's
// neighbours and are placed at the origin under either rule.
//
// # Accuracy
//
// The eigenvalues wanted are the squares of small singular values of I − W: often 1e-6 and less
// if the largest is about 1, and close to each other. Up to [DenseSize] points LAPACK solves M
// written out, to 1e-15 of its largest eigenvalue, or shift-invert does where it takes less time by
// [eigen.EasyToFactor]: for few coordinates nearly always. Above, landmarks are used unless a
// solver is named; shift-invert then gives the exact solution. Krylov methods on the
// product (I−Wᵀ)((I−W)x) are possible and seldom worthwhile: they do not separate such
// eigenvalues in hundreds of restarts, even for a few hundred points of a bent sheet.
// Model.Residuals hold the accuracy reached, and a result that misses the tolerance is an error
// with the model found.
//
// # Landmarks
//
// Vladymyrov and Carreira-Perpiñán 2013 ("Locally linear landmarks for large-scale manifold
// learning"): all points are reconstructed from their k_Z nearest of l landmarks by weights of
// the same kind, X ≈ Z·X̃, and the embedding is restricted to Y = Z·Ỹ: the smallest generalised
// eigenpairs of the l×l pencil (ZᵀMZ, ZᵀZ), dense, to LAPACK's accuracy. M still has all points and
// their own neighbours. k_Z is Dims + 1 unless set: fewer cannot span the tangent space, more
// smooth the embedding.
//
// The same seed gives the same bits at any number of threads.
package lle
