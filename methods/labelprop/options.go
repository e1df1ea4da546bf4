package labelprop

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/cg"
	"github.com/eigenmap/eigenmap/progress"
)

// Form says which system is solved. See the package comment.
type Form string

// The forms.
const (
	Nie  Form = "nie"  // random walks with a novel class. The default
	Zhou Form = "zhou" // local and global consistency
	Zhu  Form = "zhu"  // harmonic functions
)

// Solver says how.
type Solver string

// The solvers.
const (
	CG        Solver = "cg"        // conjugate gradients. The default
	Iteration Solver = "iteration" // the papers' F ← I_α P F + I_β Y: ln(tol)/ln α products, more than conjugate gradients ever take
)

// Defaults of zero values.
const (
	DefaultAlpha   = 0.99 // Zhou et al. 2004, section 4; neither Nie's parameters nor others are told in the Semi-LDC paper
	DefaultTol     = 1e-12
	DefaultMaxIter = 5000
)

// NotConvergedError tells that the residual stayed above Options.Tol. The model of what was reached comes with it.
type NotConvergedError = cg.NotConvergedError

// Options of a fit. The zero value is Nie's form with its labels kept.
type Options struct {
	Form Form `json:"form,omitempty" yaml:"form,omitempty"` // "" = nie
	// Alpha is the share of its neighbours in the scores of a document, α (Nie: α_u, of documents without a label, up to 1); 0 = 0.99. Zhu has none.
	Alpha float64 `json:"alpha,omitempty" yaml:"alpha,omitempty"`
	// AlphaLabeled is α_l in [0, 1), Nie only: 0 keeps the labels, more lets neighbours change them.
	AlphaLabeled float64 `json:"alpha_labeled,omitempty" yaml:"alpha_labeled,omitempty"`
	// ClassMass scales the scores of documents without a label so that the classes' masses over them are as Prior.
	ClassMass bool `json:"class_mass,omitempty" yaml:"class_mass,omitempty"`
	// Prior shares of the classes, ≥ 0 with a positive sum; nil = those among the labels.
	Prior []float64 `json:"prior,omitempty" yaml:"prior,omitempty"`

	Solver  Solver  `json:"solver,omitempty" yaml:"solver,omitempty"`     // "" = cg
	Tol     float64 `json:"tol,omitempty" yaml:"tol,omitempty"`           // largest entry of the residual F − I_α P F − I_β Y; 0 = 1e-12
	MaxIter int     `json:"max_iter,omitempty" yaml:"max_iter,omitempty"` // 0 = 5,000

	// Graph of the documents, for [Fit].
	Graph graph.Options `json:"graph" yaml:"graph"`
	// MaxMemory bounds the blocks of documents × classes, in bytes; 0 = 16 GiB.
	MaxMemory int64 `json:"max_memory,omitempty" yaml:"max_memory,omitempty"`
	// Observer hears the stages "neighbours" and "label propagation": products done, and notes.
	Observer progress.Observer `json:"-" yaml:"-"`
}

// Validate lists everything wrong with the options by themselves; [FitGraph] adds what depends on the labels.
func (o Options) Validate() error {
	var errs []error
	wrong := func(format string, args ...any) { errs = append(errs, invalid.Errorf(format, args...)) }
	switch o.Form {
	case "", Nie:
		if !(o.Alpha >= 0 && o.Alpha <= 1) {
			wrong("alpha must lie between 0 and 1, not at %v", o.Alpha)
		}
	case Zhou:
		if !(o.Alpha >= 0 && o.Alpha < 1) {
			wrong("alpha must be at least 0 and below 1, not %v", o.Alpha)
		}
	case Zhu:
		if o.Alpha != 0 {
			wrong("harmonic functions (form %q) have no alpha, but it is %v: leave it out or choose another form", string(Zhu), o.Alpha)
		}
	default:
		wrong("unknown form of label propagation %q: choose %q, %q or %q", string(o.Form), string(Nie), string(Zhou), string(Zhu))
	}
	if !(o.AlphaLabeled >= 0 && o.AlphaLabeled < 1) {
		wrong("alpha of labelled documents must be at least 0 and below 1, not %v", o.AlphaLabeled)
	} else if o.AlphaLabeled > 0 && (o.Form == Zhou || o.Form == Zhu) {
		wrong("only the form %q has an alpha of labelled documents: leave it out", string(Nie))
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
	switch o.Solver {
	case "", CG, Iteration:
	default:
		wrong("unknown solver %q: choose %q or %q", string(o.Solver), string(CG), string(Iteration))
	}
	if !(o.Tol >= 0 && o.Tol < 1) {
		wrong("the tolerance must be at least 0 and below 1, not %v", o.Tol)
	}
	if o.MaxIter < 0 || o.MaxMemory < 0 {
		wrong("iterations (%d) and memory (%d) must not be negative", o.MaxIter, o.MaxMemory)
	}
	errs = append(errs, o.Graph.Validate())
	return invalid.Join(errs...)
}

func (o Options) withDefaults() Options {
	if o.Form == "" {
		o.Form = Nie
	}
	if o.Alpha == 0 && o.Form != Zhu {
		o.Alpha = DefaultAlpha
	}
	if o.Solver == "" {
		o.Solver = CG
	}
	if o.Tol == 0 {
		o.Tol = DefaultTol
	}
	if o.MaxIter == 0 {
		o.MaxIter = DefaultMaxIter
	}
	if o.MaxMemory == 0 {
		o.MaxMemory = 16 << 30
	}
	if o.Graph.Observer == nil {
		o.Graph.Observer = o.Observer
	}
	return o
}

// alpha is α_i: 1 or 0 in Zhu's form, which is Nie's with these.
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
