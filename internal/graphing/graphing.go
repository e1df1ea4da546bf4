// Package graphing builds the affinity graph of a corpus alone, at once or by blocks.
package graphing

import (
	"context"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/native"
)

// spread makes the graph of the distinct documents one of all, in which a document and its copies
// count as one node. err is the error of the work so far.
func (r *Run) spread(err error) error {
	j, w := r.j, r.j.Whole
	if err != nil || w == nil {
		return j.InDocuments(err)
	}
	j.Restore()
	j.Corpus, j.X = w.Corpus, w.X
	if r.Graph == nil { // a block of it was found
		return nil
	}
	r.Graph, err = graph.Together(w.Groups.Len(), r.Graph, w.Groups.Sets())
	return err
}

// Graph reads a corpus and builds its affinity graph. Options of the graph that are
// set by name, like the options of a method, replace their values in g. With Options.Work it takes
// what is finished from there.
func Graph(ctx context.Context, file string, opt request.Options, g graph.Options) (*Run, error) {
	defer native.Hold()()
	run, ctx, err := readForGraph(ctx, file, opt, g)
	if err != nil {
		return nil, err
	}
	in := run.j.Input()
	run.divideSearch(ctx, in)
	if run.Graph, run.own.Graph, err = in.Affinity(ctx, run.own.Graph); err == nil && run.Graph.Share.Divided() {
		run.Graph, err = run.Graph.Whole()
	}
	if err := run.spread(err); err != nil {
		return nil, fault.Wrap(run.j.InFile(err))
	}
	run.Timings = run.j.Times
	return run, nil
}

// readForGraph reads a corpus whose graph is to be built.
func readForGraph(ctx context.Context, file string, opt request.Options, g graph.Options) (*Run, context.Context, error) {
	own := &graphOptions{Graph: g}
	r, err := request.New(opt, "graph", own)
	if err != nil {
		return nil, nil, fault.Wrap(err)
	}
	if own.Kind == graph.KindComplete {
		return nil, nil, fault.Wrap(invalid.Errorf("the complete cosine graph is never written down: its matrix would have a number for every two documents: give ‹graph-kind› complete to cluster or embed, or leave it out"))
	}
	if r.Duplicates == request.DuplicatesDrop {
		return nil, nil, fault.Wrap(invalid.Errorf("the graph has a node for each document, copies among them: give ‹duplicates› once or keep"))
	}
	run := &Run{j: &job.Job{Request: r, File: file}, own: own}
	if err := run.j.SameOnRanks(ctx, own); err != nil {
		return nil, nil, fault.Wrap(err)
	}
	if err := run.j.CheckRanks(ctx); err != nil {
		return nil, nil, fault.Wrap(err)
	}
	if err := run.j.Read(ctx); err != nil {
		return nil, nil, fault.Wrap(run.j.InDocuments(err))
	}
	if err := run.j.CheckRelevant(run.j.Fields(own), run.j.Data()); err != nil {
		return nil, nil, fault.Wrap(err)
	}
	if err := run.j.TakeDistinct(ctx, max(2, own.Graph.Neighbors+1)); err != nil {
		return nil, nil, fault.Wrap(run.j.InFile(err))
	}
	if ctx, err = run.j.WithStore(memory.Bound(ctx, run.j.MaxBytes)); err != nil {
		return nil, nil, fault.Wrap(err)
	}
	return run, ctx, nil
}

// Fields lists the options of [Graph].
func Fields() []*option.Field {
	return append(request.RunFields(new(request.Options)), option.Of(new(graphOptions))...)
}

// graphOptions are the options of a run that builds a graph alone.
type graphOptions struct {
	Kind  graph.Kind    `flag:"graph-kind" choices:"knn|complete" default:"knn" help:"join the nearest neighbours; the complete graph is for cluster and embed alone" group:"graph"`
	Graph graph.Options `flags:"*" group:"graph"`
}

// Run is a graph that was built or read.
type Run struct {
	Graph   *graph.Graph
	Timings job.Timings
	j       *job.Job
	own     *graphOptions
	columns []corpus.NodeColumn // of a file of GraphML, beside the class
}

// divideSearch gives the input the rows of this rank, if ranks can divide the search for
// neighbours.
func (r *Run) divideSearch(ctx context.Context, in *method.Input) {
	team, g := ranks.From(ctx), &r.own.Graph
	if team.Size() == 1 || in.X == nil || in.Len() < request.FewDocuments || g.Epsilon > 0 || g.HeatRule == graph.PairsWidth {
		return
	}
	in.Share = ranks.Evenly(team, in.Len())
	in.X = corpus.RowsOf(in.X, in.Share.First(), in.Share.First()+in.Share.Own())
}
