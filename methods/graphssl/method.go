package graphssl

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
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
	New:       func() method.Options { return new(MethodOptions) },
	Closed:    "graph-ssl smooths the scores of its own documents over their graph, and has no rule for new ones",
}

// MethodOptions are the options of the method: options of the machines, whose scores it starts
// from, and of the graph.
type MethodOptions struct {
	SVM   svm.Options `flags:"*"`
	Graph Options     `flags:"*" group:"graph"`
}

// Validate implements method.Options.
func (o *MethodOptions) Validate() error { return invalid.Join(o.SVM.Validate(), o.Graph.Validate()) }

// Fit implements method.Options.
func (o *MethodOptions) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used, classes := *o, len(in.Given.Names)
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
	return &method.Fitted{
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
	}, err
}
