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
	"github.com/spf13/pflag"
)

func (a *app) infoCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "info FILE",
		Short: "What a corpus, a graph or a model file holds",
		Long: `Info reads a corpus and describes its shape, its labels and what the reader found, also of a file that a run
refuses because documents share an id; with --precomputed it takes FILE as an affinity graph; a model of cluster or
embed is recognised.`,
		Example: `  eigenmap info corpus.mat
  eigenmap info affinity.mtx --precomputed
  eigenmap info results/model.npz --json`,
		RunE: a.work(a.info, "FILE"),
	}
	return a.flagged(cmd, func() {
		define(cmd.Flags(), ofGroups(everyOption(), "input", "text"), "weighting", "normalize")
		define(cmd.Flags(), ofNames(everyOption(), "seed"))
	})
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
	asked := cmd.Flags().Changed("text-column")
	r, notes, err := a.readForInfo(ctx, file, cmd.Flags())
	if err != nil {
		return err
	}
	a.ui.stop()
	if r.Graph != nil {
		return a.printGraphInfo(file, r)
	}
	v := r.JSON(flagName)
	v.Notes = append(v.Notes, notes...)
	if v.Documents < 2 {
		v.Notes = append(v.Notes, "One document cannot be clustered: a run needs at least two.")
	}
	survey, err := r.Survey(ctx)
	if err != nil {
		return err
	}
	dated := r.DateColumns(ctx)
	v.Notes = append(v.Notes, noteOnDates(dated)...)
	unrelated, err := a.unrelatedClasses(ctx, r, cmd.Flags())
	if err != nil {
		return err
	}
	if unrelated != "" {
		v.Notes = append(v.Notes, unrelated)
	}
	fitting, next := r.Fitting(), nextCommand(v, cmd.Flags(), len(v.Classes) > 0 && unrelated == "", r.Corpus.MayName(), dated)
	if e := r.Corpus.Columns.Earlier; !asked && e != nil && len(e.Out) > len(r.Corpus.Terms) {
		next = strings.Replace(next, "--text-column none", "--views columns", 1) // most columns are words
	}
	for i := range fitting {
		fitting[i][1] = words.Rename(fitting[i][1], flagName)
	}
	if a.own.JSON {
		return a.printJSON(struct {
			eigenmap.CorpusJSON
			Survey  *eigenmap.Survey `json:"survey"` // null: the documents are dense
			Methods [][2]string      `json:"methods"`
			Next    string           `json:"next"`
		}{v, survey, fitting, next})
	}
	a.printInfo(r, v, survey, fitting, next)
	return nil
}

// unrelatedClasses is the note on classes of the file that do not say which documents are alike,
// such as folders by date; "" without such. The option that leaves them out, if there is one, is
// then set in flags, from which the next command is made.
func (a *app) unrelatedClasses(ctx context.Context, r *eigenmap.Reading, flags *pflag.FlagSet) (string, error) {
	for _, name := range []string{"truth", "label-column", "class-folder", "classes"} {
		if flags.Changed(name) {
			return "", nil
		}
	}
	found, err := r.ClassAgreement(ctx)
	if err != nil || found == nil || !found.Unrelated() {
		return "", err
	}
	note := fmt.Sprintf("The classes do not say which documents are alike: of %s, %.0f %% are nearest to one of their class, by chance %.0f %%. The next command takes the number of clusters from the documents.",
		words.Counted(found.Documents, "document"), 100*found.Same, 100*found.Chance)
	for _, f := range ofNames(everyOption(), "class-folder", "label-column") {
		if slices.Contains(f.Formats, r.Corpus.Format) {
			return note, flags.Set(f.Name, "none")
		}
	}
	return note, nil
}

// noteOnDates is the note on columns that hold the dates of the documents; nil for none.
func noteOnDates(columns []string) []string {
	const counts = "counts the clusters over time."
	switch len(columns) {
	case 0:
		return nil
	case 1:
		return []string{"Column " + words.Name(columns[0]) + " holds dates; --time-column " + eigenmap.ShellWord(columns[0]) + " " + counts}
	}
	var list []string
	for _, c := range columns {
		list = append(list, eigenmap.ShellWord(c))
	}
	return []string{"Columns " + strings.Join(list, ", ") + " hold dates; --time-column with one of them " + counts}
}

