// Package problem has what every eigensolver takes and returns: a [Task] and its [Pairs],
// operators, and the sizes by which solvers are chosen. It knows nothing of graphs, options and
// results.
package problem

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/native/slepc"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/blas/blas64"
)

// Task asks for the K largest eigenpairs of Op in the orthogonal complement of the known vectors.
// It is the input of every solver.
type Task struct {
	// Op multiplies blocks of N rows: all rows of the problem, or the rows of this rank, as Space
	// says.
	Op    Operator
	N     int
	Known *space.Nullspace
	Space space.Space
	// Ranks is the number of ranks that divide the basis of a problem which all of them have whole; 0
	// if they do not.
	Ranks int
	// Outer is the context of the work if ranks divide it. They look at it together (see Stopped), so
	// the solver's own context is never cancelled.
	Outer context.Context
	K     int // at most Room
	// Tol bounds ‖Op·u − μu‖ for unit vectors u, relative to the operator's norm if Scaled is set.
	Tol    float64
	Scaled bool
	// Measure, if not nil, maps unit vectors u and their residuals r = Op·u − μu, column by column, to
	// numbers that must not exceed Measured; s says which rows these are. The numbers never exceed
	// ‖r‖·Measured/Tol, so Tol alone would suffice, with more iterations.
	Measure  func(s space.Space, u, r blas64.General) []float64
	Measured float64
	// Matrix is SLEPc's copy of Op; nil without one.
	Matrix slepc.Matrix

	// Top is the upper end of the spectrum, or a guess. Fixed marks points that are eigenvectors with
	// the value 1; nil if there are none. Shift-invert and counts by inertia need both.
	Top   float64
	Fixed func(i int) bool
	// An eigenvalue μ of Op is the eigenvalue 1 − μ of the problem if Pencil is set, μ if Largest is
	// set, else −μ.
	Pencil, Largest bool

	// Subspace and Block are numbers of vectors, MaxIter of restarts; 0 for Subspace and Block means
	// that the solver chooses.
	Subspace, Block, MaxIter int
	Seed                     uint64
	Start                    blas64.General // approximate eigenvectors, N rows, with or without columns
	Observer                 progress.Observer
}

// Pairs is the output of every solver. The vectors need not have canonical signs.
type Pairs struct {
	Values    []float64      // descending
	Vectors   blas64.General // a unit column for each value
	Converged int            // how many pairs met the tolerance
	Norm      float64        // a lower estimate of the operator's norm
	// Errors bounds the errors of the values; nil if the residuals are the best bounds.
	Errors []float64
	Lack
	Stats Stats
}

// Lack says what a result may lack.
type Lack struct {
	// Unsearched is true if the iteration limit was reached before the search for missed pairs had
	// ended.
	Unsearched bool
	// Missing is the number of eigenvalues that a count says are missing and no search found.
	Missing int
}

// Solver is the signature of all solvers. At the iteration limit a solver returns the pairs it has.
type Solver func(ctx context.Context, t Task) (Pairs, error)

// Stage is the progress stage of the solvers.
const Stage = "eigenvectors"

// Room returns the dimension of the complement of the known vectors.
func (t Task) Room() int { return t.Whole() - t.Known.Size() }

// Whole returns the number of rows of the problem.
func (t Task) Whole() int { return t.Space.Among(t.N) }

// Stopped returns the context's error; with ranks, the error of any rank's context.
func (t Task) Stopped(ctx context.Context) error {
	if !t.Space.Divided() || t.Outer == nil {
		return ctx.Err()
	}
	return ranks.Agree(t.Space.Share, t.Outer.Err())
}

// NewBasis makes an empty basis of vectors of the task, with memory for so many columns.
func (t Task) NewBasis(capacity int, seed uint64) *space.Basis {
	b := space.NewBasis(t.N, capacity, t.Known, seed)
	if t.Space.Divided() {
		b.Divide(t.Space, seed)
	}
	return b
}

// NotFinite returns the error for a product that is not finite, or too long for its norm.
func NotFinite(product blas64.General) error {
	for i := range product.Rows {
		for _, v := range product.Data[i*product.Stride:][:product.Cols] {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return invalid.Errorf("the operator's product with a finite vector is %v in row %d; look for NaN, Inf or overflow in its entries", v, i+1)
			}
		}
	}
	return invalid.Errorf("the operator's products overflow; scale its entries down")
}
