// Package svm trains support vector machines for two classes and, one class against the others, for
// more: linear machines, with a weight for each term, and kernel machines (Gaussian, polynomial).
// The solvers are pure Go.
//
// # Problem
//
// With targets y_i = ±1, costs C_i and f(x) = w·φ(x) + b (Cortes and Vapnik 1995):
//
//	hinge:          min ½‖w‖² + Σ C_i ξ_i
//	squared hinge:  min ½‖w‖² + Σ C_i ξ_i²
//
// with ξ_i = max(0, 1 − y_i f(x_i)). The dual is written in β_i = α_i y_i, so that w = Σ β_i
// φ(x_i):
//
//	min ½ Σ β_i β_j K_ij + ½ Σ D_i β_i² − Σ y_i β_i,   0 ≤ y_i β_i ≤ U_i.
//
// The hinge has U_i = C_i and D_i = 0, the squared hinge U_i = ∞ and D_i = 1/(2C_i). A [Free] b
// adds the condition Σ β_i = 0. A [Feature] adds the square of Options.BiasScale to every K_ij: a
// constant term of that value in every document, whose weight is kept small like the others. [None]
// is b = 0.
//
// # Solvers
//
//   - [CD], for the linear kernel only, is coordinate descent on the dual that keeps w (Hsieh,
//     Chang, Lin, Keerthi and Sundararajan 2008, the method of LIBLINEAR), with coordinates in
//     random order and with shrinking. A sweep costs 2 to 4 flops per entry of the data and no
//     kernel value is formed. Coordinates with large gradients are visited more often (as in
//     Glasmachers and Dogan 2013, with a simpler rule). A row that was left out is looked at again
//     only if w has moved far enough to change its condition. LIBLINEAR has no free b. Here
//     the method of multipliers finds it: a feature of length ρ whose weight is drawn to the last b
//     instead of to 0. On text it converges in a few rounds.
//   - [SMO] moves pairs of coordinates, chosen by second-order information (Fan, Chen and Lin 2005,
//     the method of libsvm), or single coordinates if b is not free. The kernel matrix is formed
//     once, in panels, if it fits Options.CacheBytes. If not, its rows are made when they are
//     needed, and the least recently used rows are dropped. A step costs some 8 flops per row.
//
// Both stop as libsvm and LIBLINEAR do: no gradient of the dual points into the box by more than
// Tol, in units of the margin. They agree to that tolerance. [Model] has the objective from both
// sides: Dual ≤ optimum ≤ Primal.
//
// # Contract
//
// One seed gives the same bits at any number of threads. The machines of several classes are
// trained side by side. A document without terms has f = b. Examples of cost 0 take no part. With
// examples of one class only, a free b gives f that class everywhere.
package svm
