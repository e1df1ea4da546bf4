// Package kernelridge is ridge regression of the known labels with a Gaussian kernel, as a
// classifier with probabilities: its classes need not be divided by lines. Documents without a
// label have no part in finding the coefficients.
//
// # Problem
//
// With the labelled rows x_i, targets y_i (1 for the class of the row, 0 for the others) and the
// features φ of the kernel K(x, z) = exp(−‖x − z‖²/σ), for each class
//
//	min over w, b:   Σ_i (w·φ(x_i) + b − y_i)² + λ‖w‖².
//
// b has no penalty. With the centring P = I − 11ᵀ/m the coefficients are a = (P K P + λI)⁻¹ P y and
// w = Σ a_i φ(x_i). This is the least-squares support vector machine (Suykens and Vandewalle 1999)
// with targets 0 and 1, and with one σ and one λ for all classes.
//
// # Width and ridge
//
// σ and λ follow the labels unless they are given. The fitted values are H y, with the same H for
// all classes, so the value of a row that was left out is in closed form (Allen 1974; Wahba 1990):
//
//	y_i − (y_i − f_i)/(1 − H_ii).
//
// One eigenproblem of P K P gives it for every λ. The probabilities are p(k | x) ∝ exp(τ f_k(x)).
// Of the widths and ridges of a grid, and the τ of another, those are taken under which the labels
// are the most probable by the values of rows that were left out: the probabilities are then about
// as sure as they are right. The only label of a class has no say in it: left out, it cannot be
// placed right. Where all labels are such, σ is the mean squared distance of two of them. A wide
// kernel is nearly a linear classifier, and is in the grid.
//
// # Cost
//
// At most mostLooked labelled rows choose σ and λ: 9·m³ flops for each width. At most mostUsed are
// used: m³/3 flops, and the kernel of all rows with them. Both are evenly spaced in each class,
// with the same share of all classes.
//
// # Contract
//
// The class of a document is the most probable one, the lower on a tie; labelled documents keep
// theirs. New documents get probabilities by the same coefficients. The bits do not depend on the
// number of threads.
package kernelridge
