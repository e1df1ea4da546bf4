// Package lapgmm is the Laplacian regularised mixture of Gaussians: a mixture whose posteriors vary
// little along the edges of a neighbour graph.
//
// Source: He, Cai, Shao, Bao and Han 2011. Rows are points. The paper's S is graph.Graph.W, its f_k
// are the columns of Posterior, Θ is the Mixture, p is Options.Graph.Neighbors, λ is Lambda, δ is
// Tol.
//
// # Objective
//
// A state is responsibilities F, n×K, and the mixture Θ(F) that the M-step, eq. (13)-(15), makes of
// them. Its value is the regularised log-likelihood
//
//	log P(X|Θ(F)) − λ·Σ_k f_kᵀLf_k, eq. (6),
//
// less the penalty of the covariances' prior (package gmm). An iteration is an E-step, P = P(k|x_i,
// Θ), eq. (8), a smoothing of P to F, and the M-step on F. Table 1 writes the smoothed posteriors
// over P(k|x_i), so the penalty of its line 8 is computed from F; the authors' program (version
// 2.0, 2012) does the same, and returns F. Here too the penalty and the labels come from F. By the
// paper's words in section 3.2 the posteriors of the mixture itself would be penalised; then no
// step from a soft start is ever accepted.
//
// A step that does not raise the value is refused, and γ = 0, the plain EM step, is among the
// trials: a run ends if none of them raises it. The history never falls. The start has no F and no
// value: its first step is always accepted.
//
// # Schedules
//
// Line 6 of the paper, eq. (12) "until convergence", converges to a constant on every connected
// component, for any γ > 0. [Restart], the default, keeps P in every step of the iteration, F ←
// (1−γ)P + γD⁻¹W·F, as the authors' program does. Its fixed point (1−γ)(1−γD⁻¹W)⁻¹P is P averaged
// over walks that stop with probability 1−γ at every step. The search for γ takes 0, 1/2, 3/4, ...,
// 63/64 and MaxGamma, and climbs from the γ of the last iteration: two to four M- and E-steps per
// iteration mostly, eight (all of them) if nothing raises the value. The walks of all γ are one
// Chebyshev series with shared vectors.
//
// [Literal] applies eq. (12) to P itself, ten times (the paper gives no bound), with γ from
// 0.9. If the value falls, γ shrinks to 0.9·γ and the smoothing begins again at the E-step's
// posterior: if it went on from the smoothed one, as "go to 6" may be read, no smaller γ could undo
// the fall. γ does not grow again; below 0.05 it is 0.
//
// # The rule for λ
//
// A log-likelihood grows with the number of columns, and the penalty does not. So one λ cannot suit
// all data: too large a λ makes F constant, which has no penalty and is a fixed point of every
// schedule, and components lose their rows. Let the mixture without the graph (package gmm) have
// the objective l_K and the posteriors P, and one Gaussian the objective l_1. A constant
// F has the value l_1 of eq. (6). At
//
//	λ₀ = (l_K − l_1) / Σ_k p_kᵀLp_k
//
// the K clusters have the same value, so any larger λ prefers no clusters at all to the mixture's.
// The rule is λ = λ₀/2: the penalty takes half of what the clusters gain. λ₀ scales as the
// log-likelihood does, and does not change if all weights of the graph are multiplied by a number.
// If the graph agrees with P almost everywhere, the sum is taken as 1/100 of its value for labels
// at random. The [Literal] schedule has the paper's λ = 1000.
//
// # Starts
//
// EM finds local optima, and the search for γ does not leave them. By default the starts are the
// posteriors of the mixture without the graph, and two clusterings by Laplacian Eigenmaps of the
// graph (K coordinates as they are, and with rows of unit length). A clustering of the graph is
// left out if its clusters are far more unequal than the mixture's, as where the graph has small
// parts of its own (Msplice of the data sets of Zhou and Wang 2019: 3152, 12 and 11 rows, accuracy
// .52; without that start .60 to .62), or if as a mixture they fall short of the mixture without
// the graph by more than 1/20 of what that gains over one Gaussian: the penalty then prefers them
// although the rows do not lie so (CNAE-9, whose short texts have neighbours of other classes:
// accuracy .71 with that start, .79 without it and without the graph). The authors' program starts
// from the means of k-means, five times, with one shared covariance ([StartKMeans]). Each start
// gets Options.StartIter iterations; the best value goes on. A run that leaves components without
// rows comes after every run that does not.
//
// The criterion itself can prefer the wrong clusters. Known cases: the digits 3 and 8 of USPS in
// raw pixels with λ = 1000; two moons, whose halves are no Gaussians, with every λ below about 100;
// short texts such as the CNAE-9 data: there a start from the means of k-means leads to larger
// values, with clusters 10 points worse than the mixture's.
//
// # Work and memory
//
// A trial is an iteration of package gmm. A search adds a product of D⁻¹W with n×K numbers for each
// degree of the series: 146 for γ = 0.99, 2·nnz·K flops each. [Memory] is the estimate of the
// memory. Any number of threads gives the same bits.
//
// Ridges that a trial raises stay raised for the run: the state is then made again under them, and
// the History marks the step (Step.Raised).
package lapgmm
