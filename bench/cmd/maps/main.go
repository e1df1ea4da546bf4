// Command maps measures how well maps of documents keep classes together: the share of the ten
// nearest documents that have a document's class, in the run's coordinates, in its map, in the
// projection that pictures showed before there were maps, and in UMAP's map of the same coordinates
// by bench/python/maps.py. One row per corpus, with the processor time of the maps.
//
//	go run ./bench/cmd/maps --data DIR --out DIR [--python python3] [--seed 0]
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/bench"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/methods/graph"
	"gonum.org/v1/gonum/mat"
)

// nearest is the number of neighbours whose classes are compared.
const nearest = 10

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "maps:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	data := flag.String("data", "../shared/data", "folder with the original corpora")
	out := flag.String("out", "out/maps", "folder for coordinates and classes")
	python := flag.String("python", "", "Python with umap-learn; empty: without UMAP")
	seed := flag.Uint64("seed", 0, "seed of the runs")
	flag.Parse()
	if err := os.MkdirAll(*out, 0o755); err != nil {
		return err
	}
	fmt.Printf("%-14s %9s  %-11s %-10s %-10s %-10s %s\n", "corpus", "documents", "coordinates", "map", "projection", "UMAP", "CPU seconds of the map, of UMAP")
	for _, c := range []struct{ name, path string }{
		{"20 Newsgroups", filepath.Join(*data, "20news-bydate.tar.xz")},
		{"TDT2", filepath.Join(*data, "TDT2.mat")},
		{"Debian", "examples/debian/packages.jsonl.gz"},
	} {
		if _, err := os.Stat(c.path); errors.Is(err, fs.ErrNotExist) {
			fmt.Printf("%-14s is not there: %s\n", c.name, c.path)
			continue
		}
		if err := measure(ctx, c.name, c.path, *out, *python, *seed); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

// measure prints the row of one corpus.
func measure(ctx context.Context, name, path, out, python string, seed uint64) error {
	without := new(bool)
	opt := eigenmap.Options{Seed: seed, Duplicates: "keep", Map: without}
	if filepath.Ext(path) != ".mat" { // of texts: whole posts, as in the table of docs/map.md
		opt.Source.Strip = []string{corpus.StripNone}
	}
	r, err := eigenmap.Cluster(ctx, path, opt)
	if err != nil {
		return err
	}
	began := bench.CPUSeconds()
	if err := r.DrawMap(ctx); err != nil {
		return err
	}
	took := bench.CPUSeconds() - began
	labels := r.Corpus.Labels
	x, y, _ := report.View(r.Embedding, r.Labels, len(r.Clusters), true)
	projection := mat.NewDense(len(x), 2, nil)
	projection.SetCol(0, x)
	projection.SetCol(1, y)
	var shares []float64
	for _, places := range []mat.Matrix{r.Embedding, r.Map, projection} {
		s, err := agreement(ctx, places, labels)
		if err != nil {
			return err
		}
		shares = append(shares, s)
	}
	theirs, theirTime := "-", "-"
	if python != "" {
		file := filepath.Join(out, "coordinates.npy")
		if err := saveMatrix(file, r.Embedding); err != nil {
			return err
		}
		plane := filepath.Join(out, "umap.npy")
		cmd := exec.CommandContext(ctx, python, "bench/python/maps.py", file, plane, strconv.FormatUint(seed, 10))
		cmd.Stderr = os.Stderr
		said, err := cmd.Output()
		if err != nil {
			return err
		}
		var answer struct{ CPU float64 }
		if err := json.Unmarshal(said, &answer); err != nil {
			return err
		}
		c, err := corpus.Read(ctx, plane, corpus.ReadOptions{})
		if err != nil {
			return err
		}
		s, err := agreement(ctx, c.X, labels)
		if err != nil {
			return err
		}
		theirs, theirTime = fmt.Sprintf("%.3f", s), fmt.Sprintf("%.1f", answer.CPU)
	}
	fmt.Printf("%-14s %9d  %-11.3f %-10.3f %-10.3f %-10s %.1f, %s\n", name, len(labels), shares[0], shares[1], shares[2], theirs, took, theirTime)
	return nil
}

// agreement is the share of the nearest rows that have a row's class.
func agreement(ctx context.Context, x mat.Matrix, labels []int) (float64, error) {
	g, err := graph.Nearest(ctx, x, nearest, nil)
	if err != nil {
		return 0, err
	}
	hit := 0
	for i, l := range labels {
		near, _, _ := g.Row(i)
		for _, j := range near {
			if labels[j] == l {
				hit++
			}
		}
	}
	return float64(hit) / float64(nearest*len(labels)), nil
}

func saveMatrix(path string, x mat.Matrix) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := corpus.WriteMatrix(f, "npy", x); err != nil {
		return err
	}
	return f.Close()
}
