package graphssl

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/shares"
	"github.com/eigenmap/eigenmap/methods/svm"
)

// Spec is graph-based semi-supervised learning, from support vector machines, as a method.
var Spec = method.Spec{
	Name:    "graph-ssl",
	Grows:   "n²",
	Summary: "scores of support vector machines that learn the known labels, smoothed over a graph",
	About: "Support vector machines learn the known labels, one class against the others, and score the other\n" +
		"documents. These are joined to their nearest documents with and without a label, and the scores f of a\n" +
		"class minimise M Σ (f_i − y_i)² over labelled, Σ (f_i − ŷ_i)² over other documents, plus\n" +
		"Σ w_ij (f_i − f_j)² over the edges: (C + a·L) f = C·y.",
	Reference: "Goldberg and Zhu 2006; Liu, Hsaio, Lee and Gou 2014, section IV.C",
	Cost:      "one training per class, neighbour search n²·(entries per document), then some tens of products of the graph with n·k scores",
	Needs:     method.Needs{Labels: method.Required},
	Yields:    method.Yields{Clusters: true, Confidence: method.ByMargin, Naming: method.ClassesOnly},
	Whole:     "its support vector machines learn from the labelled documents of all ranks at once",
	Paper:     []method.Setting{{Name: "class-shares", Value: "labels"}},
	New:       func() method.Options { return new(MethodOptions) },
	Closed:    "graph-ssl smooths the scores of its own documents over their graph, and has no rule for new ones",
}

// MethodOptions are the options of the method: options of the machines, whose scores it starts
// from, of the graph, and how often each class occurs.
type MethodOptions struct {
	SVM   svm.Options `flags:"*"`
	Graph Options     `flags:"*" group:"graph"`
	// ClassShares are the shares of the classes among the documents without a label, which decide
	// the documents between two classes ([Model.Decide]); "" = auto. labels, and auto where the
	// documents do not contradict the labels, decide by the scores alone, as in the paper.
	ClassShares shares.Rule `flag:"class-shares" default:"auto" help:"shares of the classes among the documents without a label, by which documents between two classes are decided: auto (found if the documents contradict the known labels, else none), labels (none: the largest score, as in the paper), estimated, or a list such as a=0.9,b=0.1" group:"method"`
}

// Validate implements method.Options.
func (o *MethodOptions) Validate() error {
	return invalid.Join(o.SVM.Validate(), o.Graph.Validate(), o.ClassShares.Validate())
}

// Decided implements method.Deciding: how many documents one is joined to depends on the number of
// labels.
func (o *MethodOptions) Decided(n, _, labelled, _ int) method.Options {
	own := *o
	own.Graph.LabeledNeighbors, own.Graph.Neighbors = o.Graph.joined(labelled, n-labelled)
	return &own
}

// Fit implements method.Options.
func (o *MethodOptions) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used, classes := *o, len(in.Given.Names)
	decided, how, err := used.shares(ctx, in)
	if err != nil {
		return nil, err
	}
	used.SVM.Seed, used.SVM.Observer = in.Seed, in.Observer
	end := in.Stage("svm")
	start, err := svm.OneVsRest(ctx, in.X, in.Given.Labels, classes, used.SVM)
	end()
	if err != nil {
		return nil, err
	}
	machines := start.Machines[0].Options
	used.SVM.Sigma = machines.Sigma
	used.Graph.Observer = in.Observer
	defer in.Stage("graph")()
	m, err := Fit(ctx, in.X, in.Given.Labels, classes, start.Scores, used.Graph)
	if m == nil {
		return nil, err
	}
	m.Decide(in.Given.Labels, decided)
	opt := m.Options
	used.Graph.LabeledNeighbors, used.Graph.Neighbors, used.Graph.Weight, used.Graph.HeatWidth = opt.LabeledNeighbors, opt.Neighbors, opt.Weight, m.HeatWidth
	differ := 0
	for i, k := range start.Labels {
		if in.Given.Labels[i] < 0 && m.Labels[i] != k {
			differ++
		}
	}
	edges := m.W.NNZ() / 2
	text := fmt.Sprintf("%s to %s with a label and %d without", words.Counted(edges, "edge"), words.Counted(opt.LabeledNeighbors, "document"), opt.Neighbors)
	if k := len(m.Lonely); k > 0 {
		text += fmt.Sprintf("; %s without neighbours", words.Thousands(k))
	}
	out := &method.Fitted{
		Clusters: &method.Clusters{
			Labels: m.Labels, Sizes: method.SizesOf(m.Labels, classes), Classes: in.Given.Names, By: "labels",
			Certainty: method.Certainty{Confidence: method.HalfMargin(m.F, m.Labels)},
			How: fmt.Sprintf("scores smoothed over the graph, λ %g, β %g, which changed %s, residual %.1e after %s",
				opt.Alpha, *opt.Beta, words.Counted(differ, "document"), m.Residual, words.Counted(m.Iterations, "product")),
		},
		Facts: []method.Fact{
			method.Line("svm", machines.Text()), method.Line("graph", text),
			method.Found("edges", edges), method.Found("lonely", len(m.Lonely)), method.Found("changed", differ),
			method.Found("residual", m.Residual), method.Found("products", m.Iterations),
		},
		Used:  &used,
		Model: m,
	}
	if decided != nil {
		out.Facts = append(out.Facts, method.Found("class_shares", decided), method.Line("shares", shares.Text(in.Given.Names, decided)+", "+how))
	}
	return out, err
}

// shares returns the shares of the classes that decide between them, and how they were found; nil
// if the scores alone do.
func (o *MethodOptions) shares(ctx context.Context, in *method.Input) ([]float64, string, error) {
	if o.ClassShares == shares.Labels {
		return nil, "", nil
	}
	list, how, err := o.ClassShares.Of(ctx, in)
	if err != nil || how == shares.AsLabels {
		return nil, "", err
	}
	return list, how, nil
}
