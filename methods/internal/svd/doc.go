// Package svd finds the largest singular values and vectors of a matrix of documents, sparse or dense, with the column
// means taken off or not. It is what package lsi (not centred) and package pca (centred) share.
//
// # How
//
// The eigenpairs of the Gram matrix of the smaller side, X·Xᵀ or Xᵀ·X, span the singular subspace. Where the
// Gram matrix is small, or much of its spectrum is wanted and it fits a memory budget, it is made and given to LAPACK;
// else it is an operator, two sparse products an application, and [eigen.Symmetric] works on it. X is never made
// dense: centring is a projection of the products orthogonal to the constant vector, (I − 11ᵀ/n)·X.
//
// Squaring costs half of the digits of small singular values. Two half steps of subspace iteration on X itself, each
// orthogonalised, and a Rayleigh-Ritz step give them back: the singular values come from the triangular factor of X·V by
// one-sided Jacobi, whose error is the square of the subspace's. This is as accurate as a bidiagonalisation (Golub and
// Kahan) for every value above about 1e-7 of the largest, with one basis to keep orthogonal and not two, and with
// eigen's search for missed copies of multiple values.
//
// # What is promised
//
// V has orthonormal columns; with u = Xv/‖Xv‖, both ‖Xv − σu‖ and ‖Xᵀu − σv‖ are measured on the final vectors and
// returned, and stay within max(Tol·σ_1, 1e-12·σ_1²/σ). Values that are zero but for rounding, σ ≤ max(n, d)·ε·σ_1, are
// returned as exact zeros with zero vectors, so a matrix of low rank has fewer directions than were asked for, and
// says so. Signs are [eigen.CanonicalSigns] on V. Data are scaled by a power of two where their squares could
// overflow or vanish. The same bits come out at any number of threads.
package svd
