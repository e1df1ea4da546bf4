package lpp

import (
	"cmp"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/progress"
)

// Constraint is the inner product in which directions are orthonormal.
type Constraint string

// The constraints.
const (
	Degrees  Constraint = "degrees"  // XᵀDX + αI: eq. (3), the default
	Identity Constraint = "identity" // I: unit directions
)

// Kind names the graph over the documents.
type Kind string

// The kinds of graphs.
const (
	// Neighbors is the graph of nearest neighbours: locality preserving projections.
	Neighbors Kind = "neighbors"
	// Classes is the graph of the known labels, ClassGraph: linear discriminant analysis.
	Classes Kind = "classes"
	// PCA is the complete graph, PCAGraph: principal components.
	PCA Kind = "pca"
)

// Defaults of Options.
const (
	// DefaultNeighbors is the number of neighbours in the graph, as in the paper's experiments.
	DefaultNeighbors = 7
	// DefaultRidge is α under the constraint Degrees.
	DefaultRidge = 1
)

// Options of Fit. The zero value of every field but Dims is its default.
type Options struct {
	// Dims is the number of directions, 1 to the rank of X. Through the contract of package method 0
	// is the number of clusters or classes, of the kind Classes one fewer.
	Dims int `json:"dims" flag:"dims" short:"d" range:">=1" unset:"the number of clusters or classes" help:"dimensions of the embedding" group:"method"`
	// NormalizeRows scales the coordinates of every document to length 1.
	NormalizeRows bool `json:"normalize_rows,omitempty" flag:"normalize-rows" default:"false" help:"scale each document's row of the embedding to length 1" group:"method"`
	// Kind is Neighbors unless set; through the contract of package method it is Classes if there are
	// labels. FitGraph uses the graph that it is given, of whatever kind. PCA has the constraint
	// Identity and the largest values unless these are set.
	Kind Kind `json:"graph_kind,omitempty" flag:"edges" was:"graph-kind" choices:"neighbors|classes|pca" unset:"classes with labels, else neighbors" help:"edges of the graph over the documents: between nearest neighbours, within the classes of the known labels (which gives discriminant analysis) or between all documents alike (which gives principal components)" group:"method"`
	// Ridge is α ≥ 0, in the units of XᵀDX; nil = 1. Identity has none.
	Ridge *float64 `json:"ridge,omitempty" flag:"alpha" range:">=0" default:"1" when:"edges!=pca" help:"weight of the ridge in the regression on the terms; 0 is none" group:"method"`
	// Center subtracts the mean of the rows, each counting its degree, which leaves the constant out
	// of the embedding; nil = true. For Identity it is the plain mean, and only the span of directions
	// and the origin depend on it.
	Center *bool `json:"center,omitempty"`
	// Constraint is Degrees unless set.
	Constraint Constraint `json:"constraint,omitempty"`
	// Which is the wanted end of λ: eigen.Smallest (default) or Largest.
	Which eigen.Which `json:"which,omitempty"`
	// Graph are the options of the neighbour graph; 0 Neighbors are 7.
	Graph graph.Options `json:"graph" flags:"*" when:"edges=neighbors" defaults:"neighbors=(7, or all others if there are fewer)" group:"graph"`
	// Solver is auto unless set; dense is LAPACK on the smaller side, the others work on the operator.
	Solver eigen.Solver `json:"solver,omitempty" flag:"solver" choices:"auto|dense|arpack|lanczos" default:"auto" help:"eigensolver" group:"eigenproblem"`
	// Tol bounds the residuals of the eigenpairs; 0 is 1e-8.
	Tol float64 `json:"tol,omitempty" flag:"tol" range:"0<x<1" default:"1e-08" help:"largest residual of an eigenpair that counts as found" group:"eigenproblem"`
	// Seed starts the random vectors of the iterative solvers.
	Seed uint64 `json:"seed"`
	// Observer receives progress, and as a detail which way was chosen.
	Observer progress.Observer `json:"-"`
	// Share divides the documents among the ranks of a team, which fit together: x, its part of the
	// graph and the coordinates are of the own ones. nil: x has all.
	Share *ranks.Share `json:"-"`

	most int64 // in place of mostBytes, for tests
}

// Validate lists everything that is wrong with the options by themselves; Fit adds what depends on
// the data.
func (o Options) Validate() error {
	errs := invalid.Faults{option.Check(&o)}
	switch o = o.ofKind(); o.Constraint {
	case "", Degrees:
	case Identity:
		if o.Ridge != nil && *o.Ridge > 0 {
			errs.Addf("‹alpha› has no meaning if directions have unit length, as with ‹edges› pca: leave it out")
		}
	default:
		errs.Addf("there is no constraint %q; choose %q or %q", string(o.Constraint), string(Degrees), string(Identity))
	}
	e := eigen.Options{K: max(o.Dims, 1), Which: o.Which, Tol: o.Tol}
	errs = append(errs, e.Validate())
	return invalid.Join(errs...)
}

// ofKind fills in constraint and end of the spectrum of the kind PCA.
func (o Options) ofKind() Options {
	if o.Kind == PCA {
		o.Constraint = cmp.Or(o.Constraint, Identity)
		o.Which = cmp.Or(o.Which, eigen.Largest)
	}
	return o
}

// ridge is α.
func (o Options) ridge() float64 {
	switch {
	case o.Constraint == Identity:
		return 0
	case o.Ridge == nil:
		return DefaultRidge
	}
	return *o.Ridge
}
