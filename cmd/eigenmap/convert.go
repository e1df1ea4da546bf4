package main

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/atomicfile"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/spf13/cobra"
)

func (a *app) convertCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Between corpus formats, and raw text to counts",
		Long: `Convert reads a corpus and writes it in the format of OUT's name: .npz, .npy, .mtx, .csv, .tsv or
.svm, and .gz after it. Counts stay as they are unless --weighting or --normalize is given.`,
		Example: `  eigenmap convert corpus.jsonl.gz counts.npz
  eigenmap convert counts.mat weights.mtx.gz --weighting tfidf --normalize l2`,
		RunE: a.work(a.convert, "IN", "OUT"),
	}
	return a.flagged(cmd, func() {
		define(cmd.Flags(), ofGroups(everyOption(), "input", "text"), "precomputed")
		define(cmd.Flags(), ofNames(everyOption(), "seed"))
		cmd.Flags().Lookup("weighting").Usage = "how counts become weights (default: they stay as they are)"
		cmd.Flags().Lookup("normalize").Usage = "length of a document's row (default: it stays as it is)"
	})
}

// convertJSON is the object of `convert --json`.
type convertJSON struct {
	In        string           `json:"in"`
	Out       string           `json:"out"`
	Files     []string         `json:"files"` // out, and the files beside it
	Documents int              `json:"documents"`
	Terms     int              `json:"terms"`
	Notes     []string         `json:"notes"`
	Timings   eigenmap.Timings `json:"timings"`
}

func (a *app) convert(ctx context.Context, cmd *cobra.Command, args []string) error {
	start := time.Now()
	in, out := args[0], args[1]
	if folder.Same(in, out) {
		return requestf("%s: IN and OUT are the same file", out)
	}
	for _, input := range inputs(cmd, in) {
		if folder.Is(input) && folder.Inside(filepath.Dir(out), input) {
			return requestf("%s: it lies in %s, whose files are the documents: the next run would read it as a document; choose another OUT", out, input)
		}
		for _, f := range append([]string{out}, corpus.Beside(out)...) {
			if folder.Same(input, f) {
				return requestf("%s: convert reads it, and would write over it as %s: choose another OUT", input, f)
			}
		}
	}
	if dir := filepath.Dir(out); !folder.Is(dir) {
		return requestf("%s: there is no folder %s to write it into: make the folder first", out, dir)
	}
	opt := eigenmap.Options{Observer: a.ui.observe}
	if err := apply(cmd.Flags(), &opt); err != nil {
		return err
	}
	r, err := eigenmap.Read(ctx, in, opt)
	if err != nil {
		return err
	}
	writing := time.Now()
	a.ui.writing()
	if err := corpus.Write(ctx, out, r.Corpus); err != nil {
		if errors.Is(err, context.Canceled) || exitStatus(err) == exitRequest {
			return err
		}
		return &writeError{err: err, what: "OUT"}
	}
	r.Timings.Add("write", time.Since(writing))
	a.ui.stop()
	files := append([]string{out}, corpus.Beside(out)...)
	for _, f := range files {
		atomicfile.RemoveStale(filepath.Dir(f), start, func(base string) bool { return base == filepath.Base(f) })
	}
	if a.own.JSON {
		rows, cols := r.Corpus.X.Dims()
		return a.printJSON(convertJSON{In: in, Out: out, Files: files, Documents: rows, Terms: cols, Notes: nonNil(r.NotesAs(flagName)), Timings: r.Timings})
	}
	if a.silent(files, r.Warnings(flagName)) {
		return nil
	}
	a.table(r.Rows())
	a.printTail(r.NotesAs(flagName), r.Timings, files)
	return nil
}

// nonNil makes an empty list of nil, so that JSON shows [] and not null.
func nonNil(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}
