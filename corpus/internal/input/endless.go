package input

import (
	"bytes"
	"io"

	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/words"
)

// A small compressed file can hold content without end: 182 kB of xz unpack to 1.2 GB of zeros. The
// limit of memory alone speaks late, after a large share of the memory was filled, or never where
// nothing is kept of what is read. High compression alone is no sign: a matrix of mostly zeros or
// the same line a million times may be 1,000:1 and honest. The sign is that nothing can be made of
// it. So content of a compressed file is refused as soon as more than endlessBytes of it
//   - came without the end of a line that is not blank, and
//   - took less than 1/endlessRatio of that in the file, and
//   - are more than the reader has taken memory for,
//
// unless it begins as a binary format whose header says how much follows, which is checked against
// the memory before it is read. What is refused so can still be read if it is unpacked beforehand.
const (
	endlessBytes = 32 << 20
	endlessRatio = 200
	// ahead is the most bytes that were fetched from the file and not unpacked yet.
	ahead = 2 * bufferSize
)

// guard is the content of a compressed file, counted, and refused if it is endless.
type guard struct {
	r       io.Reader
	in      *File
	head    []byte // the first bytes, as long as the format is not known
	known   bool
	binary  bool
	since   int64 // bytes of content since the end of the last line that was not blank
	from    int64 // bytes of the file that were fetched then
	open    bool  // the line at hand is not blank so far
	refused error
}

// guarded makes the content of a compressed file safe to read to its end.
func (in *File) guarded(content io.Reader) io.Reader {
	return &guard{r: content, in: in, from: in.meter.done}
}

func (g *guard) Read(p []byte) (int, error) {
	if g.refused != nil {
		return 0, g.refused
	}
	n, err := g.r.Read(p)
	g.in.unpacked.Add(int64(n))
	g.look(p[:n])
	if g.since > endlessBytes && g.endless() {
		g.refused = g.in.Fail("after "+words.Thousands(int(g.in.unpacked.Load()))+" bytes of content",
			"the last %s have no end of a line and took less than a %dth of that in the compressed file, so it is taken for one without end; check what the file is, and if it is right unpack it (gzip -dc, xz -dc) and name the result",
			message.Bytes(g.since), endlessRatio)
		return 0, g.refused
	}
	return n, err
}

// look follows the lines of the content.
func (g *guard) look(p []byte) {
	if !g.known {
		g.head = append(g.head, p[:min(len(p), 128-len(g.head))]...)
		if len(g.head) == 128 {
			g.known, g.binary = true, bounded(g.head)
		}
	}
	const blank = " \t\r\n"
	end := bytes.LastIndexByte(p, '\n') + 1
	if end > 0 && (g.open || len(bytes.TrimLeft(p[:end], blank)) > 0) {
		g.since, g.from, g.open = 0, g.in.meter.done, false
		p = p[end:]
	} else if end > 0 {
		g.open = false
	}
	g.since += int64(len(p))
	g.open = g.open || len(bytes.TrimLeft(p, blank)) > 0
}

func (g *guard) endless() bool {
	return !g.binary && (g.in.meter.done-g.from+ahead)*endlessRatio < g.since && g.since > g.in.Mem.Used()
}

// bounded recognises by its first bytes a format whose headers say how much follows: NumPy, MAT 5,
// zip, Parquet and IDX.
func bounded(head []byte) bool {
	for _, magic := range []string{"\x93NUMPY", "MATLAB 5.0 MAT-file", "PK\x03\x04", "PAR1"} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return true
		}
	}
	return head[0] == 0 && head[1] == 0 && 8 <= head[2] && head[2] <= 14 && 1 <= head[3] && head[3] <= 8
}
