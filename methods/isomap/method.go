package isomap

import (
	"context"
	"fmt"
	"math"

	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/internal/manifold"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Spec is Isomap as a method.
var Spec = method.Spec{
	Name:    "isomap",
	Grows:   "n²",
	Summary: "coordinates that keep distances along the neighbour graph, then k-means",
	About: "Measures between documents the shortest paths d_ij along the edges of the neighbour graph, and\n" +
		"takes as coordinates √λ·v of the largest eigenpairs of B = −½·J·[d_ij²]·J, J = I − 11ᵀ/n: straight\n" +
		"distances that come as near to the paths as they can. In large corpora landmarks are scaled so, and\n" +
		"the others placed by their paths to the landmarks.",
	Reference: "Tenenbaum, de Silva and Langford 2000, Science 290; landmarks: de Silva and Tenenbaum 2004",
	Cost: "neighbour search n²·(entries per document), one search of the graph per landmark, 8·l·n bytes for\n" +
		"l landmarks (without landmarks, l = n)",
	Yields: method.Yields{Coordinates: true, Nested: true},
	Whole:  "the shortest paths from a document lead through the documents of all ranks",
	New:    func() method.Options { return new(Options) },
	Placer: func() method.Placer { return new(Paths) },
}

// Fit implements method.Options.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used := *o
	var err error
	if used.Dims, err = o.dimsFor(in); err != nil {
		return nil, err
	}
	opt := used.within(ctx)
	if err = opt.checkLandmarks(in); err != nil {
		return nil, err
	}
	out := &method.Fitted{Used: &used}
	if out.Graph, opt.Graph, err = in.AffinityOf(ctx, in.X, unweighted(used.Graph)); err != nil {
		return out, err
	}
	used.Graph.Neighbors = opt.Graph.Neighbors
	opt.Seed, opt.Observer, opt.Eigen.Observer = in.Seed, in.Observer, in.Observer
	end := in.Stage("paths")
	m, err := FitGraph(ctx, in.X, out.Graph, opt)
	end()
	if m != nil {
		take(in, out, m)
		manifold.NoteLandmarks(in, o.Landmarks, in.Len()-len(m.Outside))
		way := string(Join)
		if o.Parts != Largest {
			way = "" // what is joined already leaves out rows of zeros alone
		}
		manifold.NoteOutside(in, len(m.Outside), way)
	}
	return out, err
}

// dimsFor is the number of dimensions for an input, if it can have so many.
func (o *Options) dimsFor(in *method.Input) (int, error) {
	dims, err := in.Dims(o.Dims)
	if err != nil {
		return 0, err
	}
	return dims, in.MostDims(dims, in.Len()-1)
}

// checkLandmarks refuses landmarks that do not fit the documents, and a rule for landmarks if there
// are none.
func (o *Options) checkLandmarks(in *method.Input) error {
	if err := manifold.CheckLandmarks(in, o.Landmarks, o.Dims); err != nil {
		return err
	}
	if o.Pick != "" && o.Pick != Random && o.LandmarksOf(in.Len()) >= in.Len() {
		return manifold.WithoutLandmarks(in, "landmark-pick")
	}
	return nil
}

// take takes what a model found.
func take(in *method.Input, out *method.Fitted, m *Model) {
	out.Model, out.Embedding = m, m.Embedding
	if m.paths != nil {
		out.Placer = m.paths
	}
	// Eigenvalues are of the size of squared distances.
	relative := make([]float64, len(m.Residuals))
	for a, r := range m.Residuals {
		relative[a] = r / max(m.Values[0], math.SmallestNonzeroFloat64)
	}
	out.Values = &method.Values{Kind: method.Eigenvalue, Values: m.Values, Residuals: relative, Stats: &m.Stats, Own: true}
	text := "from " + words.Counted(len(m.Landmarks), "landmark")
	if in.Len() == len(m.Landmarks)+len(m.Outside) {
		text = "between all " + words.Thousands(len(m.Landmarks))
	}
	if d := len(m.ResidualVariance); d > 0 {
		text += fmt.Sprintf("; %s %.3g %% of the variance of their lengths", words.Plural(d, "dimension leaves", "dimensions leave"), 100*m.ResidualVariance[d-1])
	}
	out.Facts = []method.Fact{
		method.Line("paths", text),
		method.Found("landmarks", len(m.Landmarks)),
		method.Found("residual_variance", m.ResidualVariance),
		method.Found("outside", len(m.Outside)),
		method.Found("links", m.Links),
	}
}
