package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/bench/papers"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// reproduceOptions are the flags that only reproduce has.
type reproduceOptions struct {
	Data    string   `flag:"data" path:"true" help:"folder with the original corpora" group:"input"`
	Tests   int      `flag:"tests" range:">=1" unset:"as many as the paper" help:"draws of classes" group:"method"`
	Cases   int      `flag:"cases" range:">=1" unset:"as many as the paper" help:"draws of labels for each test" group:"method"`
	Rows    []string `flag:"rows" unset:"all" help:"rows of the table to compute, also those whose names hold a comma, as they are" group:"method"`
	Methods []string `flag:"methods" unset:"all" help:"methods to compute" group:"method"`
	Block   string   `flag:"block" help:"i/N: compute only this part of the table, of N, and keep it in --out" group:"program"`
	Fresh   bool     `flag:"fresh" default:"false" help:"throw away what earlier runs have kept in --out" group:"output"`

	out  string
	seed uint64
	part papers.Block // Block
}

// reproduceFlags reads them.
func reproduceFlags(set *pflag.FlagSet) (reproduceOptions, error) {
	opt := reproduceOptions{out: text(set, "out")}
	if err := own(set, &opt); err != nil {
		return opt, err
	}
	if s := text(set, "seed"); s != "" {
		opt.seed, _ = strconv.ParseUint(s, 10, 64) // the flag has checked it
	}
	if opt.Block == "" {
		return opt, nil
	}
	var err error
	if opt.part.Number, opt.part.Of, err = readBlock(opt.Block); err != nil {
		return opt, err
	}
	switch err := opt.part.Validate(); {
	case err != nil:
		return opt, requestf("--block %s: blocks are counted from 1 up to how many there are", opt.Block)
	case opt.out == "":
		return opt, requestf("--block keeps its part in --out: give a folder that all blocks share")
	case opt.Fresh:
		return opt, requestf("--fresh and --block exclude each other, since other blocks may be at work: give a new folder in --out")
	}
	return opt, nil
}

func (a *app) reproduceCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "reproduce [TABLE]",
		Short: "A paper's table or figure, our figures beside the paper's",
		Long: `Reproduce repeats the experiment behind a published table or figure on the original corpus and sets
our means with their standard errors beside the printed figures. Without TABLE it lists what there is;
TABLE may also be a paper (cle) or all.

With --out every finished cell is kept there at once: a run that was stopped, whatever stopped
it, goes on where it was when it is called again, and gives the same figures as an undisturbed one. Then
the table is written there as text, CSV, JSON, PNG and SVG.

Jobs can share the work: each computes --block i/N into the same --out, at the same time or not. When
all are done, the same command without --block writes the table.`,
		Example: `  eigenmap reproduce
  eigenmap reproduce cle/table4 --data corpora --out tables
  eigenmap reproduce cle/table4 --data corpora --tests 3 --cases 2 --rows 2,3 --methods le,cle
  eigenmap reproduce cle/table4 --data corpora --out tables --block 2/8`,
		ValidArgsFunction: one(tableNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && text(cmd.Flags(), "config") == "" {
				return a.work(func(_ context.Context, cmd *cobra.Command, _ []string) error {
					return a.listTables(text(cmd.Flags(), "data"))
				})(cmd, args)
			}
			return a.work(func(ctx context.Context, cmd *cobra.Command, args []string) error {
				opt, err := reproduceFlags(cmd.Flags())
				if err != nil {
					return err
				}
				return a.reproduce(ctx, args[0], opt)
			}, "TABLE")(cmd, args)
		},
	}
	return a.flagged(cmd, func() {
		defineOwn(cmd.Flags(), new(reproduceOptions), new(outOption))
		define(cmd.Flags(), ofNames(everyOption(), "seed"))
	})
}

// tableInfo is an entry of the list of tables.
type tableInfo struct {
	Table  string `json:"table"`
	Paper  string `json:"paper"`
	Shows  string `json:"shows"`
	Corpus string `json:"corpus"`
	File   string `json:"file"`
	Made   bool   `json:"made,omitempty"`  // the corpus is drawn by the program: there is no file
	Found  *bool  `json:"found,omitempty"` // all that it needs; absent without --data
	// Missing are the files of a table of several corpora that are not there, where others are: their
	// rows would be left out.
	Missing []string `json:"missing,omitempty"`
}

