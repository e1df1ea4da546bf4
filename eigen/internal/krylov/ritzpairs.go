package krylov

import "gonum.org/v1/gonum/blas/blas64"

// A search of the complement need not resolve the eigenvalues just below the k-th again, where the
// solve has left good approximations of their vectors. It sets these aside: it keeps its own space
// orthogonal to them, and the largest value that is left lies farther below the k-th.
//
// They are not exact, so a missing eigenvector v may have components c = Uᵀv in the vectors U set
// aside. Let AU = UΘ + R with UᵀR = 0, the values θ_j of Θ below the eigenvalue μ of v, and δ_j the
// lengths of R's columns. Then (μ − θ_j)c_j = r_jᵀv, so |c_j| ≤ δ_j/(μ − θ_j). The rest w = v − Uc
// is as long as √(1 − ‖c‖²) or longer, and the operator A' of the complement of U has A'w = μw −
// Rc. So a search with A' bounds ‖Ωᵀw‖ as in the package comment, with one more term, ‖Rc‖ times
// ‖ΩᵀV(μ − T)⁻¹‖, that is of second order in δ: ‖Rc‖ ≤ Σδ_j²/(μ − θ_j).

// aside bounds what vectors set aside can hold of a missing eigenvector.
type aside struct {
	vectors int
	// inside bounds ‖c‖², and couples ‖Rc‖, for every μ from the smallest that counts as missing.
	inside, couples float64
}

// ritz is the solution of one projected problem and the plan for the restart.
type ritz struct {
	theta     []float64 // values of T, descending
	values    []float64 // the eigenvalues of A that theta represents, descending
	vectors   blas64.General
	raw       []float64      // residual norms of theta
	coupling  blas64.General // next×active: B·vectors, whose columns have the lengths raw
	residuals []float64      // bounds of ‖Au − value·u‖; raw without a filter
	excess    []float64      // residual divided by its limit: at most 1 if the pair has converged

	order     []int // first those to lock, then the others by falling value
	lock      int
	keep      int
	satisfied bool // the k largest of all known values are locked or about to be
}
