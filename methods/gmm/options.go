package gmm

import (
	"cmp"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Covariance is the shape of the components' covariances.
type Covariance string

// The shapes.
const (
	Full      Covariance = "full"      // one d×d matrix per component; the default
	Tied      Covariance = "tied"      // one d×d matrix for all components
	Diagonal  Covariance = "diagonal"  // d variances per component
	Spherical Covariance = "spherical" // one variance per component

	diag Covariance = "diag" // another name of Diagonal
)

// Shape is the covariance that a name stands for.
func (c Covariance) Shape() Covariance {
	switch c {
	case "":
		return Full
	case diag:
		return Diagonal
	}
	return c
}

// RidgeKind says what the number Ridge means.
type RidgeKind string

// The kinds of ridges.
const (
	// RidgePrior gives each component Ridge·n/K pseudo-observations with the data's mean variance:
	// see the package comment. A component of average weight gets about Ridge times the mean
	// variance on its diagonal. The default.
	RidgePrior RidgeKind = "prior"
	// RidgeAbsolute adds Ridge, in squared units of the data, to every diagonal, as scikit-learn's
	// reg_covar. The objective is the log-likelihood then, and may fall by as much as the ridge
	// disturbs.
	RidgeAbsolute RidgeKind = "absolute"
)

// DefaultRidge is the ridge if Options.Ridge is nil and nothing is estimated.
const DefaultRidge = 1e-6

// Options of a fit. The zero value of every field but K is its default.
type Options struct {
	K int `json:"k"` // components, 1..rows
	// Covariance is the shape of the covariances; "" = full. "diag" is diagonal.
	Covariance Covariance `json:"covariance,omitempty" flag:"covariance" choices:"full|tied|diagonal|diag|spherical" default:"full" help:"covariances: full, tied (one for all clusters), diagonal (or diag) or spherical" group:"method"`
	// Ridge is the weight of the covariances' prior, and keeps them from being singular. nil: full
	// and tied covariances are drawn towards the mean variance within clusters by as much as the rows
	// of a cluster are too few for them ([Estimator.Settle]); others have 1e-6. 0 adds nothing until
	// a component needs it. At most 1e6 for RidgePrior.
	Ridge *float64 `json:"ridge,omitempty" flag:"ridge" range:">=0" unset:"full and tied covariances are drawn towards a sphere by as much as the documents of a cluster are too few for them (Ledoit and Wolf 2004); 1e-06 of others" help:"draws covariances towards a sphere, and keeps them from being singular, as a share of the mean variance; 0: only where one is singular" group:"method"`
	// RidgeKind says what the number Ridge means; "" = prior.
	RidgeKind RidgeKind `json:"ridge_kind,omitempty"`
	// Restarts is the number of runs of EM from different starts, of which the one of the highest
	// Objective is kept; 0 = 1.
	Restarts int `json:"restarts,omitempty" flag:"em-restarts" range:">=1" default:"1" help:"runs of EM, of which the best is kept" group:"method"`
	// MaxIter bounds the M-steps of a run after the start's; 0 = 200.
	MaxIter int `json:"max_iter,omitempty" flag:"em-iter" range:">=1" default:"200" help:"most iterations of a run of EM" group:"method"`
	// Tol ends a run: an iteration raises the Objective per row by less; 0 = 1e-4.
	Tol float64 `json:"tol,omitempty" flag:"em-tol" range:">0" default:"0.0001" help:"stop when the objective per document improves by less than this" group:"method"`
	// Seed decides the k-means starts.
	Seed uint64 `json:"seed"`
	// KMeansRestarts is the number of runs of k-means of which the best starts a run of EM; 0 = 10.
	KMeansRestarts int `json:"kmeans_restarts,omitempty" flag:"restarts" range:">=1" default:"10" help:"starts of the k-means that EM begins with, of which the best is kept" group:"method"`

	// Start, if it is not nil, holds K×d first means: one run starts there with equal weights and
	// the covariance of all data for every component (its diagonal or mean variance for these
	// shapes). It is not written.
	Start *mat.Dense `json:"-"`
	// StartPosterior, if it is not nil, holds n×K first responsibilities, finite and not negative:
	// one run begins with the M-step on them. It is not written.
	StartPosterior *mat.Dense `json:"-"`
	// Observer receives the stages "k-means" and "mixture": M-steps done of MaxIter, and notes.
	Observer progress.Observer `json:"-"`
	// Share divides the rows among the ranks of a team, which call Fit together: x, StartPosterior and
	// what the model says of rows are of the own ones, the rest of all. nil: x has all.
	Share *ranks.Share `json:"-"`
}

// Validate lists everything wrong with the options by themselves; [Fit] adds what depends on the
// data.
func (o Options) Validate() error {
	errs := []error{option.Check(&o)}
	wrong := func(format string, args ...any) { errs = append(errs, invalid.Errorf(format, args...)) }
	switch o.RidgeKind {
	case "", RidgePrior:
		if o.Ridge != nil && *o.Ridge > 1e6 {
			wrong("‹ridge› is %v: as a multiple of the mean variance it must be at most 1e6", *o.Ridge)
		}
	case RidgeAbsolute:
	default:
		wrong("unknown kind of ridge %q: choose %q or %q", string(o.RidgeKind), string(RidgePrior), string(RidgeAbsolute))
	}
	if o.Start != nil && o.StartPosterior != nil {
		wrong("means and responsibilities are both given to start from: give one of them")
	}
	return invalid.Join(errs...)
}

// CheckK checks the number of components of n rows.
func (o Options) CheckK(n int) error {
	switch {
	case o.K < 1:
		return invalid.Errorf("the number of components must be at least 1, not %d", o.K)
	case o.K > n:
		return invalid.Errorf("%d rows are too few for %d components: ask for at most one per row", n, o.K)
	}
	return nil
}

func (o Options) withDefaults() Options {
	option.Default(&o)
	o.Covariance = o.Covariance.Shape()
	o.RidgeKind = cmp.Or(o.RidgeKind, RidgePrior)
	if o.RidgeKind == RidgeAbsolute && o.Ridge == nil {
		o.Ridge = new(float64)
		*o.Ridge = DefaultRidge
	}
	if o.Ridge != nil && *o.Ridge == 0 {
		o.RidgeKind = RidgePrior // with no pseudo-observations until one is raised
	}
	if o.Start != nil || o.StartPosterior != nil {
		o.Restarts = 1
	}
	return o
}
