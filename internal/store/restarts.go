package store

import (
	"time"

	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/progress"
)

// Restarts are the finished restarts of one fit, of which the best is kept: a piece each, which the
// number of restarts has no part in. A nil Restarts keeps nothing.
type Restarts struct {
	s    *Store
	kind string
	key  Key
}

// Restarts keeps restarts of a kind; key makes the key of the fit. The store may be nil.
func (s *Store) Restarts(kind string, key func() Key) *Restarts {
	if s == nil {
		return nil
	}
	return &Restarts{s: s, kind: kind, key: key()}
}

func (r *Restarts) of(at int) Key {
	h := NewHasher("restart 2")
	h.Text(r.key.String())
	h.Ints([]int{at})
	return h.Key()
}

// Read reads the finished restart of the given number, as [Store.Read] does.
func (r *Restarts) Read(at int, read func(d *Decoder)) (bool, error) {
	if r == nil {
		return false, nil
	}
	return r.s.Read(r.kind, r.of(at), read)
}

// Write keeps a restart that took so long, if that is worth a piece.
func (r *Restarts) Write(at int, took time.Duration, write func(e *Encoder)) error {
	if r == nil || !r.s.Worth(took) {
		return nil
	}
	return r.s.Write(r.kind, r.of(at), write)
}

// Progress is the state of a restart that is not finished.
func (r *Restarts) Progress(at int) *Progress {
	if r == nil {
		return nil
	}
	return r.s.Progress(r.kind+"-state", r.of(at))
}

// Note reports how many of some restarts were read.
func (r *Restarts) Note(to progress.Observer, stage string, found, of int) {
	if r == nil || found == 0 {
		return
	}
	to.Notef(stage, "%d of %d starts %s in %s.", found, of, words.Verb(found, "is the finished one", "are the finished ones"), r.s.Dir)
}
