package main

import (
	"context"
	"fmt"
	"strings"
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
was. If it has labels the clusters are compared with them. With --out it writes clusters.csv, embedding.npy
and embedding2d.npy.`,
		Example: `  eigenmap predict results/model.npz new.jsonl.gz --out new
  eigenmap predict results/model.npz new.npz --truth labels.csv --json`,
		RunE: a.work(a.predict, "MODEL", "FILE"),
	}
	define(cmd.Flags(), ofGroups(everyOption(), "input", "vectors"), "weighting", "normalize", "precomputed")
	define(cmd.Flags(), ofNames(everyOption(), "seed", "reject"))
	defineOwn(cmd.Flags(), new(outOption))
	defineTables(cmd.Flags())
	return cmd
}

func (a *app) predict(ctx context.Context, cmd *cobra.Command, args []string) error {
	start := time.Now()
	opt := eigenmap.Options{Observer: a.ui.observe}
	if err := apply(cmd.Flags(), &opt); err != nil {
		return err
	}
	if err := eigenmap.CheckPredictFolder(args[0], text(cmd.Flags(), "out")); err != nil {
		return err
	}
	out, err := a.openOutput(cmd, "predict", args...)
	if err != nil {
		return err
	}
	defer out.Discard()
	p, err := eigenmap.Predict(ctx, args[0], args[1], opt)
	if err != nil {
		return err
	}
	raw, err := a.rawTexts(cmd.Flags())
	if err != nil {
		return err
	}
	if raw {
		p.RawTexts()
	}
	var saved []string
	if out != nil {
		writing := time.Now()
		a.ui.stage("write")
		if saved, err = p.SaveIn(ctx, out); err != nil {
			return err
		}
		p.Timings.Add("write", time.Since(writing))
	}
	p.Timings.Add("total", time.Since(start))
	a.ui.stop()
	if a.own.JSON {
		return a.printJSON(p.JSON(flagName, saved))
	}
	a.printPrediction(p, saved)
	return nil
}

func (a *app) printPrediction(p *eigenmap.Prediction, saved []string) {
	a.table(p.Rows())
	a.printf("\n")
	if p.Labels != nil {
		a.printPredicted(p)
	}
	a.printScores(p.Run)
	a.printTail(p.NotesAs(flagName), p.Timings, saved)
}

// printPredicted prints the clusters with the new documents in each.
func (a *app) printPredicted(p *eigenmap.Prediction) {
	head := []string{"cluster", "documents"}
	of, what := p.Model.Summary.Majority, "the model's majority"
	if p.Classes != nil {
		of, what = p.Classes, "class"
	}
	if len(of) != len(p.Clusters) {
		of = nil
	}
	if of != nil {
		head = append(head, what)
	}
	if p.Scores != nil {
		head = append(head, p.MajorityHead())
	}
	if p.HasTerms() {
		head = append(head, "the model's terms")
	}
	rows := [][]string{head}
	for i, k := range p.Clusters {
		row := []string{fmt.Sprintf("%7d", k.Number), fmt.Sprintf("%9d", k.Size)}
		if of != nil {
			row = append(row, words.Clip(of[i], 24))
		}
		if p.Scores != nil {
			row = append(row, majorityText(k))
		}
		if p.HasTerms() {
			row = append(row, words.Clip(strings.Join(k.Terms, " "), 72))
		}
		rows = append(rows, row)
	}
	a.table(rows)
	a.printf("\n")
}
