package papers

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/store"
)

// Blocks that run at the same time in one folder give the table of one run, which then computes
// nothing.
func TestBlocks(t *testing.T) {
	e := synthetic(t)
	want := tableOf(t, e, Options{})
	dir := cellsIn(t)
	const blocks = 3
	var together sync.WaitGroup
	cells := make([]int, blocks)
	for i := range blocks {
		together.Add(1)
		go func() {
			defer together.Done()
			run, err := synthetic(t).Run(context.Background(), Options{Cells: dir, Block: Block{i + 1, blocks}})
			if err != nil {
				t.Error(err)
				return
			}
			cells[i] = run.Computed
			if run.Computed != run.Cells {
				t.Errorf("block %d computed %d of its %d cells", i+1, run.Computed, run.Cells)
			}
		}()
	}
	together.Wait()
	run, err := e.Run(context.Background(), Options{Cells: dir})
	if err != nil {
		t.Fatal(err)
	}
	if got := csvOf(t, e.view().Table(run)); got != want || run.Computed != 0 || fmt.Sprint(cells) != "[8 8 8]" {
		t.Errorf("%d cells computed after blocks of %v, and the same table: %v", run.Computed, cells, got == want)
	}
	if run, err = e.Run(context.Background(), Options{Cells: dir, Fresh: true}); err != nil || run.Computed != run.Cells {
		t.Errorf("a fresh run: %v", err)
	}
}

// A block goes on from what the whole and other blocks have: one cell's cases may be from several
// runs. What is removed is computed again.
func TestBlocksGoOn(t *testing.T) {
	e := synthetic(t)
	want := tableOf(t, e, Options{})
	dir := cellsIn(t)
	run := func(opt Options) *Run {
		t.Helper()
		opt.Cells = dir
		r := must.Get(e.Run(context.Background(), opt))(t)
		return r
	}
	run(Options{Block: Block{2, 2}, Cases: 1})
	run(Options{Tests: 1, Cases: 1})
	if r := run(Options{Block: Block{1, 2}}); r.Cells != 12 || r.Computed != 10 {
		t.Errorf("the block computed %d of %d cells", r.Computed, r.Cells) // k-means and LE of one unit were there
	}
	run(Options{Block: Block{1, 1}})
	r := run(Options{})
	if got := csvOf(t, e.view().Table(r)); got != want || r.Computed != 0 {
		t.Errorf("%d cells computed, and the same table: %v", r.Computed, got == want)
	}
	must.Do(t, os.Remove(pieces(t, dir)[0]))
	if r := run(Options{}); csvOf(t, e.view().Table(r)) != want || r.Computed != 4 {
		t.Errorf("%d cells computed without a piece, or another table", r.Computed)
	}
}

// Cells of machines that share no folder are merged: by the store, or by copying the pieces.
func TestCellsOfSeveralFolders(t *testing.T) {
	e := synthetic(t)
	want := tableOf(t, e, Options{})
	dirs := []string{cellsIn(t), cellsIn(t)}
	for i, dir := range dirs {
		if _, err := e.Run(context.Background(), Options{Cells: dir, Block: Block{i + 1, 2}}); err != nil {
			t.Fatal(err)
		}
	}
	merged := cellsIn(t)
	s := must.Get(store.Open(merged, e.header(0, mustCorpora(t, e))))(t)
	for _, dir := range dirs {
		if n, err := s.Merge(dir); err != nil || n != len(pieces(t, dir)) {
			t.Errorf("%d pieces of %s merged: %v", n, dir, err)
		}
	}
	for _, path := range pieces(t, dirs[1]) {
		text := must.Get(os.ReadFile(path))(t)
		must.Do(t, os.WriteFile(filepath.Join(dirs[0], filepath.Base(path)), text, 0o666))
	}
	for _, dir := range []string{merged, dirs[0]} {
		r, err := e.Run(context.Background(), Options{Cells: dir})
		if err != nil || r.Computed != 0 || csvOf(t, e.view().Table(r)) != want {
			t.Errorf("%s: %d cells computed, or another table: %v", dir, r.Computed, err)
		}
	}
}

func mustCorpora(t *testing.T, e *Experiment) *corpora {
	t.Helper()
	data := must.Get(e.corpora(context.Background(), ""))(t)
	return data
}

// Blocks of another run and wrong ones are refused.
func TestBlocksRefused(t *testing.T) {
	e := synthetic(t)
	dir := cellsIn(t)
	if _, err := e.Run(context.Background(), Options{Cells: dir, Block: Block{1, 2}}); err != nil {
		t.Fatal(err)
	}
	refused := func(name, says string, opt Options) {
		t.Helper()
		opt.Cells = dir
		if _, err := e.Run(context.Background(), opt); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	refused("another seed", dir, Options{Seed: 1})
	refused("a block of another seed", "remove what is there", Options{Seed: 1, Block: Block{1, 2}})
	refused("a block that starts anew", "anew", Options{Block: Block{1, 2}, Fresh: true})
	for _, b := range []Block{{0, 2}, {3, 2}, {1, 0}, {-1, -1}} {
		refused(fmt.Sprint(b), "counted from 1", Options{Block: b})
	}
}
