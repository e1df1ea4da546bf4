package spca

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/progress"
)

// Defaults of Options.
const (
	DefaultTerms   = 75
	DefaultRidge   = 1e-6
	DefaultTol     = 1e-5
	DefaultMaxIter = 200
)

// Options of Fit. The zero value of every field but Components is its default.
type Options struct {
	// Components is k, 1 to the smaller of rows and columns.
	Components int `json:"components"`
	// Terms is how many loadings of a component are not zero at most; Cardinalities gives it component by component. Penalty is λ ≥ 0 of the
	// elastic nets instead, max|x_jᵀr − α·b_j| at the solution: β = 2λ; Penalties gives it component by component. At most one of the four; none means 75 terms.
	Terms         int       `json:"terms,omitempty"`
	Cardinalities []int     `json:"cardinalities,omitempty"`
	Penalty       float64   `json:"penalty,omitempty"`
	Penalties     []float64 `json:"penalties,omitempty"`
	// Ridge is α relative to the sum of all columns' squares about their means; 0 is 1e-6, enough for terms that
	// always occur together to enter together.
	Ridge float64 `json:"ridge,omitempty"`
	// Tol bounds the relative change of the objective in each of the last two rounds; 0 is 1e-5. With numbers of terms the loadings may go on to
	// wander among solutions of equal worth, so they are not asked.
	Tol float64 `json:"tol,omitempty"`
	// MaxIter bounds the rounds; 0 is 200. A fit that stops there is no error: Model.Converged tells.
	MaxIter int `json:"max_iter,omitempty"`
	// Seed starts the random vectors of the principal components' solver.
	Seed uint64 `json:"seed"`
	// Observer hears of the rounds.
	Observer progress.Observer `json:"-"`
}

// Validate lists everything that is wrong with the options by themselves; Fit adds what depends on the data.
func (o Options) Validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, invalid.Errorf(format, args...)) }
	if o.Components < 1 {
		bad("the number of components is %d; it must be at least 1", o.Components)
	}
	given := 0
	if o.Terms != 0 {
		given++
	}
	if o.Penalty != 0 {
		given++
	}
	if o.Terms < 0 {
		bad("the number of terms is %d; it must be at least 1 (0 means %d)", o.Terms, DefaultTerms)
	}
	positive := func(name string, v float64) {
		if !(v >= 0) || math.IsInf(v, 0) {
			bad("the %s is %v; it must be finite and not negative", name, v)
		}
	}
	positive("penalty", o.Penalty)
	positive("ridge", o.Ridge)
	positive("tolerance", o.Tol)
	if o.Cardinalities != nil {
		given++
		if len(o.Cardinalities) != o.Components {
			bad("there are numbers of terms for %d of %d components; give one for each", len(o.Cardinalities), o.Components)
		}
		for j, k := range o.Cardinalities {
			if k < 1 {
				bad("component %d is to have %d terms; it must be at least 1", j+1, k)
			}
		}
	}
	if o.Penalties != nil {
		given++
		if len(o.Penalties) != o.Components {
			bad("there are penalties for %d of %d components; give one for each", len(o.Penalties), o.Components)
		}
		for j, v := range o.Penalties {
			if !(v > 0) || math.IsInf(v, 0) {
				bad("the penalty of component %d is %v; it must be positive and finite", j+1, v)
			}
		}
	}
	if given > 1 {
		bad("numbers of terms and penalties are given in more than one way; give one")
	}
	if o.MaxIter < 0 {
		bad("the limit of rounds is %d; it must not be negative (0 means %d)", o.MaxIter, DefaultMaxIter)
	}
	return invalid.Join(errs...)
}

func (o Options) withDefaults() Options {
	if o.Ridge == 0 {
		o.Ridge = DefaultRidge
	}
	if o.Tol == 0 {
		o.Tol = DefaultTol
	}
	if o.MaxIter == 0 {
		o.MaxIter = DefaultMaxIter
	}
	if o.Terms == 0 && o.Cardinalities == nil && o.Penalty == 0 && o.Penalties == nil {
		o.Terms = DefaultTerms
	}
	return o
}

// penalised tells that penalties are given, and not numbers of terms.
func (o Options) penalised() bool { return o.Penalty > 0 || o.Penalties != nil }

// terms and penalty are those of component j.
func (o Options) terms(j int) int {
	if o.Cardinalities != nil {
		return o.Cardinalities[j]
	}
	return o.Terms
}

func (o Options) penalty(j int) float64 {
	if o.Penalties != nil {
		return o.Penalties[j]
	}
	return o.Penalty
}
