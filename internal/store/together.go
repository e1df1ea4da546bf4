package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/eigenmap/eigenmap/internal/ranks"
)

// Where ranks divide the work, each has a folder of its own for its part of every piece. All ranks
// read and write the same pieces in the same order. A piece is there if all ranks have their part
// of it, so all of them go on at the same place.

// RankDir is the folder, inside of dir, of one rank of a team; dir itself for a team of one.
func RankDir(dir string, t ranks.Team) string {
	if t.Size() == 1 {
		return dir
	}
	return fmt.Sprintf("%s/.rank-%d-of-%d", dir, t.Rank(), t.Size())
}

// MostParts is the largest number of parts that documents are divided into: each has a goroutine
// and a folder of its own, and every exchange has parts² messages.
const MostParts = 4096

// Parts is the number of parts of the pieces in a folder, for a run of size processes: size if
// there are pieces of so many, or none of more; else the number of which pieces were written last.
// Folders that name more than [MostParts] do not count.
func Parts(dir string, size int) int {
	if dir == "" {
		return size
	}
	parts, last := size, time.Time{}
	for _, path := range ending(dir, "") {
		var rank, of int
		if n, _ := fmt.Sscanf(filepath.Base(path), ".rank-%d-of-%d", &rank, &of); n < 2 || of < size || of > MostParts {
			continue
		}
		if of == size {
			return size
		}
		if info, err := os.Stat(path); err == nil && info.ModTime().After(last) {
			parts, last = of, info.ModTime()
		}
	}
	if _, err := os.Stat(filepath.Join(dir, headerName)); size == 1 && err == nil {
		return 1
	}
	return parts
}

// Holds reports whether a folder of --work holds something to go on from: a finished piece or the
// state of unfinished work, of this process or of a rank.
func Holds(dir string) bool {
	for _, d := range append([]string{dir}, ending(dir, "")...) {
		var rank, of int
		if n, _ := fmt.Sscanf(filepath.Base(d), ".rank-%d-of-%d", &rank, &of); d != dir && n < 2 {
			continue
		}
		if len(ending(d, extension))+len(ending(d, unfinished)) > 0 {
			return true
		}
	}
	return false
}

// of returns the store for the work of a team: its reads and writes are then collective calls.
func (s *Store) of(t ranks.Team) *Store {
	if s == nil || t.Size() == 1 && s.ranks == nil {
		return s
	}
	own := *s
	own.ranks = t
	return &own
}

// team is the ranks that read and write together.
func (s *Store) team() ranks.Team {
	if s.ranks == nil {
		return ranks.Alone{}
	}
	return s.ranks
}

// everywhere reports whether all ranks found their part of a piece, and gives all of them the error
// of the lowest rank that has one.
func (s *Store) everywhere(found bool, err error) (bool, error) {
	if err := ranks.Agree(s.team(), err); err != nil {
		return false, err
	}
	missing := 0
	if !found {
		missing = 1
	}
	return ranks.Count(s.team(), missing) == 0, nil
}

// first returns what rank 0 says, on all ranks: clocks differ.
func (s *Store) first(say bool) bool {
	x := []float64{0}
	if say {
		x[0] = 1
	}
	s.team().Share(x)
	return x[0] == 1
}

// slots is how many states of unfinished work ranks keep: a kill may leave the last one on some of
// them alone, and then the one before is on all.
const slots = 2

// slot is the kind under which the state of a number is kept.
func (p *Progress) slot(number int) string {
	if p.s.team().Size() == 1 {
		return p.kind
	}
	return fmt.Sprintf("%s-%d", p.kind, number%slots)
}

// last returns the number of the last state that all ranks have; 0 if there is none.
func (p *Progress) last() int {
	t := p.s.team()
	has := make([]float64, slots)
	for k := range has {
		quiet := *p.s
		quiet.Note = nil
		_, _ = quiet.readOwn(p.path(k), p.slot(k), p.key, func(d *Decoder) {
			number := []int32{0}
			d.Indices(number)
			if !d.Failed() && int(number[0])%slots == k {
				has[k] = float64(number[0])
			}
			d.skip()
		})
	}
	all := ranks.GatherFloats(t, has)
	best := 0
	for k := range has {
		same := true
		for at := k; at < len(all); at += slots {
			same = same && all[at] == has[k]
		}
		if same {
			best = max(best, int(has[k]))
		}
	}
	return best
}

// From is the store of the work, nil for none. Its calls are collective ones of the work's ranks.
func From(ctx context.Context) *Store {
	s, _ := ctx.Value(contextKey{}).(*Store)
	return s.of(ranks.From(ctx))
}
