// Package lars follows regularisation paths: least-angle regression, the lasso and the elastic net on sparse or dense rows,
// and solves plain ridge regression.
//
// # The problem
//
// For a response y and the rows X (n×p), with both centred where Intercept is set, the path is, for every penalty λ ≥ 0,
//
//	b(λ) = argmin ½‖y − Xb‖² + ½λ₂‖b‖² + λ‖b‖₁
//
// (twice of it is the ‖y − Xb‖² + λ₂‖b‖² + λ₁‖b‖₁ of the papers with λ₁ = 2λ; scikit-learn's alpha is λ/n). It is piecewise linear
// in λ; a [Path] holds its knots. With the correlations c_j = x_jᵀ(y − Xb) − λ₂b_j the conditions at every knot are
//
//	c_j = λ·sign(b_j) where b_j ≠ 0,   |c_j| ≤ λ where b_j = 0   (c_j ≤ λ with Positive)
//
// Sources: Efron, Hastie, Johnstone and Tibshirani 2004 ("Least angle regression"); Zou and Hastie 2005 for the elastic net, here in
// the naive form: no rescaling by 1 + λ₂. It is the projection of Cai, He and Han 2008 ("Sparse projections over graph"), eq. (5).
//
// # How
//
// Only the Gram matrix of the active columns exists, as a Cholesky factor that grows and shrinks with them. X is transposed once for all
// responses; centring is done on the residual and the direction (n-vectors), so sparse columns stay sparse.
//
// The correlations of the columns that are not active would cost one product with Xᵀ a step. Most of it is left out, exactly: since column j was last
// looked at the residual has moved by at most the length of the path since, so c_j by at most ‖x_j‖ times that. A step
// multiplies only the columns that this bound cannot keep below λ at the step's end. Both the bound λ and c_j are linear within a
// step, so a column that is within bounds at both ends is so between them.
//
// # Ties and degenerate columns
//
// Columns that reach the bound at one knot (within 1e-11·λ) enter one after the other: first the one that would overshoot
// most, the lower index among equals, until none would. A column that entered at a tie and would move against its sign leaves
// again (Lawson and Hanson's rule), so d at a knot is the path's right derivative however many columns meet there.
//
// A column that is dependent on the active ones (its distance to their span is below 1e-6 of its length) stays out while it is, and is
// listed in [Path].Dependent with the knots from and to which; of duplicates the lower index enters. With λ₂ > 0 duplicates are independent and enter
// together. Correlations are accurate to about 1e-16 times the squared condition number of the active columns, in λ: near dependence costs
// digits as in any normal equations. Columns that are zero (or below 1e-154 of the
// largest magnitude of X, where squares vanish), or constant under Intercept, can never enter; [Path].Constant lists them.
//
// # Scale and determinism
//
// X and each response are scaled by powers of two, so data of 1e±150 give the same path as data of 1. A path whose penalties
// or coefficients no float64 holds is an error. Responses are followed in parallel, each by one goroutine: the result does not depend on the number of threads.
package lars