// missing are the files of an experiment's corpora that a folder does not hold, of the rows given
// (all of none), and whether any of these can be computed.
func missing(e *papers.Experiment, dir string, rows []string) (files []string, some bool) {
	for _, p := range e.Corpus.Parts {
		used := len(rows) == 0 || slices.ContainsFunc(e.Rows, func(r papers.Row) bool {
			return r.Corpus != nil && r.Corpus.File == p.File && slices.Contains(rows, r.Key)
		})
		switch {
		case !used:
		case p.In(dir) == nil:
			some = true
		default:
			files = append(files, p.File)
		}
	}
	return files, some
}

// checkCorpora refuses an experiment for whose rows no corpus is there; rows that it does not have
// are another error.
func checkCorpora(e *papers.Experiment, opt reproduceOptions) error {
	if files, some := missing(e, opt.Data, e.RowKeys(opt.Rows)); len(files) > 0 && !some && len(opt.Rows) > 0 {
		return &papers.DataError{Dir: opt.Data, File: strings.Join(files, " or ")}
	} else if some {
		return nil
	}
	return e.Corpus.In(opt.Data)
}

// checkWritten refuses to write a table over one in --out that has rows, methods or draws which
// this one would not have.
func checkWritten(v *papers.View, opt reproduceOptions) error {
	if opt.out == "" || opt.Fresh || !opt.part.All() {
		return nil
	}
	path := filepath.Join(opt.out, v.FileName()+".json")
	raw, err := os.ReadFile(path)
	var there struct {
		Tests, Cases int
		Figures      []struct{ Row, Method string }
	}
	if err != nil || json.Unmarshal(raw, &there) != nil {
		return nil // there is none, or what is there is no table
	}
	const way = "give another --out, or --fresh to throw away what is there"
	e := v.Experiment
	rows := e.RowKeys(opt.Rows)
	for _, f := range there.Figures {
		row := slices.ContainsFunc(e.Rows, func(r papers.Row) bool { return r.Key == f.Row })
		switch {
		case row && len(rows) > 0 && !slices.Contains(rows, f.Row):
			return requestf("%s has the row %s, which --rows leaves out: name it too, %s", path, f.Row, way)
		case len(opt.Methods) > 0 && !slices.Contains(opt.Methods, f.Method):
			return requestf("%s has the method %s, which --methods leaves out: name it too, %s", path, f.Method, way)
		}
	}
	if tests := cmp.Or(opt.Tests, e.Tests); tests < there.Tests {
		return requestf("%s is of %s, and this would be of %d: %s", path, words.Plural(there.Tests, "test", "tests"), tests, way)
	}
	if cases := cmp.Or(opt.Cases, e.Cases); cases < there.Cases {
		return requestf("%s is of %s a test, and this would be of %d: %s", path, words.Plural(there.Cases, "case", "cases"), cases, way)
	}
	return nil
}

// tableNames returns what reproduce takes.
func tableNames() (names []string) {
	for _, v := range papers.Views() {
		names = append(names, v.Name)
	}
	return names
}

// listTables prints the tables that can be repeated, and whether their corpora are there.
func (a *app) listTables(data string) error {
	var list []tableInfo
	for _, v := range papers.Views() {
		d := v.Experiment.Corpus
		info := tableInfo{Table: v.Name, Paper: v.Paper, Shows: v.Shows, Corpus: d.Name, File: d.File, Made: d.Made}
		if data != "" {
			files, some := missing(v.Experiment, data, nil)
			found := d.In(data) == nil && len(files) == 0
			if info.Found = &found; some {
				info.Missing = files
			}
		}
		list = append(list, info)
	}
	a.ui.stop()
	if a.own.JSON {
		return a.printJSON(map[string]any{"tables": list})
	}
	paper := ""
	for i, t := range list {
		if t.Paper != paper {
			if i > 0 {
				a.printf("\n")
			}
			paper = t.Paper
			a.printf("%s\n\n", paper)
		}
		where := t.File
		switch {
		case t.Made:
		case t.Found != nil && *t.Found:
			where += ", found in " + data
		case len(t.Missing) > 0:
			where += ", found in " + data + " without " + strings.Join(t.Missing, ", ") + ", whose rows would be left out"
		case t.Found != nil:
			where += ", not in " + data
		}
		a.printf("  %-21s  %s\n  %-21s  needs %s (%s)\n", t.Table, t.Shows, "", t.Corpus, where)
	}
	a.printf("\neigenmap reproduce TABLE --data DIR --out DIR computes one; --tests and --cases shorten it\n")
	return nil
}

