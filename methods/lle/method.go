package lle

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/manifold"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Spec is locally linear embedding as a method.
var Spec = method.Spec{
	Name:    "lle",
	Grows:   "n²",
	Summary: "locally linear embedding: each document as its neighbours reconstruct it, then k-means",
	About: "Finds for each document x_i weights of its nearest neighbours, of sum 1, that minimise\n" +
		"‖x_i − Σ_j w_ij·x_j‖², and takes the coordinates y of mean 0 and covariance I that the same weights\n" +
		"reconstruct best: the eigenvectors of (I − W)ᵀ(I − W) with the smallest eigenvalues, without the\n" +
		"constant. In large corpora the documents are reconstructed from landmarks.",
	Reference: "Roweis and Saul 2000, Science 290; Saul and Roweis 2003, Journal of Machine Learning Research 4",
	Cost: "neighbour search n²·(entries per document), k² products of documents for each document with k\n" +
		"neighbours, then 4/3·n³ flops and 8·n² bytes up to 4,000 documents, or 14·l³ flops for l landmarks",
	Yields: method.Yields{Coordinates: true}, // not nested: all parts of a graph share the eigenvalue 0
	Whole:  "the weights of a document need the rows of its neighbours, which other ranks have",
	New:    func() method.Options { return new(Options) },
	Placer: func() method.Placer { return new(Pieces) },
}

// Fit implements method.Options.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used := *o
	if err := used.settle(in); err != nil {
		return nil, err
	}
	opt := used
	opt.Seed, opt.Observer, opt.Eigen.Observer = in.Seed, in.Observer, in.Observer
	defer in.Stage("pieces")()
	out := &method.Fitted{Used: &used}
	m, err := Fit(ctx, in.X, opt)
	if m == nil {
		return out, err
	}
	out.Model, out.Embedding, out.Placer = m, m.Embedding, m.pieces
	out.Values = &method.Values{Kind: method.Eigenvalue, Values: m.Values, Residuals: m.Residuals, Stats: &m.Stats, Own: true}
	text := "each from " + words.Counted(used.Neighbors, "neighbour")
	if l := len(m.Landmarks); l > 0 {
		text += ", carried by " + words.Counted(l, "landmark")
	}
	out.Facts = []method.Fact{method.Line("pieces", text), method.Found("landmarks", len(m.Landmarks)), method.Found("outside", len(m.Outside))}
	manifold.NoteLandmarks(in, o.Landmarks, in.Len()-len(m.Outside))
	outside := len(m.Outside) - (in.Len() - len(rows.Filled(in.X))) // rows without entries, which no rule embeds
	manifold.NoteOutside(in, outside, string(All))
	return out, err
}

// settle decides the dimensions and the neighbours.
func (o *Options) settle(in *method.Input) (err error) {
	if o.Dims, err = in.Dims(o.Dims); err != nil {
		return err
	}
	if err = in.MostDims(o.Dims, in.Len()-1); err != nil {
		return err
	}
	if err = o.checkLandmarks(in); err != nil {
		return err
	}
	o.Neighbors = in.FewNeighbors(o.Neighbors, graph.DefaultNeighbors)
	return nil
}

// checkLandmarks refuses landmarks that do not fit the documents, and more neighbours among them
// than there are.
func (o *Options) checkLandmarks(in *method.Input) error {
	if err := manifold.CheckLandmarks(in, o.Landmarks, o.Dims); err != nil {
		return err
	}
	used := o.LandmarksOf(in.Len())
	switch {
	case used >= in.Len() && o.LandmarkNeighbors > 0:
		return manifold.WithoutLandmarks(in, "landmark-neighbors")
	case o.LandmarkNeighbors > used:
		return invalid.Errorf("‹landmark-neighbors› %d is more than the %s: give at most %d", o.LandmarkNeighbors, words.Counted(used, "landmark"), used)
	}
	return nil
}
