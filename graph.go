package eigenmap

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/native"
)

// Graph reads a corpus and builds its affinity graph. Options of the graph that are
// set by name, like the options of a method, replace their values in g. With Options.Work it takes
// what is finished from there.
func Graph(ctx context.Context, file string, opt request.Options, g graph.Options) (*GraphRun, error) {
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
func readForGraph(ctx context.Context, file string, opt request.Options, g graph.Options) (*GraphRun, context.Context, error) {
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
	run := &GraphRun{j: &job.Job{Request: r, File: file}, own: own}
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
	if err := run.j.TakeDistinct(ctx, own.Graph.Neighbors+2); err != nil {
		return nil, nil, fault.Wrap(run.j.InFile(err))
	}
	if ctx, err = run.j.WithStore(memory.Bound(ctx, run.j.MaxBytes)); err != nil {
		return nil, nil, fault.Wrap(err)
	}
	return run, ctx, nil
}

// GraphFields lists the options of [Graph].
func GraphFields() []*request.Field {
	return append(request.RunFields(new(request.Options)), option.Of(new(graphOptions))...)
}
