package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/spf13/cobra"
)

// mostExplained is the most documents that are explained without --id.
const mostExplained = 20

// explainOptions choose the documents.
type explainOptions struct {
	IDs []string `flag:"id" unset:"the first 20 of FILE" help:"names of the documents to explain" group:"input"`
}

func (a *app) explainCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "explain MODEL [FILE] [--id ID]",
		Short: "Why documents are in their clusters",
		Long: `Explain puts the documents of FILE into MODEL, as predict does, and says of each why it is in its cluster:
how sure that is and which cluster comes next, the terms that speak for the one against the other, and
the nearest documents of the model. Without FILE it takes the corpus that the model was made from, reads it
as it was read then, and leaves the same documents in no cluster. With a document's name in place of FILE it
explains that document.`,
		Example: `  eigenmap explain results xboard
  eigenmap explain results --id xboard,cmus
  eigenmap explain results new.jsonl.gz --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return a.work(a.explain, "MODEL")(cmd, args)
			}
			if len(args) > 2 {
				return requestf("%q is one argument too many: name documents by --id, as in --id %s: eigenmap %s", args[2], words.ShellWord(strings.Join(args[2:], ",")), cmd.Use)
			}
			return a.work(a.explain, "MODEL", "FILE")(cmd, args)
		},
	}
	return a.flagged(cmd, func() {
		defineOwn(cmd.Flags(), new(explainOptions))
		define(cmd.Flags(), ofGroups(everyOption(), "input", "vectors"), "weighting", "normalize", "precomputed", "views", "view-columns")
	})
}

func (a *app) explain(ctx context.Context, cmd *cobra.Command, args []string) error {
	var chosen explainOptions
	if err := own(cmd.Flags(), &chosen); err != nil {
		return err
	}
	file, opt, err := explained(args, &chosen)
	if err != nil {
		return err
	}
	opt.Observer = a.ui.observe
	if err := apply(cmd.Flags(), &opt); err != nil {
		return err
	}
	p, err := eigenmap.Predict(ctx, args[0], file, opt)
	if err != nil {
		return err
	}
	if p.Labels == nil {
		return requestf("%s: the model is an embedding without clusters: give one that eigenmap cluster wrote", args[0])
	}
	documents, err := named(p, chosen.IDs, file)
	if err != nil && len(args) == 2 && file != args[1] {
		return requestf("%v, and there is no file of that name", err)
	}
	if err != nil {
		return err
	}
	list, err := p.Explain(ctx, documents...)
	if err != nil {
		return err
	}
	a.ui.stop()
	if a.own.JSON {
		if list == nil {
			list = []eigenmap.Explanation{}
		}
		return a.printJSON(struct {
			Model        string                 `json:"model"`
			File         string                 `json:"file"`
			Documents    int                    `json:"documents"`
			Explanations []eigenmap.Explanation `json:"explanations"`
		}{args[0], file, p.Corpus.Len(), list})
	}
	for k := range list {
		a.printExplanation(&list[k])
	}
	if n := p.Corpus.Len(); len(list) < n && chosen.IDs == nil {
		a.printf("note  The first %d of %s; --id names others.\n", len(list), words.Counted(n, "document"))
	}
	return nil
}

// explained returns the file that holds the documents to explain and how it is read: FILE, or the
// corpus of the result if there is no FILE, or if what is given for it is no file but a document's
// name.
func explained(args []string, chosen *explainOptions) (string, eigenmap.Options, error) {
	var none eigenmap.Options
	name := ""
	if len(args) == 2 {
		if _, err := os.Stat(args[1]); chosen.IDs != nil || args[1] == "-" || err == nil || errors.Is(err, fs.ErrPermission) {
			return args[1], none, nil
		}
		name = args[1]
	}
	dir := args[0]
	if !folder.Is(dir) {
		dir = filepath.Dir(dir)
	}
	file, opt, _, err := madeFrom(dir, "vectors", "vectors-column", "vectors-model")
	if err != nil {
		return "", none, err
	}
	if _, err := os.Stat(file); file == "" || err != nil {
		if name != "" {
			return "", none, requestf("%s: there is no such file, and the corpus that %s was made from, which may have a document of that name, is not here: give FILE", name, args[0])
		}
		return "", none, requestf("%s: the corpus that it was made from is not here: give FILE", args[0])
	}
	if name != "" {
		chosen.IDs = []string{withoutBlanks(name)}
	}
	return file, opt, nil
}

// named are the numbers of documents with the given names; without names the first ones.
func named(p *eigenmap.Prediction, ids []string, file string) ([]int, error) {
	var list []int
	if ids == nil {
		for i := range min(mostExplained, p.Corpus.Len()) {
			list = append(list, i)
		}
		return list, nil
	}
	all := strings.Join(ids, ",")
	at := make(map[string]int)
	for i := range p.Corpus.Len() {
		if id := withoutBlanks(p.Corpus.ID(i)); strings.Contains(all, id) {
			at[id] = i
		}
	}
	for len(ids) > 0 {
		pieces, found := len(ids), false // of a name with commas, the longest one first
		for ; pieces > 0 && !found; pieces-- {
			var i int
			if i, found = at[strings.Join(ids[:pieces], ",")]; found {
				list, ids = append(list, i), ids[pieces:]
			}
		}
		if !found {
			if p.Corpus.Len() == 0 {
				return nil, requestf("%s: it has no documents", file)
			}
			return nil, requestf("%s: it has no document %q: the first is %q, the last %q", file, ids[0], p.Corpus.ID(0), p.Corpus.ID(p.Corpus.Len()-1))
		}
	}
	return list, nil
}

// withoutBlanks is a name without the blanks around its commas, as a list of names has it.
func withoutBlanks(id string) string {
	parts := strings.Split(id, ",")
	for k := range parts {
		parts[k] = strings.TrimSpace(parts[k])
	}
	return strings.Join(parts, ",")
}

func (a *app) printExplanation(e *eigenmap.Explanation) {
	cluster := fmt.Sprint(e.Cluster)
	if e.Class != "" {
		cluster += " " + e.Class
	}
	if e.Confidence != nil {
		cluster += fmt.Sprintf(", confidence %.3f", *e.Confidence)
	}
	rows := [][]string{{"document", e.ID}, {"cluster", cluster}}
	if e.Placed == eigenmap.PlacedIsolated {
		rows = append(rows, []string{"placed", "isolated: it has nothing in common with other documents of the model, so that its cluster is arbitrary"})
	}
	if e.Second != nil {
		rows = append(rows, []string{"next", fmt.Sprint(*e.Second)})
	}
	if e.Novelty != nil {
		rows = append(rows, []string{"novelty", fmt.Sprintf("%.3f", *e.Novelty)})
	}
	var terms, near []string
	for _, t := range e.Terms {
		terms = append(terms, fmt.Sprintf("%s %.3f", t.Term, t.Weight))
	}
	for _, d := range e.Nearest {
		near = append(near, fmt.Sprintf("%s (%.3f)", words.Clip(d.ID, 40), d.Distance))
	}
	if e.Columns != nil {
		next := "others"
		if e.Second != nil {
			next = fmt.Sprint("cluster ", *e.Second)
		}
		terms = nil
		for k, c := range e.Columns {
			what := fmt.Sprintf("%s %.4g (%.4g, %.4g)", words.Clip(c.Column, 40), c.Value, c.Mean, c.Next)
			if k == 0 {
				what = fmt.Sprintf("%s %.4g (mean %.4g, of %s %.4g)", words.Clip(c.Column, 40), c.Value, c.Mean, next, c.Next)
			}
			terms = append(terms, what)
		}
		rows = append(rows, []string{"by columns", strings.Join(terms, ", ")})
	} else if terms != nil {
		rows = append(rows, []string{"by terms", strings.Join(terms, ", ")})
	}
	if near != nil {
		rows = append(rows, []string{"near", strings.Join(near, ", ")})
	}
	for k, d := range e.Typical[:min(3, len(e.Typical))] {
		name := ""
		if k == 0 {
			name = "typical"
		}
		rows = append(rows, []string{name, words.Clip(d.ID+": "+d.Text, 140)})
	}
	a.table(rows)
	a.printf("\n")
}
