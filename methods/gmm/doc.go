// Package gmm is mixtures of Gaussians fitted by expectation and maximisation (EM), with full,
// tied, diagonal or spherical covariances.
//
// Source: Dempster, Laird and Rubin 1977; He, Cai, Shao, Bao and Han 2011 (LapGMM) begin with this
// mixture, eq. (8) and (13)-(15). Rows are points. The paper's P(k|x_i) is Posterior, its α, µ and
// Σ are Weights, Means and Covariance, its log P(X|Θ) is LogLikelihood.
//
// # The prior and the objective
//
// Pseudo-observations draw covariances towards a sphere, and keep them from being singular: each
// component gets ν of them, at its own mean and with covariance s²·I. By default ν and s² are
// estimated from the clusters that EM begins with: s² is the mean variance within them, and ν/(N_k
// + ν) for a component of average size the weight by which the sample covariances, of too few rows
// for so many columns, are nearest to the true ones (Ledoit and Wolf 2004). With a Ridge, ν =
// Ridge·n/K, and s² is the mean variance of the data (the trace of their covariance divided by the
// number of columns). With N_k the sum of its responsibilities and S_k their covariance,
//
//	Σ_k = (N_k·S_k + ν·s²·I) / (N_k + ν),
//
// and likewise for the other shapes; a tied covariance gets all K·ν of them. This Σ_k maximises
//
//	Objective = LogLikelihood − ½ Σ_k ν·(log|Σ_k| + s²·tr Σ_k⁻¹),
//
// with an inverse Wishart prior on the covariances (as Fraley and Raftery 2007). EM therefore never
// lowers the Objective, up to rounding, and it is bounded even if a component shrinks to one point.
// The LogLikelihood alone may fall by as much as the prior gains. [RidgeAbsolute] adds a constant
// to the diagonals instead, as scikit-learn does; nothing is monotone then.
//
// If a Cholesky factorisation fails all the same, or a pivot keeps less than 1e-12 of its column's
// variance, the pseudo-observations of that component are multiplied by ten until it succeeds. They
// stay raised for the rest of the run. The model lists the component in Raised, Ridge is what the
// prior adds to its diagonal, and the Observer gets a note. Raising changes the Objective: the step
// of the History that raised is marked.
//
// A component whose responsibilities sum to less than 1e-12 of a row is lost: it keeps weight 0, at
// the mean of the data with covariance s²·I, and takes no further part. It is listed in Lost, and
// the Observer gets a note.
//
// # Work
//
// With full covariances an iteration takes K·n·d² flops of triangular solves (E-step) and K·n·d² of
// syrk (M-step), both in panels of rows that stay in the second-level cache. Work that cannot
// matter is skipped: rows whose responsibility is exactly zero are not multiplied, and a row leaves
// a component's panel as soon as the first columns show that its posterior is below e^-80 relative
// to the posterior of the component it was nearest to; such a posterior is set to zero. In many
// dimensions this concerns most rows. The other rows get the same values, up to rounding. Diagonal
// and spherical covariances cost 3·n·K·d, tied ones 2·n·d² + 3·n·K·d.
//
// Tasks and panels depend on the data alone: any number of threads gives the same bits.
//
// # Memory
//
// X is not copied if it is a *mat.Dense. Covariances (upper triangles) and factors (lower
// triangles) take K·d² numbers together, their diagonals and the inverses of the factors' diagonal
// blocks 33·K·d, and there are two matrices of n×K responsibilities (three with restarts or a start
// at means). [Memory] adds it up.
package gmm
