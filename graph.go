package eigenmap

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/native"
)

// Graph reads a corpus and builds its affinity graph. Options of the graph that are
// set by name, like the options of a method, replace their values in g. With Options.Work it takes
// what is finished from there.
func Graph(ctx context.Context, file string, opt Options, g graph.Options) (*GraphRun, error) {
	defer native.Hold()()
	run, ctx, err := readForGraph(ctx, file, opt, g)
	if err != nil {
		return nil, err
	}
	in := run.j.input()
	run.divideSearch(ctx, in)
	if run.Graph, run.own.Graph, err = in.Affinity(ctx, run.own.Graph); err == nil && run.Graph.Share.Divided() {
		run.Graph, err = run.Graph.Whole()
	}
	if err := run.spread(err); err != nil {
		return nil, wrapped(run.j.inFile(err))
	}
	run.Timings = run.j.times
	return run, nil
}

// readForGraph reads a corpus whose graph is to be built.
func readForGraph(ctx context.Context, file string, opt Options, g graph.Options) (*GraphRun, context.Context, error) {
	own := &graphOptions{Graph: g}
	r, err := newRequest(opt, "graph", own)
	if err != nil {
		return nil, nil, wrapped(err)
	}
	if own.Kind == graph.KindComplete {
		return nil, nil, wrapped(invalid.Errorf("the complete cosine graph is never written down: its matrix would have a number for every two documents: give ‹graph-kind› complete to cluster or embed, or leave it out"))
	}
	if r.Duplicates == duplicatesDrop {
		return nil, nil, wrapped(invalid.Errorf("the graph has a node for each document, copies among them: give ‹duplicates› once or keep"))
	}
	run := &GraphRun{j: &job{request: r, file: file}, own: own}
	if err := run.j.sameOnRanks(ctx, own); err != nil {
		return nil, nil, wrapped(err)
	}
	if err := run.j.checkRanks(ctx); err != nil {
		return nil, nil, wrapped(err)
	}
	if err := run.j.read(ctx); err != nil {
		return nil, nil, wrapped(run.j.inDocuments(err))
	}
	if err := run.j.checkRelevant(run.j.fields(own), run.j.data()); err != nil {
		return nil, nil, wrapped(err)
	}
	if err := run.j.takeDistinct(ctx, own.Graph.Neighbors+2); err != nil {
		return nil, nil, wrapped(run.j.inFile(err))
	}
	if ctx, err = run.j.withStore(memory.Bound(ctx, run.j.MaxBytes)); err != nil {
		return nil, nil, wrapped(err)
	}
	return run, ctx, nil
}

// GraphFields lists the options of [Graph].
func GraphFields() []*Field {
	return append(runFields(new(Options)), option.Of(new(graphOptions))...)
}
