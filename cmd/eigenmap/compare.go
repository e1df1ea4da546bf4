package main

import (
	"context"
	"errors"
	"time"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/spf13/cobra"
)

func (a *app) compareCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "compare FILE --methods A,B [-k K]",
		Short: "Several methods and seeds in one table and page",
		Long: `Compare clusters a corpus by several methods, each with several seeds, and prints one table: means of
the metrics with their standard errors if the file has labels (with known labels of a part also over the
other documents, or over known labels that were held out, which then rank the methods), time, peak memory,
and how well the clusters of seeds and of methods agree. Flags of a method act on the methods that have them; --set
gives an option to one method. With --out it writes compare.csv (a line per run), aligned.csv (the
clusters of all runs, numbered alike), compare.json, compare.html and compare.tex (a table for LaTeX).`,
		Example: `  eigenmap compare corpus.jsonl.gz --methods le,nmf,plsa --seeds 5 -k 12 --out compared
  eigenmap compare counts.mat --methods spectral,kmeans --set spectral.neighbors=8 --json`,
		RunE: a.work(a.compare, "FILE"),
	}
	return a.flagged(cmd, func() {
		defineOwn(cmd.Flags(), new(eigenmap.CompareOptions))
		define(cmd.Flags(), everyOption(), "method", "map", "snippets", "page-columns", "levels", "time-column", "time-period")
		defineOwn(cmd.Flags(), new(outOption))
		defineTables(cmd.Flags())
		a.methodsHelp(cmd)
	})
}

func (a *app) compare(ctx context.Context, cmd *cobra.Command, args []string) error {
	opt := eigenmap.Options{Observer: a.ui.observe}
	var which eigenmap.CompareOptions
	raw, err := a.rawTexts(cmd.Flags())
	if err := errors.Join(apply(cmd.Flags(), &opt), own(cmd.Flags(), &which), err); err != nil {
		return err
	}
	out, err := a.openOutput(cmd, "compare", args[0])
	if err != nil {
		return err
	}
	defer out.Discard()
	opt.Observer = func(e progress.Event) {
		if e.Stage == "compare" && e.Done > 0 {
			a.saving.Store(true) // an interrupt leaves time to save the runs that are finished
		}
		a.ui.observe(e)
	}
	result, err := eigenmap.Compare(ctx, args[0], opt, which)
	if result == nil || err != nil && len(result.Runs) == 0 {
		return err
	}
	if raw {
		result.RawTexts()
	}
	saved, err := a.saveComparison(ctx, out, result, err)
	if err != nil {
		return err
	}
	a.ui.stop()
	if a.own.JSON {
		return a.printJSON(struct {
			*eigenmap.Comparison
			Files []string `json:"files"`
		}{result, append([]string{}, saved...)})
	}
	a.printComparison(result)
	for _, f := range saved {
		a.printf("wrote    %s\n", f)
	}
	return nil
}

// saveComparison writes a comparison to a folder, if there is one, and returns the paths of the
// files. stopped is the error that ended it: then the runs that were finished are kept, unless an
// earlier comparison is in the folder.
func (a *app) saveComparison(ctx context.Context, out *folder.Folder, result *eigenmap.Comparison, stopped error) (saved []string, err error) {
	if out != nil && result.Reference >= 0 && !(stopped != nil && out.Earlier) {
		writing := ctx
		if stopped != nil {
			a.saving.Store(true)
			a.partial.Store(true)
			out.Until = time.Now().Add(graceForWork)
			writing = context.WithoutCancel(ctx)
		}
		a.ui.writing()
		if saved, err = result.SaveIn(writing, out); err != nil {
			return nil, err
		}
	}
	if out != nil && errors.Is(stopped, context.Canceled) {
		stopped = a.stopped(ctx, interruptedError{dir: out.Dir, saved: baseNames(saved), kept: out.Earlier})
	}
	return saved, stopped
}

// printComparison prints the runs, how well they agree, and which failed.
func (a *app) printComparison(result *eigenmap.Comparison) {
	a.table(result.Table())
	if note := result.UnlabeledNote(); note != "" {
		a.printf("\n%s\n", note)
	}
	a.printf("\nagreement between methods: NMI above the diagonal and on it (of two seeds), ARI below it\n")
	a.table(result.BetweenTable())
	a.printf("\n")
	for _, text := range result.NotesAs(flagName) {
		a.printf("note     %s\n", text)
	}
	for _, text := range result.Failures() {
		a.printf("failed   %s\n", text)
	}
}
