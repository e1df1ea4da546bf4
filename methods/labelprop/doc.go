// Package labelprop carries the labels of some documents over an affinity graph to all others.
//
// # Forms
//
// W are the affinities, D the degrees, Y the labels: row i has a 1 in the column of the class of document i. All three forms are one sparse linear system:
//
//   - [Nie] (Nie, Xiang, Jia and Zhang 2009; Nie, Xiang, Liu and Zhang 2010): F = (I − I_α P)⁻¹ I_β Y with P = D⁻¹W, I_β = I − I_α, α_i = Options.Alpha for
//     documents without a label and AlphaLabeled for those with one, and a further column of Y, the novel class, that documents without a label start in. Rows of F,
//     that column included, sum to 1: what a random walk from the document meets first, walks that end without meeting a label counting as novel.
//   - [Zhou] (Zhou, Bousquet, Lal, Weston and Schölkopf 2004, local and global consistency): F = (1−α)(I − αS)⁻¹Y with S = D^-1/2 W D^-1/2.
//   - [Zhu] (Zhu, Ghahramani and Lafferty 2003, harmonic functions): labelled documents keep their labels, every other one has the weighted mean
//     of its neighbours. It is Nie with α_u = 1, α_l = 0. With Options.ClassMass (section 4 of that paper) the classes' masses over documents without a label are scaled to the prior.
//
// # Solution
//
// Scaled by √(D/α) the system is I − T with T = √α·S·√α symmetric and of norm below 1: conjugate gradients on all classes in one
// block (package methods/internal/cg), or the papers' fixed-point iteration (Options.Solver). Conjugate gradients are never behind in products, so
// they are the default. The novel class is what the others leave of 1 and is not solved for. The residual is computed in the equation as it stands above.
//
// # Documents that no label reaches
//
// A component of the graph without a label would make Zhu's system singular, and has nothing but zeros in the other forms. It is left out: F is 0 there (the novel class 1), the
// posterior is the prior, and the documents stand in Model.Unreached. So do documents
// whose row of F is too small for the accuracy of F to tell its shares.
//
// Isolated documents count as neighbours of themselves: with a label they keep it, without one they are unreached.
package labelprop
