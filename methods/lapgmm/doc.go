// Package lapgmm is the Laplacian regularised mixture of Gaussians: a mixture whose posteriors vary little along the edges of a neighbour graph.
//
// Source: He, Cai, Shao, Bao and Han 2011. Rows are points. The paper's S is graph.Graph.W, f_k the columns of Posterior, Θ the Mixture, p
// Options.Graph.Neighbors, λ Lambda, δ Tol.
//
// # What is raised
//
// A state is responsibilities F, n×K, and the mixture Θ(F) that the M-step, eq. (13)-(15), makes of them. Its value is the regularised log-likelihood
//
//	log P(X|Θ(F)) − λ·Σ_k f_kᵀLf_k, eq. (6),
//
// less the penalty of the covariances' prior (package gmm). An iteration is an E-step, P = P(k|x_i, Θ), eq. (8), a smoothing of P to F, and the M-step on F. Table 1
// writes the smoothed posteriors over P(k|x_i), so the penalty of its line 8 is that of F; the authors' program (version 2.0, 2012) does the same, and gives F out. Here too
// the penalty and the labels are those of F. The posteriors of the mixture itself would be penalised by the paper's words in 3.2; then no step from a soft
// start is ever accepted.
//
// A step that does not raise the value is refused, and γ = 0, the plain EM step, is among the trials: a run ends where none of them rises.
// The history never falls. The start has no F and no value: its first step is taken as it is.
//
// # Schedules
//
// The paper's line 6, eq. (12) "until convergence", converges to a constant on every connected component, whatever γ > 0 is. [Restart], the default, keeps P in
// every step of the iteration, F ← (1−γ)P + γD⁻¹W·F, as the authors' program does. Its fixed point (1−γ)(1−γD⁻¹W)⁻¹P is P averaged
// over walks that stop with probability 1−γ at every step. The search for γ takes 0, 1/2, 3/4, ..., 63/64 and MaxGamma, and climbs from the last iteration's:
// two to four M- and E-steps an iteration mostly, eight (all of them) where nothing rises. The walks of all γ are one Chebyshev series: its vectors are shared.
//
// [Literal] applies eq. (12) to P itself, Smoothings times (the bound that the paper does not name), with γ from 0.9. Where the value falls, γ shrinks to 0.9·γ and
// the smoothing begins again at the E-step's posterior: going on from the smoothed one, as "go to 6" may be read, no smaller γ could undo the
// fall. γ does not grow again; below 0.05 it is 0.
//
// # Scale of λ
//
// A log-likelihood grows with the number of columns, the penalty does not. The paper's λ = 1000 suits hundreds of columns; in two, 10 to 100 does the same, and more
// makes F constant: a constant costs no penalty, and is a fixed point of every schedule.
//
// # Work and memory
//
// A trial is an iteration of package gmm. A search adds a product of D⁻¹W with n×K numbers for each degree of the series: 146 for γ = 0.99,
// 2·nnz·K flops each. [Memory] adds up what is taken. The same bits come out at any number of threads.
//
// Ridges that a trial raises stay raised for the run: the state is then made again under them, which the History tells (Step.Raised).
package lapgmm
