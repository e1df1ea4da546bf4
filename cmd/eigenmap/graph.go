package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/spf13/cobra"
)

func (a *app) graphCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "graph FILE",
		Short: "Corpus in; affinity graph out",
		Long: `Graph joins each document to its nearest neighbours and describes the graph. With --out it writes
affinity.npz (or affinity.mtx, or affinity.graphml for Gephi) and config.yaml; the commands cluster and
embed take the matrix back with --precomputed, or FILE with --graph affinity.npz. A large graph can be
found by the jobs of an array: each job finds --block i/N, and --merge makes the graph of all blocks.`,
		Example: `  eigenmap graph corpus.mat --neighbors 15
  eigenmap graph corpus.mat --edge-weight heat --format mtx --out results
  eigenmap graph affinity.mtx --precomputed
  eigenmap graph corpus.mat --format graphml --result results --out drawn
  eigenmap graph corpus.mat --block 1/8 --work parts
  eigenmap graph --merge --work parts --out results`,
		RunE: a.work(a.graph, "FILE"),
	}
	return a.flagged(cmd, func() {
		define(cmd.Flags(), without(eigenmap.GraphFields(), "labels", "k-means"), "method", "clusters", "graph")
		defineOwn(cmd.Flags(), new(outOption), new(workOption), new(blockOptions), new(graphFormat))
	})
}

func (a *app) graph(ctx context.Context, cmd *cobra.Command, args []string) error {
	start := time.Now()
	format := graphFormat{Format: "npz"}
	if err := own(cmd.Flags(), &format); err != nil {
		return err
	}
	if format.Result != "" && (format.Format != "graphml" || text(cmd.Flags(), "out") == "") {
		return requestf("--result has an effect with --format graphml and --out alone: give both, or leave it out")
	}
	opt := eigenmap.Options{Observer: a.ui.observe, Work: text(cmd.Flags(), "work")}
	if err := eigenmap.CheckWork(opt.Work, args...); err != nil {
		return err
	}
	if err := apply(cmd.Flags(), &opt); err != nil {
		return err
	}
	var blocks blockOptions
	if err := own(cmd.Flags(), &blocks); err != nil {
		return err
	}
	if blocks.Block != "" {
		return a.graphBlock(ctx, cmd, args[0], opt, blocks)
	}
	build := eigenmap.Graph
	if blocks.Merge {
		build = eigenmap.MergeBlocks
	}
	out, err := a.openOutput(cmd, "graph", args[0])
	if err != nil {
		return err
	}
	defer out.Discard()
	run, err := build(ctx, args[0], opt, graph.Options{})
	if err != nil {
		return err
	}
	var saved []string
	if out != nil {
		writing := time.Now()
		a.ui.writing()
		if format.Result != "" {
			if err := run.TakeResult(ctx, format.Result); err != nil {
				return err
			}
		}
		if saved, err = run.SaveIn(ctx, out, format.Format); err != nil {
			return err
		}
		run.Timings.Add("write", time.Since(writing))
	}
	run.Timings.Add("total", time.Since(start))
	a.ui.stop()
	if a.own.JSON {
		return a.printJSON(run.JSON(flagName, saved))
	}
	if a.silent(saved, run.Warnings(flagName)) {
		return nil
	}
	a.table(append(run.Rows(), graphRows(eigenmap.SummarizeGraph(run.Graph))...))
	a.printf("\n")
	a.printTail(run.NotesAs(flagName), run.Timings, saved)
	return nil
}

// readBlock reads i/N.
func readBlock(text string) (i, n int, err error) {
	first, of, found := strings.Cut(text, "/")
	i, wrong := strconv.Atoi(first)
	n, wrong2 := strconv.Atoi(of)
	if !found || wrong != nil || wrong2 != nil {
		return 0, 0, requestf("--block %q: give the number of the block and how many there are, such as 2/8", text)
	}
	return i, n, nil
}

// graphBlock finds one block of the neighbours.
func (a *app) graphBlock(ctx context.Context, cmd *cobra.Command, file string, opt eigenmap.Options, blocks blockOptions) error {
	i, n, err := readBlock(blocks.Block)
	switch {
	case err != nil:
		return err
	case blocks.Merge:
		return requestf("--block and --merge exclude each other: merge when all blocks are done")
	case text(cmd.Flags(), "out") != "":
		return requestf("--out has no effect with --block, which keeps its part in --work: give it with --merge")
	}
	run, done, err := eigenmap.GraphBlock(ctx, file, opt, graph.Options{}, i, n)
	if err != nil {
		return err
	}
	a.ui.stop()
	if a.own.JSON {
		return a.printJSON(map[string]any{"file": file, "block": i, "blocks": n, "tiles": done, "work": opt.Work, "notes": run.NotesAs(flagName)})
	}
	a.printHead(append(run.Rows(), []string{"block", fmt.Sprintf("%d of %d: %s in %s", i, n, words.Counted(done, "tile"), opt.Work)}))
	a.printTail(run.NotesAs(flagName), run.Timings, nil)
	return nil
}

// graphRows is a graph as a table.
func graphRows(s eigenmap.GraphSummary) [][]string {
	sizes := make([]string, len(s.Sizes))
	for i, n := range s.Sizes {
		sizes[i] = words.Thousands(n)
	}
	if s.Components > len(sizes) {
		sizes = append(sizes, "...")
	}
	return [][]string{
		{"nodes", words.Thousands(s.Nodes)},
		{"edges", words.Thousands(s.Edges)},
		{"neighbours", fmt.Sprintf("%d, %d, %d (smallest, median, largest)", s.Degree[0], s.Degree[1], s.Degree[2])},
		{"degree", fmt.Sprintf("%.4g, %.4g, %.4g (sum of weights: smallest, median, largest)", s.Weight[0], s.Weight[1], s.Weight[2])},
		{"components", fmt.Sprintf("%d, of sizes %s", s.Components, strings.Join(sizes, ", "))},
		{"isolated", words.Thousands(s.Isolated)},
	}
}
