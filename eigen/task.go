package eigen

import (
	"context"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/native/slepc"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/blas/blas64"
)

// task is the input of every solver: find the k largest eigenpairs of op in the orthogonal
// complement of known.
type task struct {
	op    operator // of all rows, or of those of this rank
	n     int      // rows of this process
	known *space.Nullspace
	space space.Space // says which rows these are
	ranks int         // among how many the basis is divided; 0: it is not
	// outer is the context of the work if ranks divide it: they look at it together, and the solver's
	// own is never cancelled.
	outer context.Context
	k     int // at most n − known.size()
	// tol bounds ‖op·u − μu‖ for unit u, relative to the operator's norm if scaled is set.
	tol    float64
	scaled bool
	// measure, if not nil, maps unit vectors u and their residuals r = op·u − μu, column by column,
	// to numbers that must not exceed measured. They never exceed ‖r‖·measured/tol, so tol alone
	// would suffice, with more iterations. The space is that of the rows.
	measure  func(s space.Space, u, r blas64.General) []float64
	measured float64
	// matrix is op as SLEPc's; nil without.
	matrix slepc.Matrix

	// top is the upper end of the spectrum, or a guess; fixed marks points that are eigenvectors
	// with the value 1. For shift-invert.
	top float64
	// pencil: eigenvalues are 1 − those of op; largest: those of op; else their negatives.
	pencil, largest bool
	fixed           func(i int) bool

	subspace, block, maxIter int
	seed                     uint64
	start                    blas64.General // n×s approximate eigenvectors, s may be 0
	observer                 progress.Observer
}

// pairs is the output of every solver: values descending; vectors as the unit columns of an n×k
// row-major matrix; converged, the number of pairs that met tol; norm, a lower estimate of the
// operator's norm. The vectors need not have canonical signs.
type pairs struct {
	values    []float64
	norm      float64
	vectors   blas64.General
	converged int
	// errors bounds the errors of the values; nil if the residuals are the best bounds.
	errors []float64
	lack
	stats work
}

// lack says what a result may lack.
type lack struct {
	// unsearched is true if the iteration limit was reached before the search for missed pairs had
	// ended.
	unsearched bool
	// missing is the number of eigenvalues that a count says are missing and no search found.
	missing int
}

// solver is the signature of all solvers. At the iteration limit a solver returns the pairs it has.
type solver func(ctx context.Context, t task) (pairs, error)

// stage is the progress stage of the solvers.
const stage = "eigenvectors"

// room is the dimension of the complement of the known vectors.
func (t task) room() int { return t.whole() - t.known.Size() }

// whole is the number of rows of the problem.
func (t task) whole() int { return t.space.Among(t.n) }

// stopped returns the context's error; with ranks, that of any rank.
func (t task) stopped(ctx context.Context) error {
	if !t.space.Divided() || t.outer == nil {
		return ctx.Err()
	}
	return ranks.Agree(t.space.Share, t.outer.Err())
}

// NewBasis makes a basis of vectors of the task.
func (t task) newBasis(capacity int, seed uint64) *space.Basis {
	b := space.NewBasis(t.n, capacity, t.known, seed)
	if t.space.Divided() {
		b.Divide(t.space, seed)
	}
	return b
}

// work is what a solve took; eigen.Stats explains the fields.
type work struct {
	Solver      string        `json:"solver"`
	Why         string        `json:"why,omitempty"`
	Products    int           `json:"products"`
	Restarts    int           `json:"restarts"`
	Deflated    int           `json:"deflated"`
	Recovered   int           `json:"recovered,omitempty"`
	Missed      float64       `json:"missed,omitempty"`
	Subspace    int           `json:"subspace,omitempty"`
	Block       int           `json:"block,omitempty"`
	Inertia     *inertiaCount `json:"inertia,omitempty"`
	ProductTime time.Duration `json:"product_ns"`
	BasisTime   time.Duration `json:"basis_ns"`
	Total       time.Duration `json:"total_ns"`
}

// after adds the work of a solve before.
func (s *work) after(first work) {
	s.Products += first.Products
	s.ProductTime += first.ProductTime
	s.BasisTime += first.BasisTime
	s.Deflated = first.Deflated
}

// inertiaCount is a count of eigenvalues that proves a result complete; eigen.Inertia explains the
// fields.
type inertiaCount struct {
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
