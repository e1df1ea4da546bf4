package plsa

import (
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/progress"
)

// Kind says what a latent class explains.
type Kind string

const (
	// Clustering gives every document one cluster, known with some probability. The default.
	Clustering Kind = "clustering"
	// Aspect gives every word of a document a topic of its own: documents are mixtures of topics.
	Aspect Kind = "aspect"
)

// Bounds of Options.Smoothing: every Θ_kj then stays far from underflow.
const smallestSmoothing, largestSmoothing = 1e-12, 1e6

// Options of a fit. The zero value of every field but K is its default.
type Options struct {
	K    int  `json:"k"`              // clusters or topics, 1..documents
	Kind Kind `json:"kind,omitempty"` // "" = clustering

	// Labels, where it is not nil, holds the class of each document, 0..K-1, negative where it is not known. Class k is cluster k
	// of the model. Classes without a label start from documents drawn by the seed, which the Observer is told. It is not written.
	Labels []int `json:"-"`

	MaxIter int `json:"max_iter,omitempty"` // M-steps of a run at most; 0 = 200
	// Tol ends a run where an M-step raises the objective by no more than this share of it; in (0, 1); 0 = 1e-6.
	Tol float64 `json:"tol,omitempty"`
	// Smoothing is what the prior adds to each term of each cluster, in units of the average entry above 0 (1 to 2 where the
	// entries are counts); in [1e-12, 1e6]; 0 = 0.1.
	Smoothing float64 `json:"smoothing,omitempty"`
	// Restarts is how many runs from different starts are made, of which the one with the highest objective is kept; 0 = 10.
	// Where every class has a label nothing is drawn, and one run is made.
	Restarts int    `json:"restarts,omitempty"`
	Seed     uint64 `json:"seed"` // run r draws from the PCG stream (Seed, r)

	// MaxMemory bounds what [Memory] estimates, in bytes; 0 = 16 GiB.
	MaxMemory int64 `json:"max_memory,omitempty"`
	// Observer hears stage "plsa": M-steps done of all that are allowed, and notes.
	Observer progress.Observer `json:"-"`
}

// Validate lists everything wrong with the options by themselves; [Fit] adds what depends on the data.
func (o Options) Validate() error {
	var errs []error
	wrong := func(format string, args ...any) { errs = append(errs, invalid.Errorf(format, args...)) }
	if o.K < 1 {
		wrong("the number of clusters must be at least 1, not %d", o.K)
	}
	switch o.Kind {
	case "", Clustering, Aspect:
	default:
		wrong("unknown kind of PLSA %q: choose %q or %q", string(o.Kind), string(Clustering), string(Aspect))
	}
	if !(o.Tol >= 0 && o.Tol < 1) {
		wrong("the tolerance must lie between 0 and 1, but is %v", o.Tol)
	}
	if o.Smoothing != 0 && !(o.Smoothing >= smallestSmoothing && o.Smoothing <= largestSmoothing) {
		wrong("the smoothing must lie between %v and %v, but is %v", smallestSmoothing, largestSmoothing, o.Smoothing)
	}
	for _, count := range []struct {
		name  string
		value int64
	}{{"number of iterations", int64(o.MaxIter)}, {"number of restarts", int64(o.Restarts)}, {"memory allowed", o.MaxMemory}} {
		if count.value < 0 {
			wrong("the %s must not be negative, but is %d", count.name, count.value)
		}
	}
	return invalid.Join(errs...)
}

func (o Options) withDefaults() Options {
	if o.Kind == "" {
		o.Kind = Clustering
	}
	if o.MaxIter == 0 {
		o.MaxIter = 200
	}
	if o.Tol == 0 {
		o.Tol = 1e-6
	}
	if o.Smoothing == 0 {
		o.Smoothing = 0.1
	}
	if o.Restarts == 0 {
		o.Restarts = 10
	}
	if o.MaxMemory == 0 {
		o.MaxMemory = 16 << 30
	}
	return o
}
