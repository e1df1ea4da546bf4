package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (a *app) clusterCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cluster FILE [--method M] [-k K]",
		Short: "Corpus in; clusters, embedding, metrics and a report out",
		Long: `Cluster reads a corpus, weighs its terms, and clusters its documents. If the file has labels it
compares the clusters with them. With --out it writes clusters.csv, embedding.npy, embedding2d.npy,
scatter.png, report.html, model.npz and config.yaml, and removes such files of an earlier run that it does not write.

Methods:
` + methodTable(),
		Example: `  eigenmap cluster corpus.jsonl.gz -k 12 --out results
  eigenmap cluster corpus.jsonl.gz -k auto --out results
  eigenmap cluster counts.mat --method le --classes 1,4,9 --json
  eigenmap cluster corpus.jsonl.gz --method cle --labels known.csv --out results
  eigenmap cluster corpus.jsonl.gz --method semi-le --labeled-fraction 0.05 --normalize-rows
  eigenmap cluster reuters21578 --reuters-preset ten-topics --method semi-ldc --labeled-fraction 0.02
  eigenmap cluster affinity.mtx --precomputed --method le -k 5 --truth labels.csv
  eigenmap cluster --config results/config.yaml`,
		RunE: a.work(a.cluster, "FILE"),
	}
	return a.flagged(cmd, func() {
		defineCluster(cmd.Flags())
		a.methodHelp(cmd)
	})
}

// defineCluster defines the flags of cluster.
func defineCluster(set *pflag.FlagSet) {
	define(set, everyOption())
	defineOwn(set, new(outOption), new(shardsOption), new(workOption), new(dryOption), new(fitOnOption), new(retryOption))
	defineTables(set)
}

// methodTable describes the methods in the help text.
func methodTable() string {
	var b strings.Builder
	for _, s := range eigenmap.Methods() {
		b.WriteString("  " + s.Name + strings.Repeat(" ", max(1, 19-len(s.Name))) + s.Summary + "\n")
	}
	return b.String()
}

func (a *app) cluster(ctx context.Context, cmd *cobra.Command, args []string) error {
	if dry, err := a.dryRun(ctx, cmd, args[0], "cluster"); dry || err != nil {
		return err
	}
	if done, err := a.streamed(ctx, cmd, args[0]); done || err != nil {
		return err
	}
	run, out, err := a.fit(ctx, cmd, args[0], "cluster")
	if err != nil {
		return err
	}
	defer out.Discard()
	saved, err := a.write(ctx, text(cmd.Flags(), "out"), out, run)
	if err != nil {
		return a.salvage(ctx, out, run, err)
	}
	a.ui.stop()
	if a.own.JSON {
		return a.printJSON(run.ClusterJSON(flagName, saved))
	}
	a.printClustering(run, saved)
	return nil
}

// fit runs a method over a file. What was finished before an error is saved; the caller discards
// the folder.
func (a *app) fit(ctx context.Context, cmd *cobra.Command, file, command string) (*eigenmap.Run, *folder.Folder, error) {
	opt := eigenmap.Options{Observer: a.ui.observe, Work: text(cmd.Flags(), "work")}
	raw, err := a.rawTexts(cmd.Flags())
	if err := errors.Join(apply(cmd.Flags(), &opt), err); err != nil {
		return nil, nil, err
	}
	p, err := eigenmap.Prepare(opt, command)
	if err != nil {
		return nil, nil, err
	}
	if err := eigenmap.CheckWork(opt.Work, file); err != nil {
		return nil, nil, err
	}
	if text(cmd.Flags(), "out") == "" && opt.Work == "" { // what ‹work› holds serves later runs, which may have --out
		p.WithoutSnippets()
	}
	out, err := a.openOutput(cmd, command, file)
	if err != nil {
		return nil, nil, err
	}
	if text(cmd.Flags(), "shards") == "true" && text(cmd.Flags(), "out") != "" {
		if err := eigenmap.InCommon(ctx, text(cmd.Flags(), "out")); err != nil {
			out.Discard()
			return nil, nil, err
		}
	}
	run, err := p.OnFile(ctx, file)
	if err == nil && command == "cluster" && text(cmd.Flags(), "retry") == "true" {
		run, err = a.retry(ctx, p, run)
	}
	if run != nil && raw {
		run.RawTexts()
	}
	if list := a.withoutFolder(cmd.Flags()); run != nil && list != nil {
		run.Note(fmt.Sprintf("Without --out there is no file for %s, which %s no effect", words.Few(list, len(list)), map[bool]string{true: "has", false: "have"}[len(list) == 1]))
	}
	if err != nil {
		err = a.salvage(ctx, out, run, err)
		out.Discard()
		return nil, nil, err
	}
	if dir := text(cmd.Flags(), "out"); dir != "" {
		if err := a.gather(ctx, run, dir, text(cmd.Flags(), "shards")); err != nil {
			out.Discard()
			return nil, nil, err
		}
	}
	return run, out, nil
}

