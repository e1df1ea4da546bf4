package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/sparse"
	"github.com/spf13/cobra"
)

func (a *app) infoCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "info FILE",
		Short: "What a corpus, a graph or a model file holds",
		Long: `Info reads a corpus and tells its shape, its labels and what the reader found out; with --precomputed
it takes FILE as an affinity graph; a model of cluster or embed it knows by itself.`,
		Example: `  eigenmap info corpus.mat
  eigenmap info affinity.mtx --precomputed
  eigenmap info results/model.npz --json`,
		RunE: a.work(a.info, "FILE"),
	}
	a.opt.define(cmd.Flags(), inputFlags, []string{"seed"}, textFlags, []string{"precomputed"})
	return cmd
}

// classSize is one class of a corpus.
type classSize struct {
	Name string `json:"name"`
	Size int    `json:"size"`
}

// infoJSON is the object of `info --json` on a corpus.
type infoJSON struct {
	Kind       string      `json:"kind"` // "corpus"
	File       string      `json:"file"`
	Documents  int         `json:"documents"`
	Terms      int         `json:"terms"`
	Sparse     bool        `json:"sparse"`
	Entries    int         `json:"entries"` // not zero
	Density    float64     `json:"density"`
	Empty      int         `json:"empty_documents"`
	Vocabulary bool        `json:"vocabulary"`
	IDs        bool        `json:"ids"`
	Labeled    int         `json:"labeled"`
	Classes    []classSize `json:"classes"`
	Notes      []string    `json:"notes"`
}

func (a *app) info(ctx context.Context, cmd *cobra.Command, args []string) error {
	file := args[0]
	if m, summary, ok, err := readModel(ctx, file); err != nil {
		return err
	} else if ok {
		return a.printModel(file, m, summary)
	}
	j := &job{opt: &a.opt, set: cmd.Flags(), ui: a.ui, file: file}
	if a.opt.precomputed {
		if err := j.read(ctx); err != nil {
			return err
		}
		a.ui.stop()
		s := summarizeGraph(j.graph)
		if a.opt.json {
			return a.printJSON(struct {
				Kind  string       `json:"kind"`
				File  string       `json:"file"`
				Graph graphSummary `json:"graph"`
				Notes []string     `json:"notes"`
			}{"graph", file, s, nonNil(a.ui.told())})
		}
		rows := [][]string{{"file", file}}
		a.table(append(rows, graphRows(s)...))
		return nil
	}
	if err := j.load(ctx); err != nil {
		return err
	}
	if err := j.selectClasses(); err != nil {
		return err
	}
	a.ui.stop()
	v := j.describe()
	if a.opt.json {
		return a.printJSON(v)
	}
	a.printInfo(j, v)
	return nil
}

func (j *job) describe() infoJSON {
	c := j.corpus
	v := infoJSON{Kind: "corpus", File: j.file, Vocabulary: c.Terms != nil, IDs: c.IDs != nil, Notes: nonNil(j.ui.told())}
	v.Documents, v.Terms = c.X.Dims()
	count := func(i int) int {
		n := 0
		for t := range v.Terms {
			if c.X.At(i, t) != 0 {
				n++
			}
		}
		return n
	}
	if s, ok := c.X.(*sparse.CSR); ok {
		v.Sparse = true
		count = func(i int) int { return s.RowPtr[i+1] - s.RowPtr[i] }
	}
	for i := range v.Documents {
		n := count(i)
		v.Entries += n
		if n == 0 {
			v.Empty++
		}
	}
	v.Density = float64(v.Entries) / (float64(v.Documents) * float64(v.Terms))
	v.Classes = []classSize{}
	if c.Labels != nil {
		sizes, unlabelled := c.ClassSizes()
		v.Labeled = v.Documents - unlabelled
		for i, n := range sizes {
			v.Classes = append(v.Classes, classSize{c.ClassNames[i], n})
		}
	}
	return v
}

func (a *app) printInfo(j *job, v infoJSON) {
	storage := "dense"
	if v.Sparse {
		storage = "sparse"
	}
	rows := [][]string{
		{"file", v.File},
		{"documents", report.Thousands(v.Documents)},
		{"terms", report.Thousands(v.Terms)},
		{"entries", fmt.Sprintf("%s, %s (%.3g %% of the cells, %.1f a document)", storage, report.Thousands(v.Entries), 100*v.Density,
			float64(v.Entries)/float64(v.Documents))},
		{"empty", plural(v.Empty, "document", "documents")},
	}
	if v.IDs {
		rows = append(rows, []string{"ids", report.Clip(j.corpus.ID(0), 30) + " ... " + report.Clip(j.corpus.ID(v.Documents-1), 30)})
	} else {
		rows = append(rows, []string{"ids", fmt.Sprintf("none: the documents are 1 to %d", v.Documents)})
	}
	vocabulary := "none"
	if v.Vocabulary {
		vocabulary = report.Clip(strings.Join(j.corpus.Terms[:min(10, len(j.corpus.Terms))], " "), 60) + " ..."
	}
	rows = append(rows, []string{"vocabulary", vocabulary})
	if len(v.Classes) == 0 {
		rows = append(rows, []string{"labels", "none"})
	} else {
		rows = append(rows, []string{"labels", fmt.Sprintf("%s of %s, %d without", plural(len(v.Classes), "class", "classes"),
			plural(v.Labeled, "document", "documents"), v.Documents-v.Labeled)})
	}
	a.table(rows)
	if len(v.Classes) > 0 {
		a.printf("\n")
		const shown = 40
		classes := slices.Clone(v.Classes)
		slices.SortStableFunc(classes, func(x, y classSize) int { return y.Size - x.Size })
		rows = [][]string{{"class", "size"}}
		for _, c := range classes[:min(shown, len(classes))] {
			rows = append(rows, []string{report.Clip(c.Name, 40), report.Thousands(c.Size)})
		}
		if len(classes) > shown {
			rows = append(rows, []string{fmt.Sprintf("... %d more", len(classes)-shown), ""})
		}
		a.table(rows)
	}
	for i, n := range v.Notes {
		if i == 0 {
			a.printf("\n")
		}
		a.printf("note  %s\n", n)
	}
}
