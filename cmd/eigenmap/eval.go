package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/spf13/cobra"
)

func (a *app) evalCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "eval TRUTH PREDICTION",
		Short: "All metrics between two labelings",
		Long: `Eval compares predicted labels with true ones. Each side is a table id,label (the clusters.csv of a
run is one), a file with one label a line, or for TRUTH a corpus that has labels. Documents are matched by id,
or by position where a side has no ids; an empty true label means unlabelled and is left out.`,
		Example: `  eigenmap eval labels.csv results/clusters.csv
  eigenmap eval corpus.mat results/clusters.csv --json`,
		RunE: a.work(a.eval, "TRUTH", "PREDICTION"),
	}
	a.opt.define(cmd.Flags(), []string{"input-format", "var", "label-var", "label-column", "transpose"}, sourceFlags)
	return cmd
}

// evalJSON is the object of `eval --json`; table[i][j] counts class i in cluster j.
type evalJSON struct {
	Truth      string         `json:"truth"`
	Prediction string         `json:"prediction"`
	Documents  int            `json:"documents"`
	LeftOut    int            `json:"left_out"`
	Metrics    metrics.Scores `json:"metrics"`
	Classes    []string       `json:"classes"`
	Clusters   []string       `json:"clusters"`
	Table      [][]int        `json:"table"`
	Assignment []int          `json:"assignment"` // class of each cluster by Kuhn-Munkres, -1: none
}

func (a *app) eval(ctx context.Context, cmd *cobra.Command, args []string) error {
	if isFolder(args[1]) {
		return requestf("%s: it is a folder: give the clusters.csv in it", args[1])
	}
	truth, err := a.readLabeling(ctx, args[0], a.opt.labelColumn)
	if err != nil {
		return err
	}
	predicted, err := a.readLabeling(ctx, args[1], "cluster")
	if err != nil {
		return err
	}
	if err := refuseForFormats(cmd.Flags(), args[0]+" and "+args[1], truth.format, predicted.format); err != nil {
		return err
	}
	t, p, left, err := match(truth, predicted)
	if err != nil {
		return err
	}
	classes, classNames := numberLabels(t, true)
	clusters, clusterNames := numberLabels(p, false)
	table, err := metrics.NewTable(classes, clusters)
	if err != nil {
		return fmt.Errorf("%s and %s: %w", args[0], args[1], err)
	}
	v := evalJSON{Truth: args[0], Prediction: args[1], LeftOut: left, Metrics: table.Scores(), Table: table.Counts, Assignment: table.Assignment()}
	for _, c := range table.Classes {
		v.Classes = append(v.Classes, classNames[c])
	}
	for _, c := range table.Clusters {
		v.Clusters = append(v.Clusters, clusterNames[c])
	}
	for _, row := range table.Counts {
		for _, n := range row {
			v.Documents += n
		}
	}
	v.LeftOut += len(t) - v.Documents
	a.ui.stop()
	if a.opt.json {
		return a.printJSON(v)
	}
	a.printf("%s, %s, %s", plural(v.Documents, "document", "documents"), plural(len(v.Classes), "class", "classes"),
		plural(len(v.Clusters), "cluster", "clusters"))
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
func (a *app) printContingency(v evalJSON) {
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
			largest += fmt.Sprintf("%s %s", report.Clip(v.Classes[best], 24), report.Thousands(v.Table[best][j]))
		}
		assigned := "none"
		if c := v.Assignment[j]; c >= 0 {
			assigned = report.Clip(v.Classes[c], 24)
		}
		rows = append(rows, []string{report.Clip(name, 24), report.Thousands(size), assigned, largest})
	}
	a.table(rows)
}

// numberLabels numbers labels in the order of their names, numbers by value; with unlabelled, "" becomes -1.
func numberLabels(labels []string, unlabelled bool) (numbers []int, names []string) {
	at := make(map[string]int)
	for _, l := range labels {
		if _, seen := at[l]; !seen && (l != "" || !unlabelled) {
			at[l] = 0
			names = append(names, l)
		}
	}
	slices.SortFunc(names, compareNames)
	for n, l := range names {
		at[l] = n
	}
	numbers = make([]int, len(labels))
	for i, l := range labels {
		n, ok := at[l]
		if !ok {
			n = -1
		}
		numbers[i] = n
	}
	return numbers, names
}

// compareNames puts whole numbers first, by value, and other names after them.
func compareNames(a, b string) int {
	x, errX := strconv.Atoi(a)
	y, errY := strconv.Atoi(b)
	switch {
	case errX == nil && errY == nil:
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
	case errX == nil:
		return -1
	case errY == nil:
		return 1
	}
	return cmp.Compare(a, b)
}
