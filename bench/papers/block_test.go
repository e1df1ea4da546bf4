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

	"github.com/eigenmap/eigenmap/internal/lock"
)

// Blocks that run at the same time, each in its own file, give the table of one run, which then
// computes nothing.
func TestBlocks(t *testing.T) {
	e := synthetic(t)
	want := tableOf(t, e, Options{})
	path := filepath.Join(t.TempDir(), "synthetic.checkpoint")
	const blocks = 3
	var together sync.WaitGroup
	cells := make([]int, blocks)
	for i := range blocks {
		together.Add(1)
		go func() {
			defer together.Done()
			run, err := synthetic(t).Run(context.Background(), Options{Checkpoint: path, Block: Block{i + 1, blocks}})
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
	run, err := e.Run(context.Background(), Options{Checkpoint: path})
	if err != nil {
		t.Fatal(err)
	}
	if got := csvOf(t, e.view().Table(run)); got != want || run.Computed != 0 || fmt.Sprint(cells) != "[8 8 8]" {
		t.Errorf("%d cells computed after blocks of %v, and the same table: %v", run.Computed, cells, got == want)
	}
	if run, err = e.Run(context.Background(), Options{Checkpoint: path, Fresh: true}); err != nil || run.Computed != run.Cells {
		t.Errorf("a fresh run: %v", err)
	}
	if files, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(files) != 1 {
		t.Errorf("after a fresh run: %v", files)
	}
}

// A block goes on from what the whole and other blocks have, whatever the order of the files: one
// cell's cases may be divided among them.
func TestBlocksGoOn(t *testing.T) {
	e := synthetic(t)
	want := tableOf(t, e, Options{})
	path := filepath.Join(t.TempDir(), "synthetic.checkpoint")
	run := func(opt Options) *Run {
		t.Helper()
		opt.Checkpoint = path
		r, err := e.Run(context.Background(), opt)
		if err != nil {
			t.Fatal(err)
		}
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
	// Without the file with the first cases of a cell, its later ones are computed again.
	if err := os.Remove(Block{2, 2}.file(path)); err != nil {
		t.Fatal(err)
	}
	if r := run(Options{}); csvOf(t, e.view().Table(r)) != want || r.Computed == 0 {
		t.Errorf("%d cells computed without a block, or another table", r.Computed)
	}
	// The same where no other file is left.
	for _, b := range []Block{{1, 2}, {1, 1}} {
		if err := os.Remove(b.file(path)); err != nil {
			t.Fatal(err)
		}
	}
	if r := run(Options{}); csvOf(t, e.view().Table(r)) != want || r.Computed == 0 {
		t.Errorf("%d cells computed without any block, or another table", r.Computed)
	}
}

// Blocks that start at the same moment beside a finished run of the whole do not refuse each other.
func TestBlocksStartTogether(t *testing.T) {
	e := synthetic(t)
	path := filepath.Join(t.TempDir(), "synthetic.checkpoint")
	if _, err := e.Run(context.Background(), Options{Checkpoint: path}); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		var together sync.WaitGroup
		for i := range 8 {
			together.Add(1)
			go func() {
				defer together.Done()
				c, err := openCheckpoint(path, Block{i + 1, 8}, e.header(0, &corpora{sum: "sum"}), e.Metrics, false)
				if err != nil {
					t.Error(err)
					return
				}
				c.close()
			}()
		}
		together.Wait()
	}
}

// A fresh run that is refused removes nothing, and one that is not leaves files of other names.
func TestFreshBesideBlocks(t *testing.T) {
	e := synthetic(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "synthetic.checkpoint")
	if _, err := e.Run(context.Background(), Options{Checkpoint: path, Block: Block{1, 2}}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"synthetic.block-notes.checkpoint", "synthetic.block-1-of-2.checkpoint.txt", "synthetic-2.block-1-of-2.checkpoint"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("my notes"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "synthetic.block-3-of-4.checkpoint"), 0o777); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := lock.File(f); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Run(context.Background(), Options{Checkpoint: path, Fresh: true}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a fresh run beside one at work: %v", err)
	}
	if _, err := os.Stat(Block{1, 2}.file(path)); err != nil {
		t.Errorf("the block is gone: %v", err)
	}
	f.Close()
	if _, err := e.Run(context.Background(), Options{Checkpoint: path, Fresh: true}); err != nil {
		t.Fatal(err)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) != 5 {
		t.Errorf("after a fresh run: %v", files)
	}
}

// Blocks of another run, damaged ones and ones at work are refused.
func TestBlocksRefused(t *testing.T) {
	e := synthetic(t)
	path := filepath.Join(t.TempDir(), "synthetic.checkpoint")
	if _, err := e.Run(context.Background(), Options{Checkpoint: path, Block: Block{1, 2}}); err != nil {
		t.Fatal(err)
	}
	own := Block{1, 2}.file(path)
	refused := func(name, says string, opt Options) {
		t.Helper()
		opt.Checkpoint = path
		if _, err := e.Run(context.Background(), opt); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	refused("another seed", own, Options{Seed: 1})
	refused("a block that starts anew", "anew", Options{Block: Block{1, 2}, Fresh: true})
	for _, b := range []Block{{0, 2}, {3, 2}, {1, 0}, {-1, -1}} {
		refused(fmt.Sprint(b), "counted from 1", Options{Block: b})
	}
	f, err := os.Open(own)
	if err != nil {
		t.Fatal(err)
	}
	if err := lock.File(f); err != nil {
		t.Fatal(err)
	}
	refused("the whole beside a block at work", own, Options{})
	refused("a fresh run beside a block at work", own, Options{Fresh: true})
	if _, err := e.Run(context.Background(), Options{Checkpoint: path, Block: Block{2, 2}}); err != nil {
		t.Errorf("a block beside another one at work: %v", err)
	}
	f.Close()
	good, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	good[len(good)/2] ^= 1
	if err := os.WriteFile(own, good, 0o666); err != nil {
		t.Fatal(err)
	}
	refused("a damaged block", "--fresh", Options{})
	refused("a damaged block, by itself", "remove the file", Options{Block: Block{1, 2}})
	refused("a block of another run", "remove the file", Options{Block: Block{1, 3}, Seed: 1})
}
