package store

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/eigenmap/eigenmap/internal/atomicfile"
	"github.com/eigenmap/eigenmap/internal/ranks"
)

const (
	// interval is the least time between two states of unfinished work, and share the least part of
	// the time that is not spent on saving them, as a multiple of the time of the last save.
	interval = time.Second
	share    = 10
	// worth is the least time of work that is kept as a piece: less is done again as fast.
	worth = 50 * time.Millisecond
)

// Write adds a piece, which replaces one of the same name. Its content is written in parts: write
// is called twice, for the checksum and for the file, and gives the same bytes both times.
func (s *Store) Write(kind string, key Key, write func(e *Encoder)) error {
	return ranks.Agree(s.team(), s.write(s.path(kind, key), kind, key, write))
}

// write writes a file of the folder. A full disk is an error that says how to go on.
func (s *Store) write(path, kind string, key Key, write func(e *Encoder)) error {
	err := s.encode(path, kind, key, write)
	if errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("%w: free some space, and the same command goes on from what is finished there, or choose another ‹work› folder", err)
	}
	return err
}

func (s *Store) encode(path, kind string, key Key, write func(e *Encoder)) error {
	sum, count := sha256.New(), new(counter)
	e := &Encoder{w: io.MultiWriter(sum, count)}
	if write(e); e.err != nil {
		return e.err
	}
	head, err := json.Marshal(label{Header: s.header, Kind: kind, Key: key.String(), Bytes: int64(*count), SHA256: hex.EncodeToString(sum.Sum(nil))})
	if err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		e := &Encoder{w: w}
		e.write([]byte(magic))
		e.write(head)
		e.write([]byte("\n"))
		write(e)
		return e.err
	})
}

// counter counts bytes.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// Read reads a piece that [Store.Write] added. It returns false if there is none, or if it was
// refused, which is noted; what read has stored by then has no meaning. read makes no collective
// calls: another rank may have no piece.
func (s *Store) Read(kind string, key Key, read func(d *Decoder)) (bool, error) {
	return s.everywhere(s.readOwn(s.path(kind, key), kind, key, read))
}

// readOwn reads the part of a piece that is here.
func (s *Store) readOwn(path, kind string, key Key, read func(d *Decoder)) (bool, error) {
	err := s.decode(path, kind, key, read)
	if s.absent(err) {
		return false, nil
	}
	return err == nil, err
}

// decode checks the whole file first, and then reads the same file again.
func (s *Store) decode(path, kind string, key Key, read func(d *Decoder)) error {
	p, err := s.openAs(path, kind, key)
	if err != nil {
		return err
	}
	defer p.Close()
	d := &Decoder{r: p.content(), left: p.Bytes}
	if read(d); d.end() != nil {
		return &RefusedError{path, d.err.Error()}
	}
	return nil
}

// Worth says whether work that took so long is worth a piece; with ranks, on rank 0.
func (s *Store) Worth(took time.Duration) bool { return s != nil && s.first(s.Always || took >= worth) }

// Progress is the state of unfinished work, in a file of its own. Each state replaces the one
// before. It belongs to this folder alone: [Store.Merge] leaves it. A nil Progress saves nothing.
type Progress struct {
	s    *Store
	kind string
	key  Key
	next time.Time // no state is saved before
	// number is the number of the last state that ranks saved together.
	number int
}

// Progress begins work of a kind; key is the key of its inputs. The store may be nil.
func (s *Store) Progress(kind string, key Key) *Progress {
	if s == nil {
		return nil
	}
	return &Progress{s: s, kind: kind, key: key, next: time.Now().Add(interval)}
}

func (p *Progress) path(number int) string {
	path := p.s.path(p.slot(number), p.key)
	return path[:len(path)-len(extension)] + unfinished
}

// Resume reads the last state. It returns false if there is none or if it was refused, as
// [Store.Read] does.
func (p *Progress) Resume(read func(d *Decoder)) (bool, error) {
	if p == nil {
		return false, nil
	}
	if p.s.team().Size() == 1 {
		return p.s.readOwn(p.path(0), p.slot(0), p.key, read)
	}
	if p.number = p.last(); p.number == 0 {
		return false, nil
	}
	return p.s.everywhere(p.s.readOwn(p.path(p.number), p.slot(p.number), p.key, func(d *Decoder) {
		d.Indices([]int32{0})
		read(d)
	}))
}

// Due says whether it is time to save a state: not if less than a second, or than ten times what
// the last one took to save, has passed since then.
func (p *Progress) Due() bool {
	return p != nil && p.s.first(p.s.Always || !time.Now().Before(p.next))
}

// Save saves a state. write is as for [Store.Write].
func (p *Progress) Save(write func(e *Encoder)) error {
	if p == nil {
		return nil
	}
	began := time.Now()
	p.number++
	whole := write
	if p.s.team().Size() > 1 {
		whole = func(e *Encoder) {
			e.Indices([]int32{int32(p.number)})
			write(e)
		}
	}
	err := ranks.Agree(p.s.team(), p.s.write(p.path(p.number), p.slot(p.number), p.key, whole))
	p.next = time.Now().Add(max(interval, share*time.Since(began)))
	return err
}

// End removes the state of work that is finished.
func (p *Progress) End() {
	if p != nil {
		for k := range slots {
			os.Remove(p.path(k))
		}
	}
}
