package tsvm

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/svm"
	"github.com/eigenmap/eigenmap/progress"
)

// DefaultStart is Options.Start where it is 0: C*₋ in Joachims' loop 1, for C* = 1.
const DefaultStart = 1e-5

// Options of a fit. The zero value is a linear machine with C = C* = 1 and the labels' shares.
type Options struct {
	// SVM are kernel, loss, C of the labelled documents and solver of all machines. Its Cost must be nil; its Observer is not used. A γ of 0 is set by all
	// documents.
	SVM svm.Options `json:"svm" yaml:"svm"`
	// CStar is C*, the cost of unlabelled documents in the end; 0 = C.
	CStar float64 `json:"c_star,omitempty" yaml:"c_star,omitempty"`
	// Start is the first C*₋ as a part of C*; 0 = 1e-5. 1 leaves the small costs out.
	Start float64 `json:"start,omitempty" yaml:"start,omitempty"`
	// Positive is, for each class, the share of unlabelled documents that are given to it, strictly between 0 and 1; num+ is rounded, and at least one document is on either
	// side where there are two. nil = the class's share of the labels.
	Positive []float64 `json:"positive,omitempty" yaml:"positive,omitempty"`
	// Pairs is how many pairs change places in a step at most, those of the largest slacks first; 0 = all that may, 1 = Joachims' algorithm.
	Pairs int `json:"pairs,omitempty" yaml:"pairs,omitempty"`
	// MaxSteps is steps of a class and level at most; 0 = 10,000.
	MaxSteps int `json:"max_steps,omitempty" yaml:"max_steps,omitempty"`
	// Observer hears the stages "kernel" and "transduction": levels done, of all classes.
	Observer progress.Observer `json:"-" yaml:"-"`
}

// Validate lists everything wrong with the options by themselves; [Fit] adds what depends on the labels.
func (o Options) Validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, invalid.Errorf(format, args...)) }
	if o.SVM.Cost != nil {
		bad("costs of single documents are given: the transductive machine sets them itself, from C and C*")
	}
	if !(o.CStar >= 0) || math.IsInf(o.CStar, 1) {
		bad("the cost C* is %v; it must be a finite number above 0, or 0 for C", o.CStar)
	}
	if !(o.Start >= 0 && o.Start <= 1) {
		bad("the first part of C* is %v; it must lie above 0 and up to 1, or be 0 for %v", o.Start, DefaultStart)
	}
	for k, v := range o.Positive {
		if !(v > 0 && v < 1) {
			bad("the share of documents of class %d is %v; it must lie strictly between 0 and 1", k, v)
		}
	}
	if o.Pairs < 0 || o.MaxSteps < 0 {
		bad("pairs (%d) and steps (%d) must not be negative", o.Pairs, o.MaxSteps)
	}
	errs = append(errs, o.SVM.Validate())
	return invalid.Join(errs...)
}

func (o Options) withDefaults() Options {
	if o.SVM.C == 0 {
		o.SVM.C = svm.DefaultC
	}
	if o.CStar == 0 {
		o.CStar = o.SVM.C
	}
	if o.Start == 0 {
		o.Start = DefaultStart
	}
	if o.MaxSteps == 0 {
		o.MaxSteps = 10_000
	}
	return o
}
