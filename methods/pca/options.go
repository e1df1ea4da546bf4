package pca

import (
	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/progress"
)

// Options of Fit. Exactly one of Components and Share is given; the zero value of every other field is its default.
type Options struct {
	// Components is their number, 1 to the smaller of rows and columns.
	Components int `json:"components,omitempty" yaml:"components,omitempty"`
	// Share is the part of the variance that the components shall explain, above 0 and at most 1. 1 keeps all
	// that is not rounding.
	Share float64 `json:"share,omitempty" yaml:"share,omitempty"`
	// Whiten scales every coordinate to variance 1 (sum of squares n − 1).
	Whiten bool `json:"whiten,omitempty" yaml:"whiten,omitempty"`
	// Tol bounds the residuals of the singular values relative to the largest; 0 is 1e-8.
	Tol float64 `json:"tol,omitempty" yaml:"tol,omitempty"`
	// Solver is auto unless set; dense is LAPACK on the smaller of covariance and Gram matrix, the others are eigen's.
	Solver eigen.Solver `json:"solver,omitempty" yaml:"solver,omitempty"`
	// Memory is how many bytes LAPACK may take for auto to choose it: 16·p·(p + components) for the smaller side p. 0 is 1 GiB.
	Memory int64 `json:"memory,omitempty" yaml:"memory,omitempty"`
	// Seed starts the random vectors of the iterative solvers.
	Seed uint64 `json:"seed" yaml:"seed"`
	// Observer hears of the solver picked, of the pairs found and of a rank below Components.
	Observer progress.Observer `json:"-" yaml:"-"`
}

// Validate lists everything that is wrong with the options by themselves; [Fit] adds what depends on the data.
func (o Options) Validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, invalid.Errorf(format, args...)) }
	if o.Components < 0 {
		bad("the number of components is %d; it must be at least 1", o.Components)
	}
	if !(o.Share >= 0 && o.Share <= 1) {
		bad("the share of the variance is %v; it must be above 0 and at most 1", o.Share)
	}
	switch {
	case o.Components != 0 && o.Share != 0:
		bad("both a number of components and a share of the variance are given; give one")
	case o.Components == 0 && o.Share == 0:
		bad("neither a number of components nor a share of the variance is given; give one")
	}
	errs = append(errs, o.svd().Validate())
	return invalid.Join(errs...)
}

func (o Options) svd() svd.Options {
	return svd.Options{K: o.Components, Share: o.Share, Tol: o.Tol, Solver: o.Solver, Memory: o.Memory, Seed: o.Seed, Observer: o.Observer}
}
