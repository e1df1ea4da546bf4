package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/atomicfile"
	"github.com/spf13/cobra"
)

func (a *app) convertCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Between corpus formats, and raw text to counts",
		Long: `Convert reads a corpus and writes it in the format that OUT's name tells: .npz, .npy, .mtx, .csv,
.tsv or .svm, and .gz after it. Counts stay as they are unless --weighting or --normalize is given.`,
		Example: `  eigenmap convert corpus.jsonl.gz counts.npz
  eigenmap convert counts.mat weights.mtx.gz --weighting tfidf --normalize l2`,
		RunE: a.work(a.convert, "IN", "OUT"),
	}
	a.opt.define(cmd.Flags(), weightFlags, inputFlags, []string{"seed"}, textFlags)
	cmd.Flags().Lookup("weighting").Usage = "how counts become weights (default: they stay as they are)"
	cmd.Flags().Lookup("normalize").Usage = "length of a document's row (default: it stays as it is)"
	return cmd
}

// convertJSON is the object of `convert --json`.
type convertJSON struct {
	In        string   `json:"in"`
	Out       string   `json:"out"`
	Files     []string `json:"files"` // out, and what stands beside it
	Documents int      `json:"documents"`
	Terms     int      `json:"terms"`
	Notes     []string `json:"notes"`
	Timings   timings  `json:"timings"`
}

func (a *app) convert(ctx context.Context, cmd *cobra.Command, args []string) error {
	start := time.Now()
	in, out := args[0], args[1]
	j := &job{opt: &a.opt, set: cmd.Flags(), ui: a.ui, file: in}
	if same(in, out) {
		return requestf("%s: IN and OUT are the same file", out)
	}
	if dir := filepath.Dir(out); !isFolder(dir) {
		return requestf("%s: there is no folder %s to write it into: make the folder first", out, dir)
	}
	if err := j.load(ctx); err != nil {
		return err
	}
	if err := j.selectClasses(); err != nil {
		return err
	}
	c := *j.corpus
	if a.opt.weighting != "" || a.opt.normalize != "" {
		if a.opt.weighting == "" {
			a.opt.weighting = "tf"
		}
		if a.opt.normalize == "" {
			a.opt.normalize = "none"
		}
		if err := j.weigh(); err != nil {
			return err
		}
		c.X = j.x
	}
	end := j.stage("write")
	if err := corpus.Write(ctx, out, &c); err != nil {
		if errors.Is(err, context.Canceled) || exitStatus(err) == exitRequest {
			return err
		}
		return &writeError{err, "OUT"}
	}
	end()
	a.ui.stop()
	r, cols := c.X.Dims()
	files := append([]string{out}, corpus.Beside(out)...)
	for _, f := range files {
		atomicfile.RemoveStale(filepath.Dir(f), start, filepath.Base(f))
	}
	if a.opt.json {
		return a.printJSON(convertJSON{In: in, Out: out, Files: files, Documents: r, Terms: cols, Notes: nonNil(a.ui.told()), Timings: j.times})
	}
	a.table([][]string{{"read", in + ": " + j.corpusText()}})
	a.printTail(j, nil, files)
	return nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func same(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
