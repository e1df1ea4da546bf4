package main

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/spf13/cobra"
)

func (a *app) evalCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "eval TRUTH PREDICTION",
		Short: "All metrics between two labelings",
		Long: `Eval compares predicted labels with true ones. Each side is a table id,label (the clusters.csv of a
run is one), a file with one label per line, or for TRUTH a corpus that has labels. Documents are matched
by id, or by position if a side has no ids; an empty true label means unlabelled and is left out.`,
		Example: `  eigenmap eval labels.csv results/clusters.csv
  eigenmap eval corpus.mat results/clusters.csv --json`,
		RunE: a.work(a.eval, "TRUTH", "PREDICTION"),
	}
	define(cmd.Flags(), ofGroups(eigenmap.Fields(""), "input"), "truth", "classes", "random-classes", "precomputed", "weighting", "normalize")
	return cmd
}

func (a *app) eval(ctx context.Context, cmd *cobra.Command, args []string) error {
	opt := eigenmap.Options{Observer: a.ui.observe}
	if err := apply(cmd.Flags(), &opt); err != nil {
		return err
	}
	v, err := eigenmap.Evaluate(ctx, args[0], args[1], opt)
	if err != nil {
		return err
	}
	a.ui.stop()
	if a.own.JSON {
		return a.printJSON(v)
	}
	a.printf("%s, %s, %s", words.Plural(v.Documents, "document", "documents"), words.Plural(len(v.Classes), "class", "classes"),
		words.Plural(len(v.Clusters), "cluster", "clusters"))
	if v.LeftOut > 0 {
		a.printf("; %d left out, which have no label on both sides", v.LeftOut)
	}
	a.printf("\n\n")
	a.table(scoreRows(v.Metrics))
	a.printf("\n")
	a.printContingency(v)
	return nil
}

// printContingency prints clusters as rows with their largest classes: a full table of thirty
// classes would not fit a terminal, and --json has it.
func (a *app) printContingency(v *eigenmap.Evaluation) {
	const shown = 3
	rows := [][]string{{"cluster", "size", "assigned class", "largest classes"}}
	for j, name := range v.Clusters {
		size := 0
		for i := range v.Table {
			size += v.Table[i][j]
		}
		used := make([]bool, len(v.Table))
		largest := ""
		for range min(shown, len(v.Table)) {
			best := -1
			for i := range v.Table {
				if !used[i] && v.Table[i][j] > 0 && (best < 0 || v.Table[i][j] > v.Table[best][j]) {
					best = i
				}
			}
			if best < 0 {
				break
			}
			used[best] = true
			if largest != "" {
				largest += ", "
			}
			largest += fmt.Sprintf("%s %s", words.Clip(v.Classes[best], 24), words.Thousands(v.Table[best][j]))
		}
		assigned := "none"
		if c := v.Assignment[j]; c >= 0 {
			assigned = words.Clip(v.Classes[c], 24)
		}
		rows = append(rows, []string{words.Clip(name, 24), words.Thousands(size), assigned, largest})
	}
	a.table(rows)
}
