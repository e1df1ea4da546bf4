package committee

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/kernelridge"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/labelprop"
	"github.com/eigenmap/eigenmap/methods/logistic"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/semildc"
	"github.com/eigenmap/eigenmap/methods/shares"
	"github.com/eigenmap/eigenmap/methods/svm"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Spec is the vote of several methods as a method.
var Spec = method.Spec{
	Name:    "committee",
	Grows:   "n²",
	Summary: "label propagation, semi-ldc, tsvm, logistic, diffusion and, on dense data, kernel-ridge vote on classes",
	About: "Methods of different kinds learn from the same known labels, each by its defaults, and each has one\n" +
		"vote on every document: for its class, or shared with classes that are nearly as probable. diffusion knows no\n" +
		"labels; its clusters vote for the class of most of the known labels in them, and label propagation decides\n" +
		"between equals. On dense data semi-ldc, tsvm and logistic have half a vote. The shares of the votes are the\n" +
		"probabilities. Documents with a known label keep it.",
	Reference: "Hansen and Salamon 1990, Neural network ensembles; Breiman 1996, Bagging predictors, on votes",
	Cost:      "the sum of its members, which share a graph",
	Needs:     method.Needs{Labels: method.Required, Roots: true},
	Yields:    method.Yields{Clusters: true, Probabilities: true, Naming: method.ClassesOnly},
	Whole:     "most of its members look at all documents",
	New:       func() method.Options { return new(Options) },
	Placer:    func() method.Placer { return new(Placer) },
}

// Fit implements method.Options. A member that cannot take the data, or that does not converge, is
// left out with a note, unless the options name it.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	own := *in
	own.Clusters, own.Observer = len(in.Given.Names), in.Observer.WithoutNotes() // which are of single members
	if own.Shared == nil {                                                       // the members have graph and principal components in common
		own.Shared = new(method.Shared)
	}
	used, out := *o, new(method.Fitted)
	found, parts := map[string]*method.Clusters{}, &Placer{Weights: o.weights(in.Sparse())}
	var shared []said
	for _, m := range o.voting(in.Sparse()) {
		fitted, clusters, err := m.fit(ctx, o, &own)
		var unsettled *method.NotConvergedError
		if (errors.Is(err, fs.ErrInvalid) || errors.As(err, &unsettled)) && o.Members == "" && m.spec.Name != carrier {
			in.Notef("%s does not vote: %s", m.spec.Name, words.Plain(strings.TrimSuffix(err.Error(), ".")))
			delete(parts.Weights, m.spec.Name)
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("the member %s: %w", m.spec.Name, err)
		}
		found[m.spec.Name] = clusters
		parts.take(fitted, clusters)
		shared = saying(shared, m.spec.Name, fitted.Facts)
		if m.spec.Name == carrier {
			out.Graph = fitted.Graph
		}
	}
	defer in.Stage("votes")()
	known := in.Given.Labels
	votes, err := Votes(found, known, own.Clusters, nil)
	if err != nil {
		return nil, invalid.Errorf("none of the members of the committee can take the data beside %s: choose that", carrier)
	}
	posterior, labels := Count(votes, parts.Weights)
	out.Facts = append(facts(votes, parts.Weights, known, labels), o.shareFacts(shared)...)
	keep(posterior, labels, known)
	parts.settle(posterior, labels, votes[Blind])
	used.Members = Weighed(parts.Weights)
	out.Placer, out.Used = parts, &used
	out.Clusters = &method.Clusters{
		Labels: labels, Sizes: method.SizesOf(labels, own.Clusters), Posterior: posterior, Classes: in.Given.Names, By: "votes", Spread: true,
		How: fmt.Sprintf("%s, votes of %s", words.Plural(own.Clusters, "class", "classes"), words.Plural(len(found), "method", "methods")),
	}
	return out, nil
}

