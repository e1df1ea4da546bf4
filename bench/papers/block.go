package papers

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/lock"
)

// Block is a part of an experiment's units: number Number of Of, counted from 1. The zero value is
// all of them. The blocks of one experiment can be computed at the same time, on several machines
// that share the folder; each keeps its cells in a checkpoint of its own.
type Block struct{ Number, Of int }

// All says whether the block is the whole.
func (b Block) All() bool { return b == Block{} }

// Validate checks the numbers.
func (b Block) Validate() error {
	if !b.All() && (b.Of < 1 || b.Number < 1 || b.Number > b.Of) {
		return invalid.Errorf("block %d of %d: blocks are counted from 1 up to how many there are", b.Number, b.Of)
	}
	return nil
}

// has says whether the block has the unit of a test and of a row by its number. Each block has its
// share of the tests of every row, whose units take about the same time.
func (b Block) has(test, row int) bool { return b.All() || (test+row)%b.Of == b.Number-1 }

// checkpointEnding is that of the names of checkpoints.
const checkpointEnding = ".checkpoint"

// file is the block's checkpoint beside that of the whole at path.
func (b Block) file(path string) string {
	if b.All() || path == "" {
		return path
	}
	name, ending := cutEnding(path)
	return fmt.Sprintf("%s.block-%d-of-%d%s", name, b.Number, b.Of, ending)
}

func cutEnding(path string) (name, ending string) {
	if name, found := strings.CutSuffix(path, checkpointEnding); found {
		return name, checkpointEnding
	}
	return path, ""
}

// besides opens the checkpoints of the run beside the block's own and locks those that must not be
// at work: of the whole, all blocks; of a block, the whole. Other blocks may be at work beside a
// block. The caller closes the files, and no run begins to work on the locked ones before.
func (b Block) besides(path string) (files []*os.File, err error) {
	defer func() {
		if err != nil {
			closeAll(files)
			files = nil
		}
	}()
	name, ending := cutEnding(path)
	dir, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	part := regexp.MustCompile("^" + regexp.QuoteMeta(filepath.Base(name)) + `\.block-[1-9][0-9]*-of-[1-9][0-9]*` + regexp.QuoteMeta(ending) + "$")
	for _, entry := range dir {
		file := filepath.Join(filepath.Dir(path), entry.Name())
		whole := entry.Name() == filepath.Base(path)
		if !whole && !part.MatchString(entry.Name()) || !entry.Type().IsRegular() || file == b.file(path) {
			continue
		}
		f, err := os.Open(file)
		if err != nil {
			return files, err
		}
		files = append(files, f)
		if whole || b.All() {
			if err := occupy(f, lock.Shared); err != nil {
				return files, err
			}
		}
	}
	return files, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}

// patience is how long a lock is waited for: another run may hold it for a moment, to see whether
// the file is at work.
const patience = time.Second

// occupy takes a lock of a checkpoint.
func occupy(f *os.File, take func(*os.File) error) error {
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		err := take(f)
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, lock.ErrHeld):
			return &fs.PathError{Op: "lock", Path: f.Name(), Err: err}
		case time.Since(began) > patience:
			return invalid.Errorf("%s: another run is at work on it: wait until it is done, or give another --out", f.Name())
		}
	}
}
