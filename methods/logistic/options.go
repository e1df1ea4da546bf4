package logistic

import (
	"cmp"

	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/progress"
)

// ClassWeights says how much the labelled documents of each class count.
type ClassWeights string

// The class weights.
const (
	Balanced ClassWeights = "balanced" // every class counts the same. The default
	Equal    ClassWeights = "equal"    // every labelled document counts the same
)

// Defaults of zero values.
const (
	DefaultTol     = 1e-7
	DefaultMaxIter = 1000
)

// Options of a fit. The zero value is balanced, with the C that suits the rows.
type Options struct {
	// C is the weight of the labelled documents against the penalty ½‖V‖², for rows whose mean
	// squared distance from their mean is 1; 0 = 250 divided by the directions in which the
	// labelled rows spread, from 1 to 100.
	C float64 `json:"c,omitempty" flag:"likelihood-weight" range:">0" unset:"1 to 100: 250 divided by the directions in which the labelled documents spread" help:"weight C of the labelled documents against the penalty on the weights of terms; larger follows the labels more closely" group:"method"`
	// ClassWeights; "" = balanced.
	ClassWeights ClassWeights `json:"class_weights,omitempty" flag:"class-weights" choices:"balanced|equal" default:"balanced" help:"how known labels count: every class the same (balanced) or every document the same (equal)" group:"method"`
	// Tol is the largest entry of the gradient at which the search ends, as a share of C Σ c_i; 0 =
	// 1e-7.
	Tol float64 `json:"tol,omitempty" range:"0<=x<1"`
	// MaxIter is steps at most; 0 = 1,000.
	MaxIter int `json:"max_iter,omitempty" range:">=1"`
	// Observer receives the stage "regression" (steps, each a look at the labelled rows).
	Observer progress.Observer `json:"-"`
}

// Validate lists everything that is wrong with the options by themselves; [Fit] adds errors that
// depend on the data.
func (o Options) Validate() error { return option.Check(&o) }

func (o Options) withDefaults() Options {
	option.Default(&o)
	o.ClassWeights = cmp.Or(o.ClassWeights, Balanced)
	o.Tol = cmp.Or(o.Tol, DefaultTol)
	o.MaxIter = cmp.Or(o.MaxIter, DefaultMaxIter)
	return o
}
