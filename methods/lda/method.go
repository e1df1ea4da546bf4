package lda

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/linear"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Spec is linear discriminant analysis as a method.
var Spec = method.Spec{
	Name:    "lda",
	Grows:   "entries",
	Summary: "linear discriminant analysis of the known labels, then k-means",
	About: "Finds the K − 1 directions in which the means of K classes lie farthest apart, measured by the\n" +
		"spread within the classes: S_b a = μ (S_t + αI) a with the largest μ, where S_b is the scatter\n" +
		"between the classes and S_t the total scatter. Documents without a label are projected.",
	Reference: "Fisher 1936; Friedman 1989 for the ridge; Cai, He and Han 2008 (SRDA) for the regressions",
	Cost:      "one ridge regression of K − 1 responses: q³/3 with q the smaller of documents and terms, or 4·entries·K per step of conjugate gradients",
	Needs:     method.Needs{Labels: method.Required, Roots: true},
	Yields:    method.Yields{Coordinates: true, FromLabels: true},
	Paper:     []method.Setting{{Name: "init", Value: "k-means++"}, {Name: "alpha", Value: "1"}},
	Whole:     "its regressions look at the rows of all documents",
	New:       func() method.Options { return new(Options) },
	Placer:    func() method.Placer { return new(linear.Placer) },
}

// regularised says what ridge was used, and why.
func (m *Model) regularised() string {
	switch {
	case m.Estimated && m.Shrinkage > 0:
		return fmt.Sprintf("ridge %.3g (shrinkage %.2g by Ledoit and Wolf)", m.Ridge, m.Shrinkage)
	case m.Estimated:
		return fmt.Sprintf("ridge %.3g (by default)", m.Ridge)
	}
	return fmt.Sprintf("ridge %.3g", m.Ridge)
}

// Fit implements method.Options.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used := *o
	var err error
	if used.Dims, err = linear.ClassDims(in, Spec.Name, o.Dims); err != nil {
		return nil, err
	}
	defer in.Stage("regression")()
	opt := used
	opt.Observer = in.Observer
	classes := len(in.Given.Names)
	m, err := Fit(ctx, in.X, in.Given.Labels, classes, opt)
	out := &method.Fitted{Used: &used}
	if m == nil {
		return out, err
	}
	out.Model, out.Embedding, out.Placer = m, m.Embedding, m.Placer()
	out.Values = &method.Values{Kind: "share between classes", Values: m.Values,
		How: fmt.Sprintf("%s that part %d classes, %s", words.Counted(len(m.Values), "direction"), classes, m.regularised())}
	return out, err
}
