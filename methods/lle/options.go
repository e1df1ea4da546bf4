package lle

import (
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/progress"
)

// Stage is the name under which notes go to the observer.
const Stage = "local reconstruction"

// Parts says what becomes of a graph that is not connected.
type Parts string

// The rules.
const (
	Largest Parts = "largest" // the largest component; other points stand at the origin. The default
	All     Parts = "all"     // all points, as the formulas have it: the first coordinates tell components apart
)

// Defaults of Options.
const (
	DefaultRegularization = 1e-3
	DefaultLandmarks      = 1000
	// DenseSize is the largest number of points of which solver auto lets all move freely, by LAPACK: 8·DenseSize² bytes = 128 MB, twice for a moment.
	DenseSize = 4000
)

// Options of Fit. The zero value of every field but Dims is its default.
type Options struct {
	// Dims is the number of coordinates, at least 1.
	Dims int `json:"dims" yaml:"dims"`
	// Neighbors is k; 0 = 15, or all others where there are fewer.
	Neighbors int `json:"neighbors" yaml:"neighbors"`
	// Regularization is what the diagonal of a local Gram matrix gets, as a share of its trace; 0 = 1e-3.
	Regularization float64 `json:"regularization,omitempty" yaml:"regularization,omitempty"`
	// Parts is Largest unless set.
	Parts Parts `json:"parts,omitempty" yaml:"parts,omitempty"`
	// Landmarks is l, of random points drawn by Seed; 0 = all points move freely up to DenseSize of them, or where Eigen.Solver names a solver, else 1,000, and
	// no less than Dims + 1. Where it is the number of points embedded or more, they do too.
	Landmarks int `json:"landmarks,omitempty" yaml:"landmarks,omitempty"`
	// LandmarkNeighbors is k_Z; 0 = Dims + 1.
	LandmarkNeighbors int `json:"landmark_neighbors,omitempty" yaml:"landmark_neighbors,omitempty"`
	// Seed draws landmarks and starts the eigensolver.
	Seed uint64 `json:"seed" yaml:"seed"`
	// Eigen says how the eigenpairs are found; K, Which and Seed are set by Fit. Tol is relative to the largest eigenvalue of M; 0 is 1e-10.
	Eigen eigen.Options `json:"eigen" yaml:"eigen"`
	// Observer hears of neighbours and notes; Eigen has its own.
	Observer progress.Observer `json:"-" yaml:"-"`
}

// Validate lists everything that is wrong with the options.
func (o Options) Validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, invalid.Errorf(format, args...)) }
	if o.Dims < 1 {
		bad("the number of dimensions is %d; it must be at least 1", o.Dims)
	}
	if o.Neighbors < 0 {
		bad("neighbors is %d: it must be at least 1 (0 for the default, %d)", o.Neighbors, graph.DefaultNeighbors)
	}
	if !(o.Regularization >= 0) || math.IsInf(o.Regularization, 1) {
		bad("the regularization is %v: it must be a finite number above 0 (0 for the default, %g)", o.Regularization, DefaultRegularization)
	}
	switch o.Parts {
	case "", Largest, All:
	default:
		bad("%q is no rule for parts; choose %q or %q", o.Parts, Largest, All)
	}
	if o.Landmarks < 0 || o.Landmarks > 0 && o.Landmarks <= o.Dims {
		bad("%d landmarks cannot carry %d dimensions; give at least %d, or 0 for none", o.Landmarks, o.Dims, o.Dims+1)
	}
	if o.Landmarks > maxLandmarks {
		bad("%d landmarks make a dense eigenproblem of %.1f GiB; give at most %d", o.Landmarks, 16*float64(o.Landmarks)*float64(o.Landmarks)/(1<<30), maxLandmarks)
	}
	if o.LandmarkNeighbors < 0 || o.Landmarks > 0 && o.LandmarkNeighbors > o.Landmarks {
		bad("landmark_neighbors is %d: it must be at least 1 and at most the landmarks, %d (0 for the default, dims + 1)", o.LandmarkNeighbors, o.Landmarks)
	}
	e := o.Eigen
	e.K = max(o.Dims, 1)
	errs = append(errs, e.Validate())
	return invalid.Join(errs...)
}

const maxLandmarks = 8000

// LandmarksOf is how many of n points in one part carry the others; n where all move freely.
func (o Options) LandmarksOf(n int) int {
	switch {
	case o.Landmarks > 0:
		return min(o.Landmarks, n)
	case n <= DenseSize || o.Eigen.Solver != "" && o.Eigen.Solver != eigen.Auto:
		return n
	}
	return max(DefaultLandmarks, o.Dims+1)
}

func (o Options) withDefaults(n int) Options {
	if o.Neighbors == 0 {
		o.Neighbors = max(1, min(graph.DefaultNeighbors, n-1))
	}
	if o.Regularization == 0 {
		o.Regularization = DefaultRegularization
	}
	if o.LandmarkNeighbors == 0 {
		o.LandmarkNeighbors = o.Dims + 1
	}
	if o.Eigen.Tol == 0 {
		o.Eigen.Tol = 1e-10
	}
	o.Eigen.K, o.Eigen.Which, o.Eigen.Seed = o.Dims, eigen.Smallest, o.Seed
	return o
}