// reproduced is what --json prints and TABLE.json holds.
type reproduced struct {
	*papers.Table
	versions eigenmap.VersionInfo
}

func (r reproduced) MarshalJSON() ([]byte, error) {
	return papers.WithMembers(r.Table, map[string]any{"backend": r.versions.Backend, "cores": r.versions.Cores, "versions": r.versions})
}

func (a *app) reproduce(ctx context.Context, name string, opt reproduceOptions) error {
	views, err := viewsOf(name, opt)
	if err != nil {
		return err
	}
	out, err := a.openTables(opt.out)
	if err != nil {
		return err
	}
	defer out.Discard()
	engine := eigenmap.Versions()
	runs := map[*papers.Experiment]*papers.Run{}
	var tables []reproduced
	for _, v := range views {
		run := runs[v.Experiment]
		if run == nil {
			if run, err = a.experiment(ctx, v.Experiment, views, opt); err != nil {
				return err
			}
			runs[v.Experiment] = run
		}
		if !opt.part.All() {
			continue
		}
		tables = append(tables, reproduced{Table: v.Table(run), versions: engine})
	}
	if !opt.part.All() {
		return a.printBlock(name, opt, runs)
	}
	var saved []string
	if out != nil {
		a.ui.writing()
		if saved, err = writeTables(ctx, out, tables); err != nil {
			return a.paused(ctx, opt, err)
		}
	} else {
		a.ui.note("nothing was kept: with --out DIR the tables are written, and a run that is stopped can go on")
	}
	return a.printTables(tables, runs, saved)
}

// viewsOf finds the tables of a name, and refuses what cannot be computed before anything is.
func viewsOf(name string, opt reproduceOptions) ([]*papers.View, error) {
	views, err := papers.Find(name)
	if err != nil {
		return nil, requestf("%v (eigenmap reproduce describes them)", err)
	}
	if opt.Cases > 0 && !slices.ContainsFunc(views, func(v *papers.View) bool { return v.Experiment.DrawsLabels() }) {
		return nil, requestf("%s has no use for --cases, since no labels are drawn for it: leave it out", name)
	}
	for _, v := range views {
		if err := checkCorpora(v.Experiment, opt); err != nil {
			return nil, err
		}
		if err := checkWritten(v, opt); err != nil {
			return nil, err
		}
	}
	return views, nil
}

// printTables prints whole tables.
func (a *app) printTables(tables []reproduced, runs map[*papers.Experiment]*papers.Run, saved []string) error {
	a.ui.stop()
	if a.own.JSON {
		if len(tables) == 1 {
			return a.printJSON(tables[0])
		}
		return a.printJSON(map[string]any{"tables": tables})
	}
	for _, t := range tables {
		var b bytes.Buffer
		if err := t.WriteText(&b); err != nil {
			return err
		}
		a.printf("%s\n", b.String())
	}
	a.printReproduced(runs, saved)
	return nil
}

// printBlock says what a block has.
func (a *app) printBlock(name string, opt reproduceOptions, runs map[*papers.Experiment]*papers.Run) error {
	a.ui.stop()
	cells, computed := 0, 0
	for _, r := range runs {
		cells, computed = cells+r.Cells, computed+r.Computed
	}
	if a.own.JSON {
		return a.printJSON(map[string]any{"table": name, "block": opt.part.Number, "blocks": opt.part.Of, "cells": cells, "computed": computed, "out": opt.out})
	}
	a.printf("block    %d of %d: %s in %s, %d of them computed now\n", opt.part.Number, opt.part.Of, words.Counted(cells, "cell"), opt.out, computed)
	a.printf("note     when all blocks are done, the same command without --block writes the table\n")
	a.printReproduced(runs, nil)
	return nil
}

// printReproduced ends the tables: what was noted, how long it took, what was written.
func (a *app) printReproduced(runs map[*papers.Experiment]*papers.Run, saved []string) {
	for _, n := range a.ui.noted() {
		a.printf("note     %s\n", n)
	}
	for _, e := range papers.Experiments() {
		if r := runs[e]; r != nil {
			a.printf("time     %s: %s of one thread in all, %s in this run with %s\n", e.Name, length(r.Seconds), length(r.Wall), words.Plural(r.Threads, "thread", "threads"))
		}
	}
	for _, f := range saved {
		a.printf("wrote    %s\n", f)
	}
}

