package spg

import (
	"cmp"
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/lars"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/progress"
)

// Stage is the name under which notes go to the observer.
const Stage = "sparse projections"

// Penalty is the penalty of the regressions.
type Penalty string

// The penalties.
const (
	Lasso      Penalty = "lasso"       // ‖a‖₁, eq. (5). The default
	ElasticNet Penalty = "elastic-net" // ‖a‖₁ and Ridge·‖a‖²: groups of terms that occur together enter together
	Ridge      Penalty = "ridge"       // Ridge·‖a‖² alone: every term has a weight. 0 is least squares, of least norm
)

// Scale is the rule for the length of the directions.
type Scale string

// The scales.
const (
	// Response gives the projections of the documents the spread of the response, about its mean if
	// there is an intercept. This undoes the shrinkage of the lasso, which differs between directions.
	// The default.
	Response Scale = "response"
	// Path keeps the coefficients of the path.
	Path Scale = "path"
)

// Defaults of Options.
const (
	DefaultNeighbors = 7
	DefaultTerms     = 75
)

// The origins of responses.
const (
	FromNeighbors = "neighbors" // eigenvectors of the neighbour graph
	FromLabels    = "semi"      // of the neighbour graph in which labels join and separate documents
	FromClasses   = "classes"   // the labels alone
	FromPCA       = "pca"       // principal components
)

// DefaultRidge is α of Ridge and ElasticNet.
const DefaultRidge = 1

// Options of a fit. The zero value of every field but Dims is its default.
type Options struct {
	// Dims is the number of directions, c − 1 for c clusters; ClassResponses have their own. 0 is a
	// default only through the contract of package method.
	Dims int `json:"dims" flag:"dims" short:"d" range:">=1" unset:"one fewer than the clusters" help:"dimensions of the embedding" group:"method"`
	// NormalizeRows scales the coordinates of every document to length 1.
	NormalizeRows bool `json:"normalize_rows,omitempty" flag:"normalize-rows" default:"false" help:"scale each document's row of the embedding to length 1" group:"method"`
	// Responses is the origin of the responses for the contract of package method; "" is FromLabels if
	// there are labels, else FromNeighbors. Fit has FromNeighbors or FromPCA.
	Responses string `json:"responses,omitempty" flag:"responses" choices:"neighbors|semi|classes|pca" unset:"semi with labels, else neighbors" help:"fit the projections to eigenvectors of the graph (neighbors), of the graph with known labels (semi), to the labels alone (classes) or to principal components (pca)" group:"method"`
	// Penalty is Lasso unless set.
	Penalty Penalty `json:"penalty,omitempty" flag:"penalty" choices:"lasso|elastic-net|ridge" default:"lasso" help:"what keeps directions small; ridge uses all terms" group:"method"`
	// Terms is the cardinality, the number of terms of a direction at most, or their share of the
	// terms that occur in the documents; unset is 75, the cardinality of most of the paper's results.
	// Ridge has no cardinality.
	Terms method.Amount `json:"terms,omitzero" flag:"cardinality" default:"75" when:"penalty!=ridge" help:"terms of a direction: their number, or their share of all terms" group:"method"`
	// Ridge is α of ‖y − Xa‖² + α‖a‖² for Ridge, at least 0, and for ElasticNet, above 0; nil = 1.
	Ridge *float64 `json:"ridge,omitempty" flag:"alpha" range:">=0" default:"1" when:"penalty!=lasso" help:"weight of the ridge in the regression on the terms; 0 is none" group:"method"`
	// NoIntercept leaves the intercept out, as eq. (5) is written.
	NoIntercept bool `json:"no_intercept,omitempty"`
	// Scale is Response unless set.
	Scale Scale `json:"scale,omitempty" choices:"response|path"`
	// Skip is which trivial eigenvectors are left out of the responses; "" is le.SkipConstant.
	Skip le.Skip `json:"skip,omitempty"`
	// Graph are the options of the neighbour graph; 0 Neighbors are 7.
	Graph graph.Options `json:"graph" flags:"*" when:"responses=neighbors,semi" defaults:"neighbors=(7, or all others if there are fewer)" group:"graph"`
	// Eigen are the options of the eigensolver.
	Eigen eigen.Options `json:"eigen" flags:"*" group:"eigenproblem"`
	// Observer receives the notes of the regressions; Graph and Eigen have their own.
	Observer progress.Observer `json:"-"`
	// Share divides the documents among the ranks of a team, which fit together: x, its graph, the
	// responses and the coordinates are of the own ones. nil: x has all.
	Share *ranks.Share `json:"-"`

	iterate bool // as in lars.RidgeOptions, for tests
}

// Validate lists everything that is wrong with the regressions' options and, if Dims is not 0, with
// the responses' options.
func (o Options) Validate() error {
	errs := invalid.Faults{option.Check(&o)}
	switch {
	case o.Penalty == Ridge && !o.Terms.IsZero():
		errs.Addf("a ridge leaves no term out, so it has no number of terms; use the penalty %q or %q", Lasso, ElasticNet)
	case o.Penalty == ElasticNet && o.ridge() == 0:
		errs.Addf("‹alpha› 0 makes an elastic net a lasso: give ‹penalty› lasso without ‹alpha›")
	case (o.Penalty == "" || o.Penalty == Lasso) && o.Ridge != nil && *o.Ridge > 0:
		errs.Addf("‹alpha› is the ridge of ‹penalty› ridge or elastic-net: give one of these with it")
	}
	if o.Eigen.Verify && (o.Responses == FromPCA || o.Responses == FromClasses) {
		errs.Addf("‹verify› counts the eigenvalues of a graph, and ‹responses› %s solves none: leave it out", o.Responses)
	}
	if o.Dims > 0 {
		errs = append(errs, o.embedding().Validate())
	}
	errs = append(errs, o.regression().Validate())
	return invalid.Join(errs...)
}

// embedding are the options of package le for the responses.
func (o Options) embedding() le.Options {
	skip := o.Skip
	skip = cmp.Or(skip, le.SkipConstant)
	return le.Options{Dims: o.Dims, Skip: skip, Problem: nystrom.Problem{Graph: o.Graph, Eigen: o.Eigen}}
}

// regression returns the options of the ridge regression, for Ridge.
func (o Options) regression() lars.RidgeOptions {
	return lars.RidgeOptions{Ridge: o.ridge(), Intercept: !o.NoIntercept, Iterate: o.iterate, Tol: 1e-10, MaxIter: 10000, Observer: o.Observer}
}

// ridge is α, 0 for the lasso.
func (o Options) ridge() float64 {
	switch {
	case o.Penalty == "" || o.Penalty == Lasso:
		return 0
	case o.Ridge == nil:
		return DefaultRidge
	}
	return *o.Ridge
}

// terms is the number of terms of a direction if this many occur.
func (o Options) terms(occurring int) int {
	switch {
	case o.Terms.Count > 0:
		return o.Terms.Count
	case o.Terms.Share > 0:
		return max(1, int(math.Round(o.Terms.Share*float64(occurring))))
	}
	return DefaultTerms
}