// fit fits a member, and finds the clusters of one that has coordinates alone.
func (m member) fit(ctx context.Context, o *Options, in *method.Input) (*method.Fitted, *method.Clusters, error) {
	own := *in
	if !m.learns() {
		own.Given = nil
	}
	fitted, err := m.spec.Fit(ctx, o.of(m), &own)
	if err != nil || fitted.Clusters != nil {
		return fitted, clustersOf(fitted), err
	}
	defer in.Stage("kmeans")()
	found, err := kmeans.Fit(ctx, fitted.Embedding, kmeans.Options{K: in.Clusters, Seed: in.Seed, Observer: in.Observer})
	if err != nil {
		return nil, nil, err
	}
	clusters := found.Found(1)
	if m.spec.Yields.Terms && kmeans.HasTerms(own.X, nil) {
		clusters, err = kmeans.ByTerms(ctx, clusters, fitted.Embedding, own.X.(sparse.Rows), nil)
		var short *memory.Error
		if errors.As(err, &short) { // the members have no ‹nearest-by›
			short.Way = "leave " + m.spec.Name + " out of ‹members›"
		}
	}
	return fitted, clusters, err
}

func clustersOf(f *method.Fitted) *method.Clusters {
	if f == nil {
		return nil
	}
	return f.Clusters
}

// facts say how much the votes of each member count, and how far the members agree on the documents
// without a label.
func facts(votes map[string]*mat.Dense, weights map[string]float64, known, labels []int) []method.Fact {
	agree, n := make([]bool, len(labels)), 0
	for i, k := range known {
		if agree[i] = k < 0; agree[i] {
			n++
		}
	}
	var parts []string
	for _, m := range members {
		v, with := votes[m.spec.Name], 0
		if v == nil {
			continue
		}
		for i, k := range rows.Largest(v) {
			if known[i] < 0 && k == labels[i] {
				with++
			} else {
				agree[i] = false
			}
		}
		text := fmt.Sprintf("%s (counts %.3g)", m.spec.Name, weights[m.spec.Name])
		if n > 0 {
			text += " " + percent(with, n)
		}
		parts = append(parts, text)
	}
	all := 0
	for _, one := range agree {
		if one {
			all++
		}
	}
	if n == 0 {
		return []method.Fact{method.Line("members", strings.Join(parts, ", ")+"; every document has a known label and keeps it")}
	}
	return []method.Fact{
		{ID: "unanimous", Value: float64(all) / float64(n), Unit: "share"},
		method.Line("members", fmt.Sprintf("with the majority: %s; all agree on %s", strings.Join(parts, ", "), percent(all, n))),
	}
}

// said is what some members say of the shares of the classes.
type said struct {
	words   string
	members []string
}

// saying adds what a member says of the shares of the classes, if it says anything.
func saying(list []said, member string, facts []method.Fact) []said {
	for _, f := range facts {
		if f.Line != sharesLine {
			continue
		}
		at := slices.IndexFunc(list, func(s said) bool { return s.words == f.Words })
		if at < 0 {
			at, list = len(list), append(list, said{words: f.Words})
		}
		list[at].members = append(list[at].members, member)
	}
	return list
}

// sharesLine is the heading under which the members say which shares the classes have.
const sharesLine = "shares"

// shareFacts say by which shares of the classes the members decide, which are not the same for all.
// By default they do only if the documents contradict the labels.
func (o *Options) shareFacts(list []said) (facts []method.Fact) {
	asLabels := func(s said) bool { return strings.HasSuffix(s.words, shares.AsLabels) }
	if o.ClassShares == shares.Labels || (o.ClassShares == shares.Auto || o.ClassShares == "") && !slices.ContainsFunc(list, func(s said) bool { return !asLabels(s) }) {
		return nil
	}
	for _, s := range list {
		facts = append(facts, method.Line(sharesLine, s.words+" ("+strings.Join(s.members, ", ")+")"))
	}
	return facts
}

func percent(part, n int) string { return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(n)) }

// take keeps what a member places new documents by.
func (p *Placer) take(f *method.Fitted, c *method.Clusters) {
	switch part := f.Placer.(type) {
	case *labelprop.Placer:
		p.Carried = *part
	case *semildc.Placer:
		p.Discriminants, p.Centers = part, c.Centers
	case *svm.Placer:
		p.Machines = part
	case *logistic.Placer:
		p.Regression = part
	case *kernelridge.Placer:
		p.Kernel = part
	}
}

// settle keeps the votes on the training documents.
func (p *Placer) settle(posterior *mat.Dense, labels []int, blind *mat.Dense) {
	p.Carried.Posterior, p.Carried.Labels = posterior, labels
	if blind != nil {
		p.Groups = rows.Largest(blind)
	}
}
