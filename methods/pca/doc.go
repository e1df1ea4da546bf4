// Package pca is principal component analysis of dense and sparse rows.
//
// # Contract
//
// The components are the eigenvectors of the covariance matrix S = (X − 1μᵀ)ᵀ(X − 1μᵀ)/(n − 1) with
// the largest eigenvalues, the explained variances; the coordinates of a row are (x − μ)·v. Their
// number is given, or the least that explains a share of the variance. Source: Pearson 1901,
// Hotelling 1933; as preparation and for comparison in He, Cai, Shao, Bao and Han 2011 ("Laplacian
// regularized Gaussian mixture model"), section 6, and Liu et al. 2014. The papers divide the
// covariance by n; other programs report n − 1, and no component depends on it.
//
// # Method
//
// Dense rows: LAPACK on the smaller of the covariance matrix (d×d, syrk) and the Gram matrix (n×n),
// if that takes at most 1 GiB, else the iterative solver. Sparse rows are centred in the operator
// and never made dense: few components come from eigen.Symmetric on the centred Gram operator. A
// share of variance begins with few components and adds more until the sum reaches it; the trace
// gives the total. If that needs much of the spectrum and the Gram matrix fits the memory, LAPACK
// solves that. Singular values are refined on the data themselves, so that squaring does not spoil
// small ones; values of dense rows with fewer columns than rows that are all above 1e-3 of the
// largest need it not, and cost one syrk, one eigenproblem and one product: see
// methods/internal/svd. [Coordinates] gives the embedding alone, if thousands of
// components of a text would not fit.
//
// # Hostile data
//
// Components beyond the rank (constant columns, duplicated rows, n ≤ d) are exact zeros with zero
// variance and zero coordinates, whitened or not. One row, values that are not finite, and
// variances beyond the largest number are errors; values of 1e±150 are not.
package pca
