package eigen

import (
	"cmp"
	"math"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/native/slepc"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Which names an end of the spectrum.
type Which string

// The two ends, by algebraic value.
const (
	Smallest Which = "smallest"
	Largest  Which = "largest"
)

// Solver names a solver.
type Solver string

// The solvers; see the package comment.
const (
	Auto        Solver = "auto"
	Dense       Solver = "dense"
	ARPACK      Solver = "arpack"
	Lanczos     Solver = "lanczos"
	ShiftInvert Solver = "shift-invert"
	SLEPc       Solver = "slepc"
)

// Options of Symmetric and of the Solve methods. The zero value of every field except K is its
// default.
type Options struct {
	// K is the number of eigenpairs wanted, 1 ≤ K ≤ n.
	K int `json:"k"`
	// Which end of the spectrum: Smallest (default) or Largest. A Pencil accepts only Smallest.
	Which Which `json:"which,omitempty"`
	// SkipNull leaves out a pencil's null vectors, one per component; K then counts the pairs above
	// them. Symmetric does not use it.
	SkipNull bool `json:"skip_null,omitempty"`
	// Tol bounds the residuals: ‖Ly − λMy‖ ≤ Tol·‖y‖ for a pencil, ‖Ax − λx‖ ≤ Tol·‖A‖·‖x‖ for an
	// operator; 0 is 1e-8. If rounding at the scale of the data does not allow Tol, the limit of
	// rounding applies.
	Tol float64 `json:"tol,omitempty" flag:"tol" range:"0<x<1" default:"1e-08" help:"largest residual of an eigenpair that counts as found"`
	// MaxIter is the largest number of restarts of an iterative solver; 0 is 300.
	MaxIter int `json:"max_iter,omitempty" flag:"max-iter" range:">=1" default:"300" help:"most restarts of the eigensolver"`
	// Subspace is the largest number of basis vectors, at least K+2, with 8n bytes each; 0 means
	// that the solver chooses: lanczos begins with max(8K/3, K+32), and takes more where it would
	// need many restarts.
	Subspace int `json:"subspace,omitempty"`
	// Block is the number of vectors that lanczos multiplies at once, 1 to 64; 0 means 4, or 8 for
	// half a million points and more.
	Block int `json:"block,omitempty"`
	// Solver is the solver to use; empty means Auto.
	Solver Solver `json:"solver,omitempty" flag:"solver" choices:"auto|dense|arpack|lanczos|shift-invert|slepc" default:"auto" help:"eigensolver"`
	// Verify counts the eigenvalues below the last one by inertia (a sparse LDLᵀ factorisation)
	// after the solve, and makes a missing or surplus pair an error, *InertiaError.
	Verify bool `json:"verify,omitempty" flag:"verify" default:"false" help:"count the eigenvalues by inertia after the solve; a missing one is an error"`
	// Seed is the seed of the random vectors of the iterative solvers.
	Seed uint64 `json:"seed"`
	// Start, n×(any number), holds approximate eigenvectors for lanczos, such as eigenvectors of a
	// similar problem. It starts with random combinations of all of them and one random vector, so a
	// vector that is missing among them is found as well. The other solvers ignore it.
	Start *mat.Dense `json:"-"`
	// Observer receives the choice of the solver and the number of pairs found.
	Observer progress.Observer `json:"-"`
}

// Defaults of Options.
const (
	DefaultTol     = 1e-8
	DefaultMaxIter = 300
)

// MissProbability bounds the probability that one search of the complement ends although an
// eigenvalue is missing. See "Completeness" in the package comment.
const MissProbability = 1e-8

// Validate returns an error that lists all violations that can be found without the operator.
func (o Options) Validate() error {
	var errs invalid.Faults
	if o.K < 1 {
		errs.Addf("the number of eigenpairs is %d; it must be at least 1", o.K)
	}
	switch o.Which {
	case "", Smallest, Largest:
	default:
		errs.Addf("the end of the spectrum is %q; it must be %q or %q", o.Which, Smallest, Largest)
	}
	switch o.Solver {
	case "", Auto, Dense, ARPACK, Lanczos, ShiftInvert:
	case SLEPc:
		if !slepc.Available {
			_, err := slepc.Start() // says which build has it
			errs = append(errs, err)
		}
	default:
		errs.Addf("there is no solver %q; the solvers are auto, dense, arpack, lanczos, shift-invert and slepc", o.Solver)
	}
	if !(o.Tol >= 0) || math.IsInf(o.Tol, 0) || o.Tol >= 1 {
		errs.Addf("the tolerance is %v; it must be below 1 and not negative (0 means %g)", o.Tol, DefaultTol)
	}
	if o.MaxIter < 0 {
		errs.Addf("the number of restarts is %d; it must not be negative (0 means %d)", o.MaxIter, DefaultMaxIter)
	}
	if o.Subspace < 0 || o.Subspace > 0 && o.Subspace < o.K+2 {
		errs.Addf("the subspace of %d vectors is too small for %d eigenpairs; give at least %d, or 0 for an automatic choice", o.Subspace, o.K, o.K+2)
	}
	if o.Block < 0 || o.Block > problem.MaxBlock {
		errs.Addf("the block is %d; it must be 1 to %d (0 for an automatic choice)", o.Block, problem.MaxBlock)
	}
	return invalid.Join(errs...)
}

func (o Options) withDefaults() Options {
	option.Default(&o)
	o.Which = cmp.Or(o.Which, Smallest)
	return o
}

// check validates the options for a problem of size n, of which own rows are here.
func (o Options) check(n, own int) error {
	if err := o.Validate(); err != nil {
		return err
	}
	if o.K > n {
		return invalid.Errorf("%d eigenpairs were requested; a problem of size %d has at most %d", o.K, n, n)
	}
	if o.Start != nil {
		if r, _ := o.Start.Dims(); r != own {
			return invalid.Errorf("the start vectors have %d rows; the problem has size %d", r, own)
		}
		for j, norm := range space.ColumnNorms(blas64.General{}, o.Start.RawMatrix()) {
			if math.IsNaN(norm) || math.IsInf(norm, 0) {
				return invalid.Errorf("start vector %d is not finite", j+1)
			}
		}
	}
	return nil
}

// Result holds the computed eigenpairs.
type Result struct {
	// Values are the eigenvalues, ascending.
	Values []float64
	// Vectors is n×K with one eigenvector per column: of unit length for an operator, with yᵀMy = 1
	// for a pencil. CanonicalSigns fixes the signs.
	Vectors *mat.Dense
	// Residuals holds ‖Ax − λx‖/‖x‖, or ‖Ly − λMy‖/‖y‖, for each pair, recomputed from the final
	// vectors.
	Residuals []float64
	// Converged counts the pairs that meet the tolerance; it is K unless the error is
	// *NotConvergedError.
	Converged int
	Stats     Stats
}

// Stats describes the work that a solve took.
type Stats struct {
	// Solver is the solver that ran; Why is the reason if auto chose it.
	Solver Solver `json:"solver"`
	Why    string `json:"why,omitempty"`
	// Products counts operator products with single vectors: a block of b columns counts b.
	Products int `json:"products"`
	Restarts int `json:"restarts"`
	// Deflated counts the null vectors known from the connected components.
	Deflated int `json:"deflated"`
	// Recovered counts the pairs that the first pass missed and the search of the complement found.
	Recovered int `json:"recovered,omitempty"`
	// Missed bounds the probability that an eigenvalue is missing although the error is nil: a
	// multiple of MissProbability for the iterative solvers, 0 if completeness was proved.
	Missed float64 `json:"missed,omitempty"`
	// Subspace and Block are the sizes that were used.
	Subspace int `json:"subspace,omitempty"`
	Block    int `json:"block,omitempty"`
	// Inertia is the count that proves the result complete: of Verify, and of shift-invert.
	Inertia *Inertia `json:"inertia,omitempty"`
	// Wall-clock time of products, of orthogonalisation and small dense problems, and in total.
	ProductTime time.Duration `json:"product_ns"`
	BasisTime   time.Duration `json:"basis_ns"`
	Total       time.Duration `json:"total_ns"`
}

// statsOf returns the work of a solver as the public type.
func statsOf(s problem.Stats) Stats {
	return Stats{
		Solver: Solver(s.Solver), Why: s.Why, Products: s.Products, Restarts: s.Restarts, Deflated: s.Deflated,
		Recovered: s.Recovered, Missed: s.Missed, Subspace: s.Subspace, Block: s.Block, Inertia: (*Inertia)(s.Inertia),
		ProductTime: s.ProductTime, BasisTime: s.BasisTime, Total: s.Total,
	}
}

// Divides reports whether ranks divide the vectors of an eigenproblem that is solved with these
// options. Other solvers, and a count by inertia, need the whole matrix.
func (o Options) Divides() bool {
	switch o.Solver {
	case "", Auto, Lanczos, SLEPc:
		return !o.Verify
	}
	return false
}
