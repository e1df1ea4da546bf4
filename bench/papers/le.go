package papers

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"golang.org/x/sync/errgroup"
)

// LETable is the LE column of tables 3 (TDT2) and 4 (Reuters) of Chen et al., "Constrained Laplacian Eigenmap"
// (2010): for r = 2..6, classes are drawn at random 20 times; their documents, unit rows of term counts, become a
// graph of 15 nearest neighbours (i~j if either is near the other) with dot-product weights; the r smallest
// eigenvectors of Ly = λDy, the constant one included, go through k-means, 10 starts, best objective; AC
// and NMI are averaged.
type LETable struct {
	Datasets []Dataset // none means TDT2 and Reuters
	Dir      string    // folder of the original files
	R        []int     // numbers of classes; none means 2..6
	Draws    int       // 0 means 20
	Seed     uint64
	Observer progress.Observer
}

// LECell is one line of the table: means over the draws, with standard errors.
type LECell struct {
	Dataset  string  `json:"dataset"`
	R        int     `json:"r"`
	Draws    int     `json:"draws"`
	AC       float64 `json:"ac"`
	ACError  float64 `json:"ac_standard_error"`
	NMI      float64 `json:"nmi"`
	NMIError float64 `json:"nmi_standard_error"`
	// The paper's figures; 0 where it has none.
	PaperAC  float64 `json:"paper_ac,omitempty"`
	PaperNMI float64 `json:"paper_nmi,omitempty"`
	// Seconds is the time of one thread in this cell.
	Seconds float64 `json:"seconds"`
}

// LEResult is the table with what made it.
type LEResult struct {
	Cells    []LECell `json:"cells"`
	Draws    int      `json:"draws"`
	Seed     uint64   `json:"seed"`
	Restarts int      `json:"restarts"`
	Seconds  float64  `json:"seconds"`
}

// printed holds AC and NMI of the LE columns, r = 2..6.
var printed = map[string]map[int][2]float64{
	TDT2.Name:    {2: {.9987, .9765}, 3: {.9956, .9626}, 4: {.9910, .9542}, 5: {.9907, .9563}, 6: {.9764, .9379}},
	Reuters.Name: {2: {.8644, .5240}, 3: {.7996, .5381}, 4: {.7394, .5102}, 5: {.7203, .5042}, 6: {.6340, .4498}},
}

const (
	leNeighbors = 15
	leRestarts  = 10
)

// Run computes the table. Draws are shared among native.Threads() goroutines, each of which
// works on one thread; the setting is restored afterwards.
func (t LETable) Run(ctx context.Context) (*LEResult, error) {
	start := time.Now()
	if len(t.Datasets) == 0 {
		t.Datasets = []Dataset{TDT2, Reuters}
	}
	if len(t.R) == 0 {
		t.R = []int{2, 3, 4, 5, 6}
	}
	if t.Draws == 0 {
		t.Draws = 20
	}
	result := &LEResult{Draws: t.Draws, Seed: t.Seed, Restarts: leRestarts}
	for _, d := range t.Datasets {
		t.Observer.Notef("table", "reading %s", d.Name)
		all, err := d.Load(ctx, t.Dir)
		if err != nil {
			return nil, err
		}
		cells, err := t.dataset(ctx, d, all)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Name, err)
		}
		result.Cells = append(result.Cells, cells...)
	}
	result.Seconds = time.Since(start).Seconds()
	return result, nil
}

// draw is one run: classes in, figures out.
type draw struct {
	classes []int
	seed    uint64
	ac, nmi float64
	seconds float64
}

// Draws returns n random choices of r of the given number of classes, each ascending. The same
// arguments give the same choices, whatever else is drawn.
func Draws(seed uint64, classes, r, n int) [][]int {
	rng := rand.New(rand.NewPCG(seed, uint64(r)))
	out := make([][]int, n)
	for i := range out {
		out[i] = slices.Sorted(slices.Values(rng.Perm(classes)[:r]))
	}
	return out
}

// dataset computes the cells of one corpus.
func (t LETable) dataset(ctx context.Context, d Dataset, all *corpus.Corpus) ([]LECell, error) {
	runs := make([][]draw, len(t.R))
	type job struct{ cell, draw int }
	var jobs []job
	for c, r := range t.R {
		if r < 1 || r > d.Classes {
			return nil, fmt.Errorf("%d classes cannot be drawn of %d", r, d.Classes)
		}
		for i, classes := range Draws(t.Seed, d.Classes, r, t.Draws) {
			runs[c] = append(runs[c], draw{classes: classes, seed: t.Seed + uint64(i)})
			jobs = append(jobs, job{c, i})
		}
	}
	workers := native.Threads()
	defer native.SetThreads(native.Threads())
	native.SetThreads(1)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	var mu sync.Mutex
	done := 0
	for _, j := range jobs {
		group.Go(func() error {
			if err := runs[j.cell][j.draw].run(ctx, all); err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			done++
			t.Observer.Report(d.Name, int64(done), int64(len(jobs)), "draws")
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	cells := make([]LECell, len(t.R))
	for c, r := range t.R {
		cells[c] = summarise(d.Name, r, runs[c])
	}
	return cells, nil
}

// run clusters the documents of the drawn classes.
func (d *draw) run(ctx context.Context, all *corpus.Corpus) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	start := time.Now()
	r := len(d.classes)
	names := make([]string, r)
	for i, k := range d.classes {
		names[i] = all.ClassNames[k]
	}
	part, err := all.Select(names)
	if err != nil {
		return err
	}
	opt := le.Options{Dims: r, Skip: le.SkipNone, Graph: graph.Options{Neighbors: leNeighbors, Weight: graph.Dot, Symmetry: graph.Union}}
	opt.Eigen.Seed = d.seed
	model, err := le.Fit(ctx, part.X, opt)
	if err != nil {
		return fmt.Errorf("classes %v: %w", d.classes, err)
	}
	clusters, err := kmeans.Fit(ctx, model.Embedding, kmeans.Options{K: r, Restarts: leRestarts, Seed: d.seed})
	if err != nil {
		return fmt.Errorf("classes %v: %w", d.classes, err)
	}
	scores, err := metrics.Score(part.Labels, clusters.Labels)
	if err != nil {
		return err
	}
	d.ac, d.nmi, d.seconds = scores.Accuracy, scores.NMI, time.Since(start).Seconds()
	return nil
}

// summarise averages the draws of a cell.
func summarise(dataset string, r int, runs []draw) LECell {
	ac, nmi := make([]float64, len(runs)), make([]float64, len(runs))
	cell := LECell{Dataset: dataset, R: r, Draws: len(runs), PaperAC: printed[dataset][r][0], PaperNMI: printed[dataset][r][1]}
	for i, d := range runs {
		ac[i], nmi[i] = d.ac, d.nmi
		cell.Seconds += d.seconds
	}
	cell.AC, cell.ACError = meanError(ac)
	cell.NMI, cell.NMIError = meanError(nmi)
	return cell
}

// meanError returns the mean and its standard error, s/√n with s from n−1 degrees of freedom; the error
// of a single value is 0.
func meanError(x []float64) (mean, standardError float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	if len(x) < 2 {
		return mean, 0
	}
	var sum float64
	for _, v := range x {
		sum += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(sum / (n - 1) / n)
}
