package lpp

import (
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/progress"
)

// Constraint says in which sense directions are orthonormal.
type Constraint string

// What directions can be orthonormal in.
const (
	Degrees  Constraint = "degrees"  // XᵀDX + αI: eq. (3), the default
	Identity Constraint = "identity" // I: unit directions
)

// DefaultNeighbors is p of the neighbour graph that Fit builds, as in the paper's experiments.
const DefaultNeighbors = 7

// defaultMemory is Options.Memory where it is 0.
const defaultMemory = 1 << 30

// Options of Fit. The zero value of every field but Dims is its default.
type Options struct {
	// Dims is the number of directions, 1 to the rank of X.
	Dims int `json:"dims" yaml:"dims"`
	// Ridge is α ≥ 0, in the units of XᵀDX; it has no meaning for Identity.
	Ridge float64 `json:"ridge,omitempty" yaml:"ridge,omitempty"`
	// Centre takes off the mean of the rows, each counting its degree, which leaves out the constant from the embedding. For Identity it is the
	// plain mean, and only the span of directions and the origin depend on it.
	Centre bool `json:"centre,omitempty" yaml:"centre,omitempty"`
	// Constraint is Degrees unless set.
	Constraint Constraint `json:"constraint,omitempty" yaml:"constraint,omitempty"`
	// Which end of λ: eigen.Smallest (default) or Largest.
	Which eigen.Which `json:"which,omitempty" yaml:"which,omitempty"`
	// Solver is auto unless set; dense is LAPACK on the smaller side, the others work on the operator.
	Solver eigen.Solver `json:"solver,omitempty" yaml:"solver,omitempty"`
	// Memory is how many bytes the dense way may take for auto to choose it; 0 is 1 GiB.
	Memory int64 `json:"memory,omitempty" yaml:"memory,omitempty"`
	// Tol bounds the residuals of the eigenpairs; 0 is 1e-8.
	Tol float64 `json:"tol,omitempty" yaml:"tol,omitempty"`
	// Seed starts the random vectors of the iterative solvers.
	Seed uint64 `json:"seed" yaml:"seed"`
	// Graph says how Fit makes the neighbour graph; its Neighbors are 7 where they are 0.
	Graph graph.Options `json:"graph" yaml:"graph"`
	// Observer hears of the way chosen and of the pairs found.
	Observer progress.Observer `json:"-" yaml:"-"`
}

// Validate lists everything that is wrong with the options by themselves; Fit adds what depends on the data.
func (o Options) Validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, invalid.Errorf(format, args...)) }
	if o.Dims < 1 {
		bad("the number of dimensions is %d; it must be at least 1", o.Dims)
	}
	if !(o.Ridge >= 0) || math.IsInf(o.Ridge, 0) {
		bad("the ridge is %v; it must be finite and not negative", o.Ridge)
	}
	switch o.Constraint {
	case "", Degrees:
	case Identity:
		if o.Ridge > 0 {
			bad("a ridge has no meaning where directions have unit length; leave it out, or use the constraint %q", Degrees)
		}
	default:
		bad("there is no constraint %q; choose %q or %q", string(o.Constraint), string(Degrees), string(Identity))
	}
	e := eigen.Options{K: max(o.Dims, 1), Which: o.Which, Solver: o.Solver, Tol: o.Tol}
	errs = append(errs, e.Validate())
	if o.Memory < 0 {
		bad("the memory is %d bytes; it must not be negative (0 means %d)", o.Memory, int64(defaultMemory))
	}
	return invalid.Join(errs...)
}
