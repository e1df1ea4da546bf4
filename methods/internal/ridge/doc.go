// Package ridge solves least squares with a squared penalty, min ‖B·a − y‖² + α‖a‖², for many right-hand sides y on sparse
// or dense rows. It is what the linear graph embeddings have in common: LDA and spectral regression are such a regression, and LPP's
// operator contains one.
//
// B = F·(X − 1μᵀ): the rows of X weighted by F = diag(f) and, where asked, centred by their mean with weights f², which makes every
// column of B orthogonal to f. Sparse X is never made dense and p×p never formed unless it fits the told memory.
//
// # How
//
// Where the Gram matrix of the smaller side fits, it is made and factored: Cholesky for α > 0, eigenpairs for α = 0, which gives the
// solution of least norm. One step of refinement on B itself follows. Elsewhere conjugate gradients on the normal equations in their
// stable form (CGLS, Björck 1996, section 7.4), all right-hand sides in one block: 4·entries flops a step and side. From a
// zero start these too give the solution of least norm. The same bits come out at any number of threads.
package ridge
