package tsvm

import (
	"cmp"
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/shares"
	"github.com/eigenmap/eigenmap/methods/svm"
)

// Spec is the transductive support vector machine as a method.
var Spec = method.Spec{
	Name:    "tsvm",
	Grows:   "entries or n²",
	Summary: "transductive support vector machines, each class of the known labels against the others",
	About: "For each class a machine that also learns labels y* of the documents without one:\n" +
		"min ½‖w‖² + C Σ ξ_i + C* Σ ξ*_j over w, b and y*. Pairs of documents change places as long as the\n" +
		"objective falls, while C* grows from a small value. The class of a document is the one of the largest\n" +
		"decision value.",
	Reference: "Joachims 1999; Liu, Hsaio, Lee and Gou 2014, section IV.C",
	Cost:      "some 17 levels of a few trainings per class; n²·d for the kernel matrix unless the kernel is linear",
	Needs:     method.Needs{Labels: method.Required, Roots: true},
	Paper:     []method.Setting{{Name: "class-shares", Value: "labels"}},
	Yields:    method.Yields{Clusters: true, Confidence: method.ByMargin, Naming: method.ClassesOnly},
	Whole:     "its machines exchange pairs of documents, which may be of two ranks",
	New:       func() method.Options { return new(Options) },
	Placer:    func() method.Placer { return new(svm.Placer) },
}

// Fit implements method.Options.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	opt, classes := *o, len(in.Given.Names)
	opt.SVM.Seed, opt.Observer = in.Seed, in.Observer
	how := "as given"
	if opt.Positive == nil {
		var err error
		if opt.Positive, how, err = o.ClassShares.Of(ctx, in); err != nil {
			return nil, err
		}
		within(opt.Positive)
	}
	defer in.Stage("tsvm")()
	m, err := Fit(ctx, in.X, in.Given.Labels, classes, opt)
	if m == nil {
		return nil, err
	}
	used := *o
	used.SVM, used.CStar = opt.SVM, m.Options.CStar
	used.SVM.Sigma = m.Options.SVM.Sigma
	switches, support := 0, make([]int, classes)
	for c, one := range m.Machines {
		switches += m.Switches[c]
		support[c] = len(one.Support)
	}
	return &method.Fitted{
		Clusters: &method.Clusters{
			Labels: m.Labels, Sizes: method.SizesOf(m.Labels, classes), Classes: in.Given.Names, By: "tsvm",
			Certainty: method.Certainty{Confidence: method.HalfMargin(m.Scores, m.Labels)},
			How: fmt.Sprintf("%s against the others, %s, C* %g, %s changed places",
				words.Plural(classes, "class", "classes"), m.Options.SVM.Text(), m.Options.CStar, words.Counted(switches, "pair")),
		},
		Facts: []method.Fact{
			method.Found("switches", m.Switches), method.Found("positive", m.Positive), method.Found("support_vectors", support),
			method.Found("class_shares", opt.Positive), method.Line("shares", shares.Text(in.Given.Names, opt.Positive)+", "+how),
		},
		Placer: m.Placer(),
		Used:   &used,
		Model:  m,
	}, err
}

// Coarse search of a comparison: C* begins nearer to its end, and machines are solved less closely.
// docs/studies/labels.md has what it costs and gains.
const (
	trialStart = 1e-2
	trialTol   = 0.1
)

// Trial implements method.Trialled.
func (o *Options) Trial() method.Options {
	own := *o
	own.Start = cmp.Or(o.Start, trialStart)
	own.SVM.Tol = cmp.Or(o.SVM.Tol, trialTol)
	return &own
}

// within brings shares strictly between 0 and 1, as [Options.Positive] must be.
func within(list []float64) {
	for k, v := range list {
		list[k] = min(max(v, 1e-12), 1-1e-12)
	}
}
