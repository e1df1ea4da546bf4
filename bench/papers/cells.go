package papers

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/lock"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/native"
)

// CellsEnding is the ending of the names of folders of cells.
const CellsEnding = ".cells"

// cellsKind is the kind of their pieces, one for each unit.
const cellsKind = "cells"

// unitKey names a unit.
type unitKey struct {
	row  string
	test int
}

// cellKey names a cell.
type cellKey struct {
	unitKey
	column string
}

// cell holds the known scores of a cell.
type cell struct {
	scores  [][]float64 // by case and metric of the column
	seconds float64     // one thread's, for all its cases
}

// storedCell is a cell in the piece of its unit.
type storedCell struct {
	Column  string      `json:"column"`
	Scores  [][]float64 `json:"scores"` // with all digits
	Seconds float64     `json:"seconds"`
}

// cells are the cells of an experiment, and the folder that keeps them if there is one. They are
// safe for several goroutines.
type cells struct {
	of    *Experiment
	store *store.Store // nil: nothing is kept
	mu    sync.Mutex
	known map[cellKey]cell
	added int // by this run
}

// openCells opens the folder that keeps the cells of a run; fresh empties it. Without a folder
// nothing is kept.
func (e *Experiment) openCells(opt Options, data *corpora) (*cells, error) {
	c := &cells{of: e, known: map[cellKey]cell{}}
	if opt.Cells == "" {
		return c, nil
	}
	wayOut := "give --fresh to throw away what is there, or another --out"
	if !opt.Block.All() {
		wayOut = "remove what is there, or give another --out"
	}
	if opt.Fresh {
		switch err := store.Clear(opt.Cells); {
		case errors.Is(err, lock.ErrHeld):
			return nil, invalid.Errorf("%s: another run is at work on it: wait until it is done, or give another --out", opt.Cells)
		case err != nil:
			return nil, err
		}
	}
	if err := checkOld(opt.Cells, opt.Fresh, wayOut); err != nil {
		return nil, err
	}
	s, err := store.Open(opt.Cells, e.header(opt.Seed, data))
	var foreign *store.ForeignError
	if errors.As(err, &foreign) {
		return nil, invalid.Errorf("%s: its cells are of another run (%s): %s", opt.Cells, differ(foreign.There, foreign.Own), wayOut)
	} else if err != nil {
		return nil, err
	}
	s.Note = func(text string) { opt.Observer.Notef(e.Name, "%s", text) }
	c.store = s
	return c, nil
}

// header is all that the figures of all cells depend on.
func (e *Experiment) header(seed uint64, data *corpora) store.Header {
	h := store.Header{Program: fmt.Sprintf("experiment %s, version %d, seed %d", e.Name, e.Version, seed), Engine: native.Info().Backend,
		Data: e.Corpus.File + " " + data.sum}
	if len(data.files) > 0 {
		var lines []string
		for _, f := range data.files {
			lines = append(lines, f.File+" "+f.SHA256)
		}
		h.Data = strings.Join(lines, "\n")
	}
	return h
}

// differ names the first difference of two headers.
func differ(there, own store.Header) string {
	switch {
	case there.Format != own.Format:
		return "an earlier version's"
	case there.Program != own.Program:
		return there.Program + ", not " + own.Program
	case there.Engine != own.Engine:
		return fmt.Sprintf("--backend %s, not %s", there.Engine, own.Engine)
	}
	theirs := strings.Split(there.Data, "\n")
	for i, line := range strings.Split(own.Data, "\n") {
		file, sum, _ := cutLast(line)
		switch {
		case i < len(theirs) && line == theirs[i]:
			continue
		case i < len(theirs) && theirs[i] == file+" ":
			return "without " + file
		case sum == "":
			return "with " + file + ", which is not there now"
		}
		return "another " + file
	}
	return "other corpora"
}

// cutLast cuts a line at its last blank.
func cutLast(line string) (before, after string, found bool) {
	at := strings.LastIndexByte(line, ' ')
	return line[:max(at, 0)], line[at+1:], at >= 0
}

