package kernelridge

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Spec is kernel ridge regression as a method.
var Spec = method.Spec{
	Name:    "kernel-ridge",
	Grows:   "n",
	Summary: "ridge regression of the known labels with a Gaussian kernel, for classes that no line divides",
	About: "Each class has a score f(x) = b + Σ a_i exp(−‖x − x_i‖²/σ) over the documents with a label, which minimises\n" +
		"Σ (f(x_i) − y_i)² + λ‖w‖²; y_i is 1 for a document of the class, and else 0. The scores of documents that are\n" +
		"left out are in closed form, and σ, λ and the τ of the probabilities exp(τf) are those under which the labels\n" +
		"left out are the most probable. Documents without a label only get their class.",
	Reference: "Saunders, Gammerman and Vovk 1998; Suykens and Vandewalle 1999 for the classifier; Allen 1974 for the scores left out",
	Cost:      "eight eigenproblems of at most 300 labelled rows, one system of at most 2,000, and their kernel with all rows",
	Needs:     method.Needs{Labels: method.Required, Roots: true},
	Yields:    method.Yields{Clusters: true, Probabilities: true, Naming: method.ClassesOnly},
	Whole:     "its system has the labelled rows of all ranks",
	New:       func() method.Options { return new(Options) },
	Placer:    func() method.Placer { return new(Placer) },
}

// Fit implements method.Options.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	opt, classes := *o, len(in.Given.Names)
	opt.Observer = in.Observer
	defer in.Stage(stage)()
	m, err := Fit(ctx, in.X, in.Given.Labels, classes, opt)
	if err != nil {
		return nil, err
	}
	used := m.Options
	return &method.Fitted{
		Clusters: &method.Clusters{
			Labels: m.Labels, Sizes: method.SizesOf(m.Labels, classes), Posterior: m.Posterior, Classes: in.Given.Names, By: Spec.Name, Spread: true,
			How: fmt.Sprintf("%s, Gaussian kernel of σ %.4g, λ %.3g, %s", words.Plural(classes, "class", "classes"), used.Sigma, used.Ridge,
				words.Counted(m.Used, "labelled document")),
		},
		Facts:  []method.Fact{method.Found("sharpness", m.Sharpness), method.Found("left_out", m.LeftOut)},
		Placer: m.placer,
		Used:   &used,
		Model:  m,
	}, nil
}
