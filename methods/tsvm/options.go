package tsvm

import (
	"cmp"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/shares"
	"github.com/eigenmap/eigenmap/methods/svm"
	"github.com/eigenmap/eigenmap/progress"
)

// DefaultStart is Options.Start if that is 0: C*₋ in Joachims' loop 1, for C* = 1.
const DefaultStart = 1e-5

// Options of a fit. The zero value is a linear machine with C = C* = 1 and the labels' shares.
type Options struct {
	// SVM are kernel, loss, C of the labelled documents and solver of all machines. Its Cost must
	// be nil; its Observer is not used. A σ of 0 is set by all documents.
	SVM svm.Options `json:"svm" flags:"*"`
	// CStar is C*, the cost of unlabelled documents in the end; 0 = C.
	CStar float64 `json:"c_star,omitempty" flag:"c-star" range:">0" unset:"as ‹c›" help:"C* of the support vector machines: the cost of a document without a label inside the margin, in the end" group:"method"`
	// Start is the first C*₋ as a part of C*; 0 = 1e-5. With 1 the search begins at C*.
	Start float64 `json:"start,omitempty" range:"0<x<=1"`
	// Positive is, for each class, the share of unlabelled documents that are given to it, strictly
	// between 0 and 1; num+ is rounded, and at least one document is on either side if there are
	// two. nil = the class's share of the labels.
	Positive []float64 `json:"positive,omitempty"`
	// ClassShares settles Positive through the contract of package method, unless that is given; ""
	// = auto. [Fit] itself does not read it.
	ClassShares shares.Rule `json:"class_shares,omitempty" flag:"class-shares" default:"auto" help:"shares of the classes among the documents without a label: auto (as the known labels, unless the documents contradict them), labels, estimated, or a list such as a=0.9,b=0.1" group:"method"`
	// Pairs is the most pairs that change places in a step, pairs of the largest slacks first; 0 =
	// all that may, 1 = Joachims' algorithm.
	Pairs int `json:"pairs,omitempty" range:">=1"`
	// MaxSteps is the most steps of a class on a level; 0 = 10,000.
	MaxSteps int `json:"max_steps,omitempty" range:">=1"`
	// Observer receives the stages "kernel" and "transduction" (levels done, of all classes).
	Observer progress.Observer `json:"-"`
}

// Validate lists everything that is wrong with the options by themselves; [Fit] adds errors that
// depend on the labels.
func (o Options) Validate() error {
	own := o
	own.SVM = svm.Options{}
	errs := invalid.Faults{option.Check(&own)}
	if o.SVM.Cost != nil {
		errs.Addf("costs of single documents are given: the transductive machine sets them itself, from C and C*")
	}
	for k, v := range o.Positive {
		if !(v > 0 && v < 1) {
			errs.Addf("the share of documents of class %d is %v; it must lie strictly between 0 and 1", k, v)
		}
	}
	errs = append(errs, o.SVM.Validate(), o.ClassShares.Validate())
	return invalid.Join(errs...)
}

func (o Options) withDefaults() Options {
	o.SVM.C = cmp.Or(o.SVM.C, svm.DefaultC)
	o.CStar = cmp.Or(o.CStar, o.SVM.C)
	o.Start = cmp.Or(o.Start, DefaultStart)
	o.MaxSteps = cmp.Or(o.MaxSteps, 10_000)
	return o
}
