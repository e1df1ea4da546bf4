package papers

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
)

// tableOf runs the experiment and returns its table as CSV.
func tableOf(t *testing.T, e *Experiment, opt Options) string {
	t.Helper()
	run := must.Get(e.Run(context.Background(), opt))(t)
	return csvOf(t, e.view().Table(run))
}

func csvOf(t *testing.T, table *Table) string {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, table.WriteCSV(&b))
	return b.String()
}

func withThreads(t *testing.T, n int) {
	t.Helper()
	before := native.Threads()
	native.SetThreads(n)
	t.Cleanup(func() { native.SetThreads(before) })
}

func TestThreadsDoNotMatter(t *testing.T) {
	e := synthetic(t)
	var first string
	for _, threads := range race.Threads(1, 2, 5) {
		withThreads(t, threads)
		csv := tableOf(t, e, Options{})
		if first == "" {
			first = csv
		}
		if csv != first {
			t.Errorf("%d threads:\n%s\nnot\n%s", threads, csv, first)
		}
		if native.Threads() != threads {
			t.Errorf("%d threads became %d", threads, native.Threads())
		}
	}
}

// More tests, cases, rows and methods go on from fewer.
func TestLongerRunGoesOn(t *testing.T) {
	e := synthetic(t)
	want := tableOf(t, e, Options{})
	dir := cellsIn(t)
	steps := []Options{
		{Tests: 1, Cases: 1, Rows: []string{"3"}, Methods: []string{"labels"}},
		{Tests: 2, Cases: 2, Methods: []string{"labels"}},
		{Tests: 5, Cases: 4, Methods: []string{"kmeans", "labels"}}, // more than the last step
		{},
	}
	for i, opt := range steps {
		opt.Cells = dir
		if got := tableOf(t, e, opt); i == len(steps)-1 && got != want {
			t.Errorf("step by step:\n%s\nnot\n%s", got, want)
		}
	}
	run, err := e.Run(context.Background(), Options{Cells: dir})
	if err != nil || run.Computed != 0 || run.Cells != 24 {
		t.Errorf("%d of %d cells were computed again, %v", run.Computed, run.Cells, err)
	}
}

func TestInterruptedRunGoesOn(t *testing.T) {
	e := synthetic(t)
	want := tableOf(t, e, Options{})
	dir := cellsIn(t)
	for stop := int64(1); ; stop += 5 {
		ctx, cancel := context.WithCancel(context.Background())
		_, err := e.Run(ctx, Options{Cells: dir, Observer: func(ev progress.Event) {
			if ev.Unit == "cells" && ev.Done >= stop {
				cancel()
			}
		}})
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if got := tableOf(t, e, Options{Cells: dir}); got != want {
		t.Errorf("after interrupts:\n%s\nnot\n%s", got, want)
	}
}

func TestAnotherRunIsRefused(t *testing.T) {
	dir := cellsIn(t)
	tableOf(t, synthetic(t), Options{Cells: dir, Tests: 1})
	for name, change := range map[string]func(e *Experiment, opt *Options){
		"seed 0, not experiment synthetic, version 1, seed 5": func(_ *Experiment, opt *Options) { opt.Seed = 5 },
		"version 1, seed 0, not":                              func(e *Experiment, _ *Options) { e.Version++ },
		"another topics.mat":                                  func(e *Experiment, _ *Options) { e.load = loadAs(e, "other") },
		"experiment synthetic, version":                       func(e *Experiment, _ *Options) { e.Name = "two" },
	} {
		e := synthetic(t)
		opt := Options{Cells: dir, Tests: 1}
		change(e, &opt)
		_, err := e.Run(context.Background(), opt)
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "--fresh") || !strings.Contains(err.Error(), "--out") {
			t.Errorf("%s: error %v", name, err)
		}
		opt.Fresh = true
		opt.Cells = cellsIn(t)
		must.Do(t, os.CopyFS(opt.Cells, os.DirFS(dir)))
		if _, err := e.Run(context.Background(), opt); err != nil {
			t.Errorf("%s, fresh: %v", name, err)
		}
	}
}

// Two runs in one folder at once share the work and give the same table; a fresh run is refused
// beside one.
func TestRunsShareAFolder(t *testing.T) {
	e := synthetic(t)
	dir := cellsIn(t)
	want := tableOf(t, e, Options{})
	var once sync.Once
	var second sync.WaitGroup
	computed := 0
	run := must.Get(e.Run(context.Background(), Options{Cells: dir, Observer: func(ev progress.Event) {
		if ev.Unit != "cells" || ev.Done < 3 {
			return
		}
		once.Do(func() {
			if _, err := synthetic(t).Run(context.Background(), Options{Cells: dir, Fresh: true}); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "another run") {
				t.Errorf("a fresh run beside it: %v", err)
			}
			second.Add(1)
			go func() {
				defer second.Done()
				other := synthetic(t)
				run, err := other.Run(context.Background(), Options{Cells: dir})
				if err != nil {
					t.Error(err)
					return
				}
				computed = run.Computed
				if got := csvOf(t, other.view().Table(run)); got != want {
					t.Error("the second run has another table")
				}
			}()
		})
	}}))(t)
	second.Wait()
	if csvOf(t, e.view().Table(run)) != want || run.Computed+computed != run.Cells {
		t.Errorf("the runs computed %d and %d of %d cells, or the first has another table", run.Computed, computed, run.Cells)
	}
}

