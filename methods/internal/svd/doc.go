// Package svd finds the largest singular values and vectors of a matrix of documents, sparse or
// dense, with or without subtracting the column means. Packages lsi (not centred) and pca (centred)
// share it.
//
// # Method
//
// The eigenpairs of the Gram matrix of the smaller side, X·Xᵀ or Xᵀ·X, span the singular subspace.
// If the Gram matrix is small, or if a large part of its spectrum is wanted and it fits a memory
// limit, it is computed and given to LAPACK. Otherwise it is an operator with two sparse products
// per application, which [eigen.Symmetric] solves. X is never made dense: centring is a projection
// of the products orthogonal to the constant vector, (I − 11ᵀ/n)·X.
//
// Squaring loses half of the digits of small singular values. Two half steps of subspace iteration
// on X itself, each orthogonalised, and a Rayleigh-Ritz step restore them: the singular values come
// from the triangular factor of X·V by one-sided Jacobi, whose error is the square of the
// subspace's. This is as accurate as a bidiagonalisation (Golub and Kahan) for every value above
// about 1e-7 of the largest. It keeps one basis orthogonal instead of two, and it has eigen's
// search for missed copies of multiple values.
//
// Dense rows with more rows than columns need no refinement if the squares of all wanted values are
// above 1e-6 of the largest: then the eigenvectors of XᵀX from LAPACK are the directions, and X is
// read once more, for X·V. A direction is exact to some ε·(σ_1/σ)² there, 1e-10 at worst.
//
// # Guarantees
//
// V has orthonormal columns. With u = Xv/‖Xv‖, both ‖Xv − σu‖ and ‖Xᵀu − σv‖ are measured on the
// final vectors and returned (the second on XᵀX where that was not refined), and are at most
// max(Tol·σ_1, 1e-12·σ_1²/σ). Values that are zero up to rounding, σ ≤ max(n, d)·ε·σ_1, are
// returned as exact zeros with zero vectors. A matrix of low rank therefore has fewer directions
// than requested, which is reported. Signs are [eigen.CanonicalSigns] on V. Data are scaled by a
// power of two if their squares could overflow or underflow. The bits are the same at any number of
// threads.
package svd
