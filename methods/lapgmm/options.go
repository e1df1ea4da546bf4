package lapgmm

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/gmm"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Schedule says how posteriors are smoothed before an M-step. See the package comment.
type Schedule string

// The schedules.
const (
	// Restart keeps the E-step's posterior P, smooths it to F = (1−γ)(1 − γD⁻¹W)⁻¹P, and searches γ anew in every iteration. The default.
	Restart Schedule = "restart"
	// Literal is table 1 of the paper: from the shares and covariances of k-means' clusters, eq. (12) a number of times, γ from 0.9, smaller by a tenth after every fall.
	Literal Schedule = "literal"
	// Unsmoothed is γ = 0 alone: EM steps, as long as the regularised log-likelihood rises.
	Unsmoothed Schedule = "unsmoothed"
)

// Defaults of a zero Lambda and of graph.Options.Neighbors 0: those of the paper.
const (
	DefaultLambda    = 1000
	DefaultNeighbors = 8
)

// Options of a fit. The zero value of every field but K is its default.
type Options struct {
	K      int     `json:"k" yaml:"k"`                               // components, 1..rows
	Lambda float64 `json:"lambda,omitempty" yaml:"lambda,omitempty"` // λ, the weight of the graph's penalty; 0 = 1000
	// Unpenalized means λ = 0: the smoothing stays, as far as it raises the log-likelihood.
	Unpenalized bool `json:"unpenalized,omitempty" yaml:"unpenalized,omitempty"`
	// Graph of the rows, for [Fit]; Neighbors 0 = 8 (p; all others where there are fewer), Weight "" = binary (0-1).
	Graph    graph.Options `json:"graph" yaml:"graph"`
	Schedule Schedule      `json:"schedule,omitempty" yaml:"schedule,omitempty"` // "" = restart
	// MaxGamma is the largest γ that [Restart] tries, below 1; 0 = 0.99. Walks of 1/(1−γ) steps on average reach about the root of that many
	// neighbourhoods far; on long thin clusters more is better.
	MaxGamma float64 `json:"max_gamma,omitempty" yaml:"max_gamma,omitempty"`
	// Smoothings is how often [Literal] applies eq. (12) before an M-step; 0 = 10.
	Smoothings int `json:"smoothings,omitempty" yaml:"smoothings,omitempty"`

	Covariance gmm.Covariance `json:"covariance,omitempty" yaml:"covariance,omitempty"` // "" = full
	Ridge      float64        `json:"ridge,omitempty" yaml:"ridge,omitempty"`           // as in gmm.Options; 0 = 1e-6
	RidgeKind  gmm.RidgeKind  `json:"ridge_kind,omitempty" yaml:"ridge_kind,omitempty"` // "" = prior

	Starts    int     `json:"starts,omitempty" yaml:"starts,omitempty"`         // runs from different k-means centres; 0 = 5
	StartIter int     `json:"start_iter,omitempty" yaml:"start_iter,omitempty"` // iterations of each before the best goes on; 0 = 10
	MaxIter   int     `json:"max_iter,omitempty" yaml:"max_iter,omitempty"`     // iterations of the kept run in all; 0 = 100
	Tol       float64 `json:"tol,omitempty" yaml:"tol,omitempty"`               // δ: a run ends where the regularised log-likelihood a row rises by less; 0 = 1e-4
	Seed      uint64  `json:"seed" yaml:"seed"`                                 // of the k-means starts
	// KMeansRestarts is how many runs of k-means the centres of the first start are the best of; 0 = 10. Later starts take one run each.
	KMeansRestarts int `json:"kmeans_restarts,omitempty" yaml:"kmeans_restarts,omitempty"`

	// Start, where it is not nil, holds K×d first means: one start, there, with equal weights and the covariance of all data. It is not written.
	Start *mat.Dense `json:"-" yaml:"-"`
	// MaxMemory bounds what [Memory] estimates, in bytes; 0 = 16 GiB. A tenth of it bounds the dense copy of a sparse matrix.
	MaxMemory int64 `json:"max_memory,omitempty" yaml:"max_memory,omitempty"`
	// Observer hears the stages "neighbours", "k-means" and "smoothed mixture": iterations done of all, and notes.
	Observer progress.Observer `json:"-" yaml:"-"`
}

// Validate lists everything wrong with the options by themselves; [Fit] adds what depends on the data.
func (o Options) Validate() error {
	var errs []error
	wrong := func(format string, args ...any) { errs = append(errs, invalid.Errorf(format, args...)) }
	if !(o.Lambda >= 0) || math.IsInf(o.Lambda, 1) {
		wrong("lambda must be a number that is not negative, not %v", o.Lambda)
	}
	if o.Unpenalized && o.Lambda != 0 {
		wrong("lambda is %v, but the fit shall be unpenalized: give one of them", o.Lambda)
	}
	switch o.Schedule {
	case "", Restart, Literal, Unsmoothed:
	default:
		wrong("unknown schedule %q: choose %q, %q or %q", string(o.Schedule), string(Restart), string(Literal), string(Unsmoothed))
	}
	if !(o.MaxGamma >= 0 && o.MaxGamma <= 0.9999) {
		wrong("the largest gamma must lie between 0 and 0.9999, not at %v", o.MaxGamma)
	}
	for _, count := range []struct {
		name  string
		value int
	}{
		{"number of starts", o.Starts}, {"number of iterations of a start", o.StartIter}, {"number of smoothings", o.Smoothings},
	} {
		if count.value < 0 {
			wrong("the %s must not be negative, but is %d", count.name, count.value)
		}
	}
	errs = append(errs, o.mixture().Validate(), o.Graph.Validate())
	return invalid.Join(errs...)
}

// mixture are the options of the mixture itself.
func (o Options) mixture() gmm.Options {
	return gmm.Options{
		K: o.K, Covariance: o.Covariance, Ridge: o.Ridge, RidgeKind: o.RidgeKind, MaxIter: o.MaxIter, Tol: o.Tol, Seed: o.Seed,
		KMeansRestarts: o.KMeansRestarts, Start: o.Start, MaxMemory: o.MaxMemory, Observer: o.Observer,
	}
}

func (o Options) withDefaults() Options {
	if o.Lambda == 0 && !o.Unpenalized {
		o.Lambda = DefaultLambda
	}
	if o.Schedule == "" {
		o.Schedule = Restart
	}
	if o.Smoothings == 0 {
		o.Smoothings = 10
	}
	if o.MaxGamma == 0 {
		o.MaxGamma = 0.99
	}
	if o.Covariance == "" {
		o.Covariance = gmm.Full
	}
	if o.Starts == 0 {
		o.Starts = 5
	}
	if o.Start != nil {
		o.Starts = 1
	}
	if o.StartIter == 0 {
		o.StartIter = 10
	}
	if o.MaxIter == 0 {
		o.MaxIter = 100
	}
	o.StartIter = min(o.StartIter, o.MaxIter)
	if o.Tol == 0 {
		o.Tol = 1e-4
	}
	if o.KMeansRestarts == 0 {
		o.KMeansRestarts = 10
	}
	if o.MaxMemory == 0 {
		o.MaxMemory = 16 << 30
	}
	return o
}

// graphOptions resolves what the method has defaults of its own for, for n rows.
func (o Options) graphOptions(n int) graph.Options {
	g := o.Graph
	if g.Neighbors == 0 {
		g.Neighbors = max(1, min(DefaultNeighbors, n-1))
	}
	if g.Weight == "" {
		g.Weight = graph.Binary
	}
	if g.Observer == nil {
		g.Observer = o.Observer
	}
	return g
}
