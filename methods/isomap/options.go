package isomap

import (
	"cmp"
	"context"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/progress"
)

// Stage is the name under which notes go to the observer.
const Stage = "scaling of geodesic distances"

// Parts is the rule for a graph that is not connected.
type Parts string

// The rules.
const (
	// Join connects the components by the shortest links between their points and embeds all. It
	// needs the points, so FitLengths refuses it. The default of [Fit] up to geodesic.MaxParts
	// components; more of them are an error if Join was set, else the rule is Largest.
	Join Parts = "join"
	// Largest embeds the largest component and puts the other points at the origin. The default of
	// FitLengths.
	Largest Parts = "largest"
)

// Pick is the rule by which landmarks are chosen.
type Pick string

// The rules.
const (
	Random Pick = "random" // drawn by the seed. The default
	// MaxMin takes as each landmark the point farthest from those before it. They cover the points
	// evenly, outliers above all, and are found on one core.
	MaxMin Pick = "maxmin"
)

// Defaults of Options.
const (
	DefaultLandmarks = 1000
	DefaultTol       = 1e-10
)

// Options of a fit. The zero value of every field but Dims is its default.
type Options struct {
	// Dims is the number of coordinates, at least 1. Through the contract of package method 0 is
	// the number of clusters or classes.
	Dims int `json:"dims" flag:"dims" short:"d" range:">=1" unset:"the number of clusters or classes" help:"dimensions of the embedding" group:"method"`
	// NormalizeRows scales the coordinates of every point to unit length.
	NormalizeRows bool `json:"normalize_rows,omitempty" flag:"normalize-rows" default:"false" help:"scale each document's row of the embedding to length 1" group:"method"`
	// Parts is Join unless set.
	Parts Parts `json:"parts,omitempty" flag:"parts" choices:"join|largest" default:"join" help:"of a graph that is not connected: all parts joined by shortest links, or its largest part" group:"method"`
	// Landmarks is the number of landmarks, more than Dims; 0 means all points if the table of
	// their distances keeps within 1 GiB and what the context leaves, else 1,000, and no less than
	// Dims +
	// 1. If it is the number of points embedded or more, all are landmarks.
	Landmarks int `json:"landmarks,omitempty" flag:"landmarks" range:">=1" unset:"none up to 11,585 documents, else 1000" help:"landmarks, whose distances alone are scaled; they place the other documents" group:"method"`
	// Pick is Random unless set.
	Pick Pick `json:"pick,omitempty" flag:"landmark-pick" choices:"random|maxmin" default:"random" help:"how landmarks are chosen: drawn at random, or each the farthest from those before it" group:"method"`
	// Seed draws landmarks and starts the eigensolver.
	Seed uint64 `json:"seed"`
	// Graph are the options of the neighbour graph that Fit makes. Its edges have lengths and no
	// weights, so Fit sets Weight to binary.
	Graph graph.Options `json:"graph" flags:"neighbors,epsilon,symmetry" group:"graph"`
	// Eigen are the options of the eigensolver; K, Which and Seed are set by the fit. Tol 0 is
	// 1e-10.
	Eigen eigen.Options `json:"eigen" flags:"tol,max-iter,solver" defaults:"tol=1e-10" group:"eigenproblem"`
	// Observer receives the progress of distances, and notes; Graph and Eigen have their own.
	Observer progress.Observer `json:"-"`

	// most bytes that a table of all distances takes unless Landmarks says so; 0 = tableBytes.
	most int64
}

// tableBytes is the size, in bytes, up to which all distances are scaled, unless the number of
// landmarks is given. 11,585 points reach it, and their scaling takes minutes.
const tableBytes = 1 << 30

// within decides once what memory a table of all distances may take, so that all that ask
// LandmarksOf get one answer. If less is left when the table is made, see [Model.settled].
func (o Options) within(ctx context.Context) Options {
	if o.most == 0 {
		o.most = max(1, min(tableBytes, memory.Left(ctx)))
	}
	return o
}

// Validate lists everything that is wrong with the options.
func (o Options) Validate() error {
	errs := invalid.Faults{option.Check(&o), o.Graph.Validate()}
	if o.Landmarks > 0 && o.Landmarks <= o.Dims {
		errs.Addf("‹landmarks› %d cannot carry ‹dims› %d: give at least %d", o.Landmarks, o.Dims, o.Dims+1)
	}
	e := o.Eigen
	e.K = max(o.Dims, 1)
	errs = append(errs, e.Validate())
	return invalid.Join(errs...)
}

// complete refuses options without a number of dimensions.
func (o Options) complete() error {
	err := o.Validate()
	if err == nil && o.Dims < 1 {
		return invalid.Errorf("the number of dimensions is %d; it must be at least 1", o.Dims)
	}
	return err
}

func (o Options) withDefaults() Options {
	o.Eigen.Tol = cmp.Or(o.Eigen.Tol, DefaultTol)
	o.Eigen.K, o.Eigen.Which, o.Eigen.Seed = o.Dims, eigen.Largest, o.Seed
	return o
}

// LandmarksOf is how many of n points in one part are landmarks; n means all.
func (o Options) LandmarksOf(n int) int {
	switch {
	case o.Landmarks > 0:
		return min(o.Landmarks, n)
	case int64(n) <= cmp.Or(o.most, tableBytes)/8/int64(n):
		return n
	}
	return min(n, max(DefaultLandmarks, o.Dims+1))
}
