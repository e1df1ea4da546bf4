package eigenmap

import (
	"context"
	"io"
	"path/filepath"

	"github.com/eigenmap/eigenmap/internal/atomicfile"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
)

// WorkConfig is the file in a folder of finished stages that has the settings of the blocks of a
// graph. It is hidden, because a folder of stages holds nothing else.
const WorkConfig = ".graph.yaml"

// withStore opens the folder of finished stages, if there is one, for the work of the context.
func (j *job) withStore(ctx context.Context) (context.Context, error) {
	if j.Work == "" {
		return ctx, nil
	}
	var data mat.Matrix = j.x
	if j.x == nil {
		data = j.graph.W
	}
	if j.store == nil { // the documents were not read from a file
		if _, err := j.withEarlyStore(ctx); err != nil {
			return nil, err
		}
	}
	if err := j.store.Settle(store.Rows(data).String()); err != nil {
		return nil, err
	}
	return store.With(ctx, j.store), nil
}

// withEarlyStore opens the folder of finished stages for reading the corpus: whether the folder is
// that of its documents is known when they were weighted.
func (j *job) withEarlyStore(ctx context.Context) (context.Context, error) {
	if j.Work == "" {
		return ctx, nil
	}
	v := Versions()
	program := v.Version
	if v.Revision != "" {
		program += " " + v.Revision
	}
	s, err := store.Before(store.RankDir(j.Work, ranks.From(ctx)), store.Header{Program: program, Engine: v.Platform + " " + v.Backend + " " + v.Library})
	if err != nil {
		return nil, err
	}
	s.Note = j.note
	j.store = s
	return store.With(ctx, s), nil
}

// GraphBlock finds block i of n, counted from 1, of the neighbours in a corpus, and keeps it in
// Options.Work. When all blocks are there, [MergeBlocks] with the same options makes the graph.
// done counts the tiles of the block.
func GraphBlock(ctx context.Context, file string, opt Options, g graph.Options, i, n int) (run *GraphRun, done int, err error) {
	defer native.Hold()()
	if i < 1 || n < 1 || i > n {
		return nil, 0, wrapped(invalid.Errorf("‹block› %d/%d: blocks are counted from 1 to their number", i, n))
	}
	if run, ctx, err = forBlocks(ctx, file, opt, g); err != nil {
		return nil, 0, err
	}
	end := run.j.stage("graph")
	done, err = graph.SearchBlock(ctx, run.j.x, run.own.Graph, i, n)
	if end(); err == nil {
		err = atomicfile.Write(filepath.Join(opt.Work, WorkConfig), func(w io.Writer) error { return writeConfig(w, "graph", run.Settings()) })
	}
	run.Timings = run.j.times
	if err != nil {
		return nil, done, wrapped(run.j.inFile(err))
	}
	return run, done, nil
}

// MergeBlocks makes the graph of the blocks in Options.Work: that of [Graph], bit for bit. Blocks
// that are missing or damaged are an error (fs.ErrInvalid) that names them.
func MergeBlocks(ctx context.Context, file string, opt Options, g graph.Options) (*GraphRun, error) {
	defer native.Hold()()
	run, ctx, err := forBlocks(ctx, file, opt, g)
	if err != nil {
		return nil, err
	}
	in := run.j.input()
	if err := graph.CheckBlocks(ctx, run.j.x, run.own.Graph); err != nil {
		return nil, wrapped(err)
	}
	if run.Graph, run.own.Graph, err = in.Affinity(ctx, run.own.Graph); err != nil {
		return nil, wrapped(run.j.inFile(err))
	}
	run.Timings = run.j.times
	return run, nil
}

// forBlocks reads a corpus whose search for neighbours is divided.
func forBlocks(ctx context.Context, file string, opt Options, g graph.Options) (*GraphRun, context.Context, error) {
	if opt.Work == "" {
		return nil, nil, wrapped(invalid.Errorf("blocks of a graph are kept in a folder: give ‹work› DIR"))
	}
	run, ctx, err := readForGraph(ctx, file, opt, g)
	if err != nil {
		return nil, nil, err
	}
	if run.j.x == nil {
		return nil, nil, wrapped(invalid.Errorf("%s: it is an affinity matrix, whose graph needs no search: leave ‹block› and ‹merge› out", file))
	}
	run.own.Graph = run.j.input().CompleteGraph(run.j.x, run.own.Graph)
	return run, ctx, nil
}
