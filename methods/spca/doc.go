// Package spca is sparse principal component analysis: most loadings of a component are zero.
//
// # Contract
//
// Zou, Hastie and Tibshirani 2006 ("Sparse principal component analysis"), eq. (3.12): over A with
// AᵀA = I and B, both p×k, with the documents as the rows x_i of X, centred,
//
//	Σ_i ‖x_i − A·Bᵀx_i‖² + α·Σ_j ‖b_j‖² + Σ_j β_j·‖b_j‖₁
//
// is minimised by turns. For given A each b_j is an elastic net of the response X·a_j on X, the
// last point of its path (package lars): at a given penalty, or with a given number of terms. For
// given B, A = UVᵀ of the singular value decomposition XᵀX·B = UDVᵀ. It starts from A = the first k
// principal components (package pca). The loadings are b_j/‖b_j‖.
//
// With [Options].Penalty the objective never rises, and [Model].Objective shows it. With a number
// of terms the β_j are chosen anew in every round, as the authors' program does, so the problem
// itself changes from round to round: Objective is then the loss without β, and may rise. The
// iteration ends when two successive rounds change the objective by less than Tol.
//
// Sparse X is never made dense: the elastic nets centre it implicitly, and XᵀX·B is two sparse
// products. No p×p matrix is formed, except in the Gram mode.
//
// # Gram mode
//
// The whole problem depends on centred X only through XᵀX = VΣ²Vᵀ. With many more rows than columns
// it is solved on the p rows of R = ΣVᵀ, which has the same Gram matrix: the elastic nets, the
// polar factor and the objective equal X's up to rounding, and a round costs p/n of the time. V
// also gives the principal components.
//
// # Variance
//
// Sparse components are correlated, so their variances do not add up. [Model].AdjustedVariance
// follows section 3.4: with X·B = QR the squared diagonal of R, what each component adds to those
// before it, over n − 1.
package spca
