package graphing

import (
	"context"
	"io"
	"path/filepath"

	"github.com/eigenmap/eigenmap/internal/atomicfile"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/view"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/native"
)

// Block finds block i of n, counted from 1, of the neighbours in a corpus, and keeps it in
// Options.Work. When all blocks are there, [MergeBlocks] with the same options makes the graph.
// done counts the tiles of the block.
func Block(ctx context.Context, file string, opt request.Options, g graph.Options, i, n int) (run *Run, done int, err error) {
	defer native.Hold()()
	if i < 1 || n < 1 || i > n {
		return nil, 0, fault.Wrap(invalid.Errorf("‹block› %d/%d: blocks are counted from 1 to their number", i, n))
	}
	if run, ctx, err = forBlocks(ctx, file, opt, g); err != nil {
		return nil, 0, err
	}
	end := run.j.Stage("graph")
	done, err = graph.SearchBlock(ctx, run.j.X, run.own.Graph, i, n)
	if end(); err == nil {
		err = atomicfile.Write(filepath.Join(opt.Work, WorkConfig), func(w io.Writer) error { return view.WriteConfig(w, "graph", run.Settings()) })
	}
	run.Timings = run.j.Times
	if err := run.spread(err); err != nil {
		return nil, done, fault.Wrap(run.j.InFile(err))
	}
	return run, done, nil
}

// MergeBlocks makes the graph of the blocks in Options.Work. It has the bits of the graph that
// [Graph] makes. Blocks that are missing or damaged are an error (fs.ErrInvalid) that names them.
func MergeBlocks(ctx context.Context, file string, opt request.Options, g graph.Options) (*Run, error) {
	defer native.Hold()()
	run, ctx, err := forBlocks(ctx, file, opt, g)
	if err != nil {
		return nil, err
	}
	in := run.j.Input()
	if err := graph.CheckBlocks(ctx, run.j.X, run.own.Graph); err != nil {
		return nil, fault.Wrap(err)
	}
	run.Graph, run.own.Graph, err = in.Affinity(ctx, run.own.Graph)
	if err := run.spread(err); err != nil {
		return nil, fault.Wrap(run.j.InFile(err))
	}
	run.Timings = run.j.Times
	return run, nil
}

// forBlocks reads a corpus whose search for neighbours is divided.
func forBlocks(ctx context.Context, file string, opt request.Options, g graph.Options) (*Run, context.Context, error) {
	if opt.Work == "" {
		return nil, nil, fault.Wrap(invalid.Errorf("blocks of a graph are kept in a folder: give ‹work› DIR"))
	}
	run, ctx, err := readForGraph(ctx, file, opt, g)
	if err != nil {
		return nil, nil, err
	}
	if run.j.X == nil {
		return nil, nil, fault.Wrap(invalid.Errorf("%s: it is an affinity matrix, whose graph needs no search: leave ‹block› and ‹merge› out", file))
	}
	run.own.Graph = run.j.Input().CompleteGraph(run.j.X, run.own.Graph)
	return run, ctx, nil
}

// WorkConfig is the file in a folder of finished stages that has the settings of the blocks of a
// graph. It is hidden, because a folder of stages holds nothing else.
const WorkConfig = ".graph.yaml"
