package spg

import (
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/lars"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/progress"
)

// Stage is the name under which notes go to the observer.
const Stage = "sparse projections"

// Penalty names what keeps a regression in bounds.
type Penalty string

// The penalties.
const (
	Lasso      Penalty = "lasso"       // ‖a‖₁, eq. (5). The default
	ElasticNet Penalty = "elastic-net" // ‖a‖₁ and Ridge·‖a‖²: groups of terms that occur together enter together
	Ridge      Penalty = "ridge"       // Ridge·‖a‖² alone: every term has a weight. 0 is least squares, of least norm
)

// Scale names how long directions are.
type Scale string

// The scales.
const (
	// Response makes the projections of the documents spread as widely as the response, about its mean where there is an intercept: the shrinkage of
	// the lasso, which differs from direction to direction, is undone. The default.
	Response Scale = "response"
	// Path leaves the coefficients as the path has them.
	Path Scale = "path"
)

// Defaults of Options.
const (
	DefaultNeighbors = 7
	DefaultTerms     = 75
	defaultMemory    = 64 << 20
)

// Options of a fit. The zero value of every field but Dims is its default.
type Options struct {
	// Dims is the number of directions where the graph leaves it open: neighbours, with labels or without, and PCA; for c clusters c − 1.
	Dims int `json:"dims"`
	// Penalty is Lasso unless set.
	Penalty Penalty `json:"penalty,omitempty"`
	// Terms is the cardinality: how many terms a direction has at most; Share gives it as a share, above 0 and at most 1, of the terms that
	// occur in the documents. At most one of the two; neither means 75 terms, the cardinality of most of the paper's results. Ridge has no cardinality.
	Terms int     `json:"terms,omitempty"`
	Share float64 `json:"share,omitempty"`
	// Ridge is α of ‖y − Xa‖² + α‖a‖² for Ridge, at least 0, and for ElasticNet, above 0.
	Ridge float64 `json:"ridge,omitempty"`
	// NoIntercept regresses the responses on X as it is, to the letter of eq. (5).
	NoIntercept bool `json:"no_intercept,omitempty"`
	// Scale is Response unless set.
	Scale Scale `json:"scale,omitempty"`
	// Skip says which trivial eigenvectors are no responses; "" is le.SkipConstant.
	Skip le.Skip `json:"skip,omitempty"`
	// Graph says how Fit makes the neighbour graph; its Neighbors are 7 where they are 0.
	Graph graph.Options `json:"graph"`
	// Eigen says how the eigenpairs are found.
	Eigen eigen.Options `json:"eigen"`
	// Memory is how many bytes a Gram matrix of Ridge may take; 0 is 64 MiB, an order of 2,896. Above it the regressions are iterated.
	Memory int64 `json:"memory,omitempty"`
	// Observer hears of the regressions; Graph and Eigen have their own.
	Observer progress.Observer `json:"-"`
}

// Validate lists everything that is wrong with the regressions' options, and, where Dims is not 0, with those of the responses.
func (o Options) Validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, invalid.Errorf(format, args...)) }
	switch o.Penalty {
	case "", Lasso:
		if o.Ridge > 0 {
			bad("the penalty %q has no ridge; use the penalty %q for both", Lasso, ElasticNet)
		}
	case ElasticNet:
		if o.Ridge == 0 {
			bad("the penalty %q needs a ridge above 0; use the penalty %q for none", ElasticNet, Lasso)
		}
	case Ridge:
		if o.Terms != 0 || o.Share != 0 {
			bad("a ridge leaves no term out, so it has no number of terms; use the penalty %q or %q", Lasso, ElasticNet)
		}
	default:
		bad("there is no penalty %q; choose %q, %q or %q", string(o.Penalty), Lasso, ElasticNet, Ridge)
	}
	if o.Terms < 0 {
		bad("the number of terms is %d; it must be at least 1 (0 means %d)", o.Terms, DefaultTerms)
	}
	if !(o.Share >= 0 && o.Share <= 1) {
		bad("the share of the terms is %v; it must be above 0 and at most 1", o.Share)
	}
	if o.Terms > 0 && o.Share > 0 {
		bad("both a number and a share of terms are given; give one")
	}
	switch o.Scale {
	case "", Response, Path:
	default:
		bad("there is no scale %q; choose %q or %q", string(o.Scale), Response, Path)
	}
	if o.Dims < 0 {
		bad("the number of dimensions is %d; it must be at least 1", o.Dims)
	}
	if o.Dims > 0 {
		errs = append(errs, o.embedding().Validate())
	}
	errs = append(errs, o.regression().Validate())
	return invalid.Join(errs...)
}

// embedding is what package le is asked for the responses.
func (o Options) embedding() le.Options {
	skip := o.Skip
	if skip == "" {
		skip = le.SkipConstant
	}
	return le.Options{Dims: o.Dims, Skip: skip, Graph: o.Graph, Eigen: o.Eigen}
}

// regression is that of Ridge.
func (o Options) regression() lars.RidgeOptions {
	memory := o.Memory
	if memory == 0 {
		memory = defaultMemory
	}
	return lars.RidgeOptions{Penalty: o.Ridge, Intercept: !o.NoIntercept, Memory: memory, Tol: 1e-10, MaxIter: 10000, Observer: o.Observer}
}

// terms is the cardinality for so many terms that occur.
func (o Options) terms(occurring int) int {
	switch {
	case o.Terms > 0:
		return o.Terms
	case o.Share > 0:
		return max(1, int(math.Round(o.Share*float64(occurring))))
	}
	return DefaultTerms
}
