package result

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Collect makes the run of rank 0 one of the documents of all ranks, whose files, model and
// pictures are as of one process: it joins the embedding, the rows and counts, the graph, and what
// new documents are placed by. All ranks call it before rank 0 saves; without ranks it does
// nothing.
//
// Rank 0 takes 8 bytes per document and dimension, twice if the model has coordinates, 12 per entry
// and 24 per edge, within the memory that the machine and ctx leave it; the context's end stops
// nothing. Without memory for the rows it joins the embedding alone: then the model takes no new
// documents, and the map is drawn by neighbours in the embedding. Notes say so.
func (r *Run) Collect(ctx context.Context) error {
	if !r.Divided() {
		return nil
	}
	if err := r.measureRows(ctx); err != nil {
		return err
	}
	r.collectGraph(ctx)
	if err := r.spare(ctx, r.CollectedBytes(), "the rows of all ranks"); err != nil {
		r.collectEmbedding(err)
		return nil
	}
	g := &method.Gathering{Share: r.J.Share}
	embedding, soft, placer := r.gathered(g)
	r.J.Collect(g)
	if g.Share.Rank() > 0 {
		return nil
	}
	fitted := *r.Fitted
	fitted.Embedding, fitted.Soft, fitted.Placer = embedding, soft, placer
	r.Fitted, r.Embedding, r.Corpus, r.Whole = &fitted, embedding, r.J.Corpus, true
	return nil
}

// Apart prepares a run whose documents the ranks divide for artefact.SaveShards, by which each
// rank writes its own part of the results. Where Options.Map or Options.Levels ask for what is of
// all documents at once, rank 0 makes it. All ranks call it.
func (r *Run) Apart(ctx context.Context) error {
	if err := r.measureRows(ctx); err != nil {
		return err
	}
	return r.overview(ctx)
}

// overview makes [Run.Drawn] on rank 0, with the map that Options.Map asks for by name, the levels
// and the runner-up: of the graph and the coordinates of all ranks, which it takes for that, within
// its memory. All ranks call it.
func (r *Run) overview(ctx context.Context) error {
	j := r.J
	if r.Command != "cluster" || !j.WantsMap(false) && len(j.Levels) == 0 {
		return nil
	}
	r.collectGraph(ctx)
	counted := &method.Gathering{Share: j.Share, Count: true}
	counted.Dense(r.Embedding)
	if why := r.spare(ctx, counted.Bytes(), "the coordinates of all ranks"); why != nil {
		j.Note("There is no map and there are no levels: " + why.Error())
		return nil
	}
	all := (&method.Gathering{Share: j.Share}).Dense(r.Embedding)
	var err error
	if j.Share.Rank() == 0 {
		whole := *r
		whole.Embedding, whole.Whole = all, true
		if err = whole.FindLevels(ctx); err == nil {
			err = whole.FindRunnerUp(ctx)
		}
		if err == nil && j.WantsMap(false) {
			err = whole.DrawMap(ctx)
		}
		r.Map, r.Levels, r.RunnerUp, r.tree, r.graph, r.Drawn = whole.Map, whole.Levels, whole.RunnerUp, whole.tree, nil, &whole
	}
	if err = ranks.Agree(j.Share, err); err == nil {
		r.describeOverview()
	}
	return err
}

// describeOverview finds the terms of the levels and of the runner-up that rank 0 has, by the
// documents of all ranks. All ranks call it.
func (r *Run) describeOverview() {
	share := r.J.Share
	var sizes []int
	for _, l := range r.Levels {
		sizes = append(sizes, len(l.Clusters))
	}
	if r.RunnerUp != nil {
		sizes = append(sizes, len(r.RunnerUp.Clusters))
	}
	for at, k := range ranks.GatherInts(share, sizes) {
		var labels []int
		switch {
		case share.Rank() > 0:
		case at < len(r.Levels):
			labels = r.levelLabels(r.Levels[at].of)
		default:
			labels = r.RunnerUp.Labels
		}
		terms := r.levelTerms(ranks.GatherInts(share, labels), k)
		switch {
		case share.Rank() > 0:
		case at < len(r.Levels):
			r.Levels[at].describe(terms, r.withoutTerms(labels, k))
		default:
			r.RunnerUp.describe(terms, r.withoutTerms(labels, k))
		}
	}
}

