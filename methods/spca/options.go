package spca

import (
	"cmp"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/progress"
)

// Defaults of Options.
const (
	DefaultTerms   = 75
	DefaultRidge   = 1e-6 // with fewer rows than columns
	TallRidge      = 1e-2 // with at least as many rows as columns
	DefaultTol     = 1e-5
	DefaultMaxIter = 200
)

// Options of Fit. The zero value of every field but Dims is its default.
type Options struct {
	// Dims is k, 1 to the smaller of rows and columns. Through the contract of package method 0 is the
	// number of clusters or classes.
	Dims int `json:"dims" flag:"dims" short:"d" range:">=1" unset:"the number of clusters or classes" help:"dimensions of the embedding" group:"method"`
	// NormalizeRows scales the coordinates of every document to length 1.
	NormalizeRows bool `json:"normalize_rows,omitempty" flag:"normalize-rows" default:"false" help:"scale each document's row of the embedding to length 1" group:"method"`
	// Terms is the most loadings of a component that are not zero, or their share of all columns;
	// Cardinalities gives the number component by component. Penalty is λ ≥ 0 of the elastic nets
	// instead, max|x_jᵀr − α·b_j| at the solution: β = 2λ; Penalties gives it component by component.
	// At most one of the four; none means 75 terms.
	Terms         method.Amount `json:"terms,omitzero" flag:"cardinality" default:"75" help:"terms of a component: their number, or their share of all terms" group:"method"`
	Cardinalities []int         `json:"cardinalities,omitempty"`
	Penalty       float64       `json:"penalty,omitempty" range:">=0"`
	Penalties     []float64     `json:"penalties,omitempty"`
	// Ridge is α relative to the sum of all columns' squares about their means. 0 is 1e-6 with fewer
	// rows than columns, enough for terms that always occur together to enter together; else 0.01:
	// columns that are much alike then get weights of one sign, and loadings of unit length keep more
	// variance.
	Ridge float64 `json:"ridge,omitempty" range:">=0"`
	// Tol bounds the relative change of the objective in each of the last two rounds; 0 is 1e-5. With
	// numbers of terms the loadings may go on to change among solutions of equal worth, so they do not
	// count.
	Tol float64 `json:"tol,omitempty" range:">=0"`
	// MaxIter bounds the rounds; 0 is 200. A fit that ends there is no error: see Model.Converged.
	MaxIter int `json:"max_iter,omitempty" range:">=1"`
	// Seed starts the random vectors of the principal components' solver.
	Seed uint64 `json:"seed"`
	// Observer receives the rounds.
	Observer progress.Observer `json:"-"`
}

// Validate lists everything that is wrong with the options by themselves; Fit adds what depends on
// the data.
func (o Options) Validate() error {
	errs := invalid.Faults{option.Check(&o)}
	given := 0
	if !o.Terms.IsZero() {
		given++
	}
	if o.Penalty != 0 {
		given++
	}
	if o.Cardinalities != nil {
		given++
		if len(o.Cardinalities) != o.Dims {
			errs.Addf("there are numbers of terms for %d of %d components; give one for each", len(o.Cardinalities), o.Dims)
		}
		for j, k := range o.Cardinalities {
			if k < 1 {
				errs.Addf("component %d is to have %d terms; it must be at least 1", j+1, k)
			}
		}
	}
	if o.Penalties != nil {
		given++
		if len(o.Penalties) != o.Dims {
			errs.Addf("there are penalties for %d of %d components; give one for each", len(o.Penalties), o.Dims)
		}
		for j, v := range o.Penalties {
			if !(v > 0) || math.IsInf(v, 0) {
				errs.Addf("the penalty of component %d is %v; it must be positive and finite", j+1, v)
			}
		}
	}
	if given > 1 {
		errs.Addf("numbers of terms and penalties are given in more than one way; give one")
	}
	return invalid.Join(errs...)
}

// withDefaults fills in the defaults for data of this many rows and columns.
func (o Options) withDefaults(rows, columns int) Options {
	if o.Ridge == 0 {
		o.Ridge = DefaultRidge
		if rows >= columns {
			o.Ridge = TallRidge
		}
	}
	o.Tol = cmp.Or(o.Tol, DefaultTol)
	o.MaxIter = cmp.Or(o.MaxIter, DefaultMaxIter)
	switch {
	case o.Terms.Share > 0:
		o.Terms = method.Amount{Count: max(1, int(math.Round(o.Terms.Share*float64(columns))))}
	case o.Terms.IsZero() && o.Cardinalities == nil && !o.penalised():
		o.Terms = method.Amount{Count: DefaultTerms}
	}
	return o
}

// penalised says that penalties are given, and not numbers of terms.
func (o Options) penalised() bool { return o.Penalty > 0 || o.Penalties != nil }

// terms and penalty return the number of terms and the penalty of component j.
func (o Options) terms(j int) int {
	if o.Cardinalities != nil {
		return o.Cardinalities[j]
	}
	return o.Terms.Count
}

func (o Options) penalty(j int) float64 {
	if o.Penalties != nil {
		return o.Penalties[j]
	}
	return o.Penalty
}
