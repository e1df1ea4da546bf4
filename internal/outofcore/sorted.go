package outofcore

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"io"
	"math"
	"os"
	"slices"
)

// SortedBytes is what [Sorted] holds in memory before it writes a run to the disk.
const SortedBytes = 4 << 20

// sortedHeld is SortedBytes, a variable for tests.
var sortedHeld = SortedBytes

// Sorted orders lines by a number each, the smallest first and equal ones as they came, without
// holding them: it sorts runs of them, keeps these in a temporary file, and merges them.
//
// Memory: [SortedBytes], and 64 KiB a run when they are merged. The zero value has no lines.
type Sorted struct {
	held  []sortedLine
	bytes int
	file  *os.File
	runs  []int64 // where each run ends in the file
}

type sortedLine struct {
	key  float64
	line []byte
}

// Add adds a line, which is not changed afterwards.
func (s *Sorted) Add(key float64, line []byte) error {
	s.held = append(s.held, sortedLine{key, line})
	if s.bytes += len(line) + 32; s.bytes < sortedHeld {
		return nil
	}
	return s.spill()
}

// sort orders the lines in memory.
func (s *Sorted) sort() {
	slices.SortStableFunc(s.held, func(a, b sortedLine) int { return cmp.Compare(a.key, b.key) })
}

// spill writes the lines in memory as a run.
func (s *Sorted) spill() (err error) {
	if s.file == nil {
		if s.file, err = temporary("eigenmap-sorted-*"); err != nil {
			return err
		}
	}
	s.sort()
	w := bufio.NewWriter(s.file)
	end := int64(0)
	if len(s.runs) > 0 {
		end = s.runs[len(s.runs)-1]
	}
	for _, l := range s.held {
		var head [12]byte
		binary.LittleEndian.PutUint64(head[:], math.Float64bits(l.key))
		binary.LittleEndian.PutUint32(head[8:], uint32(len(l.line)))
		_, _ = w.Write(head[:]) // Flush has the error
		_, _ = w.Write(l.line)
		end += int64(len(head) + len(l.line))
	}
	s.runs, s.held, s.bytes = append(s.runs, end), nil, 0
	return noRoom(w.Flush())
}

// sortedRun reads a run, of which first is the next line.
type sortedRun struct {
	r     *bufio.Reader
	first sortedLine
	done  bool
}

func (r *sortedRun) next() error {
	var head [12]byte
	if _, err := io.ReadFull(r.r, head[:]); err == io.EOF {
		r.done = true
		return nil
	} else if err != nil {
		return err
	}
	r.first = sortedLine{math.Float64frombits(binary.LittleEndian.Uint64(head[:])), make([]byte, binary.LittleEndian.Uint32(head[8:]))}
	_, err := io.ReadFull(r.r, r.first.line)
	return err
}

// Each gives each all lines in their order. No line may be added afterwards.
func (s *Sorted) Each(each func(line []byte) error) error {
	if s.file == nil {
		s.sort()
		for _, l := range s.held {
			if err := each(l.line); err != nil {
				return err
			}
		}
		return nil
	}
	if err := s.spill(); err != nil {
		return err
	}
	var runs []*sortedRun
	at := int64(0)
	for _, end := range s.runs {
		r := &sortedRun{r: bufio.NewReaderSize(io.NewSectionReader(s.file, at, end-at), 1<<16)}
		if err := r.next(); err != nil {
			return err
		}
		runs, at = append(runs, r), end
	}
	for {
		var least *sortedRun
		for _, r := range runs {
			if !r.done && (least == nil || r.first.key < least.first.key) {
				least = r
			}
		}
		if least == nil {
			return nil
		}
		if err := each(least.first.line); err != nil {
			return err
		}
		if err := least.next(); err != nil {
			return err
		}
	}
}

// Close removes the temporary file. Of a nil Sorted it does nothing.
func (s *Sorted) Close() {
	if s != nil && s.file != nil {
		_ = s.file.Close()
		_ = os.Remove(s.file.Name())
		s.file = nil
	}
}
