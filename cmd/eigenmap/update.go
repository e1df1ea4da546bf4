package main

import (
	"context"

	"github.com/eigenmap/eigenmap"
	"github.com/spf13/cobra"
)

func (a *app) updateCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "update MODEL FILE [--out DIR]",
		Short: "New documents into a model, which grows, and how far they are from it",
		Long: `Update places the documents of FILE as predict does, and writes the model with them beside the results, for
the next update. Models of le, semi-le, cle, spectral and diffusion grow: the new documents and their terms
become neighbours of later ones. Models of other methods place each document alone.

It measures the drift of the documents, and says whether the model should be made again: if more than 5 %
have nothing in common with the model's, more than 10 % are farther from their cluster than 95 % of these, the
distances to the clusters are larger (Kolmogorov-Smirnov distance above 0.15), more than 20 % of the terms
are new, or half as many documents as the fit had came since. The exit status stays 0: see "refit" in --json.`,
		Example: `  eigenmap update results/model.npz monday.jsonl.gz --out monday
  eigenmap update monday tuesday.jsonl.gz --out tuesday --json`,
		RunE: a.work(a.update, "MODEL", "FILE"),
	}
	return a.flagged(cmd, func() {
		define(cmd.Flags(), ofGroups(everyOption(), "input", "vectors"), "weighting", "normalize", "precomputed", "views", "view-columns")
		define(cmd.Flags(), ofNames(everyOption(), "seed", "reject"))
		defineOwn(cmd.Flags(), new(outOption))
		defineTables(cmd.Flags())
	})
}

func (a *app) update(ctx context.Context, cmd *cobra.Command, args []string) error {
	var u *eigenmap.Updated
	saved, err := a.place(cmd, args, "update", func(opt eigenmap.Options, into eigenmap.Into) (_ *eigenmap.Timings, saved []string, err error) {
		if u, saved, err = eigenmap.UpdateInto(ctx, args[0], args[1], into, opt); err != nil {
			return nil, nil, err
		}
		return &u.Timings, saved, nil
	})
	if err != nil {
		return err
	}
	if a.own.JSON {
		return a.printJSON(u.JSON(flagName, saved))
	}
	if a.silent(saved, u.Warnings(flagName)) {
		return nil
	}
	a.printHead(u.Rows())
	if u.Sizes != nil {
		a.printPredicted(u.Prediction)
	}
	a.printScores(u.Run)
	a.table(u.DriftRows())
	a.printf("\n")
	a.printTail(u.NotesAs(flagName), u.Timings, saved)
	return nil
}
