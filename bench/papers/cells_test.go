package papers

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/progress"
)

// cellsIn is a new folder of cells that is not there yet.
func cellsIn(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "synthetic"+CellsEnding)
}

// pieces lists the pieces in a folder of cells.
func pieces(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.piece"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d pieces, %v", len(files), err)
	}
	return files
}

// noted runs an experiment and returns its table and what was noted.
func noted(t *testing.T, e *Experiment, opt Options) (table, notes string) {
	t.Helper()
	opt.Observer = func(ev progress.Event) { notes += ev.Message + "\n" }
	return tableOf(t, e, opt), notes
}

// One flipped bit, wherever it is, a cut and another unit's piece are refused by name, and what
// they had is computed again: no table is another one.
func TestDamagedCellsAreNotTrusted(t *testing.T) {
	e := synthetic(t)
	e.Tests = 1
	dir := cellsIn(t)
	want := tableOf(t, e, Options{Cells: dir})
	files := pieces(t, dir)
	path, tried, refused := files[0], 0, 0
	good := must.Get(os.ReadFile(path))(t)
	try := func(name string, text []byte) {
		t.Helper()
		must.Do(t, os.WriteFile(path, text, 0o666))
		got, said := noted(t, e, Options{Cells: dir})
		if got != want {
			t.Errorf("%s: the table is another one", name)
		}
		if tried++; strings.Contains(said, path+": the piece is refused") {
			refused++
		}
	}
	step := 1
	if testing.Short() {
		step = 17
	}
	for at := 0; at < len(good); at += step {
		text := bytes.Clone(good)
		text[at] ^= 1 << (at % 8)
		try("a flipped bit", text)
		try("cut", good[:at])
	}
	other := must.Get(os.ReadFile(files[1]))(t)
	try("another unit's", other)
	// The case of a letter in a name of JSON does not count.
	if refused < tried*95/100 {
		t.Errorf("%d of %d damaged pieces are refused", refused, tried)
	}
}

// Scores that no metric has are refused, even with a checksum that is right.
func TestScoresOutOfRange(t *testing.T) {
	for name, bad := range map[string]storedCell{
		"large": {"kmeans", [][]float64{{1.5, 0.5, 0.5}}, 1}, "negative": {"kmeans", [][]float64{{-0.25, 0.5, 0.5}}, 1},
		"seconds": {"kmeans", [][]float64{{0.5, 0.5, 0.5}}, -1}, "metrics": {"kmeans", [][]float64{{0.5}}, 1},
		"column": {"", [][]float64{{0.5, 0.5, 0.5}}, 1}, "no cases": {"kmeans", nil, 1},
	} {
		e := synthetic(t)
		dir := cellsIn(t)
		want := tableOf(t, e, Options{Cells: dir, Tests: 1})
		c, err := e.openCells(Options{Cells: dir}, &corpora{sum: "sum"})
		if err != nil {
			t.Fatal(err)
		}
		u := unitKey{e.Rows[0].Key, 0}
		err = c.store.Write(cellsKind, c.key(u), func(enc *store.Encoder) { enc.Value([]storedCell{bad}) })
		c.close()
		if err != nil {
			t.Fatal(err)
		}
		if got, said := noted(t, e, Options{Cells: dir, Tests: 1}); got != want || !strings.Contains(said, "no metric has") {
			t.Errorf("%s: the same table %v, notes %q", name, got == want, said)
		}
	}
}

// Checkpoints of earlier versions are refused by name, with the way out, and a fresh run removes
// them and nothing else.
func TestOldCheckpoints(t *testing.T) {
	e := synthetic(t)
	for _, name := range []string{"synthetic.checkpoint", "synthetic.block-2-of-8.checkpoint"} {
		dir := cellsIn(t)
		old := filepath.Join(filepath.Dir(dir), name)
		others := []string{"synthetic.block-notes.checkpoint", "synthetic.checkpoint.txt", "synthetic-2.checkpoint"}
		for _, file := range append(others, name) {
			must.Do(t, os.WriteFile(filepath.Join(filepath.Dir(dir), file), []byte("my notes"), 0o666))
		}
		for _, opt := range []Options{{}, {Block: Block{1, 2}}} {
			opt.Cells = dir
			_, err := e.Run(context.Background(), opt)
			if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), old) || !strings.Contains(err.Error(), "--out") || opt.Block.All() != strings.Contains(err.Error(), "--fresh") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: a folder of cells was made", name)
		}
		if _, err := e.Run(context.Background(), Options{Cells: dir, Fresh: true}); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(old); err == nil {
			t.Errorf("%s is still there", name)
		}
		for _, file := range others {
			if _, err := os.Stat(filepath.Join(filepath.Dir(dir), file)); err != nil {
				t.Error(err)
			}
		}
	}
}
