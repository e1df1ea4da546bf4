package plsa

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/progress"
)

// Kind is the model of a latent class.
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
	// K is the number of clusters or topics, 1 to the number of documents. Through the contract of
	// package method 0 is the number of clusters or classes.
	K int `json:"k" flag:"dims" short:"d" range:">=1" unset:"the number of clusters or classes" help:"number of topics" group:"method"`
	// Kind is Clustering unless set.
	Kind Kind `json:"kind,omitempty" flag:"kind" choices:"clustering|aspect" default:"clustering" help:"what a topic explains: clustering: documents, each of one topic; aspect: words, documents being mixtures" group:"method"`

	// Labels, if it is not nil, holds the class of each document, 0 to K − 1, negative if it is not
	// known. Class k is cluster k of the model. Classes without a label start from documents drawn by
	// the seed, and a note says so. It is not written.
	Labels []int `json:"-"`

	// Smoothing is what the prior adds to each term of each cluster, in units of the average entry
	// above 0 (1 to 2 if the entries are counts); 1e-12 to 1e6; 0 = 0.1.
	Smoothing float64 `json:"smoothing,omitempty" flag:"smoothing" range:">0" default:"0.1" help:"what is added to every term of every topic, in units of the average count" group:"method"`
	// Tol ends a run if a step raises the objective by no more than this share of it; above 0 and
	// below 1; 0 = 1e-6.
	Tol float64 `json:"tol,omitempty" flag:"plsa-tol" range:"0<x<1" default:"1e-06" help:"stop when a step raises the objective by no more than this share of it" group:"method"`
	// MaxIter is the number of M-steps of a run at most; 0 = 200.
	MaxIter int `json:"max_iter,omitempty" flag:"em-iter" range:">=1" default:"200" help:"most iterations of a run of EM" group:"method"`
	// Restarts is the number of runs from different starts, of which the one with the highest
	// objective is kept; 0 = 10. If every class has a label nothing is drawn, and one run is made.
	Restarts int `json:"restarts,omitempty" flag:"restarts" range:">=1" default:"10" help:"starts, of which the best is kept (one if known labels start every cluster)" group:"method"`
	// Seed decides the documents drawn: run r draws from the PCG stream (Seed, r).
	Seed uint64 `json:"seed"`

	// Observer receives the stage "plsa", the M-steps done of all that are allowed, and notes.
	Observer progress.Observer `json:"-"`
	// Share divides the documents among the ranks of a team, which call Fit together: x, Labels and
	// what the model says of documents are of the own ones, the rest of all. nil: x has all.
	Share *ranks.Share `json:"-"`
}

// Validate lists everything that is wrong with the options by themselves; [Fit] adds what depends
// on the data.
func (o Options) Validate() error {
	errs := []error{option.Check(&o)}
	if o.Smoothing > 0 && !math.IsInf(o.Smoothing, 0) && (o.Smoothing < smallestSmoothing || o.Smoothing > largestSmoothing) {
		errs = append(errs, invalid.Errorf("the smoothing must lie between %v and %v, but is %v", smallestSmoothing, largestSmoothing, o.Smoothing))
	}
	return invalid.Join(errs...)
}

func (o Options) withDefaults() Options {
	option.Default(&o)
	return o
}
