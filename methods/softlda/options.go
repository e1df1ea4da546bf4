package softlda

import (
	"cmp"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/progress"
)

// Stage is the name under which events go to the observer.
const Stage = "soft discriminant analysis"

// Defaults of Options.
const (
	DefaultTol     = 1e-10
	DefaultMaxIter = 10000
)

// Options of Fit and FitKernel. The zero value of every field is its default.
type Options struct {
	// Dims is the number of directions at most; 0 = classes − 1.
	Dims int `json:"dims,omitempty" flag:"dims" short:"d" range:">=1" unset:"one fewer than the classes given" help:"dimensions of the embedding"`
	// Ridge is μ as a share of S_w's mean eigenvalue, above 0; 0 is 0.1. See the package comment.
	Ridge float64 `json:"ridge,omitempty" flag:"mu" range:">0" default:"0.1" help:"regulariser of the discriminants, as a share of the mean variance within classes"`
	// Absolute says that Ridge is μ itself, in the units of the data's squares; it must then be given.
	Absolute bool `json:"absolute,omitempty"`
	// Tol bounds the relative residual of the regressions if they are iterated; 0 is DefaultTol.
	Tol float64 `json:"tol,omitempty" range:"0<=x<1"`
	// MaxIter bounds their steps; 0 is DefaultMaxIter.
	MaxIter int `json:"max_iter,omitempty" range:">=1"`
	// Partial says that documents without weight are expected: no note reports them.
	Partial bool `json:"partial,omitempty"`
	// Observer receives notes of what was left out and the progress of the regressions.
	Observer progress.Observer `json:"-"`

	iterate bool // conjugate gradients however small the matrix is, for tests
}

// Validate lists everything that is wrong with the options.
func (o Options) Validate() error {
	errs := invalid.Faults{option.Check(&o)}
	if o.Absolute && o.Ridge == 0 {
		errs.Addf("the regulariser μ is to be taken as it is, but is not given; give a number above 0")
	}
	return invalid.Join(errs...)
}

func (o Options) withDefaults() Options {
	option.Default(&o)
	o.Tol = cmp.Or(o.Tol, DefaultTol)
	o.MaxIter = cmp.Or(o.MaxIter, DefaultMaxIter)
	return o
}
