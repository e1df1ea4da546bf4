package result

import (
	"context"
	"errors"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/diffusion"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/layout"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// approximateMap is the number of documents from which on the neighbours for a map are searched
// approximately, where the run has no graph.
const approximateMap = 50_000

// DrawMap sets [Run.Map] if it is nil: the graph of the run, or of the nearest neighbours in its
// coordinates or its weighted rows, laid out in the plane (package methods/layout). Copies get
// the place of their original. Where a run can have no map, or there is no memory for one, Map
// stays nil and a note says why.
//
// Time: 200 passes over the edges, and what a graph of the neighbours takes if the run has none.
// Errors: the context's.
func (r *Run) DrawMap(ctx context.Context) error {
	if r.Map != nil || r.Fitted == nil || r.Labels == nil || r.Corpus.Len() < 3 { // none of a run that was stopped
		return nil
	}
	j := r.J
	if r.Divided() {
		if r.Drawn == nil && !j.WantsMap(false) { // else overview has said why
			j.Note("There is no map: with ‹shards› no rank has the coordinates of all documents; with ‹map› rank 0 takes them, and the graph, to draw it")
		}
		return nil
	}
	defer r.lateStage(layout.Stage)()
	alone := ranks.From(ctx).Size() == 1 // a store of several ranks is read by all of them together
	ctx = ranks.With(memory.Bound(ctx, j.MaxBytes), ranks.Alone{})
	if alone {
		var err error
		if ctx, err = j.WithStore(ctx); err != nil {
			return err
		}
	}
	w, coords, err := r.mapGraph(ctx)
	if err == nil && w == nil {
		j.Note("There is no map: the run has neither coordinates nor documents to find neighbours among")
		return nil
	}
	var at *mat.Dense
	if err == nil {
		at, err = layout.Fit(ctx, w, coords, layout.Options{Seed: j.Seed, Observer: j.Observe})
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil { // the result of the run stands without it
		j.Note("There is no map: " + err.Error())
		return nil
	}
	if r.Map = at; r.HasCopies() {
		r.Map = j.Whole.Groups.Rows(at, nil, nil)
	}
	return nil
}

// lateStage is [job.Job.Stage] of a stage that may come after the rest was timed.
func (r *Run) lateStage(name string) func() {
	if _, done := r.Timings.Seconds["total"]; !done {
		return r.J.Stage(name)
	}
	r.J.GiveBack()
	start := time.Now()
	r.J.Observe(progress.Event{Stage: name})
	return func() { r.Timings.AddBeforeTotal(name, time.Since(start)) }
}

// distinctEmbedding are the coordinates of the distinct documents; nil if the run has none.
func (r *Run) distinctEmbedding() *mat.Dense {
	if r.Embedding == nil || !r.HasCopies() {
		return r.Embedding
	}
	return sparse.SelectRows(r.Embedding, r.J.Whole.Groups.First).(*mat.Dense)
}

// mapGraph returns what a map of the distinct documents is drawn from. w are the affinities of the
// run's own graph, else of the nearest neighbours in the run's coordinates or in the weighted rows;
// nil if the run has none of these. coords are the run's coordinates, else diffusion coordinates of
// w, as many as clusters and at most [layout.MostColumns]; nil if their eigenvectors cannot be
// found.
func (r *Run) mapGraph(ctx context.Context) (w *sparse.CSR, coords *mat.Dense, err error) {
	j, g, coords := r.J, r.ownGraph(), r.distinctEmbedding()
	n := r.Corpus.Len()
	if r.HasCopies() {
		n = len(j.Whole.Groups.First)
	}
	var x mat.Matrix // divided rows are no help
	if !j.Share.Divided() {
		x = r.distinctRows()
	}
	search := graph.Options{Neighbors: min(graph.DefaultNeighbors, n-1), Weight: graph.Heat, HeatRule: graph.LocalWidth, Seed: j.Seed, Observer: progress.Observer(j.Observe).WithoutNotes()}
	if n >= approximateMap {
		search.Search = graph.ApproxSearch
	}
	switch {
	case n < 3 || g == nil && coords == nil && x == nil:
		return nil, nil, nil
	case coords != nil && g == nil:
		if err := memory.Need(ctx, memory.Bytes(8, n, coords.RawMatrix().Cols), "leave the map out by ‹map› false", "the map of %s", words.Counted(n, "document")); err != nil {
			return nil, nil, err
		}
		g, err = graph.Build(ctx, layout.Directions(coords), search)
	case coords == nil:
		if csr, ok := x.(*sparse.CSR); ok && j.Normalize != corpus.NormL2 {
			x = csr.NormalizeRows()
		}
		opt := new(diffusion.Options)
		opt.Graph.Search = search.Search
		fitted, failed := diffusion.Spec.Fit(ctx, opt, &method.Input{X: x, Graph: g, Clusters: min(max(2, len(r.Sizes)), layout.MostColumns), Seed: j.Seed, Observer: search.Observer})
		if fitted != nil {
			g, coords = fitted.Graph, fitted.Embedding
		}
		if err = failed; g != nil && errors.As(failed, new(*eigen.NotConvergedError)) {
			err = nil
		}
	}
	if err != nil {
		return nil, nil, err
	}
	return g.W, coords, nil
}
