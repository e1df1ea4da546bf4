package papers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/progress"
)

// CorpusFile is one of several corpora of an experiment.
type CorpusFile struct {
	Name   string `json:"name"`
	File   string `json:"file"`
	SHA256 string `json:"sha256,omitempty"` // empty: the folder does not hold it
}

// corpora are the corpora of an experiment, each read for its first unit and dropped after its
// last. They are safe for several goroutines.
type corpora struct {
	dir   string
	sum   string
	files []CorpusFile // of several
	mu    sync.Mutex
	held  map[string]*heldCorpus // by name
}

// heldCorpus is a corpus that is read once and dropped after its last unit.
type heldCorpus struct {
	mu   sync.Mutex
	load func(ctx context.Context) (*corpus.Corpus, error)
	all  *corpus.Corpus
	left int // units that are not done
}

// corpora looks for the experiment's files. Of several, one must be there.
func (e *Experiment) corpora(ctx context.Context, dir string) (*corpora, error) {
	d := &corpora{dir: dir, held: map[string]*heldCorpus{}}
	if e.load != nil {
		all, sum, err := e.load(ctx, dir)
		d.sum, d.held[""] = sum, &heldCorpus{all: all}
		return d, err
	}
	if e.Corpus.Parts == nil {
		sum, err := e.Corpus.Checksum(dir)
		d.sum, d.held[""] = sum, e.Corpus.held(dir)
		return d, err
	}
	if err := e.Corpus.In(dir); err != nil {
		return nil, err
	}
	all := sha256.New()
	for _, p := range e.Corpus.Parts {
		f := CorpusFile{Name: p.Name, File: p.File}
		var err error
		var missing *DataError
		if f.SHA256, err = p.Checksum(dir); err != nil && !errors.As(err, &missing) {
			return nil, err
		}
		fmt.Fprintf(all, "%s %s\n", f.File, f.SHA256)
		d.files = append(d.files, f)
		d.held[p.Name] = p.held(dir)
	}
	d.sum = hex.EncodeToString(all.Sum(nil))
	return d, nil
}

func (d Dataset) held(dir string) *heldCorpus {
	return &heldCorpus{load: func(ctx context.Context) (*corpus.Corpus, error) { return d.Load(ctx, dir) }}
}

// present leaves out the rows whose corpora are missing and notes each. It is an error if no row is
// left.
func (d *corpora) present(rows []Row, obs progress.Observer) ([]Row, error) {
	missing := map[string]bool{}
	for _, f := range d.files {
		missing[f.File] = f.SHA256 == ""
	}
	gone := func(r Row) bool { return r.Corpus != nil && missing[r.Corpus.File] }
	out := slices.DeleteFunc(slices.Clone(rows), gone)
	if len(out) == 0 {
		return nil, &DataError{d.dir, rows[0].Corpus.File}
	}
	for _, f := range d.files {
		if slices.ContainsFunc(rows, func(r Row) bool { return gone(r) && r.Corpus.Name == f.Name }) {
			obs.Notef("corpora", "There is no %s in %s: the figures for %s are left out.", f.File, d.dir, f.Name)
		}
	}
	return out, nil
}

// entry is the corpus of a row.
func (d *corpora) entry(r Row) *heldCorpus {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r.Corpus == nil {
		return d.held[""]
	}
	return d.held[r.Corpus.Name]
}

// expect counts the units to come.
func (d *corpora) expect(tasks []task) {
	for _, t := range tasks {
		d.entry(t.row).left++
	}
}

// of returns the corpus of a row.
func (d *corpora) of(ctx context.Context, r Row) (*corpus.Corpus, error) {
	h := d.entry(r)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.all == nil {
		all, err := h.load(ctx)
		if err != nil {
			return nil, err
		}
		h.all = all
	}
	return h.all, nil
}

// done drops the corpus of a row after its last unit.
func (d *corpora) done(r Row) {
	h := d.entry(r)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.left--; h.left == 0 {
		h.all = nil
	}
}