// length is a time for a person.
func length(s float64) string {
	if s < 100 {
		return eigenmap.Seconds(s)
	}
	return fmt.Sprintf("%.1f min", s/60)
}

// graceForCells is left to the cells that are being computed when the run is interrupted; they do
// not count yet.
const graceForCells = 150 * time.Millisecond

// experiment computes what the views show of an experiment, with its cells in --out.
func (a *app) experiment(ctx context.Context, e *papers.Experiment, views []*papers.View, opt reproduceOptions) (*papers.Run, error) {
	if len(opt.Methods) == 0 {
		opt.Methods = e.Shown(views)
	}
	settings := papers.Options{Dir: opt.Data, Fresh: opt.Fresh, Seed: opt.seed, Tests: opt.Tests, Cases: opt.Cases,
		Rows: opt.Rows, Methods: opt.Methods, Block: opt.part, Observer: a.ui.cells()}
	if opt.out != "" {
		settings.Cells = filepath.Join(opt.out, e.Name+papers.CellsEnding)
	}
	background, stop := context.WithCancel(ctx)
	defer stop()
	run, err := await(late(background, graceForCells), func() (*papers.Run, error) { return e.Run(background, settings) })
	if err != nil {
		return nil, a.paused(ctx, opt, err)
	}
	return run, nil
}

// openTables opens the folder of the tables, nil without one. Runs that write different tables may
// share it; tables of earlier runs stay.
func (a *app) openTables(dir string) (*folder.Folder, error) {
	if dir == "" {
		return nil, nil
	}
	out, err := folder.Open(dir, nil, nil, true)
	a.out.Store(out)
	return out, err
}

// await runs f, which may run on after the context is done: its result is not used then.
func await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		v, err := f()
		done <- outcome{v, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// late is a context that is done some time after ctx is.
func late(ctx context.Context, by time.Duration) context.Context {
	out, cancel := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() { time.AfterFunc(by, cancel) })
	return out
}

// pausedError is an interrupt of a run that can go on.
type pausedError struct {
	by    string // name of the signal
	dir   string
	fresh bool // --fresh would throw away what was kept
}

func (e *pausedError) Error() string {
	said := "interrupted"
	if e.by != "" {
		said += " by " + e.by
	}
	if e.dir == "" {
		return said + "; nothing was kept: with --out DIR a run can go on where it was stopped"
	}
	again := "again"
	if e.fresh {
		again = "without --fresh"
	}
	return said + "; the finished cells are kept in " + e.dir + ": give the same command " + again + " and it goes on from there"
}

// Unwrap makes it the program's interrupt, for the exit status.
func (e *pausedError) Unwrap() error { return new(interruptedError) }

// paused says how to go on where an error is an interrupt or a full disk.
func (a *app) paused(ctx context.Context, opt reproduceOptions, err error) error {
	if ctx.Err() != nil || errors.Is(err, context.Canceled) {
		return &pausedError{signalOf(ctx), opt.out, opt.Fresh}
	}
	if errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("%s: free some space and give the same command again; the finished cells are kept", sentence(err))
	}
	return err
}

// tableFiles are the files of a table in --out, by their endings.
var tableFiles = []struct {
	ending string
	write  func(reproduced, io.Writer) error
}{
	{".txt", func(t reproduced, w io.Writer) error { return t.WriteText(w) }},
	{".csv", func(t reproduced, w io.Writer) error { return t.WriteCSV(w) }},
	{".json", func(t reproduced, w io.Writer) error { return papers.WriteJSON(w, t) }},
	{".png", func(t reproduced, w io.Writer) error { return t.WritePlot(w, "png") }},
	{".svg", func(t reproduced, w io.Writer) error { return t.WritePlot(w, "svg") }},
}

func writeTables(ctx context.Context, out *folder.Folder, tables []reproduced) ([]string, error) {
	var names []string
	for _, t := range tables {
		for _, f := range tableFiles {
			name := t.View.FileName() + f.ending
			names = append(names, name)
			if err := out.Add(ctx, name, func(w io.Writer) error { return f.write(t, w) }); err != nil {
				return nil, err
			}
		}
	}
	saved, err := out.Commit()
	if err == nil {
		out.RemoveStale(names...)
	}
	return saved, err
}
