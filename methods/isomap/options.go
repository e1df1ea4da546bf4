package isomap

import (
	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/geodesic"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/progress"
)

// Stage is the name under which notes go to the observer.
const Stage = "scaling of geodesic distances"

// Parts says what becomes of a graph that is not connected.
type Parts string

// The rules.
const (
	// Largest embeds the largest component and puts the other points at the origin. The default.
	Largest Parts = "largest"
	// Join connects the components by the shortest links between their points and embeds all. It needs the points, so FitLengths does not know it.
	Join Parts = "join"
)

// Pick names how landmarks are chosen.
type Pick string

// The choices.
const (
	Random Pick = "random" // drawn by the seed. The default
	MaxMin Pick = "maxmin" // each the farthest from those before it: even cover, one core, and outliers above all
)

// Defaults of Options.
const (
	DefaultLandmarks = 1000
	DefaultTol       = 1e-10
)

// Options of a fit. The zero value of every field but Dims is its default.
type Options struct {
	// Dims is the number of coordinates, at least 1.
	Dims int `json:"dims" yaml:"dims"`
	// Graph says how Fit makes the neighbour graph; its weights mean nothing.
	Graph graph.Options `json:"graph" yaml:"graph"`
	// Parts is Largest unless set.
	Parts Parts `json:"parts,omitempty" yaml:"parts,omitempty"`
	// Landmarks is l; 0 means all points where the table of their distances keeps within Memory, else 1,000, and no less than Dims + 1. Where it is the number of
	// points embedded or more, all are.
	Landmarks int `json:"landmarks,omitempty" yaml:"landmarks,omitempty"`
	// Pick is Random unless set.
	Pick Pick `json:"pick,omitempty" yaml:"pick,omitempty"`
	// Seed draws landmarks and starts the eigensolver.
	Seed uint64 `json:"seed" yaml:"seed"`
	// Memory is how many bytes the table of distances may take; 0 is 1 GiB.
	Memory int64 `json:"memory,omitempty" yaml:"memory,omitempty"`
	// Eigen says how the eigenpairs are found; K, Which and Seed are set by the fit, Tol 0 is 1e-10.
	Eigen eigen.Options `json:"eigen" yaml:"eigen"`
	// Observer hears of distances and notes; Graph and Eigen have their own.
	Observer progress.Observer `json:"-" yaml:"-"`
}

// Validate lists everything that is wrong with the options.
func (o Options) Validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, invalid.Errorf(format, args...)) }
	if o.Dims < 1 {
		bad("the number of dimensions is %d; it must be at least 1", o.Dims)
	}
	errs = append(errs, o.Graph.Validate())
	switch o.Parts {
	case "", Largest, Join:
	default:
		bad("%q is no rule for parts; choose %q or %q", o.Parts, Largest, Join)
	}
	if o.Landmarks < 0 || o.Landmarks > 0 && o.Landmarks <= o.Dims {
		bad("%d landmarks cannot carry %d dimensions; give at least %d, or 0 to have it chosen", o.Landmarks, o.Dims, o.Dims+1)
	}
	switch o.Pick {
	case "", Random, MaxMin:
	default:
		bad("landmarks cannot be picked by %q; choose %q or %q", o.Pick, Random, MaxMin)
	}
	if o.Memory < 0 {
		bad("the memory is %d bytes; it must be positive (0 means %d)", o.Memory, int64(geodesic.DefaultMaxBytes))
	}
	e := o.Eigen
	e.K = max(o.Dims, 1)
	errs = append(errs, e.Validate())
	return invalid.Join(errs...)
}

func (o Options) withDefaults() Options {
	if o.Memory == 0 {
		o.Memory = geodesic.DefaultMaxBytes
	}
	if o.Eigen.Tol == 0 {
		o.Eigen.Tol = DefaultTol
	}
	o.Eigen.K, o.Eigen.Which, o.Eigen.Seed = o.Dims, eigen.Largest, o.Seed
	return o
}

// LandmarksOf is how many of n points in one part are landmarks; n means all.
func (o Options) LandmarksOf(n int) int {
	if o.Memory == 0 {
		o.Memory = geodesic.DefaultMaxBytes
	}
	switch {
	case o.Landmarks > 0:
		return min(o.Landmarks, n)
	case int64(n) <= o.Memory/8/int64(n):
		return n
	}
	return min(n, max(DefaultLandmarks, o.Dims+1))
}
