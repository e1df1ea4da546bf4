// Package svm holds support vector machines for two classes and, one against all, for more: linear ones in the terms' space and kernel machines
// (Gaussian, polynomial), each with a pure-Go solver.
//
// # Problem
//
// With targets y_i = ±1, costs C_i and f(x) = w·φ(x) + b (Cortes and Vapnik 1995):
//
//	min ½‖w‖² + Σ C_i ξ_i   (hinge)   or   ½‖w‖² + Σ C_i ξ_i²   (squared hinge),   ξ_i = max(0, 1 − y_i f(x_i)).
//
// The dual is written in β_i = α_i y_i, so that w = Σ β_i φ(x_i):
//
//	min ½ Σ β_i β_j K_ij + ½ Σ D_i β_i² − Σ y_i β_i,   0 ≤ y_i β_i ≤ U_i,
//
// U_i = C_i, D_i = 0 for the hinge and U_i = ∞, D_i = 1/(2C_i) for the squared hinge. A [Free] b adds Σ β_i = 0. A [Feature] adds the square of
// Options.BiasScale to every K_ij: a constant term of that value in every document, whose weight is kept small like the others. [None] is b = 0.
//
// # Solvers
//
//   - [CD], linear kernel only: coordinate descent on the dual with w kept (Hsieh, Chang, Lin, Keerthi and Sundararajan 2008, the method of LIBLINEAR), coordinates
//     in random order, with shrinking. A sweep costs 4 flops an entry of the data; no kernel value is ever formed. LIBLINEAR has no free b; here
//     the multiplier of Σβ = 0 is the method of multipliers: a feature of length ρ whose weight is drawn to the last b instead of to 0,
//     which on text converges in a few rounds.
//   - [SMO]: pairs by second-order information (Fan, Chen and Lin 2005, the method of libsvm), single coordinates where b is not free. The kernel matrix is formed once, in
//     panels, where it fits Options.CacheBytes; otherwise its rows are made when needed and the least recently used given up. A step costs some 8 flops a row.
//
// Both stop as libsvm and LIBLINEAR do: no gradient of the dual points into the box by more than Tol, in units of the margin. They agree to that
// tolerance, and [Model] tells the objective from both sides: Dual ≤ optimum ≤ Primal.
//
// # Contract
//
// One seed gives the same bits at any number of threads; the machines of a one-against-all run side by side. A document without terms has f = b. Examples of cost 0 take no part.
// With examples of one class only, a free b makes f that class everywhere.
package svm
