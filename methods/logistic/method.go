package logistic

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Spec is logistic regression as a method.
var Spec = method.Spec{
	Name:    "logistic",
	Grows:   "entries",
	Summary: "logistic regression on the known labels, a linear classifier with probabilities",
	About: "Each class has a weight for each term: p(k|x) ∝ exp((x − μ)·v_k/σ + b_k), where V and b minimise\n" +
		"½‖V‖² − C Σ c_i log p(y_i|x_i) over the documents with a label. Every class counts the same by default:\n" +
		"c_i is one over the share of the document's class among the labels, and over the number of classes.\n" +
		"Documents without a label only get their class.",
	Reference: "Cox 1966; King and Zeng 2001 for the weights of rare classes; Liu and Nocedal 1989 for the solver",
	Cost:      "some tens of products of the labelled rows with k vectors, then one of all rows",
	Needs:     method.Needs{Labels: method.Required, Roots: true},
	Yields:    method.Yields{Clusters: true, Probabilities: true, Naming: method.ClassesOnly},
	Whole:     "its search looks at the labelled rows of all ranks",
	New:       func() method.Options { return new(Options) },
	Placer:    func() method.Placer { return new(Placer) },
}

// Fit implements method.Options.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	opt, classes := *o, len(in.Given.Names)
	opt.Observer = in.Observer
	defer in.Stage(stage)()
	m, err := Fit(ctx, in.X, in.Given.Labels, classes, opt)
	if m == nil {
		return nil, err
	}
	return &method.Fitted{
		Clusters: &method.Clusters{
			Labels: m.Labels, Sizes: method.SizesOf(m.Labels, classes), Posterior: m.Posterior, Classes: in.Given.Names, By: Spec.Name, Spread: true,
			How: fmt.Sprintf("%s, %s class weights, C %.3g, gradient %.1e after %s", words.Plural(classes, "class", "classes"), m.Options.ClassWeights, m.Options.C,
				m.Gradient, words.Counted(m.Steps, "step")),
		},
		Facts:  []method.Fact{method.Found("objective", m.Objective), method.Found("gradient", m.Gradient), method.Found("steps", m.Steps)},
		Placer: m.Placer(),
		Model:  m,
	}, err
}
