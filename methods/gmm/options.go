package gmm

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Covariance is the shape of the components' covariances.
type Covariance string

// The shapes.
const (
	Full      Covariance = "full"      // one d×d matrix a component; the default
	Tied      Covariance = "tied"      // one d×d matrix for all components
	Diagonal  Covariance = "diagonal"  // d variances a component
	Spherical Covariance = "spherical" // one variance a component
)

// RidgeKind says what the number Ridge means.
type RidgeKind string

// The kinds of ridges.
const (
	// RidgePrior gives each component Ridge·n/K pseudo-observations with the data's mean variance: see the
	// package comment. A component of average weight gets about Ridge times the mean variance on its diagonal. The default.
	RidgePrior RidgeKind = "prior"
	// RidgeAbsolute adds Ridge, in squared units of the data, to every diagonal, as scikit-learn's
	// reg_covar. The objective is the log-likelihood then, and may fall by as much as the ridge disturbs.
	RidgeAbsolute RidgeKind = "absolute"
	// RidgeNone adds nothing until a component needs it; Ridge must be 0.
	RidgeNone RidgeKind = "none"
)

// Options of a fit. The zero value of every field but K is its default.
type Options struct {
	K          int        `json:"k" yaml:"k"`                                       // components, 1..rows
	Covariance Covariance `json:"covariance,omitempty" yaml:"covariance,omitempty"` // "" = full
	Ridge      float64    `json:"ridge,omitempty" yaml:"ridge,omitempty"`           // 0 = 1e-6; at most 1e6 for RidgePrior
	RidgeKind  RidgeKind  `json:"ridge_kind,omitempty" yaml:"ridge_kind,omitempty"` // "" = prior
	Restarts   int        `json:"restarts,omitempty" yaml:"restarts,omitempty"`     // runs of EM from different starts, the highest Objective is kept; 0 = 1
	MaxIter    int        `json:"max_iter,omitempty" yaml:"max_iter,omitempty"`     // M-steps of a run after the start's; 0 = 200
	Tol        float64    `json:"tol,omitempty" yaml:"tol,omitempty"`               // a run ends where the Objective a row rises by less; 0 = 1e-4
	Seed       uint64     `json:"seed" yaml:"seed"`                                 // of the k-means starts
	// KMeansRestarts is how many runs of k-means the start of each run of EM is the best of; 0 = 10.
	KMeansRestarts int `json:"kmeans_restarts,omitempty" yaml:"kmeans_restarts,omitempty"`

	// Start, where it is not nil, holds K×d first means: one run starts there with equal weights and the covariance
	// of all data for every component (its diagonal or mean variance for these shapes). It is not written.
	Start *mat.Dense `json:"-" yaml:"-"`
	// StartPosterior, where it is not nil, holds n×K first responsibilities, finite and not negative: one run begins with
	// the M-step on them. It is not written.
	StartPosterior *mat.Dense `json:"-" yaml:"-"`
	// MaxMemory bounds what [Memory] estimates, in bytes; 0 = 16 GiB. A tenth of it bounds the dense copy of a sparse matrix.
	MaxMemory int64 `json:"max_memory,omitempty" yaml:"max_memory,omitempty"`
	// Observer hears the stages "k-means" and "mixture": M-steps done of MaxIter, and notes.
	Observer progress.Observer `json:"-" yaml:"-"`
}

// Validate lists everything wrong with the options by themselves; [Fit] adds what depends on the data.
func (o Options) Validate() error {
	var errs []error
	wrong := func(format string, args ...any) { errs = append(errs, invalid.Errorf(format, args...)) }
	if o.K < 1 {
		wrong("the number of components must be at least 1, not %d", o.K)
	}
	switch o.Covariance {
	case "", Full, Tied, Diagonal, Spherical:
	default:
		wrong("unknown covariance %q: choose %q, %q, %q or %q", string(o.Covariance), string(Full), string(Tied), string(Diagonal), string(Spherical))
	}
	switch o.RidgeKind {
	case "", RidgePrior:
		if o.Ridge > 1e6 {
			wrong("the ridge is %v; as a multiple of the mean variance it must be at most 1e6", o.Ridge)
		}
	case RidgeAbsolute:
	case RidgeNone:
		if o.Ridge != 0 {
			wrong("the ridge is %v, but its kind is %q", o.Ridge, string(RidgeNone))
		}
	default:
		wrong("unknown kind of ridge %q: choose %q, %q or %q", string(o.RidgeKind), string(RidgePrior), string(RidgeAbsolute), string(RidgeNone))
	}
	if !(o.Ridge >= 0) || math.IsInf(o.Ridge, 1) {
		wrong("the ridge must be a number that is not negative, not %v", o.Ridge)
	}
	if !(o.Tol >= 0) || math.IsInf(o.Tol, 1) {
		wrong("the tolerance must be a number that is not negative, not %v", o.Tol)
	}
	for _, count := range []struct {
		name  string
		value int64
	}{
		{"number of restarts", int64(o.Restarts)}, {"number of iterations", int64(o.MaxIter)},
		{"number of k-means restarts", int64(o.KMeansRestarts)}, {"memory allowed", o.MaxMemory},
	} {
		if count.value < 0 {
			wrong("the %s must not be negative, but is %d", count.name, count.value)
		}
	}
	if o.Start != nil && o.StartPosterior != nil {
		wrong("means and responsibilities are both given to start from: give one of them")
	}
	return invalid.Join(errs...)
}

func (o Options) withDefaults() Options {
	if o.Covariance == "" {
		o.Covariance = Full
	}
	if o.RidgeKind == "" {
		o.RidgeKind = RidgePrior
	}
	if o.Ridge == 0 && o.RidgeKind != RidgeNone {
		o.Ridge = 1e-6
	}
	if o.RidgeKind == RidgeNone {
		o.RidgeKind = RidgePrior // with no pseudo-observations until one is raised
	}
	if o.Restarts == 0 {
		o.Restarts = 1
	}
	if o.MaxIter == 0 {
		o.MaxIter = 200
	}
	if o.Tol == 0 {
		o.Tol = 1e-4
	}
	if o.KMeansRestarts == 0 {
		o.KMeansRestarts = 10
	}
	if o.MaxMemory == 0 {
		o.MaxMemory = 16 << 30
	}
	if o.Start != nil || o.StartPosterior != nil {
		o.Restarts = 1
	}
	return o
}
