package text

import (
	"errors"

	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/ranks"
)

// Sharing lets the ranks of a team count the texts of one file together where its bytes cannot be
// cut without reading what is before: a table, whose fields may hold line breaks, lines, an array
// of JSON, an archive. Every rank reads the file from its start, because only so it is certain
// where a record begins. It counts and keeps the records of its own part alone, which is what takes
// time and memory. All ranks must have the same content.
type Sharing struct {
	Team ranks.Team
	// Measures says that one rank reads the file to find Bytes, the size of all texts, and counts no
	// words.
	Measures bool
	Bytes    int64

	// Division is set once the documents were divided.
	Division *counting.Division
	// Undivided is set where the file cannot be divided: each rank reads it whole.
	Undivided bool
	// Agreed is set once the ranks have begun to count together.
	Agreed bool
}

// ErrMeasured ends a read by [Sharing.Measures].
var ErrMeasured = errors.New("the texts were measured")

// errUndivided ends a read that sets Sharing.Undivided.
var errUndivided = errors.New("the texts cannot be divided among ranks")

// NoTexts ends the read of a file that ranks cannot share.
func (s *Sharing) NoTexts() error {
	s.Undivided = true
	return errUndivided
}

// sharedTexts is countTexts of a file that ranks share, whose documents are divided by bytes: those
// of a batch belong to the rank that has its first byte.
func (in *source) sharedTexts(produce func(emit func(counting.Batch) bool) error, done func(docs int)) (*counting.Collection, error) {
	s := in.opt.Share
	if s.Measures {
		_ = counting.Rounds(in.Ctx, produce, func(round []counting.Batch) error { // an error comes again where it is read
			for _, b := range round {
				s.Bytes += int64(b.Held())
			}
			return nil
		})
		return nil, ErrMeasured
	}
	lo, hi := share(s.Bytes, s.Team.Rank(), s.Team.Size()), share(s.Bytes, s.Team.Rank()+1, s.Team.Size())
	last := s.Team.Rank() == s.Team.Size()-1
	return in.dividedTexts(func(emit func(counting.Batch) bool) error {
		at := int64(0)
		return produce(func(b counting.Batch) bool {
			start := at
			switch at += int64(b.Held()); {
			case start < lo:
				return true
			case start >= hi && !last:
				return false
			}
			return emit(b)
		})
	}, done)
}

// dividedTexts makes the collection of what this rank's produce emits and of what the other ranks'
// do, in the order of the ranks.
func (in *source) dividedTexts(produce func(emit func(counting.Batch) bool) error, done func(docs int)) (*counting.Collection, error) {
	s := in.opt.Share
	s.Agreed = true
	if err := input.Agree(s.Team, nil); err != nil {
		return nil, err
	}
	a, err := in.opt.analyzer()
	t := &counting.Tally{}
	if err == nil {
		t, err = counting.Count(in.Ctx, a, in.Mem, produce, done)
	}
	if err = input.Agree(s.Team, in.Wrap("", err)); err != nil {
		return nil, err
	}
	t.OddWay = in.oddWay
	var again func() error
	if in.repeats { // one process numbers them
		again = s.NoTexts
	}
	c, d, err := counting.Divide(s.Team, in.File, a, t, again)
	s.Division = d
	return c, err
}

// SameFile refuses ranks that have another file than rank 0: all of its bytes are compared, by
// checksums of blocks. All ranks call it.
func SameFile(file *input.File, team ranks.Team, path string) error {
	in := &source{File: file}
	p, err := in.look(path)
	if err = input.Agree(team, err); err != nil {
		return err
	}
	parts := []part{p}
	if err := samePlan(team, parts); err != nil {
		return err
	}
	sums, err := in.sumsBeside(team, parts, whole(parts))()
	if err = input.Agree(team, err); err != nil {
		return err
	}
	return sameContent(team, parts, sums)
}

// share is total·rank/size without an overflow.
func share(total int64, rank, size int) int64 {
	r, s := int64(rank), int64(size)
	return total/s*r + total%s*r/s
}
