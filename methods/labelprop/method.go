package labelprop

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/methods/shares"
	"github.com/eigenmap/eigenmap/methods/spectral"
)

// Spec is label propagation as a method.
var Spec = method.Spec{
	Name:    "label-propagation",
	Grows:   "n²",
	Summary: "known labels are carried over the neighbour graph, with probabilities",
	About: "Each document takes a share α of its scores from its neighbours and the rest from its label:\n" +
		"F = α P F + (1 − α) Y, where P = D⁻¹W and row i of Y is 1 in the column of the class of document i.\n" +
		"Form nie keeps the known labels and has a further class for what no label reaches, zhou uses\n" +
		"D^-1/2 W D^-1/2 in place of P, and zhu gives each document without a label the mean of its neighbours.",
	Reference: "Nie, Xiang, Liu and Zhang 2010; Zhou, Bousquet, Lal, Weston and Schölkopf 2004; Zhu, Ghahramani and Lafferty 2003",
	Cost:      "neighbour search n²·(entries per document), then some tens to hundred products of the graph with n·k scores",
	Needs:     method.Needs{Labels: method.Required, Affinity: true, Roots: true},
	Yields:    method.Yields{Clusters: true, Probabilities: true, Naming: method.ClassesOnly},
	Single:    true,
	Divided:   true,
	New:       func() method.Options { return new(Options) },
	Placer:    func() method.Placer { return new(Placer) },
}

// Fit implements method.Options.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used := *o
	used.Graph = o.GraphOptions(in)
	var g *graph.Graph
	var err error
	if g, used.Graph, err = in.Affinity(ctx, used.Graph); err != nil {
		return nil, err
	}
	out := &method.Fitted{Graph: g, Used: &used}
	running := used
	how, err := running.SettlePrior(ctx, in)
	if err != nil {
		return out, err
	}
	defer in.Stage("propagation")()
	running.Observer = in.Observer
	m, err := FitGraph(ctx, g, in.Given.Labels, len(in.Given.Names), running)
	if m == nil {
		return out, err
	}
	out.Model = m
	out.Clusters = &method.Clusters{
		Labels: m.Labels, Sizes: in.Sizes(m.Labels, len(in.Given.Names)), Posterior: m.Posterior,
		Classes: in.Given.Names, By: "labels", Spread: true,
		How: fmt.Sprintf("carried over the graph, form %s, residual %.1e after %s", m.Options.Form, m.Residual, words.Counted(m.Iterations, "product")),
	}
	if in.Joins() {
		out.Placer = m.Placer(in.X, used.Graph)
	}
	out.Facts = m.Facts()
	if m.Options.ClassMass {
		out.Facts = append(out.Facts, method.Found("class_shares", m.Prior), method.Line("shares", shares.Text(in.Given.Names, m.Prior)+", "+how))
	}
	m.NoteShares(in)
	return out, err
}

// GraphOptions are the options of the graph, with the neighbours of the kind of data if they give
// none.
func (o *Options) GraphOptions(in *method.Input) graph.Options {
	return spectral.Neighbors(in, nystrom.Problem{Graph: o.Graph})
}

// SettlePrior sets Prior for the documents of the input by ClassShares, if ClassMass is set and no
// Prior is given, and says in words what it is. It sets Counted too, but for the labels' shares.
func (o *Options) SettlePrior(ctx context.Context, in *method.Input) (how string, err error) {
	if !o.ClassMass || o.Prior != nil {
		return "as given", nil
	}
	o.Prior, how, err = o.ClassShares.Of(ctx, in)
	o.Counted = o.Counted || how != shares.AsLabels
	return how, err
}

// Shares implements method.Sharer.
func (o *Options) Shares() bool { return o.Graph.Shares() }

// Facts says how many documents no label reached, or are nearer to none of the classes, and how
// exactly the system was solved.
func (m *Model) Facts() []method.Fact {
	lost := ranks.Count(m.Graph.Share, len(m.Unreached))
	facts := []method.Fact{
		method.Found("unreached", lost), method.Found("residual", m.Residual), method.Found("products", m.Iterations),
	}
	text := "all documents"
	if lost > 0 {
		text = fmt.Sprintf("all but %s, which take the most frequent class", words.Counted(lost, "document"))
	}
	if m.Novel != nil {
		novel := 0
		for i, v := range m.Novel {
			if v > slices.Max(m.F.RawRowView(i)) {
				novel++
			}
		}
		novel = ranks.Count(m.Graph.Share, novel)
		facts = append(facts, method.Found("novel", novel))
		if novel > 0 {
			text += fmt.Sprintf("; %s nearer to none of the classes", words.Plural(novel, "is", "are"))
		}
	}
	return append(facts, method.Line("reached", text))
}

// NoteShares notes the class whose share of the documents that labels were carried to is farthest
// from its share of the known labels, if the two differ much: with a large α a class of many
// neighbours can take nearly all documents. The note names the options ‹class-mass› and ‹spread›.
func (m *Model) NoteShares(in *method.Input) {
	var ways []string
	if !m.Options.ClassMass {
		ways = append(ways, words.Option("class-mass"))
	}
	if m.Options.Form != Zhu {
		way := "a smaller " + words.Option("spread")
		if m.Options.Alpha > 0.5 {
			way += " such as 0.5"
		}
		ways = append(ways, way)
	}
	names, count := in.Given.Names, ranks.Count(in.Share, in.Given.Count())
	given, found := make([]float64, len(names)), make([]float64, len(names))
	reached := 0
	for i, class := range in.Given.Labels {
		if class >= 0 {
			given[class]++
		} else if _, lost := slices.BinarySearch(m.Unreached, i); !lost {
			found[m.Labels[i]]++
			reached++
		}
	}
	in.Share.Sum(given)
	in.Share.Sum(found)
	reached = ranks.Count(in.Share, reached)
	if reached < 1 || len(ways) == 0 {
		return
	}
	far, most := -1, 0.1
	for class := range given {
		p, q := given[class]/float64(count), found[class]/float64(reached)
		if d := math.Abs(p - q); d > most && max(p, q) > 1.5*min(p, q) {
			far, most = class, d
		}
	}
	if far >= 0 {
		in.Notef("%s has %s of the known labels and takes %s of the documents that they were carried to: if labels are as frequent as classes, %s may come nearer to that",
			words.Clip(names[far], 24), words.Percent(int(given[far]), count), words.Percent(int(found[far]), reached), strings.Join(ways, " or "))
	}
}
