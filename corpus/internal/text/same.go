package text

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
)

// Every rank reads its part of the files from its own disk. Together the parts are one corpus only
// if the copies of all ranks are the same, which names and lengths do not show. Nothing is sampled:
// rank 0 takes checksums of all blocks of its files, each other rank of the blocks that it reads
// from, and each of its checksums must equal rank 0's. Then the corpus is made of rank 0's files.
// The checksums are made beside the reading, from pages that the system mostly still has. They cost
// rank 0 one pass over all bytes, at some 5 GB/s where reading takes 50 MB/s of a core, and the
// others nothing to speak of.

// samePlan refuses ranks that see other files: other names or lengths, or other groups of rows. The
// folders may differ.
func samePlan(team ranks.Team, parts []part) error {
	facts := make([]ranks.Fact, len(parts))
	for i, p := range parts {
		facts[i] = ranks.Fact{Name: p.path, Value: fmt.Sprint(filepath.Base(p.path), "\x00", p.format, p.packed, p.size, p.unpacked, p.bytes)}
	}
	d := ranks.Compare(team, facts)
	if d == nil {
		return nil
	}
	zero, other := d.Zero.Name, d.Other.Name
	if a, b := filepath.Base(zero), filepath.Base(other); a != b || zero == "" || other == "" {
		return input.Failf(d.Name(), "", "rank %d sees other files than rank 0, %s where rank 0 has %s: %s", d.Rank, cmp.Or(other, "none"), cmp.Or(zero, "none"), ranks.SameFile)
	}
	return input.Failf(zero, "", "rank %d has a file of another length or kind than rank 0: %s", d.Rank, ranks.SameFile)
}

// blockSums are the checksums of blocks of a part.
type blockSums struct {
	Part  int
	First int64 // the number of the first block
	Sums  []uint64
}

// sumsBeside begins to take the checksums of what this rank has to compare: rank 0 of all bytes of
// all parts, the others of those that they read. The function that it returns waits for them.
func (in *source) sumsBeside(team ranks.Team, parts []part, own []slice) func() ([]blockSums, error) {
	if team.Rank() == 0 {
		own = whole(parts)
	}
	number := make(map[string]int, len(parts))
	for i, p := range parts {
		number[p.path] = i
	}
	var list []blockSums
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, s := range own {
			for _, e := range s.extents() {
				var more blockSums
				if more.First, more.Sums, err = input.Sums(in.Ctx, s.path, e.lo, e.hi, e.more); err != nil {
					return
				}
				more.Part = number[s.path]
				list = append(list, more)
			}
		}
	}()
	return func() ([]blockSums, error) {
		<-done
		return list, err
	}
}

// extent is a range of bytes of a file; more is as in [input.Sums].
type extent struct {
	lo, hi int64
	more   func(at int64, block []byte) bool
}

// extents are the bytes of its part that a slice is read from.
func (s *slice) extents() []extent {
	switch {
	case s.size == 0:
		return nil
	case s.hi == 0, s.format == "jsonl" && s.packed:
		return []extent{{hi: s.size}}
	case s.format == "jsonl":
		// The last line goes on to the first line feed at or behind the byte before hi.
		return []extent{{max(0, s.lo-1), s.hi, func(at int64, block []byte) bool {
			return bytes.IndexByte(block[min(int64(len(block)), max(0, s.hi-1-at)):], '\n') < 0
		}}}
	}
	list := []extent{{lo: s.footer, hi: s.size}}
	for _, group := range s.chunks[s.lo:s.hi] {
		list = append(list, group...)
	}
	return list
}

// sameContent refuses ranks that read other bytes than rank 0 has. own are this rank's checksums. A
// rank sends 8 bytes for each MiB that it reads.
func sameContent(team ranks.Team, parts []part, own []blockSums) error {
	say := make([][]byte, team.Size())
	if team.Rank() > 0 {
		say[0], _ = json.Marshal(own) // numbers cannot fail
	}
	got := team.Exchange(say)
	var err error
	if team.Rank() == 0 {
		err = compareSums(parts, own, got)
	}
	return input.Agree(team, err)
}

// compareSums compares what each other rank says with the checksums of rank 0.
func compareSums(parts []part, zero []blockSums, said [][]byte) error {
	sums := make([][]uint64, len(parts))
	for _, s := range zero {
		sums[s.Part] = s.Sums
	}
	for r := 1; r < len(said); r++ {
		var theirs []blockSums
		if err := json.Unmarshal(said[r], &theirs); err != nil {
			return err
		}
		for _, s := range theirs {
			for k, sum := range s.Sums {
				at := s.First + int64(k)
				if at < int64(len(sums[s.Part])) && sums[s.Part][at] == sum {
					continue
				}
				p := parts[s.Part]
				return input.Failf(p.path, "", "rank %d reads other content from it than rank 0, of the same length, first in the bytes %s to %s: %s", r,
					words.Thousands(int(at*input.SumBlock+1)), words.Thousands(int(min(p.size, (at+1)*input.SumBlock))), ranks.SameFile)
			}
		}
	}
	return nil
}
