package main

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/spf13/cobra"
)

func (a *app) embedCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "embed FILE --method M -d DIM",
		Short: "Corpus in; embedding and eigenvalues out",
		Long: `Embed makes the low-dimensional embedding of a corpus and leaves the clustering out. With --out it
writes embedding.npy (or embedding.csv), model.npz and config.yaml.`,
		Example: `  eigenmap embed corpus.jsonl.gz --method le -d 10 --out results
  eigenmap embed affinity.mtx --precomputed --method le -d 2 --format csv --out results`,
		RunE: a.work(a.embed, "FILE"),
	}
	return a.flagged(cmd, func() {
		define(cmd.Flags(), everyOption())
		defineOwn(cmd.Flags(), new(outOption), new(shardsOption), new(workOption), new(dryOption))
		defineTables(cmd.Flags())
		defineOwn(cmd.Flags(), new(embeddingFormat))
		a.methodHelp(cmd)
	})
}

func (a *app) embed(ctx context.Context, cmd *cobra.Command, args []string) error {
	var format embeddingFormat
	if err := own(cmd.Flags(), &format); err != nil {
		return err
	}
	if dry, err := a.dryRun(ctx, cmd, args[0], "embed"); dry || err != nil {
		return err
	}
	run, out, err := a.fit(ctx, cmd, args[0], "embed")
	if err != nil {
		return err
	}
	defer out.Discard()
	if format.Format == "csv" {
		run.EmbeddingAsCSV()
	}
	saved, err := a.write(ctx, text(cmd.Flags(), "out"), out, run)
	if err != nil {
		return err
	}
	a.ui.stop()
	notes := run.NotesAs(flagName)
	if out == nil {
		notes = append(notes, "the embedding was not written: give --out DIR for that.")
	}
	if a.own.JSON {
		v := run.EmbedJSON(flagName, saved)
		v.Notes = notes
		return a.printJSON(v)
	}
	if a.silent(saved, run.Warnings(flagName)) {
		return nil
	}
	a.printHead(run.Rows())
	a.printValues(run.Fitted.Values)
	a.printDirections(run)
	a.printTail(notes, run.Timings, saved)
	return nil
}

// printValues prints the values of the coordinates with their residuals, if there are any.
func (a *app) printValues(v *method.Values) {
	if v == nil {
		return
	}
	rows := [][]string{{"dimension", v.Kind}}
	if v.Residuals != nil {
		rows[0] = append(rows[0], "residual")
	}
	if v.Classes != nil {
		rows[0] = append(rows[0], "map of class")
	}
	for i, x := range v.Values {
		row := []string{fmt.Sprintf("%9d", i+1), fmt.Sprintf("%.8g", x)}
		if v.Kind == method.Eigenvalue && !v.Own { // of a Laplacian, from 0 to 2
			row[1] = fmt.Sprintf("%.8f", x)
		}
		if v.Residuals != nil {
			row = append(row, fmt.Sprintf("%.1e", v.Residuals[i]))
		}
		if v.Classes != nil {
			row = append(row, words.Clip(v.Classes[i], 40))
		}
		rows = append(rows, row)
	}
	a.table(rows)
	a.printf("\n")
}
