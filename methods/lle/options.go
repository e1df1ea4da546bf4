package lle

import (
	"cmp"
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/progress"
)

// Stage is the name under which notes go to the observer.
const Stage = "local reconstruction"

// Parts is the rule for a graph that is not connected.
type Parts string

// The rules.
const (
	// Largest embeds the largest component and puts the other points at the origin. The default.
	Largest Parts = "largest"
	// All embeds all points, as the formulas do: the first coordinates indicate the components.
	All Parts = "all"
)

// Defaults of Options.
const (
	DefaultTol       = 1e-10
	DefaultLandmarks = 1000
	// DenseSize is the largest number of points that solver auto embeds without landmarks, by
	// LAPACK: 8·DenseSize² bytes = 128 MB, twice for a moment.
	DenseSize = 4000
)

// Options of Fit. The zero value of every field but Dims is its default.
type Options struct {
	// Dims is the number of coordinates, at least 1. Through the contract of package method 0 is
	// the number of clusters or classes.
	Dims int `json:"dims" flag:"dims" short:"d" range:">=1" unset:"the number of clusters or classes" help:"dimensions of the embedding" group:"method"`
	// NormalizeRows scales the coordinates of every point to unit length.
	NormalizeRows bool `json:"normalize_rows,omitempty" flag:"normalize-rows" default:"false" help:"scale each document's row of the embedding to length 1" group:"method"`
	// Neighbors is the number of neighbours that reconstruct a point; 0 = 15, or all others if
	// there are fewer.
	Neighbors int `json:"neighbors" flag:"neighbors" range:">=1" unset:"15, or all others if there are fewer" help:"nearest neighbours that reconstruct each document" group:"graph"`
	// Ridge is added to the diagonal of a local Gram matrix, as a share of its trace; 0 = 1e-3.
	Ridge float64 `json:"regularization,omitempty" flag:"regularization" range:">0" default:"0.001" help:"what the diagonal of a local Gram matrix gets, as a share of its trace" group:"method"`
	// Parts is Largest unless set.
	Parts Parts `json:"parts,omitempty" flag:"parts" choices:"largest|all" default:"largest" help:"of a graph that is not connected: its largest part, or all parts as they are" group:"method"`
	// Landmarks is the number of random points, drawn by Seed, whose coordinates determine the others'
	// coordinates; more than Dims. 0 means none up to DenseSize points, or if Eigen.Solver names a
	// solver, else 1,000 and no less than Dims + 1. If it is the number of points embedded or more,
	// there are none.
	Landmarks int `json:"landmarks,omitempty" flag:"landmarks" range:">=1" unset:"none up to 4,000 documents, else 1000" help:"landmarks, from which the other documents are reconstructed" group:"method"`
	// LandmarkNeighbors is the number of landmarks that reconstruct a point; 0 = Dims + 1.
	LandmarkNeighbors int `json:"landmark_neighbors,omitempty" flag:"landmark-neighbors" range:">=1" unset:"dimensions + 1" help:"nearest landmarks that reconstruct each document" group:"method"`
	// Seed draws landmarks and starts the eigensolver.
	Seed uint64 `json:"seed"`
	// Eigen are the options of the eigensolver; K, Which and Seed are set by Fit. Tol is relative
	// to the largest eigenvalue of M; 0 is 1e-10.
	Eigen eigen.Options `json:"eigen" flags:"*" defaults:"tol=1e-10" group:"eigenproblem"`
	// Observer receives the progress of the neighbour search, and notes; Eigen has its own.
	Observer progress.Observer `json:"-"`
}

// Validate lists everything that is wrong with the options.
func (o Options) Validate() error {
	errs := invalid.Faults{option.Check(&o)}
	if o.Landmarks > 0 && o.Landmarks <= o.Dims {
		errs.Addf("‹landmarks› %d cannot carry ‹dims› %d: give at least %d", o.Landmarks, o.Dims, o.Dims+1)
	}
	if o.Landmarks > 0 && o.LandmarkNeighbors > o.Landmarks {
		errs.Addf("‹landmark-neighbors› %d is more than the %d landmarks: give at most as many", o.LandmarkNeighbors, o.Landmarks)
	}
	e := o.Eigen
	e.K = max(o.Dims, 1)
	errs = append(errs, e.Validate())
	return invalid.Join(errs...)
}

// LandmarksOf is how many of n points in one part are landmarks; n if there are none.
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
	option.Default(&o)
	o.Neighbors = cmp.Or(o.Neighbors, max(1, min(graph.DefaultNeighbors, n-1)))
	o.LandmarkNeighbors = cmp.Or(o.LandmarkNeighbors, o.Dims+1)
	o.Eigen.Tol = cmp.Or(o.Eigen.Tol, DefaultTol)
	o.Eigen.K, o.Eigen.Which, o.Eigen.Seed = o.Dims, eigen.Smallest, o.Seed
	return o
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