// withoutFolder are the flags given that act on files of the results alone, if none are written.
func (a *app) withoutFolder(flags *pflag.FlagSet) (list []string) {
	if text(flags, "out") != "" {
		return nil
	}
	for _, name := range []string{"page-columns", "snippets", "map", "raw-texts"} {
		if f := flags.Lookup(name); f != nil && f.Changed {
			list = append(list, flagName(name))
		}
	}
	return list
}

// gather joins what the ranks have of a run on rank 0, or decides that each writes its own part:
// as shards says, else where rank 0 has no memory for all and the ranks have dir in common.
func (a *app) gather(ctx context.Context, run *eigenmap.Run, dir, shards string) error {
	if !run.Divided() {
		if shards == "true" {
			run.Note(flagName("shards") + ": no ranks divide the documents, so the results are one file each")
		}
		return nil
	}
	if a.shards = shards == "true"; shards == "" {
		if why := run.RoomToCollect(ctx); why != nil && eigenmap.InCommon(ctx, dir) == nil {
			a.shards = true
			run.Note("Each rank wrote the part of its own documents, because rank 0 has no memory for all: " + why.Error() + ". eigenmap join " + eigenmap.ShellWord(dir) + " makes one file of the parts of each")
		}
	}
	if a.shards {
		return nil
	}
	return run.Collect(ctx)
}

// write writes the results of a run, and adds the time that it took.
// dir is their folder, which rank 0 alone has opened.
func (a *app) write(ctx context.Context, dir string, out *folder.Folder, run *eigenmap.Run) ([]string, error) {
	if out == nil && !a.shards {
		return nil, nil
	}
	start, before := time.Now(), run.Timings.Seconds["total"]
	a.ui.writing()
	var saved []string
	var err error
	if a.shards {
		saved, err = run.SaveShards(ctx, dir, out)
	} else {
		saved, err = run.SaveIn(ctx, out)
	}
	drawing := run.Timings.Seconds["total"] - before // a map has a stage of its own
	run.Timings.AddBeforeTotal("write", time.Since(start)-time.Duration(drawing*float64(time.Second)))
	return saved, err
}

// salvage saves what was finished before err ended the run, unless the folder holds an earlier
// run's results, with which a partial set must not be mixed.
func (a *app) salvage(ctx context.Context, out *folder.Folder, run *eigenmap.Run, err error) error {
	interrupted := errors.Is(err, context.Canceled)
	if out == nil || run == nil || errors.As(err, new(*folder.WriteError)) {
		return err
	}
	if out.Earlier {
		if interrupted {
			return a.stopped(ctx, interruptedError{dir: out.Dir, kept: true})
		}
		return err
	}
	a.saving.Store(true)
	a.partial.Store(true)
	out.Drop()
	if interrupted {
		out.Until = time.Now().Add(graceForWork)
	}
	saved, failed := run.SaveResults(context.WithoutCancel(ctx), out)
	switch {
	case errors.Is(failed, context.Canceled): // the program has ended without it
		return failed
	case failed != nil && interrupted:
		return a.stopped(ctx, interruptedError{lost: sentence(failed)})
	case failed != nil:
		return &textError{sentence(err) + "; what was finished could not be saved: " + sentence(failed), err}
	}
	saved = baseNames(saved)
	if interrupted {
		return a.stopped(ctx, interruptedError{dir: out.Dir, saved: saved})
	}
	return &textError{sentence(err) + "; what was finished is saved in " + out.Dir + ": " + strings.Join(saved, ", "), err}
}

// baseNames are the names of files without their folders.
func baseNames(files []string) []string {
	names := make([]string, len(files))
	for i, path := range files {
		names[i] = filepath.Base(path)
	}
	return names
}

