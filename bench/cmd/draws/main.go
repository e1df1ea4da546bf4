// Command draws writes the data of a study's draws for programs in other languages: one file of
// documents and classes, CORPUS-DRAW.npz, for each draw of each corpus of the views. If the study
// draws labels, CORPUS-DRAW.known has the rows of the documents with a known label, one a line.
//
//	go run ./bench/cmd/draws --data DIR --out DIR [--tests 10] [--seed 0] defaults
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/eigenmap/eigenmap/bench/papers"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/progress"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "draws:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context) error {
	data := flag.String("data", "", "folder with the original corpora")
	out := flag.String("out", "draws", "folder for the files")
	tests := flag.Int("tests", 0, "draws of each corpus (0: as many as the study has)")
	seed := flag.Uint64("seed", 0, "seed of the draws")
	flag.Parse()
	if flag.NArg() != 1 {
		return fmt.Errorf("name a study, such as defaults or by-labels, or a table of one, such as defaults/text")
	}
	views, err := papers.Find(flag.Arg(0))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(*out, 0o755); err != nil {
		return err
	}
	done := map[string]bool{}
	for _, v := range views {
		if done[v.Experiment.Name] {
			continue
		}
		done[v.Experiment.Name] = true
		err := v.Experiment.EachUnit(ctx, papers.Options{Dir: *data, Seed: *seed, Tests: *tests, Observer: notes}, func(row papers.Row, test int, u *papers.Unit) error {
			return write(ctx, filepath.Join(*out, fileName(row.Key, test)), u)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// notes prints what is to be known, such as corpora that are left out.
func notes(e progress.Event) {
	if e.Message != "" {
		fmt.Fprintln(os.Stderr, "draws:", e.Message)
	}
}

// fileName keeps letters and digits of a corpus' name.
func fileName(corpus string, test int) string {
	words := strings.FieldsFunc(corpus, func(r rune) bool { return !(r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z') })
	return fmt.Sprintf("%s-%d.npz", strings.Join(words, "_"), test)
}

func write(ctx context.Context, path string, u *papers.Unit) error {
	var rows strings.Builder
	for i, k := range u.Known() {
		if k >= 0 {
			fmt.Fprintln(&rows, i)
		}
	}
	if rows.Len() > 0 {
		if err := os.WriteFile(strings.TrimSuffix(path, ".npz")+".known", []byte(rows.String()), 0o644); err != nil {
			return err
		}
	}
	c := &corpus.Corpus{X: u.X, Labels: u.Truth}
	for k := range u.K {
		c.ClassNames = append(c.ClassNames, fmt.Sprintf("%03d", k))
	}
	return corpus.Write(ctx, path, c)
}
