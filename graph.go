package eigenmap

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/graphing"
	"github.com/eigenmap/eigenmap/methods/graph"
)

// GraphRun is a graph that was built or read.
type GraphRun = graphing.Run

// GraphJSON is a graph as one JSON object.
type GraphJSON = graphing.JSON

// WorkConfig is the file in a folder of finished stages that has the settings of the blocks of a
// graph. It is hidden, because a folder of stages holds nothing else.
const WorkConfig = graphing.WorkConfig

// Graph reads a corpus and builds its affinity graph. Options of the graph that are
// set by name, like the options of a method, replace their values in g. With Options.Work it takes
// what is finished from there.
func Graph(ctx context.Context, file string, opt Options, g graph.Options) (*GraphRun, error) {
	run, err := graphing.Graph(ctx, file, opt, g)
	return run, fault.Wrap(err)
}

// GraphFields lists the options of [Graph].
func GraphFields() []*Field { return graphing.Fields() }

// GraphBlock finds block i of n, counted from 1, of the neighbours in a corpus, and keeps it in
// Options.Work. When all blocks are there, [MergeBlocks] with the same options makes the graph.
// done counts the tiles of the block.
func GraphBlock(ctx context.Context, file string, opt Options, g graph.Options, i, n int) (run *GraphRun, done int, err error) {
	run, done, err = graphing.Block(ctx, file, opt, g, i, n)
	return run, done, fault.Wrap(err)
}

// MergeBlocks makes the graph of the blocks in Options.Work. It has the bits of the graph that
// [Graph] makes. Blocks that are missing or damaged are an error (fs.ErrInvalid) that names them.
func MergeBlocks(ctx context.Context, file string, opt Options, g graph.Options) (*GraphRun, error) {
	run, err := graphing.MergeBlocks(ctx, file, opt, g)
	return run, fault.Wrap(err)
}
