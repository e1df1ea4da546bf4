package semildc

import (
	"cmp"
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/ckmeans"
	"github.com/eigenmap/eigenmap/methods/linear"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/plsa"
	"github.com/eigenmap/eigenmap/methods/shares"
)

// Spec is semi-supervised linear discriminant clustering as a method.
var Spec = method.Spec{
	Name:    "semi-ldc",
	Grows:   "q³",
	Summary: "soft labels, soft discriminants and k-means, from known labels: classes of all documents",
	About: "Gives each document soft labels, by constrained plsa or by label propagation, finds the K − 1\n" +
		"directions that separate the soft classes, S_b a = λ (S_w + μI) a, after a reduction to principal\n" +
		"components or in the feature space of a kernel, and runs k-means there, in which documents with\n" +
		"a known label stay in their class.",
	Reference: "Liu, Hsaio, Lee and Gou 2014, Semi-supervised linear discriminant clustering, algorithm 2",
	Cost:      "the principal components, 4/3·q³ for the smaller side q of the data; the kernel n²·(entries per document) + n³/3 and 16 n² bytes",
	Needs:     method.Needs{Labels: method.Required},
	Yields:    method.Yields{Coordinates: true, Clusters: true, Naming: method.ClassesOnly},
	Whole:     "its discriminants come from a decomposition of the rows of all documents",
	Paper:     []method.Setting{{Name: "class-shares", Value: "labels"}},
	New:       func() method.Options { return new(Options) },
	Placer:    func() method.Placer { return new(Placer) },
}

// Fit implements method.Options.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used := *o
	if err := used.settle(in); err != nil {
		return nil, err
	}
	running := used.running(in)
	if o.Discriminant == Kernel { // before the long work
		if err := needKernel(ctx, in.Len()); err != nil {
			return nil, err
		}
	}
	how, err := running.settleShares(ctx, in)
	if err != nil {
		return nil, err
	}
	defer in.Stage("fit")()
	m, err := fit(ctx, in, in.Raw(), in.X, in.Given.Labels, len(in.Given.Names), running)
	out := &method.Fitted{Used: &used}
	if m == nil {
		return out, err
	}
	used.Reduction, used.Components, used.Sigma = m.Options.Reduction, m.Options.Components, m.Options.Sigma
	out.Model, out.Embedding, out.Soft, out.Placer = m, m.Embedding, m.Soft, m.Placer()
	out.Values = &method.Values{Kind: "λ between over within classes", Values: m.Lambda, How: fmt.Sprintf("%s, μ %.3g", words.Counted(len(m.Lambda), "discriminant"), m.Mu)}
	out.Facts = m.facts(in)
	if m.Options.Priors != nil {
		out.Facts = append(out.Facts, method.Found("class_shares", m.Options.Priors), method.Line("shares", shares.Text(in.Given.Names, m.Options.Priors)+", "+how))
	}
	switch {
	case m.Topics != nil:
		out.Directions, out.Topics = m.Topics.Topics(in.Terms), true
	case m.Propagated != nil:
		out.Graph = m.Propagated.Graph
		used.Propagation.Graph.HeatWidth = out.Graph.HeatWidth
		m.Propagated.NoteShares(in)
	}
	out.Clusters = m.clusters(in)
	return out, err
}

// trialTol is the residual of the regressions of a comparison: classes hardly change below it.
const trialTol = 1e-3

// Trial implements method.Trialled.
func (o *Options) Trial() method.Options {
	own := *o
	own.LDA.Tol = cmp.Or(o.LDA.Tol, trialTol)
	return &own
}

// Decided implements method.Deciding: whether rows are reduced first depends on their number.
func (o *Options) Decided(n, d, _, _ int) method.Options {
	own := *o
	if own.unreduced(n, d) != "" {
		own.Reduction, own.Components = Raw, method.Amount{}
	}
	return &own
}

// settle decides dimensions, soft labels and graph, and refuses data that are no counts if plsa is
// to read them.
func (o *Options) settle(in *method.Input) error {
	var negative error
	if o.SoftLabels == "" || o.SoftLabels == PLSA {
		negative = plsa.CheckCounts(in, "give ‹soft-labels› propagation or hard")
	}
	return o.settleFor(in, negative)
}

