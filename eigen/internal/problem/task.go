package problem

import (
	"context"
	"math"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/native/slepc"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/blas/blas64"
)

// Task is the input of every solver: find the k largest eigenpairs of op in the orthogonal
// complement of known.
type Task struct {
	Op    Operator // of all rows, or of those of this rank
	N     int      // rows of this process
	Known *space.Nullspace
	Space space.Space // says which rows these are
	Ranks int         // among how many the basis is divided; 0: it is not
	// Outer is the context of the work if ranks divide it: they look at it together, and the solver's
	// own is never cancelled.
	Outer context.Context
	K     int // at most n − known.size()
	// Tol bounds ‖op·u − μu‖ for unit u, relative to the operator's norm if scaled is set.
	Tol    float64
	Scaled bool
	// Measure, if not nil, maps unit vectors u and their residuals r = op·u − μu, column by column,
	// to numbers that must not exceed measured. They never exceed ‖r‖·measured/tol, so tol alone
	// would suffice, with more iterations. The space is that of the rows.
	Measure  func(s space.Space, u, r blas64.General) []float64
	Measured float64
	// Matrix is op as SLEPc's; nil without.
	Matrix slepc.Matrix

	// Top is the upper end of the spectrum, or a guess; fixed marks points that are eigenvectors
	// with the value 1. For shift-invert.
	Top float64
	// Pencil: eigenvalues are 1 − those of op; largest: those of op; else their negatives.
	Pencil, Largest bool
	Fixed           func(i int) bool

	Subspace, Block, MaxIter int
	Seed                     uint64
	Start                    blas64.General // n×s approximate eigenvectors, s may be 0
	Observer                 progress.Observer
}

// Pairs is the output of every solver: values descending; vectors as the unit columns of an n×k
// row-major matrix; converged, the number of pairs that met tol; norm, a lower estimate of the
// operator's norm. The vectors need not have canonical signs.
type Pairs struct {
	Values    []float64
	Norm      float64
	Vectors   blas64.General
	Converged int
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

// Room is the dimension of the complement of the known vectors.
func (t Task) Room() int { return t.Whole() - t.Known.Size() }

// Whole is the number of rows of the problem.
func (t Task) Whole() int { return t.Space.Among(t.N) }

// Stopped returns the context's error; with ranks, that of any rank.
func (t Task) Stopped(ctx context.Context) error {
	if !t.Space.Divided() || t.Outer == nil {
		return ctx.Err()
	}
	return ranks.Agree(t.Space.Share, t.Outer.Err())
}

// NewBasis makes a basis of vectors of the task.
func (t Task) NewBasis(capacity int, seed uint64) *space.Basis {
	b := space.NewBasis(t.N, capacity, t.Known, seed)
	if t.Space.Divided() {
		b.Divide(t.Space, seed)
	}
	return b
}

// Stats is what a solve took; eigen.Stats explains the fields.
type Stats struct {
	Solver      string        `json:"solver"`
	Why         string        `json:"why,omitempty"`
	Products    int           `json:"products"`
	Restarts    int           `json:"restarts"`
	Deflated    int           `json:"deflated"`
	Recovered   int           `json:"recovered,omitempty"`
	Missed      float64       `json:"missed,omitempty"`
	Subspace    int           `json:"subspace,omitempty"`
	Block       int           `json:"block,omitempty"`
	Inertia     *Inertia      `json:"inertia,omitempty"`
	ProductTime time.Duration `json:"product_ns"`
	BasisTime   time.Duration `json:"basis_ns"`
	Total       time.Duration `json:"total_ns"`
}

// After adds the work of a solve before.
func (s *Stats) After(first Stats) {
	s.Products += first.Products
	s.ProductTime += first.ProductTime
	s.BasisTime += first.BasisTime
	s.Deflated = first.Deflated
}

// Inertia is a count of eigenvalues that proves a result complete; eigen.Inertia explains the
// fields.
type Inertia struct {
	Shift          float64       `json:"shift"`
	Below          int           `json:"below"`
	Copies         int           `json:"copies,omitempty"`
	Width          float64       `json:"width,omitempty"`
	Returned       int           `json:"returned,omitempty"`
	Above          bool          `json:"above,omitempty"`
	Problems       int           `json:"problems,omitempty"`
	Bound          float64       `json:"bound"`
	Factorisations int           `json:"factorisations"`
	Entries        int64         `json:"entries"`
	Flops          float64       `json:"flops"`
	Time           time.Duration `json:"time_ns"`
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
