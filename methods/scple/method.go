package scple

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Spec is the supervised, class-preserving Laplacian Eigenmap as a method.
var Spec = method.Spec{
	Name:    "scple",
	Grows:   "labelled²",
	Summary: "a map that draws neighbours of one class together and separates near ones of other classes, by known labels",
	About: "Joins each labelled document to its nearest of its own class, with weights W, and to its nearest of\n" +
		"the others, with weights B, and maximises yᵀ(γ·L_B + (1−γ)·W)y subject to yᵀD_W y = 1. A document\n" +
		"without a label is placed between its five nearest with one, weighted by 1/distance².",
	Reference: "Ning, Liu and Deng 2016, as described by Zhou and Wang 2019",
	Cost:      "one neighbour graph of the labelled documents, then 4 operations per edge and product",
	Needs:     method.Needs{Labels: method.Required, Roots: true},
	Yields:    method.Yields{Coordinates: true},
	Whole:     "its graph is of the labelled documents alone, which each rank would need whole",
	New:       func() method.Options { return new(Options) },
	Closed:    "scple places a document by its class, and the class of a new one is not known",
}

// Fit implements method.Options.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used := *o
	if err := used.Validate(); err != nil {
		return nil, err
	}
	if in.Given == nil {
		return nil, invalid.Errorf("it needs labels of a part of the documents: give ‹labels› or ‹labeled-fraction›")
	}
	var err error
	if used.LE.Dims, err = used.LE.DimsFor(in); err != nil {
		return nil, err
	}
	used.LE.Graph.Neighbors = in.FewNeighbors(used.LE.Graph.Neighbors, graph.DefaultNeighbors)
	used.LE.Eigen.MaxIter = cmp.Or(used.LE.Eigen.MaxIter, DefaultMaxIter)
	if err := checkPairs(in); err != nil {
		return nil, err
	}
	intra, inter, err := used.graphs(ctx, in)
	if err != nil {
		return nil, err
	}
	within, between := intra.W.NNZ()/2, inter.W.NNZ()/2
	out := &method.Fitted{Graph: intra, Used: &used, Facts: []method.Fact{
		method.Line("classes", fmt.Sprintf("%s within classes, %s between them at γ %g", words.Counted(within, "edge"), words.Counted(between, "edge"), used.balance())),
		method.Found("edges_within", within), method.Found("edges_between", between),
	}}
	n := in.Len()
	placed := n - len(intra.Isolated)
	if used.LE.Dims > placed-1 {
		return out, method.TooManyDims(used.LE.Dims, placed-1,
			"the "+words.Plural(placed, "document with a neighbour of its class gives", "documents with a neighbour of their class give"), ", or more labels")
	}
	defer in.Stage("eigen")()
	opt := used
	opt.LE.Eigen.Seed, opt.LE.Eigen.Observer = in.Seed, in.Observer
	m, err := FitGraphs(ctx, intra, inter, opt)
	if m == nil {
		return out, err
	}
	left, failed := m.placeOutside(ctx, in.X, in.Given.Labels, used.LE.NormalizeRows, in.Observer)
	if failed != nil {
		return out, failed
	}
	out.Model, out.Embedding = m, m.Embedding
	out.Values = &method.Values{Kind: method.Eigenvalue, Values: m.Values, Residuals: m.Residuals,
		Tol: cmp.Or(used.LE.Eigen.Tol, eigen.DefaultTol), Stats: &m.Stats, Own: true}
	out.Facts = append(out.Facts, method.Found("outside", len(m.Outside)), method.Found("unplaced", len(left)))
	if 2*placed < n {
		in.Notef("The graphs of scple join only documents whose labels were given, here %s of %s, and place the others between these; semi-le, cle and le-cas use the graph of all.", words.Thousands(placed), words.Thousands(n))
	}
	return out, err
}

func (o Options) graphs(ctx context.Context, in *method.Input) (intra, inter *graph.Graph, err error) {
	defer in.Stage("graph")()
	o.LE.Graph.Observer = in.Observer
	return Graphs(ctx, in.X, in.Given.Labels, len(in.Given.Names), o)
}

// checkPairs refuses labels none of which has a second one of its class, and reports classes of a
// single label, which have no neighbour of their class.
func checkPairs(in *method.Input) error {
	const shown = 12
	sizes := in.Given.Sizes()
	var single []string
	for k, size := range sizes {
		if size == 1 {
			single = append(single, words.Clip(in.Given.Names[k], 24))
		}
	}
	names := strings.Join(single[:min(shown, len(single))], ", ")
	if len(single) > shown {
		names += fmt.Sprintf(" and %d more", len(single)-shown)
	}
	switch len(single) {
	case 0:
		return nil
	case len(sizes):
		return invalid.Errorf("every class needs at least two documents with a known label for scple, and %s have one each: give more labels", names)
	}
	in.Warnf("Classes of a single document with a known label, which scple puts at the origin: %s; every class needs two.", names)
	return nil
}