// printClustering is the table for a person.
func (a *app) printClustering(r *eigenmap.Run, saved []string) {
	if a.silent(saved, r.Warnings(flagName)) {
		return
	}
	a.printHead(r.Rows())
	t := clusterTable{size: "size", terms: "top terms", majority: r.MajorityHead()}
	if r.Classes != nil {
		t.class, t.classes = "class", r.Classes
	}
	a.printClusters(r.Clusters, t, r.HasTerms())
	if r.Coherence != nil && !a.own.Quiet {
		a.printf("coherence  %s\n\n", r.Coherence)
	}
	if !a.own.Quiet {
		a.printDirections(r)
	}
	a.printScores(r)
	notes := r.NotesAs(flagName)
	if list := r.Remedies(flagName); len(list) > 0 && !slices.ContainsFunc(notes, func(n string) bool { return strings.HasPrefix(n, flagName("retry")) }) {
		var with []string
		for _, remedy := range list {
			with = append(with, flagName(remedy.Option)+" "+remedy.Value)
		}
		notes = append(notes, fmt.Sprintf("%s runs once more, with %s.", flagName("retry"), strings.Join(with, ", ")))
	}
	a.printTail(notes, r.Timings, saved)
}

// clusterTable has the headings of a table of clusters; "" leaves a column out.
type clusterTable struct {
	size, class, majority, terms string
	classes                      []string // the class of each cluster, if there is a heading for it
}

// printClusters prints a line for each cluster, with its terms if they have names.
func (a *app) printClusters(list []eigenmap.Group, t clusterTable, hasTerms bool) {
	head := []string{"cluster", t.size}
	if t.class != "" {
		head = append(head, t.class)
	}
	if t.majority != "" {
		head = append(head, t.majority)
	}
	if hasTerms {
		head = append(head, t.terms)
	}
	rows := [][]string{head}
	for i, k := range list {
		row := []string{fmt.Sprintf("%7d", k.Number), fmt.Sprintf("%*d", len(t.size), k.Size)}
		if t.class != "" {
			row = append(row, words.ClipMiddle(t.classes[i], 24))
		}
		if t.majority != "" {
			row = append(row, majorityText(k))
		}
		if hasTerms {
			row = append(row, words.Clip(k.Said(len(k.Terms)), 72))
		}
		rows = append(rows, row)
	}
	a.table(rows)
	a.printf("\n")
}

// majorityText is "java (34 %)", "" if no document of the cluster has a label.
func majorityText(k eigenmap.Group) string {
	if k.Labelled == 0 {
		return ""
	}
	return fmt.Sprintf("%s (%s)", words.ClipMiddle(k.Major, 24), words.Percent(k.MajorCount, k.Labelled))
}

// printScores prints the comparison with the true labels, if there are any.
func (a *app) printScores(r *eigenmap.Run) {
	if r.Scores == nil {
		return
	}
	if !r.AllScored() {
		a.printf("scored on %s documents\n", r.ScoredOf())
	}
	scores := scoreRows(*r.Scores)
	if r.Unlabeled != nil {
		rest := scoreRows(*r.Unlabeled)
		scores = [][]string{append([]string{""}, scores[0]...), append([]string{"all"}, scores[1]...),
			append([]string{"labels not given (" + words.Thousands(r.UnlabeledSize()) + ")"}, rest[1]...)}
	}
	a.table(scores)
	a.printf("\n")
}

// printDirections prints directions or topics, if there are any.
func (a *app) printDirections(r *eigenmap.Run) {
	if rows := r.DirectionRows(); rows != nil {
		a.table(rows)
		a.printf("\n")
	}
}

// silent reports whether nothing is printed for a person: with --quiet, where files have the
// results. With --quiet the warnings go to standard error, since there is no list of notes.
func (a *app) silent(saved []string, warnings []eigenmap.Warning) bool {
	if !a.own.Quiet {
		return false
	}
	for _, w := range warnings {
		a.say("warning", w.Text)
	}
	return len(saved) > 0
}

// printHead begins a table: what was read and done. With --quiet it prints nothing.
func (a *app) printHead(rows [][]string) {
	if a.own.Quiet {
		return
	}
	a.table(rows)
	a.printf("\n")
}

// printTail ends a table: what was decided, how long it took, what was written. With --quiet it
// prints nothing.
func (a *app) printTail(notes []string, times eigenmap.Timings, saved []string) {
	if a.own.Quiet {
		return
	}
	for _, n := range notes {
		a.printf("note     %s\n", n)
	}
	a.printf("time     %s\n", times)
	tiles := 0
	for _, f := range saved {
		if strings.HasPrefix(filepath.Base(f), report.TilePrefix) {
			if tiles++; tiles > 1 {
				continue
			}
		}
		a.printf("wrote    %s\n", f)
	}
	if tiles > 1 {
		a.printf("         and %d more such files of documents, which the page takes as one zooms in\n", tiles-1)
	}
}

// scoreRows is the metrics in two lines.
func scoreRows(s metrics.Scores) [][]string {
	head, values := []string{}, []string{}
	for _, f := range eigenmap.ScoreFacts(s) {
		head = append(head, f.Name)
		values = append(values, f.Value)
	}
	return [][]string{head, values}
}
