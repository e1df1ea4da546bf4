package main

import (
	"context"
	"fmt"
	"time"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/spf13/cobra"
)

func (a *app) predictCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "predict MODEL FILE",
		Short: "New documents into an existing model",
		Long: `Predict puts the documents of FILE into the embedding and the clusters of MODEL, a ` + eigenmap.ModelName + ` that cluster
or embed wrote, or the folder that holds it. FILE is read, cut into terms and weighted as the model's corpus
was, and the columns that were named for the corpus by --text-column, --id-column, --label-column and
--time-column are taken again where FILE has them. If it has labels the clusters are compared with them. With
--out it writes clusters.csv, embedding.npy and embedding2d.npy.`,
		Example: `  eigenmap predict results/model.npz new.jsonl.gz --out new
  eigenmap predict results/model.npz new.npz --truth labels.csv --json`,
		RunE: a.work(a.predict, "MODEL", "FILE"),
	}
	return a.flagged(cmd, func() {
		define(cmd.Flags(), ofGroups(everyOption(), "input", "vectors"), "weighting", "normalize", "precomputed", "views", "view-columns")
		define(cmd.Flags(), ofNames(everyOption(), "seed", "reject"))
		defineOwn(cmd.Flags(), new(outOption))
		defineTables(cmd.Flags())
	})
}

func (a *app) predict(ctx context.Context, cmd *cobra.Command, args []string) error {
	var p *eigenmap.Prediction
	saved, err := a.place(cmd, args, "predict", func(opt eigenmap.Options, into eigenmap.Into) (_ *eigenmap.Timings, saved []string, err error) {
		if p, saved, err = eigenmap.PredictInto(ctx, args[0], args[1], into, opt); err != nil {
			return nil, nil, err
		}
		return &p.Timings, saved, nil
	})
	if err != nil {
		return err
	}
	if a.own.JSON {
		return a.printJSON(p.JSON(flagName, saved))
	}
	a.printPrediction(p, saved)
	return nil
}

// place places the documents of FILE by MODEL, which run does, and writes the results of the
// command. It returns the names of the files.
func (a *app) place(cmd *cobra.Command, args []string, command string, run func(eigenmap.Options, eigenmap.Into) (*eigenmap.Timings, []string, error)) ([]string, error) {
	start := time.Now()
	opt := eigenmap.Options{Observer: a.ui.observe}
	if err := apply(cmd.Flags(), &opt); err != nil {
		return nil, err
	}
	if err := eigenmap.CheckPredictFolder(args[0], text(cmd.Flags(), "out")); err != nil {
		return nil, err
	}
	raw, err := a.rawTexts(cmd.Flags())
	if err != nil {
		return nil, err
	}
	out, err := a.openOutput(cmd, command, args...)
	if err != nil {
		return nil, err
	}
	defer out.Discard()
	times, saved, err := run(opt, eigenmap.Into{Folder: out, RawTexts: raw})
	if err != nil {
		return nil, err
	}
	times.Add("total", time.Since(start))
	a.ui.stop()
	return saved, nil
}

func (a *app) printPrediction(p *eigenmap.Prediction, saved []string) {
	if a.silent(saved, p.Warnings(flagName)) {
		return
	}
	a.printHead(p.Rows())
	if p.Sizes != nil {
		a.printPredicted(p)
	}
	a.printScores(p.Run)
	a.printTail(p.NotesAs(flagName), p.Timings, saved)
}

// printTypical prints, of each cluster that has new documents, the beginning of its most typical
// text in the model.
func (a *app) printTypical(p *eigenmap.Prediction) {
	var rows [][]string
	for k, list := range p.Model.Summary.Typical {
		if k < len(p.Sizes) && p.Sizes[k] > 0 && len(list) > 0 && len(rows) < 20 {
			rows = append(rows, []string{fmt.Sprintf("%7d", k), words.Clip(list[0].ID+": "+list[0].Text, 100)})
		}
	}
	if rows != nil {
		a.table(append([][]string{{"cluster", "a typical document of the model"}}, rows...))
		a.printf("\n")
	}
}

// printPredicted prints the clusters with the new documents in each.
func (a *app) printPredicted(p *eigenmap.Prediction) {
	of, what := p.Model.Summary.Majority, "the model's majority"
	if p.Classes != nil {
		of, what = p.Classes, "class"
	}
	t := clusterTable{size: "documents", terms: "the model's terms"}
	if len(of) == len(p.Clusters) {
		t.class, t.classes = what, of
	}
	if p.Scores != nil {
		t.majority = p.MajorityHead()
	}
	a.printClusters(p.Clusters, t, p.HasTerms())
	if !a.own.Quiet {
		a.printTypical(p)
	}
}
