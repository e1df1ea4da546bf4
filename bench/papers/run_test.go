package papers

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
)

// tableOf runs the experiment and returns its table as CSV.
func tableOf(t *testing.T, e *Experiment, opt Options) string {
	t.Helper()
	run, err := e.Run(context.Background(), opt)
	if err != nil {
		t.Fatal(err)
	}
	return csvOf(t, e.view().Table(run))
}

func csvOf(t *testing.T, table *Table) string {
	t.Helper()
	var b bytes.Buffer
	if err := table.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
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
	for _, threads := range []int{1, 2, 5} {
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

// A checkpoint cut at any byte gives the table of an undisturbed run, and so does one that was cut
// twice.
func TestResumeFromEveryByte(t *testing.T) {
	e := synthetic(t)
	e.Tests = 1
	e.Columns = slices.Concat(e.Columns[:1], e.Columns[2:])
	want := tableOf(t, e, Options{})
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole")
	if got := tableOf(t, e, Options{Checkpoint: whole}); got != want {
		t.Fatal("the table with a checkpoint is another one")
	}
	text, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	step := 1
	if testing.Short() {
		step = 17
	}
	for cut := 0; cut <= len(text); cut += step {
		path := filepath.Join(dir, "cut")
		if err := os.WriteFile(path, text[:cut], 0o666); err != nil {
			t.Fatal(err)
		}
		if got := tableOf(t, e, Options{Checkpoint: path}); got != want {
			t.Fatalf("cut after %d bytes of %d:\n%s\nnot\n%s", cut, len(text), got, want)
		}
		again, _ := os.ReadFile(path)
		if lines := bytes.Count(again, []byte("\n")); lines != bytes.Count(text, []byte("\n")) {
			t.Fatalf("cut after %d bytes: %d lines in the end", cut, lines)
		}
	}
}

// More tests, cases, rows and methods go on from fewer.
func TestLongerRunGoesOn(t *testing.T) {
	e := synthetic(t)
	want := tableOf(t, e, Options{})
	path := filepath.Join(t.TempDir(), "check")
	steps := []Options{
		{Tests: 1, Cases: 1, Rows: []string{"3"}, Methods: []string{"labels"}},
		{Tests: 2, Cases: 2, Methods: []string{"labels"}},
		{Tests: 5, Cases: 4, Methods: []string{"kmeans", "labels"}}, // more than the last step
		{},
	}
	for i, opt := range steps {
		opt.Checkpoint = path
		if got := tableOf(t, e, opt); i == len(steps)-1 && got != want {
			t.Errorf("step by step:\n%s\nnot\n%s", got, want)
		}
	}
	run, err := e.Run(context.Background(), Options{Checkpoint: path})
	if err != nil || run.Computed != 0 || run.Cells != 24 {
		t.Errorf("%d of %d cells were computed again, %v", run.Computed, run.Cells, err)
	}
}

func TestInterruptedRunGoesOn(t *testing.T) {
	e := synthetic(t)
	want := tableOf(t, e, Options{})
	path := filepath.Join(t.TempDir(), "check")
	for stop := int64(1); ; stop += 5 {
		ctx, cancel := context.WithCancel(context.Background())
		_, err := e.Run(ctx, Options{Checkpoint: path, Observer: func(ev progress.Event) {
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
	if got := tableOf(t, e, Options{Checkpoint: path}); got != want {
		t.Errorf("after interrupts:\n%s\nnot\n%s", got, want)
	}
}

func TestAnotherRunIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "check")
	tableOf(t, synthetic(t), Options{Checkpoint: path, Tests: 1})
	for name, change := range map[string]func(e *Experiment, opt *Options){
		"seed 0, not 5":                 func(_ *Experiment, opt *Options) { opt.Seed = 5 },
		"another version":               func(e *Experiment, _ *Options) { e.Version++ },
		"another topics.mat":            func(e *Experiment, _ *Options) { e.load = loadAs(e, "other") },
		"experiment synthetic, not two": func(e *Experiment, _ *Options) { e.Name = "two" },
	} {
		e := synthetic(t)
		opt := Options{Checkpoint: path, Tests: 1}
		change(e, &opt)
		_, err := e.Run(context.Background(), opt)
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "--fresh") || !strings.Contains(err.Error(), "--out") {
			t.Errorf("%s: error %v", name, err)
		}
		opt.Fresh = true
		opt.Checkpoint = filepath.Join(t.TempDir(), "copy")
		text, _ := os.ReadFile(path)
		os.WriteFile(opt.Checkpoint, text, 0o666)
		if _, err := e.Run(context.Background(), opt); err != nil {
			t.Errorf("%s, fresh: %v", name, err)
		}
	}
}

func TestForeignFileIsRefused(t *testing.T) {
	e := synthetic(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "check")
	tableOf(t, e, Options{Checkpoint: path, Tests: 1})
	good, _ := os.ReadFile(path)
	lines := bytes.SplitAfter(good, []byte("\n"))
	for name, text := range map[string][]byte{
		"no checkpoint": []byte("a letter\nto somebody\n"),
		"line 2":        slices.Concat(lines[0], []byte("{}\n"), lines[1]),
		"line 3":        slices.Concat(lines[0], lines[1], []byte("\x00\x00\n")),
		"line 4":        slices.Concat(lines[0], lines[1], lines[2], bytes.Replace(lines[3], []byte(`"case":0`), []byte(`"case":7`), 1)),
	} {
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := e.Run(context.Background(), Options{Checkpoint: path, Tests: 1})
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "--fresh") {
			t.Errorf("%s: error %v", name, err)
		}
		if now, _ := os.ReadFile(path); !bytes.Equal(now, text) {
			t.Errorf("%s: the file was changed", name)
		}
	}
}

// Of two runs at once the second is refused; it may run after the first.
func TestCheckpointIsLocked(t *testing.T) {
	e := synthetic(t)
	path := filepath.Join(t.TempDir(), "check")
	var once sync.Once
	want := tableOf(t, e, Options{})
	got := tableOf(t, e, Options{Checkpoint: path, Observer: func(ev progress.Event) {
		if ev.Unit != "cells" || ev.Done < 3 {
			return
		}
		once.Do(func() {
			for _, fresh := range []bool{false, true} {
				_, err := e.Run(context.Background(), Options{Checkpoint: path, Fresh: fresh})
				if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "another run") {
					t.Errorf("fresh %v: error %v", fresh, err)
				}
			}
		})
	}})
	if got != want {
		t.Error("the first run was disturbed")
	}
	if got := tableOf(t, e, Options{Checkpoint: path}); got != want {
		t.Error("the run after it is another one")
	}
}

// An error of a cell names it and leaves the other cells in the checkpoint; a panic stays one.
func TestFailingCell(t *testing.T) {
	e := synthetic(t)
	want := tableOf(t, e, Options{})
	path := filepath.Join(t.TempDir(), "check")
	broken := errors.New("broken")
	whole := e.Columns[3].score
	e.Columns[3].score = func(context.Context, *Unit, uint64) ([]float64, error) { return nil, broken }
	_, err := e.Run(context.Background(), Options{Checkpoint: path})
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
		e.Run(context.Background(), Options{Checkpoint: path})
	}()
	e.Columns[3].score = whole
	if got := tableOf(t, e, Options{Checkpoint: path}); got != want {
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
	u, err := drawClasses(topics(t, 6, 20), Row{Key: "3", Value: 3}, 1, 0, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	known, err := labels.Draw(u.Truth, 0.1, LabelSeed(0, "3", 1, 0.1, 0))
	if err != nil {
		t.Fatal(err)
	}
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
