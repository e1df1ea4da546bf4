// Package lars computes regularisation paths: least-angle regression, the lasso and the elastic net
// on sparse or dense rows. It also solves plain ridge regression.
//
// # The problem
//
// For a response y and the rows X (n×p), both centred if Intercept is set, the path is, for every
// penalty λ ≥ 0,
//
//	b(λ) = argmin ½‖y − Xb‖² + ½λ₂‖b‖² + λ‖b‖₁
//
// (twice this is the ‖y − Xb‖² + λ₂‖b‖² + λ₁‖b‖₁ of the papers with λ₁ = 2λ; scikit-learn's alpha
// is λ/n). It is piecewise linear in λ; a [Path] holds its knots. With the correlations c_j =
// x_jᵀ(y − Xb) − λ₂b_j the conditions at every knot are
//
//	c_j = λ·sign(b_j) where b_j ≠ 0,   |c_j| ≤ λ where b_j = 0   (c_j ≤ λ with Positive)
//
// Sources: Efron, Hastie, Johnstone and Tibshirani 2004 ("Least angle regression"); Zou and Hastie
// 2005 for the elastic net, here in the naive form: no rescaling by 1 + λ₂. It gives the
// projections of Cai, He and Han 2008 ("Sparse projections over graph"), eq. (5).
//
// # How
//
// Only the Gram matrix of the active columns is formed, as a Cholesky factor that grows and shrinks
// with them. X is transposed once for all responses. The residual and the direction, vectors of
// length n, are centred in place of the columns, so sparse columns stay sparse.
//
// The correlations of the columns that are not active would cost one product with Xᵀ per step. Most
// of it is avoided, exactly: since column j was last multiplied, the residual has moved by at most
// the length of the path, and c_j by at most ‖x_j‖ times that. A step multiplies only the columns
// for which this bound exceeds λ at the end of the step. Both λ and c_j are linear within a step,
// so a column within bounds at both ends is within them in between.
//
// # Ties and degenerate columns
//
// Columns that reach the bound at one knot (within 1e-11·λ) enter one after the other: first the
// one that would overshoot most, the lower index among equals, until none would. A column that
// entered at a tie and would move against its sign leaves again (Lawson and Hanson's rule), so d at
// a knot is the right derivative of the path for any number of tied columns.
//
// A column that is dependent on the active ones (its distance to their span is below 1e-6 of its
// length) stays out as long as it is dependent, and is listed in [Path].Dependent with the first
// and last of these knots; of duplicates the lower index enters. With λ₂ > 0 duplicates are
// independent and enter together. Correlations are accurate to about 1e-16 times the squared
// condition number of the active columns, in λ: near dependence costs digits as in any normal
// equations. Columns that are zero (or below 1e-154 of the largest magnitude of X, where squares
// vanish), or constant under Intercept, can never enter; [Path].Constant lists them.
//
// # Scale and determinism
//
// X and each response are scaled by powers of two, so data of 1e±150 give the same path as data of
// 1. A path whose penalties or coefficients overflow float64 is an error. The paths of the
// responses are computed in parallel, each by one goroutine: the result does not depend on the
// number of threads.
package lars
