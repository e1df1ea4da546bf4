// Package lle is Locally Linear Embedding: each point stands to its neighbours in the plane as it does in the data.
//
// # Contract
//
// Roweis and Saul 2000 ("Nonlinear dimensionality reduction by locally linear embedding"). Points are rows. Each point x_i is reconstructed from its k
// nearest neighbours by the weights that minimise ‖x_i − Σ_j w_ij·x_j‖² with Σ_j w_ij = 1; the embedding Y minimises Σ_i ‖y_i − Σ_j w_ij·y_j‖² = tr YᵀMY,
// M = (I − W)ᵀ(I − W), with columns of mean 0 and YᵀY = n·I: the bottom eigenvectors of M, after the constant one.
//
// The local Gram matrix G_ab = (x_a − x_i)·(x_b − x_i) is singular where k exceeds the number of columns; it gets Regularization·trace(G) on its diagonal, as in Saul and Roweis 2003
// ("Think globally, fit locally"), section 5.1. Where the trace is 0 (copies) weights are equal. A graph that is not connected has a zero of M for each part, so that
// coordinates would tell the parts apart and nothing else: [Largest] embeds the component of the most points (of "neighbour of", either way) and puts the others
// at the origin, [All] keeps the letter. Sparse rows without entries, which are as far from one point as from another, are nobody's neighbours and
// stand at the origin under either rule.
//
// # Accuracy
//
// The wanted eigenvalues are the squares of the small singular values of I − W: often 1e-6 and less beside a largest of some units, and close to each other. Up to
// [DenseSize] points LAPACK solves M written out, to 1e-15 of its largest eigenvalue. Above, landmarks carry the points unless a solver is named. Krylov methods on the product
// (I−Wᵀ)((I−W)x) are possible and seldom worth it: values that lie so close are not parted in hundreds of restarts even for some hundred points of a bent
// sheet. Model.Residuals tell what came out, and a result that misses the tolerance is an error with what was found.
//
// # Landmarks
//
// Vladymyrov and Carreira-Perpiñán 2013 ("Locally linear landmarks for large-scale manifold learning"): all points are reconstructed from their k_Z nearest of l landmarks by weights
// of the same kind, X ≈ Z·X̃, and the embedding is kept to Y = Z·Ỹ: the bottom generalised eigenvectors of the l×l pencil (ZᵀMZ, ZᵀZ), dense, to
// LAPACK's accuracy. Every point takes part with its own neighbours; only the freedom to move is that of the landmarks. k_Z is Dims + 1 unless set: fewer
// cannot span the tangent space, more smooth the embedding.
//
// The same seed gives the same bits at any number of threads.
package lle
