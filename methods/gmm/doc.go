// Package gmm is mixtures of Gaussians fitted by expectation and maximisation (EM), with full, tied,
// diagonal or spherical covariances.
//
// Source: Dempster, Laird and Rubin 1977; the mixture that He, Cai, Shao, Bao and Han 2011 (LapGMM) start
// from, eq. (8) and (13)-(15). Rows are points. The paper's P(k|x_i) is Posterior, α, µ and Σ are Weights, Means and
// Covariance, log P(X|Θ) is LogLikelihood.
//
// # The ridge and what never falls
//
// Covariances are kept away from singular ones by pseudo-observations: each component is given ν = Ridge·n/K of
// them, at its own mean and with covariance s²·I, where s² is the mean variance of the data (the trace of their covariance by the
// number of columns). With N_k the sum of its responsibilities and S_k their covariance,
//
//	Σ_k = (N_k·S_k + ν·s²·I) / (N_k + ν),
//
// and likewise for the other shapes, a tied covariance with all K·ν of them. This is the largest point of
//
//	Objective = LogLikelihood − ½ Σ_k ν·(log|Σ_k| + s²·tr Σ_k⁻¹),
//
// an inverse Wishart prior on the covariances (as Fraley and Raftery 2007), so that EM's Objective never falls, up to rounding, and is
// bounded even where a component shrinks to one point. Its LogLikelihood alone may fall by as much as the prior gains.
// [RidgeAbsolute] adds a constant to the diagonals instead, which is what scikit-learn does; nothing is monotone then.
//
// Where a Cholesky factorisation fails all the same, or a pivot keeps less than 1e-12 of its column's variance, the
// pseudo-observations of that component are multiplied by ten until it holds. They stay raised for the rest of the run; the model
// lists the component in Raised, Ridge tells what stands on its diagonal, and the Observer is told. Raising changes the Objective: a
// step of the History that raised says so.
//
// A component whose responsibilities sum to less than 1e-12 of a row is lost: it keeps weight 0, at the mean of the data with covariance s²·I, takes
// no further part, and is listed in Lost and told.
//
// # Work
//
// With full covariances an iteration is K·n·d² flops of triangular solves (E-step) and K·n·d² of syrk (M-step), both
// in panels of rows that stay in the second-level cache. What cannot matter is left out: rows whose responsibility is exactly zero
// are not multiplied, and a row leaves a component's panel as soon as the first columns show that its
// posterior is below e^-80 beside that of the component it was nearest to: such a posterior is zero here. In many dimensions that is most rows; what
// is computed for the others is the same, up to rounding. Diagonal and spherical covariances cost 3·n·K·d, tied ones 2·n·d² + 3·n·K·d.
//
// Tasks and panels depend on the data alone: the same bits come out at any number of threads.
//
// # Memory
//
// X is not copied where it is a *mat.Dense. K·d² numbers hold covariances (upper triangles) and factors (lower
// triangles) together, 33·K·d their diagonals and the inverses of the factors' diagonal blocks, and there are two matrices of n×K responsibilities
// (three with restarts or a start at means). [Memory] adds it up.
package gmm
