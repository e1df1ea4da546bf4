package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/spf13/cobra"
)

func (a *app) infoCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "info FILE",
		Short: "What a corpus, a graph or a model file holds",
		Long: `Info reads a corpus and describes its shape, its labels and what the reader found; with --precomputed it
takes FILE as an affinity graph; a model of cluster or embed is recognised.`,
		Example: `  eigenmap info corpus.mat
  eigenmap info affinity.mtx --precomputed
  eigenmap info results/model.npz --json`,
		RunE: a.work(a.info, "FILE"),
	}
	define(cmd.Flags(), ofGroups(eigenmap.Fields(""), "input", "text"), "weighting", "normalize")
	define(cmd.Flags(), eigenmap.Fields("", "seed"))
	return cmd
}

func (a *app) info(ctx context.Context, cmd *cobra.Command, args []string) error {
	file := args[0]
	if eigenmap.IsModel(file) {
		m, err := eigenmap.LoadModel(ctx, file)
		if err != nil {
			return err
		}
		return a.printModel(m)
	}
	opt := eigenmap.Options{Observer: a.ui.observe}
	if err := apply(cmd.Flags(), &opt); err != nil {
		return err
	}
	r, err := eigenmap.Read(ctx, file, opt)
	dropped := false
	if errors.Is(err, corpus.ErrNoTerms) && !cmd.Flags().Changed("min-df") && opt.Set("min-df", "1") == nil {
		var again *eigenmap.Reading
		if again, dropped = readAgain(ctx, file, opt); dropped {
			r, err = again, nil
		}
	}
	if err != nil {
		return err
	}
	a.ui.stop()
	if r.Graph != nil {
		return a.printGraphInfo(file, r)
	}
	v := r.JSON(flagName)
	if dropped {
		v.Notes = append(v.Notes, "This is read with --min-df 1: a run leaves out terms that fewer than 2 documents have, and none would be left.")
	}
	if a.own.JSON {
		return a.printJSON(v)
	}
	a.printInfo(r, v)
	return nil
}

// readAgain reads a corpus under options that may leave terms in it where others left none.
func readAgain(ctx context.Context, file string, opt eigenmap.Options) (*eigenmap.Reading, bool) {
	r, err := eigenmap.Read(ctx, file, opt)
	return r, err == nil
}

func (a *app) printGraphInfo(file string, r *eigenmap.Reading) error {
	s := eigenmap.SummarizeGraph(r.Graph)
	if a.own.JSON {
		return a.printJSON(struct {
			Kind  string                `json:"kind"`
			File  string                `json:"file"`
			Graph eigenmap.GraphSummary `json:"graph"`
			Notes []string              `json:"notes"`
		}{"graph", file, s, nonNil(r.NotesAs(flagName))})
	}
	a.table(append([][]string{{"file", file}}, graphRows(s)...))
	return nil
}

func (a *app) printInfo(r *eigenmap.Reading, v eigenmap.CorpusJSON) {
	storage := "dense"
	if v.Sparse {
		storage = "sparse"
	}
	rows := [][]string{
		{"file", v.File},
		{"format", v.Format},
		{"documents", words.Thousands(v.Documents)},
		{"terms", words.Thousands(v.Terms)},
		{"entries", fmt.Sprintf("%s, %s (%.3g %% of the cells, %.1f per document)", storage, words.Thousands(v.Entries), 100*v.Density,
			float64(v.Entries)/float64(v.Documents))},
		{"empty", words.Plural(v.Empty, "document", "documents")},
	}
	if v.IDs {
		rows = append(rows, []string{"ids", words.Clip(r.Corpus.ID(0), 30) + " ... " + words.Clip(r.Corpus.ID(v.Documents-1), 30)})
	} else {
		rows = append(rows, []string{"ids", fmt.Sprintf("none: the documents are 1 to %d", v.Documents)})
	}
	vocabulary := "none"
	if v.Vocabulary {
		vocabulary = words.Clip(strings.Join(r.Corpus.Terms[:min(10, len(r.Corpus.Terms))], " "), 60) + " ..."
	}
	rows = append(rows, []string{"vocabulary", vocabulary})
	if len(v.Classes) == 0 {
		rows = append(rows, []string{"labels", "none"})
	} else {
		rows = append(rows, []string{"labels", fmt.Sprintf("%s of %s, %d without", words.Plural(len(v.Classes), "class", "classes"),
			words.Plural(v.Labeled, "document", "documents"), v.Documents-v.Labeled)})
	}
	a.table(rows)
	if len(v.Classes) > 0 {
		a.printf("\n")
		const shown = 40
		classes := slices.Clone(v.Classes)
		slices.SortStableFunc(classes, func(x, y eigenmap.ClassSize) int { return y.Size - x.Size })
		rows = [][]string{{"class", "size"}}
		for _, c := range classes[:min(shown, len(classes))] {
			rows = append(rows, []string{words.Clip(c.Name, 40), words.Thousands(c.Size)})
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
	k := ""
	if len(v.Classes) == 0 {
		k = " -k auto"
	}
	a.printf("\nnext  eigenmap cluster %s%s\n", eigenmap.ShellWord(v.File), k)
}
