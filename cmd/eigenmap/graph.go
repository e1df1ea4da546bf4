package main

import (
	"context"
	"io"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/spf13/cobra"
)

func (a *app) graphCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "graph FILE",
		Short: "Corpus in; affinity graph out",
		Long: `Graph joins each document to its nearest neighbours and tells how the graph hangs together. With
--out it writes affinity.npz (or affinity.mtx) and config.yaml; the commands cluster and embed take
the matrix back with --precomputed.`,
		Example: `  eigenmap graph corpus.mat --neighbors 15
  eigenmap graph corpus.mat --edge-weight heat --format mtx --out results
  eigenmap graph affinity.mtx --precomputed`,
		RunE: a.work(a.graph, "FILE"),
	}
	a.opt.define(cmd.Flags(), graphFlags, []string{"out"})
	cmd.Flags().Var(choiceValue{&a.opt.format, []string{"npz", "mtx"}}, "format", "format of the matrix in --out (default: npz)")
	a.opt.define(cmd.Flags(), inputFlags, weightFlags, textFlags, []string{"precomputed", "seed"})
	return cmd
}

// graphJSON is the object of `graph --json`.
type graphJSON struct {
	File      string         `json:"file"`
	Documents int            `json:"documents"`
	Terms     int            `json:"terms"`
	Graph     graphSummary   `json:"graph"`
	Notes     []string       `json:"notes"`
	Files     []string       `json:"files"`
	Timings   timings        `json:"timings"`
	Config    map[string]any `json:"config"`
	Versions  versionInfo    `json:"versions"`
}

func (a *app) graph(ctx context.Context, cmd *cobra.Command, args []string) error {
	start := time.Now()
	if a.opt.format == "" {
		a.opt.format = "npz"
	}
	j, out, err := a.open(ctx, cmd, args[0], nil)
	if err != nil {
		return err
	}
	defer out.discard()
	g, err := j.affinity(ctx)
	if err != nil {
		return j.inDocuments(err)
	}
	list := j.settings(func(string) bool { return true })
	var saved []string
	if out != nil {
		end := j.stage("write")
		if err := out.add(ctx, "affinity."+a.opt.format, func(w io.Writer) error {
			return corpus.WriteMatrix(w, a.opt.format, g.W)
		}); err != nil {
			return err
		}
		if err := out.add(ctx, "config.yaml", func(w io.Writer) error { return writeConfig(w, "graph", list) }); err != nil {
			return err
		}
		if saved, err = out.commit(); err != nil {
			return err
		}
		end()
	}
	j.times.add("total", time.Since(start))
	a.ui.stop()
	s := summarizeGraph(g)
	if a.opt.json {
		return a.printJSON(graphJSON{File: j.file, Documents: j.corpus.Len(), Terms: j.terms(), Graph: s, Notes: nonNil(a.ui.told()),
			Files: nonNil(saved), Timings: j.times, Config: asMap(list), Versions: versions()})
	}
	rows := [][]string{{"read", j.file + ": " + j.corpusText()}}
	if j.x != nil {
		rows = append(rows, []string{"weights", j.opt.weighting + ", normalize " + j.opt.normalize})
	}
	rows = append(rows, graphRows(s)...)
	a.table(rows)
	a.printf("\n")
	a.printTail(j, nil, saved)
	return nil
}
