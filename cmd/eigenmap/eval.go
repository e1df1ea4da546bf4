package main

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/atomicfile"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/spf13/cobra"
)

func (a *app) evalCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "eval TRUTH PREDICTION",
		Short: "All metrics between two labelings",
		Long: `Eval compares predicted labels with true ones. Each side is a table id,label (the clusters.csv of a
run is one), a file with one label per line, a list of labels in .npy, .npz, IDX or JSON lines, or for TRUTH a
corpus that has labels. Documents are matched by id, or by position if a side has no ids. By id, one side may
have a part of the other's documents. Of two clusters.csv the clusters are compared, unless a column is named.
Documents without a label on either side (missing, empty, nan, unlabeled, -1) are left out and counted.`,
		Example: `  eigenmap eval labels.csv results/clusters.csv
  eigenmap eval first/clusters.csv second/clusters.csv
  eigenmap eval corpus.mat results/clusters.csv --json`,
		RunE: a.work(a.eval, "TRUTH", "PREDICTION"),
	}
	return a.flagged(cmd, func() {
		define(cmd.Flags(), ofGroups(everyOption(), "input"), "truth", "classes", "random-classes", "precomputed", "weighting", "normalize")
		defineOwn(cmd.Flags(), new(eigenmap.Columns), new(evalOptions))
	})
}

// evalOptions are the flags that only eval has.
type evalOptions struct {
	Reliability string `flag:"reliability" path:"true" help:"PNG to write: the share that is right over the confidence, of the clusters.csv of a run" group:"output"`
}

func (a *app) eval(ctx context.Context, cmd *cobra.Command, args []string) error {
	opt := eigenmap.Options{Observer: a.ui.observe}
	if err := apply(cmd.Flags(), &opt); err != nil {
		return err
	}
	var columns eigenmap.Columns
	if err := own(cmd.Flags(), &columns); err != nil {
		return err
	}
	var more evalOptions
	if err := own(cmd.Flags(), &more); err != nil {
		return err
	}
	v, err := eigenmap.Evaluate(ctx, args[0], args[1], opt, columns)
	if err != nil {
		return err
	}
	if more.Reliability != "" {
		if v.Reliability == nil {
			return requestf("--reliability: %s is no clusters.csv of a run with the confidences of ten documents at least", v.Prediction)
		}
		if err := atomicfile.Write(more.Reliability, v.WriteReliability); err != nil {
			return err
		}
	}
	a.ui.stop()
	if a.own.JSON {
		return a.printJSON(v)
	}
	a.table([][]string{{"truth", sideText(v.Truth, v.TruthColumn)}, {"found", sideText(v.Prediction, v.PredictionColumn)}})
	a.printf("%s, %s, %s", words.Plural(v.Documents, "document", "documents"), words.Plural(len(v.Classes), "class", "classes"),
		words.Plural(len(v.Clusters), "cluster", "clusters"))
	if v.LeftOut > 0 {
		a.printf("; %d left out, which have no label on both sides", v.LeftOut)
	}
	if v.ByName {
		a.printf("; accuracy and macro-F1 by the names of the labels")
	} else {
		a.printf("; accuracy and macro-F1 by the best match")
	}
	a.printf("\n\n")
	a.table(scoreRows(v.Metrics))
	a.printf("\n")
	a.printContingency(v)
	if v.Reliability != nil {
		rows := [][]string{{"documents", "confidence", "right"}}
		for _, p := range v.Reliability {
			rows = append(rows, []string{words.Thousands(p.Documents), fmt.Sprintf("%.3f", p.Confidence), fmt.Sprintf("%.3f", p.Right)})
		}
		a.printf("\nreliability, a tenth of the documents each\n")
		a.table(rows)
	}
	for _, n := range v.Notes {
		a.printf("\nnote: %s\n", n)
	}
	return nil
}

// sideText names a file and the column of it that was compared.
func sideText(file, column string) string {
	if column == "" {
		return file
	}
	return file + ", column " + column
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
