// Package logistic is multinomial logistic regression with an L2 penalty: a linear classifier of
// the known labels, with probabilities. Documents without a label have no part in finding the
// weights, in contrast to package tsvm.
//
// # Problem
//
// With the labelled rows x_i of classes y_i, their mean μ and mean squared distance σ² from it,
//
//	min over V, b:   ½‖V‖² + C Σ_i c_i · −log p(y_i | x_i),   p(k | x) ∝ exp((x − μ)·v_k/σ + b_k).
//
// b has no penalty. The division by σ makes C independent of the units of the data, and the
// subtraction of μ changes nothing but the numbers: b takes it up. With the class weights
// [Balanced] c_i is m/(K·m_k) for a document of class k, of which m_k of m labels are: every class
// counts the same, so that a class of few labels is not lost in the others (King and Zeng 2001).
// With [Equal] c_i is 1.
//
// C follows the rows unless it is given. With r = (tr Σ)²/tr Σ², the directions in which rows of
// covariance Σ spread, it is 250/r, from 1 (texts, most vectors of sentences) to 100 (tables of few
// columns).
//
// # Solver
//
// L-BFGS (Liu and Nocedal 1989) of gonum, from V = 0. The problem is strictly convex in V, and the
// distance of V from the optimum is at most the length of the gradient there. A step costs
// 8·entries·K flops of the labelled rows; columns in which no labelled document has an entry take
// no part. The bits do not depend on the number of threads.
//
// # Contract
//
// The class of a document is the most probable one, the lower on a tie; labelled documents keep
// theirs. New documents get probabilities by the same weights.
package logistic