// checkOld refuses the checkpoints of earlier versions of the program beside a folder of cells;
// fresh removes them.
func checkOld(dir string, fresh bool, wayOut string) error {
	name := strings.TrimSuffix(filepath.Base(dir), CellsEnding)
	entries, err := os.ReadDir(filepath.Dir(dir))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	old := regexp.MustCompile("^" + regexp.QuoteMeta(name) + `(\.block-[1-9][0-9]*-of-[1-9][0-9]*)?\.checkpoint$`)
	for _, entry := range entries {
		path := filepath.Join(filepath.Dir(dir), entry.Name())
		switch {
		case !old.MatchString(entry.Name()) || !entry.Type().IsRegular():
		case !fresh:
			return invalid.Errorf("%s: it is a checkpoint of an earlier version of the program, which this one does not read: finish its table with that version, or %s", path, wayOut)
		default:
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	return nil
}

// key is the key of a unit's piece.
func (c *cells) key(u unitKey) store.Key {
	h := store.NewHasher("cells 1")
	h.Text(c.of.Protocol)
	for _, m := range c.of.Metrics {
		h.Text(m.Key)
	}
	h.Text(u.row)
	h.Ints([]int{u.test})
	return h.Key()
}

// occupy takes the lock of a unit, for this process alone; release is nil if another one has it. It
// takes in what the folder has of the unit.
func (c *cells) occupy(u unitKey) (release func(), err error) {
	if c.store == nil {
		return func() {}, nil
	}
	if release, err = c.store.Lock(cellsKind, c.key(u)); release == nil || err != nil {
		return nil, err
	}
	if err = c.load(u); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// load takes in what the folder has of a unit. Cells with fewer cases than are known are left out.
func (c *cells) load(u unitKey) error {
	if c.store == nil {
		return nil
	}
	var list []storedCell
	found, err := c.store.Read(cellsKind, c.key(u), func(d *store.Decoder) {
		if d.Value(&list); !d.Failed() && slices.ContainsFunc(list, func(s storedCell) bool { return !c.fits(s) }) {
			d.Fail("it has scores that no metric has")
		}
	})
	if !found {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range list {
		if k := (cellKey{u, s.Column}); len(s.Scores) > len(c.known[k].scores) {
			c.known[k] = cell{s.Scores, s.Seconds}
		}
	}
	return nil
}

// fits checks the ranges of a cell: every metric is a share, from 0 to 1 but for rounding.
func (c *cells) fits(s storedCell) bool {
	const rounding = 1e-9
	has := len(metricsOf(c.of.Metrics, s.Column))
	for _, scores := range s.Scores {
		if len(scores) != has || slices.ContainsFunc(scores, func(s float64) bool { return !(s >= -rounding && s <= 1+rounding) }) {
			return false
		}
	}
	return len(s.Scores) > 0 && s.Seconds >= 0 && s.Column != ""
}

// save writes what is known of a unit that this process occupies.
func (c *cells) save(u unitKey) error {
	if c.store == nil {
		return nil
	}
	var list []storedCell
	c.mu.Lock()
	for k, have := range c.known {
		if k.unitKey == u {
			list = append(list, storedCell{k.column, have.scores, have.seconds})
		}
	}
	c.mu.Unlock()
	if list == nil {
		return nil
	}
	slices.SortFunc(list, func(a, b storedCell) int { return strings.Compare(a.Column, b.Column) })
	return c.store.Write(cellsKind, c.key(u), func(e *store.Encoder) { e.Value(list) })
}

// get returns what is known of a cell.
func (c *cells) get(k cellKey) cell {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known[k]
}

// add adds the scores of the next cases of a cell, which took so long.
func (c *cells) add(k cellKey, scores [][]float64, seconds float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.added++
	have := c.known[k]
	c.known[k] = cell{slices.Concat(have.scores, scores), have.seconds + seconds}
}

// close lets other runs begin anew.
func (c *cells) close() {
	if c.store != nil {
		c.store.Close()
	}
}
