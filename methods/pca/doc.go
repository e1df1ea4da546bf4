// Package pca is principal component analysis of dense and sparse rows.
//
// # Contract
//
// The components are the eigenvectors of the covariance matrix S = (X − 1μᵀ)ᵀ(X − 1μᵀ)/(n − 1) with the largest
// eigenvalues, the explained variances; the coordinates of a row are (x − μ)·v. How many: a number, or the least number
// that explains a share of the variance. Source: Pearson 1901, Hotelling 1933; as preparation and rival in He, Cai, Shao,
// Bao and Han 2011 ("Laplacian regularized Gaussian mixture model"), section 6, and Liu et al. 2014. The papers divide the
// covariance by n; n − 1 is what other programs report, and no component depends on it.
//
// # How
//
// Dense rows: LAPACK on the smaller of the covariance matrix (d×d, syrk) and the Gram matrix (n×n), where that fits
// [Options].Memory, else the iterative solver. Sparse rows are centred in the operator and never made dense: few
// components come from eigen.Symmetric on the centred Gram operator. A share of variance begins with few components and
// adds more until the sum reaches it, the total being known from the trace; when that needs much of the spectrum and
// the Gram matrix fits the memory, LAPACK solves that. Singular values are refined on the data themselves, so
// that small ones do not suffer from squaring: methods/internal/svd says how and what is promised. [Coordinates] gives the
// embedding alone, where thousands of components of a text would not fit.
//
// # Hostile data
//
// Components beyond the rank (constant columns, duplicated rows, n ≤ d) are exact zeros with zero variance and zero
// coordinates, whitened or not. One row, values that are not finite, and variances beyond the largest number are errors;
// values of 1e±150 are not.
package pca
