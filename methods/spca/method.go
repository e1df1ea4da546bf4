package spca

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/linear"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Spec is sparse principal component analysis as a method.
var Spec = method.Spec{
	Name:    "spca",
	Grows:   "entries",
	Summary: "sparse principal components: few terms each, then k-means",
	About: "Minimises Σ ‖x_i − A Bᵀx_i‖² + α Σ ‖b_j‖² + Σ β_j ‖b_j‖₁ over A with AᵀA = I and B by turns: for\n" +
		"given A each b_j is an elastic net, for given B the matrix A is a polar factor. It starts from\n" +
		"the principal components. The loadings b_j have the number of terms wanted, the others are zero.",
	Reference: "Zou, Hastie and Tibshirani 2006, Sparse principal component analysis",
	Cost:      "the principal components; then per round one elastic net path per component and 4·entries·k flops",
	Yields:    method.Yields{Coordinates: true},
	Whole:     "the paths of its elastic nets look at the rows of all documents",
	New:       func() method.Options { return new(Options) },
	Placer:    func() method.Placer { return new(linear.Placer) },
}

// Fit implements method.Options.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used := *o
	var err error
	if used.Dims, err = in.Dims(o.Dims); err != nil {
		return nil, err
	}
	if err := in.CheckRank(used.Dims, "dims"); err != nil {
		return nil, err
	}
	defer in.Stage("svd")()
	opt := used
	opt.Seed, opt.Observer = in.Seed, in.Observer
	m, err := Fit(ctx, in.X, opt)
	out := &method.Fitted{Used: &used}
	if m == nil {
		return out, err
	}
	share := 0.0
	for _, v := range m.AdjustedVariance {
		share += v / m.TotalVariance
	}
	out.Model, out.Embedding, out.Placer = m, m.Embedding, m.Placer()
	out.Values = &method.Values{Kind: method.Variance, Values: m.AdjustedVariance,
		How: fmt.Sprintf("%s of %s, %.3g %% of the variance, %s", words.Counted(len(m.Cardinality), "component"), linear.TermRange(m.Cardinality), 100*share, words.Counted(m.Rounds, "round"))}
	out.Directions = m.Directions(in.Terms, 0)
	return out, err
}