// An error of a cell names it and leaves the other cells in the checkpoint; a panic stays one.
func TestFailingCell(t *testing.T) {
	e := synthetic(t)
	want := tableOf(t, e, Options{})
	dir := cellsIn(t)
	broken := errors.New("broken")
	whole := e.Columns[3].score
	e.Columns[3].score = func(context.Context, *Unit, uint64) ([]float64, error) { return nil, broken }
	_, err := e.Run(context.Background(), Options{Cells: dir})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "synthetic: r = ") || !strings.Contains(err.Error(), "Labels 30 %") {
		t.Errorf("error %v", err)
	}
	e.Columns[3].score = func(context.Context, *Unit, uint64) ([]float64, error) { panic("defect") }
	func() {
		defer func() {
			if p, _ := recover().(string); !strings.HasPrefix(p, "defect") {
				t.Errorf("the panic became %q", p)
			}
		}()
		e.Run(context.Background(), Options{Cells: dir})
	}()
	e.Columns[3].score = whole
	if got := tableOf(t, e, Options{Cells: dir}); got != want {
		t.Error("the run after it is another one")
	}
}

func TestWrongRequests(t *testing.T) {
	e := synthetic(t)
	_, err := e.Run(context.Background(), Options{Rows: []string{"2", "9"}, Methods: []string{"svm"}})
	if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), `r = "9"`) || !strings.Contains(err.Error(), "2, 3") ||
		!strings.Contains(err.Error(), `"svm"`) || !strings.Contains(err.Error(), "kmeans, le, labels") {
		t.Errorf("error %v", err)
	}
	if _, err := Find("cle/table9"); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "cle/table3") {
		t.Errorf("error %v", err)
	}
	for name, n := range map[string]int{"cle/table3": 1, "cle": 3, "all": len(Views())} {
		if found, err := Find(name); err != nil || len(found) != n {
			t.Errorf("%s is %d views, %v", name, len(found), err)
		}
	}
}

func TestMissingCorpusIsSaid(t *testing.T) {
	for _, dir := range []string{"", t.TempDir()} {
		_, err := Views()[0].Experiment.Run(context.Background(), Options{Dir: dir})
		var missing *DataError
		if !errors.As(err, &missing) || !errors.Is(err, fs.ErrNotExist) || missing.File != "TDT2.mat" || !strings.Contains(err.Error(), "--data") {
			t.Errorf("error %v", err)
		}
	}
}

func TestDrawsAreDistinctSortedAndRepeatable(t *testing.T) {
	for r := 2; r <= 6; r++ {
		draws := Draws(5, 30, r, 20)
		for _, classes := range draws {
			if len(classes) != r || !slices.IsSorted(classes) || len(slices.Compact(slices.Clone(classes))) != r || classes[0] < 0 || classes[r-1] >= 30 {
				t.Errorf("draw %v of %d classes", classes, r)
			}
		}
		if !reflect.DeepEqual(draws, Draws(5, 30, r, 20)) {
			t.Error("the same seed gave other draws")
		}
		if !reflect.DeepEqual(draws[:3], Draws(5, 30, r, 3)) {
			t.Error("fewer draws are not the first ones of more")
		}
	}
}

// Cases have labels of their own, and the seed follows from what the comment says.
func TestLabelSeeds(t *testing.T) {
	seen := map[uint64]bool{}
	for seed := range uint64(2) {
		for _, row := range []string{"2", "3"} {
			for test := range 3 {
				for _, share := range cleShares {
					for n := range 10 {
						seen[LabelSeed(seed, row, test, share, n)] = true
					}
				}
			}
		}
	}
	if len(seen) != 2*2*3*4*10 {
		t.Errorf("%d different seeds", len(seen))
	}
	// printf 'labels 0 2 3 0.05 4' | sha256sum
	if got := LabelSeed(0, "2", 3, 0.05, 4); got != 0x6df781b096bf5738 {
		t.Errorf("seed %x", got)
	}
	u := must.Get(drawClasses(topics(t, 6, 20), Row{Key: "3", Value: 3}, 1, 0, graph.Options{}))(t)
	known := must.Get(labels.Draw(u.Truth, 0.1, LabelSeed(0, "3", 1, 0.1, 0)))(t)
	count := 0
	for i, k := range known {
		if k != labels.Unknown {
			count++
			if k != u.Truth[i] {
				t.Error("a label is wrong")
			}
		}
	}
	if count != 6 {
		t.Errorf("%d labels, not two of each class", count)
	}
}

func loadAs(e *Experiment, sum string) func(context.Context, string) (*corpus.Corpus, string, error) {
	load := e.load
	return func(ctx context.Context, dir string) (*corpus.Corpus, string, error) {
		c, _, err := load(ctx, dir)
		return c, sum, err
	}
}
