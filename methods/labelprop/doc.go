// Package labelprop carries the labels of some documents over an affinity graph to all others.
//
// # Forms
//
// W are the affinities, D the degrees, Y the labels: row i has a 1 in the column of the class of
// document i. Each of the three forms is one sparse linear system:
//
//   - [Nie] (Nie, Xiang, Jia and Zhang 2009; Nie, Xiang, Liu and Zhang 2010) is F = (I − I_α P)⁻¹
//     I_β Y with P = D⁻¹W and I_β = I − I_α. α_i is Options.Alpha for documents without a label and
//     AlphaLabeled for those with one. Y has a further column, the novel class, in which documents
//     without a label start. Rows of F, that column included, sum to 1: they are the probabilities
//     of what a random walk from the document meets first. A walk that ends without meeting a label
//     counts as novel.
//   - [Zhou] (Zhou, Bousquet, Lal, Weston and Schölkopf 2004, local and global consistency) is
//     F = (1−α)(I − αS)⁻¹Y with S = D^-1/2 W D^-1/2.
//   - [Zhu] (Zhu, Ghahramani and Lafferty 2003, harmonic functions): labelled documents keep their
//     labels, and every other one has the weighted mean of its neighbours. It is Nie with α_u = 1
//     and α_l = 0. With Options.ClassMass (section 4 of that paper) the classes' masses over
//     documents without a label are scaled to the prior. Options.Counted, which no paper has, also
//     looks at the numbers of these documents.
//
// # Solution
//
// Scaled by √(D/α) the system is I − T with T = √α·S·√α symmetric and of norm below 1. It is solved
// by conjugate gradients for all classes in one block (package methods/internal/cg), or by the
// papers' fixed-point iteration (Options.Solver). Conjugate gradients never need more products, so
// they are the default. The novel class is what the other classes leave of 1 and is not solved for.
// The residual is computed in the equations above.
//
// # Documents that no label reaches
//
// A component of the graph without a label makes Zhu's system singular, and has only zeros in the
// other forms. It is left out: F is 0 there (the novel class 1), the posterior is the prior, and
// the documents are listed in Model.Unreached. So are documents whose row of F is too small for its
// shares to be accurate.
//
// Isolated documents count as neighbours of themselves: with a label they keep it, without one they
// are unreached.
package labelprop
