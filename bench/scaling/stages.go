package scaling

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/eigenmap/eigenmap/bench"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// The task: neighbours in the graph, eigenpairs, clusters and starts of k-means, seed.
const (
	neighbors = 15
	pairs     = 30
	clusters  = 40
	starts    = 10
	tolerance = 1e-8
	seed      = 1
)

// Stages, in the order of the report.
const (
	stageRead     = "read"
	stageExact    = "graph, exact"
	stageApprox   = "graph, approximate"
	stageEigen    = "eigenpairs"
	stageComplete = "eigenpairs, complete graph"
	stageKMeans   = "k-means"
)

// The kinds of a run: which graph it makes.
const (
	kindExact    = "exact"
	kindApprox   = "approx" // the approximate graph alone
	kindLarge    = "large"  // all stages on the approximate graph
	kindComplete = "complete"
	kindPeer     = "peer"
)

// measured is one stage of one run, a line of JSON of the process that ran it.
type measured struct {
	Stage   string  `json:"stage"`
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu"`
	Note    string  `json:"note,omitempty"`
}

// ChildFlag is the argument with which a program that calls [Run] starts itself; it must then call
// [Child] with the arguments that follow, and end.
const ChildFlag = "--stages"

// Child runs the stages on the corpus in a file and writes a line of JSON after each: args are the
// file, the engine, the kind of the run, the threads, and a folder for the graph and the
// coordinates, or "".
func Child(ctx context.Context, w io.Writer, args []string) error {
	if len(args) != 5 {
		return fmt.Errorf("%s takes a file, an engine, a kind, threads and a folder", ChildFlag)
	}
	file, engine, kind, keep := args[0], args[1], args[2], args[4]
	threads, err := strconv.Atoi(args[3])
	if err != nil {
		return err
	}
	native.SetThreads(threads)
	if err := native.Use(engine); err != nil {
		return err
	}
	return runStages(ctx, w, file, kind, keep)
}

// runStages is [Child] after its arguments are read.
func runStages(ctx context.Context, w io.Writer, file, kind, keep string) error {
	lines := json.NewEncoder(w)
	stage := func(name string, work func() (note string, err error)) error {
		start, busy := time.Now(), bench.CPUSeconds()
		note, err := work()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return lines.Encode(measured{name, time.Since(start).Seconds(), bench.CPUSeconds() - busy, note})
	}
	var x mat.Matrix
	if err := stage(stageRead, func() (string, error) {
		c, err := corpus.Read(ctx, file, corpus.ReadOptions{})
		if err != nil {
			return "", err
		}
		x, err = c.Weighted(corpus.WeightTFIDF, corpus.NormL2)
		return "", err
	}); err != nil {
		return err
	}
	if kind == kindApprox {
		return stage(stageApprox, func() (string, error) {
			_, recall, err := graph.Approximate(ctx, x, neighbors, seed, nil)
			return fmt.Sprintf("recall %.3f", recall), err
		})
	}
	var g *graph.Graph
	var m *le.Model
	opt := le.Options{Dims: pairs}
	opt.Eigen.Tol, opt.Eigen.Seed = tolerance, seed
	if kind == kindComplete {
		return stage(stageComplete, func() (note string, err error) {
			opt.Kind = graph.KindComplete
			if m, err = le.Fit(ctx, x, opt); err != nil {
				return "", err
			}
			return fmt.Sprintf("%d products", m.Stats.Products), nil
		})
	}
	name, search := stageExact, graph.ExactSearch
	if kind == kindLarge {
		name, search = stageApprox, graph.ApproxSearch
	}
	if err := stage(name, func() (note string, err error) {
		g, err = graph.Build(ctx, x, graph.Options{Neighbors: neighbors, Search: search, Seed: seed, Observer: func(e progress.Event) {
			if e.Message != "" {
				note = e.Message // what was found of a sample
			}
		}})
		return note, err
	}); err != nil {
		return err
	}
	if err := stage(stageEigen, func() (note string, err error) {
		if m, err = le.FitGraph(ctx, g, opt); err != nil {
			return "", err
		}
		return fmt.Sprintf("%d products", m.Stats.Products), nil
	}); err != nil {
		return err
	}
	if err := stage(stageKMeans, func() (string, error) {
		k, err := kmeans.Fit(ctx, m.Embedding, kmeans.Options{K: clusters, Restarts: starts, Seed: seed})
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("objective %.4f", k.Objective), nil
	}); err != nil || keep == "" {
		return err
	}
	return keepFor(keep, g.W, m.Embedding)
}

// keepFor writes what the peers take: the normalised affinity and the coordinates.
func keepFor(dir string, w *sparse.CSR, y *mat.Dense) error {
	scale := w.RowSums()
	for i, d := range scale {
		if d > 0 {
			scale[i] = 1 / math.Sqrt(d)
		}
	}
	for _, file := range []struct {
		name, format string
		m            mat.Matrix
	}{{"affinity.npz", "npz", w.Scale(scale, scale)}, {"embedding.npy", "npy", y}} {
		f, err := os.Create(filepath.Join(dir, file.name))
		if err != nil {
			return err
		}
		if err := corpus.WriteMatrix(f, file.format, file.m); err != nil {
			f.Close()
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}
