package papers

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

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

// beside lists the checkpoints of the run beside the block's own: those of other blocks, and that
// of the whole at path. Other blocks may be at work while a block is; the whole may not, and needs
// all blocks to have ended.
func (b Block) beside(path string) (files []string, err error) {
	if path == "" {
		return nil, nil
	}
	name, ending := cutEnding(path)
	dir, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	prefix := filepath.Base(name) + ".block-"
	for _, entry := range dir {
		whole := entry.Name() == filepath.Base(path)
		part := strings.HasPrefix(entry.Name(), prefix) && strings.HasSuffix(entry.Name(), ending)
		file := filepath.Join(filepath.Dir(path), entry.Name())
		if !whole && !part || file == b.file(path) {
			continue
		}
		if whole || b.All() {
			if err := idle(file); err != nil {
				return nil, err
			}
		}
		files = append(files, file)
	}
	return files, nil
}

// others reads the lines of the checkpoints beside the block's own. fresh removes them instead.
func (b Block) others(path string, head header, metrics []Metric, fresh bool) (lines []line, err error) {
	files, err := b.beside(path)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if fresh {
			if err := os.Remove(file); err != nil {
				return nil, err
			}
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		some, _, err := newCheckpoint(file, head, metrics).read(text)
		if err != nil {
			return nil, err
		}
		lines = append(lines, some...)
	}
	return lines, nil
}

// idle refuses a checkpoint that another run works on.
func idle(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	switch err := lock.File(f); {
	case errors.Is(err, lock.ErrHeld):
		return invalid.Errorf("%s: another run is at work on it: wait until it is done", path)
	case err != nil:
		return &fs.PathError{Op: "lock", Path: path, Err: err}
	}
	return nil
}