// Divided reports whether ranks divide the documents, and rank 0 has not joined them.
func (r *Run) Divided() bool { return r.J.Share.Divided() && !r.Whole }

// RoomToCollect returns to all ranks the error of rank 0 if it has no memory for what [Run.Collect]
// joins. All ranks call it.
func (r *Run) RoomToCollect(ctx context.Context) error {
	if !r.Divided() {
		return nil
	}
	return r.spare(ctx, r.CollectedBytes(), "the rows of all ranks")
}

// PlacerHere is what new documents are placed by; where ranks divide the documents that it keeps,
// this rank's part of it, in which lists number the documents of all. All ranks call it.
func (r *Run) PlacerHere() method.Placer {
	if !r.Partial() {
		return r.Fitted.Placer
	}
	return r.Fitted.Placer.(method.Gatherer).Gather(&method.Gathering{Share: r.J.Share, Apart: true})
}

// gathered is what rank 0 has of a fit of all ranks' documents.
func (r *Run) gathered(g *method.Gathering) (embedding, soft *mat.Dense, placer method.Placer) {
	embedding, soft, placer = g.Dense(r.Embedding), g.Dense(r.Fitted.Soft), r.Fitted.Placer
	if r.Partial() {
		placer = placer.(method.Gatherer).Gather(g)
	}
	return embedding, soft, placer
}

// CollectedBytes is what all that Collect joins takes on rank 0. All ranks call it.
func (r *Run) CollectedBytes() int64 {
	g := &method.Gathering{Share: r.J.Share, Count: true}
	r.gathered(g)
	r.J.CountCollected(g)
	return g.Bytes()
}

// spare gives all ranks the error of rank 0 if it may not take so many bytes: it alone takes them.
func (r *Run) spare(ctx context.Context, bytes int64, what string) error {
	var err error
	if r.J.Share.Rank() == 0 {
		err = memory.Need(memory.Bound(ctx, r.J.MaxBytes), bytes, "", "%s", what)
	}
	return ranks.Agree(r.J.Share, err)
}

// Partial reports whether what new documents are placed by is of this rank's documents alone.
func (r *Run) Partial() bool {
	p, ok := r.Fitted.Placer.(method.Gatherer)
	return ok && r.J.Share.Divided() && p.Partial()
}

// collectEmbedding joins the embedding on rank 0, which has no memory for the rest.
func (r *Run) collectEmbedding(why error) {
	if r.Partial() {
		r.J.Note("The model takes no new documents: " + job.ClosedByShare + ": " + why.Error())
	}
	if r.Embedding == nil {
		r.J.Note("There is no picture: " + why.Error())
	} else if all := r.J.Collected(r.Embedding); all != nil {
		r.Embedding, r.Whole = all, true
	}
}

// collectGraph gathers the affinities that the ranks divide on rank 0, if a map or levels are
// wanted. All ranks call it.
func (r *Run) collectGraph(ctx context.Context) {
	g := r.Fitted.Graph
	if r.Command != "cluster" || !r.J.WantsMap(true) && len(r.J.Levels) == 0 || g == nil || g.W == nil || !g.Share.Divided() {
		return
	}
	edges := ranks.Count(g.Share, g.W.NNZ())
	if err := r.spare(ctx, memory.Bytes(24, edges), "the graph of all ranks"); err != nil {
		return
	}
	if w, ok := (&method.Gathering{Share: g.Share}).Rows(g.W).(*sparse.CSR); ok {
		r.graph = w
	}
}
