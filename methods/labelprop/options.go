package labelprop

import (
	"cmp"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/cg"
	"github.com/eigenmap/eigenmap/methods/shares"
	"github.com/eigenmap/eigenmap/progress"
)

// Form is the linear system that is solved. See the package comment.
type Form string

// The forms.
const (
	Nie  Form = "nie"  // random walks with a novel class. The default
	Zhou Form = "zhou" // local and global consistency
	Zhu  Form = "zhu"  // harmonic functions
)

// Solver is the method that solves the linear system.
type Solver string

// The solvers.
const (
	CG Solver = "cg" // conjugate gradients. The default
	// Iteration is the papers' F ← I_α P F + I_β Y: ln(tol)/ln α products, never fewer than CG
	// takes.
	Iteration Solver = "iteration"
)

// Defaults of zero values.
const (
	DefaultTol     = 1e-12
	DefaultMaxIter = 5000
)

// NotConvergedError says that the residual stayed above Options.Tol. The model of what was reached
// comes with it.
type NotConvergedError = cg.NotConvergedError

// Options of label propagation. The zero value is Nie's form, which keeps the known labels.
type Options struct {
	// Form is the linear system; "" = nie.
	Form Form `json:"form,omitempty" flag:"form" choices:"nie|zhou|zhu" default:"nie" when:"soft-labels!=plsa,hard" help:"form of label propagation: nie (walks with a novel class), zhou (consistency) or zhu (harmonic)" group:"method"`
	// Alpha is α, the share of its neighbours in the scores of a document (Nie: α_u, of documents
	// without a label, at most 1; Zhou: below 1); 0 = 0.99 (Zhou et al. 2004, section 4; the Semi-LDC
	// paper gives no value). Zhu's form has none.
	Alpha float64 `json:"alpha,omitempty" flag:"spread" range:"0<x<=1" default:"0.99" when:"soft-labels!=plsa,hard; form=nie,zhou" help:"share of its neighbours in the scores of a document" group:"method"`
	// AlphaLabeled is α_l in [0, 1), of Nie's form only: 0 keeps the known labels, and above 0
	// neighbours may change them.
	AlphaLabeled float64 `json:"alpha_labeled,omitempty" flag:"spread-of-labeled" range:"0<=x<1" default:"0" when:"soft-labels!=plsa,hard; form=nie" help:"share of its neighbours in the scores of a document with a known label: above 0 neighbours may change labels" group:"method"`
	// ClassMass scales the scores of documents without a label so that the classes' masses over
	// them are as Prior.
	ClassMass bool `json:"class_mass,omitempty" flag:"class-mass" default:"false" when:"soft-labels!=plsa,hard" help:"scale the scores so that classes are as frequent as ‹class-shares› says" group:"method"`
	// ClassShares settles Prior through the contract of package method, if ClassMass is set and
	// Prior is not; "" = auto. [FitGraph] itself does not read it.
	ClassShares shares.Rule `json:"class_shares,omitempty" flag:"class-shares" default:"auto" when:"soft-labels!=plsa,hard; class-mass=true" help:"shares of the classes among the documents without a label: auto (as the known labels, unless the documents contradict them), labels, estimated, or a list such as a=0.9,b=0.1" group:"method"`
	// Prior shares of the classes, ≥ 0 with a positive sum; nil = those among the labels.
	Prior []float64 `json:"prior,omitempty"`
	// Counted draws ClassMass by two thirds from masses that are as Prior to numbers of documents that
	// are: each class is scaled by the geometric mean of the two factors, with these weights. A few
	// documents near a label have most of the mass, and numbers follow a wrong Prior exactly.
	Counted bool `json:"counted,omitempty"`

	Solver  Solver  `json:"solver,omitempty" choices:"cg|iteration"` // "" = cg
	Tol     float64 `json:"tol,omitempty" range:"0<=x<1"`            // largest entry of F − I_α P F − I_β Y; 0 = 1e-12
	MaxIter int     `json:"max_iter,omitempty" range:">=1"`          // products with the graph at most; 0 = 5,000

	// Graph of the documents, for [Fit]. Through the contract of package method the neighbour graph of
	// dense data has [spectral.DenseNeighbors] neighbours unless others are given.
	Graph graph.Options `json:"graph" flags:"*" group:"graph" defaults:"neighbors=(15 of sparse data, 7 of dense data, or all others if there are fewer)"`
	// Observer receives the stages "neighbours" and "label propagation" (products done) and notes.
	Observer progress.Observer `json:"-"`
}

// Validate lists everything that is wrong with the options by themselves; [FitGraph] adds errors
// that depend on the labels.
func (o Options) Validate() error {
	own := o
	own.Graph = graph.Options{}
	errs := []error{option.Check(&own)}
	wrong := func(format string, args ...any) { errs = append(errs, invalid.Errorf(format, args...)) }
	switch {
	case o.Form == Zhou && o.Alpha >= 1:
		wrong("spread must be below 1 in the form %q, not %v", string(Zhou), o.Alpha)
	case o.Form == Zhu && o.Alpha != 0:
		wrong("the form %q has no spread, but it is %v: leave it out or choose another form", string(Zhu), o.Alpha)
	}
	if o.AlphaLabeled > 0 && (o.Form == Zhou || o.Form == Zhu) {
		wrong("only the form %q has a spread of labelled documents: leave it out", string(Nie))
	}
	sum := 0.0
	for k, v := range o.Prior {
		if !(v >= 0) || math.IsInf(v, 1) {
			wrong("the prior of class %d must be a number that is not negative, not %v", k, v)
		}
		sum += v
	}
	if o.Prior != nil && !(sum > 0 && !math.IsInf(sum, 1)) {
		wrong("the priors must have a positive, finite sum, not %v", sum)
	}
	errs = append(errs, o.Graph.Validate(), o.ClassShares.Validate())
	return invalid.Join(errs...)
}

func (o Options) withDefaults() Options {
	option.Default(&o)
	if o.Form == Zhu {
		o.Alpha = 0
	}
	o.Solver = cmp.Or(o.Solver, CG)
	o.Tol = cmp.Or(o.Tol, DefaultTol)
	o.MaxIter = cmp.Or(o.MaxIter, DefaultMaxIter)
	if o.Graph.Observer == nil {
		o.Graph.Observer = o.Observer
	}
	return o
}

// alpha is α_i of a document: 1 or 0 in Zhu's form, which is Nie's with these.
func (o Options) alpha(labelled bool) float64 {
	switch {
	case o.Form == Zhou || o.Form == Nie && !labelled:
		return o.Alpha
	case o.Form == Nie:
		return o.AlphaLabeled
	case labelled:
		return 0
	}
	return 1
}