// settleFor is settle for data that are no counts because of an error, nil if they are, or if their
// entries are not known.
func (o *Options) settleFor(in *method.Input, negative error) error {
	var err error
	if o.LDA.Dims, err = linear.ClassDims(in, Spec.Name, o.LDA.Dims); err != nil {
		return err
	}
	switch {
	case o.SoftLabels == PLSA && negative != nil:
		return negative
	case o.SoftLabels != "":
	case negative != nil:
		o.SoftLabels = Propagation
		in.Notef("‹soft-labels› propagation: plsa works on term counts, and the data have negative entries")
	case !in.Sparse():
		o.SoftLabels = Propagation
		in.Notef("‹soft-labels› propagation: the data are dense, and plsa is for term counts")
	default:
		o.SoftLabels = PLSA
	}
	if err := in.CheckRank(o.Components.Count, "pca"); err != nil {
		return err
	}
	if o.SoftLabels == Propagation {
		o.Propagation.Graph = in.CompleteGraph(in.X, o.Propagation.GraphOptions(in))
	}
	return nil
}

// settleShares sets the priors of classes that ClassShares asks for, and says what they are.
func (o *Options) settleShares(ctx context.Context, in *method.Input) (how string, err error) {
	if o.SoftLabels == Propagation {
		o.Propagation.ClassShares = o.ClassShares
		if _, err := o.Propagation.SettlePrior(ctx, in); err != nil {
			return "", err
		}
	}
	if o.Priors != nil || o.ClassShares == shares.Labels {
		return "as given", nil
	}
	list, how, err := o.ClassShares.OfPlain(ctx, in)
	if err == nil && how != shares.AsLabels {
		for k, v := range list {
			list[k] = max(v, leastPrior)
		}
		o.Priors = list
	}
	return how, err
}

// running are the options with seed and observer of the input. Facts say what the stages
// found, so their notes are left out.
func (o Options) running(in *method.Input) Options {
	o.Seed, o.Observer = in.Seed, in.Observer.WithoutDetails()
	return o
}

// clusters returns the clusters of the k-means.
func (m *Model) clusters(in *method.Input) *method.Clusters {
	c, stay := m.Clusters, ", which stay in them"
	if m.Options.Rule == ckmeans.Seeded {
		stay = ""
	}
	return &method.Clusters{Labels: c.Labels, Sizes: c.Sizes, Objective: c.Objective, Centers: c.Centers, By: "k-means", Classes: in.Given.Names,
		How: fmt.Sprintf("%s started by the known labels%s, objective %.6g", words.Counted(len(c.Sizes), "cluster"), stay, c.Objective)}
}

// facts describe soft labels and reduction.
func (m *Model) facts(in *method.Input) []method.Fact {
	facts := []method.Fact{
		method.Found("soft_labels", string(m.Options.SoftLabels)), method.Found("reduced_to", m.Dims), method.Found("explained", m.Explained),
		method.Found("discriminants", m.Lambda), method.Found("mu", m.Mu),
	}
	soft := words.Counted(in.Given.Count(), "known label") + ", alone"
	switch {
	case m.Topics != nil:
		soft = "constrained plsa, " + words.Counted(m.Topics.Iterations, "step")
	case m.Propagated != nil:
		soft = "label propagation, form " + string(m.Propagated.Options.Form)
		facts = m.Propagated.Facts()
	}
	facts = append(facts, method.Line("soft", soft))
	switch {
	case m.Options.Discriminant == Kernel:
		facts = append(facts, method.Line("kernel", fmt.Sprintf("gaussian, σ %.4g", m.Options.Sigma)))
	case m.Options.Reduction == PCA:
		facts = append(facts, method.Line("reduced", fmt.Sprintf("to %s, %.3g %% of the variance", words.Counted(m.Dims, "principal component"), 100*m.Explained)))
	case m.Options.Reduction == ICA:
		facts = append(facts, method.Line("reduced", "to "+words.Counted(m.Dims, "independent component")))
	}
	return facts
}