// nextCommand is the command to type after info: with the options that were given or that the file
// needs, the column that may hold the names of the documents, and the only one that holds dates; ""
// for one document. classed says that the classes of the file give the number of clusters.
func nextCommand(v eigenmap.CorpusJSON, flags *pflag.FlagSet, classed bool, names string, dated []string) string {
	words := []string{"eigenmap cluster", eigenmap.ShellWord(v.File)}
	switch {
	case v.Documents < 2:
		return ""
	case v.Documents == 2: // too few for a graph and for a choice
		words = append(words, "-k 2 --method kmeans")
	case !classed:
		words = append(words, "-k auto")
	}
	for _, f := range everyOption() {
		if given := flags.Lookup(f.Name); given != nil && given.Changed {
			words = append(words, "--"+f.Name, eigenmap.ShellWord(given.Value.String()))
		}
	}
	if names != "" && !flags.Changed("id-column") {
		words = append(words, "--id-column", names)
	}
	if len(dated) == 1 {
		words = append(words, "--time-column", eigenmap.ShellWord(dated[0]))
	}
	words = append(words, "--out results")
	return strings.Join(words, " ")
}

// surveyRows are the lines of a survey.
func surveyRows(s *eigenmap.Survey, isText bool) [][]string {
	what := "sum of entries"
	if isText {
		what = "words that count"
	}
	q := s.Lengths
	rows := [][]string{{"lengths", fmt.Sprintf("%g to %g %s, half of the documents %g to %g, median %g", q[0], q[4], what, q[1], q[3], q[2])}}
	const unsearched = "not searched: the memory does not allow it"
	switch {
	case !s.Weighed:
		rows = append(rows, []string{"telling", unsearched})
	case len(s.Telling) > 0:
		rows = append(rows, []string{"telling", words.Clip(strings.Join(s.Telling, " "), 100)})
	}
	near := unsearched
	if s.Searched {
		near = "none found"
	}
	if s.Near > 0 {
		near = words.Plural(s.Near, "document", "documents") + " with nine tenths of the terms of an earlier one:"
		if s.Copies > 0 {
			near = fmt.Sprintf("%s equal to an earlier one, %s with nine tenths of its terms:", words.Plural(s.Copies, "document", "documents"), words.Thousands(s.Near))
		}
		for i, p := range s.Pairs {
			if i > 0 {
				near += ","
			}
			near += " " + words.Clip(p[1], 30) + " of " + words.Clip(p[0], 30)
		}
	}
	return append(rows, []string{"duplicates", near})
}

// neededOption is an option without which a run refuses some files, and the cause of the refusal.
type neededOption struct {
	cause             error
	name, value, note string // the note has the refusal for %s
}

var needed = []neededOption{
	{corpus.ErrSameID, "id-column", "none", "This is read with --id-column none. Without it a run refuses the file: %s."},
	{corpus.ErrWordColumns, "text-column", "none", "This is read with --text-column none. Without an option a run refuses the file: %s."},
	{corpus.ErrMissing, "missing", "median", "This is read with --missing median. Without an option a run refuses the file: %s."},
	{corpus.ErrNoTerms, "min-df", "1", "This is read with --min-df 1: a run leaves out terms that fewer than 2 documents have, and none would be left."},
}

// readForInfo reads a file; one that a run refuses for want of an option that is not given, it
// reads with that option, which it adds to flags and names in a note.
func (a *app) readForInfo(ctx context.Context, file string, flags *pflag.FlagSet) (r *eigenmap.Reading, notes []string, err error) {
	opt := eigenmap.Options{Observer: a.ui.observe}
	if err = apply(flags, &opt); err != nil {
		return nil, nil, err
	}
	r, first := eigenmap.Read(ctx, file, opt)
	for err = first; err != nil; {
		k := slices.IndexFunc(needed, func(n neededOption) bool { return errors.Is(err, n.cause) && !flags.Changed(n.name) })
		if k < 0 {
			return nil, nil, first
		}
		n := needed[k]
		notes = append(notes, strings.ReplaceAll(n.note, "%s", sentence(err)))
		if flags.Set(n.name, n.value) != nil || opt.Set(n.name, n.value) != nil {
			return nil, nil, first
		}
		r, err = eigenmap.Read(ctx, file, opt)
	}
	return r, notes, nil
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
	for _, n := range r.NotesAs(flagName) {
		a.printf("note  %s\n", n)
	}
	return nil
}

func (a *app) printInfo(r *eigenmap.Reading, v eigenmap.CorpusJSON, survey *eigenmap.Survey, fitting [][2]string, next string) {
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
	if survey != nil {
		rows = append(rows, surveyRows(survey, slices.Contains(corpus.TextFormats(), v.Format))...)
	}
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
	a.printf("\n")
	for _, f := range fitting {
		a.printf("try   --method %s: %s\n", f[0], f[1])
	}
	if next != "" {
		a.printf("\nnext  %s\n", next)
	}
}
