package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/atomicfile"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/spf13/cobra"
)

// suggestOptions say where the suggestions go.
type suggestOptions struct {
	Out string `flag:"out" short:"o" path:"true" help:"CSV file for the suggestions and the known labels; filled in, it is a file for --labels of cluster" group:"output"`
}

func (a *app) suggestCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "suggest RESULT [-n N] [--out FILE]",
		Short: "Which documents to label next",
		Long: `Suggest reads a folder of results and says which documents to label next: each is typical of many
documents without a label, the larger and the less certain group first. Documents whose label is known are not
suggested; they follow in FILE, so that FILE has all labels once its empty ones are filled in.`,
		Example: `  eigenmap suggest results --out labels.csv
  eigenmap cluster corpus.jsonl.gz --labels labels.csv --out again
  eigenmap suggest again --labels labels.csv --out labels.csv`,
		RunE: a.work(a.suggest, "RESULT"),
	}
	return a.flagged(cmd, func() {
		defineOwn(cmd.Flags(), new(eigenmap.SuggestOptions), new(suggestOptions), new(tableOption))
	})
}

func (a *app) suggest(ctx context.Context, cmd *cobra.Command, args []string) error {
	opt := eigenmap.SuggestOptions{Observer: a.ui.observe}
	var to suggestOptions
	var tables tableOption
	if err := errors.Join(own(cmd.Flags(), &opt), own(cmd.Flags(), &to), own(cmd.Flags(), &tables)); err != nil {
		return err
	}
	if _, err := os.Lstat(to.Out); to.Out != "" && !errors.Is(err, fs.ErrNotExist) && (opt.Labels == "" || !folder.Same(to.Out, opt.Labels)) {
		return requestf("%s: it is there and may hold labels: give it as --labels too, which keeps them, or choose another --out", to.Out)
	}
	r, err := eigenmap.ReadResults(ctx, args[0])
	if err != nil {
		return err
	}
	s, err := r.Suggest(ctx, opt)
	if err != nil {
		return err
	}
	if to.Out != "" {
		if err := atomicfile.Write(to.Out, func(w io.Writer) error { return s.WriteCSV(w, tables.Raw) }); err != nil {
			return err
		}
	}
	a.ui.stop()
	if a.own.JSON {
		return a.printJSON(s)
	}
	rows := [][]string{{"document", "cluster", "confidence", "why", "text"}}
	for _, v := range s.Next {
		cluster, sure := fmt.Sprint(v.Cluster), ""
		if v.Class != "" {
			cluster += " " + words.Clip(v.Class, 24)
		}
		if v.Confidence != nil {
			sure = fmt.Sprintf("%.3f", *v.Confidence)
		}
		rows = append(rows, []string{words.Clip(v.ID, 40), cluster, sure, v.Why, words.Clip(v.Text, 60)})
	}
	a.table(rows)
	if to.Out != "" {
		more := ""
		if r.Numbered() {
			more = " with --ids-from 1"
		}
		a.printf("wrote  %s: fill in its column label, and give it to eigenmap cluster as --labels%s\n", to.Out, more)
	}
	return nil
}
