package krylov

import "gonum.org/v1/gonum/blas/blas64"

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
