package table

import (
	"bufio"
	"bytes"
	"io"
	"slices"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/native"
)

// blockBytes is the most bytes of a file that one block has; a longer line ends the blocks.
const blockBytes = 512 << 10

// Use is what a column of a table is read as.
type Use uint8

// The uses of a column.
const (
	Skip Use = iota
	Number
	Word
)

// Blocks reads rows of a table of text many at a time, and blocks side by side. It stops before the
// first row that has a quote, another number of fields than the table has columns, or a field that
// is no finite number where one is needed. [Table.Next] reads that row and all after it.
type Blocks struct {
	t    *Table
	from *Records
	cut  cutter
	held int64 // bytes of memory that were reserved

	buffers [2][][]byte // of the rounds in turn: one is cut while the next is read
	lead    []byte      // what was taken from the stream and is in no block yet
	behind  error       // what the stream says behind lead; nil: it goes on
	line    int         // where the next block begins, from 1
	round   []*Block    // of which rows were read
	ahead   []*Block    // that are only filled
	spare   []*Block    // whose arrays the next round takes
	last    bool        // no more is read from the stream
}

// Block is a few rows of a table, valid until the next block.
type Block struct {
	Rows  int
	Bytes int       // in the file
	Val   []float64 // the numbers, row by row
	Words [][]byte  // the words, row by row
	Lines []int     // the line of each row, from 1

	data    []byte
	ends    int // lines in the rows that were read
	stopped int // where the first row begins that was not read; len(data) if all were
}

// Blocks begins to read the rows behind the first ones, which [Table.Next] must have returned, by
// the use of each column. It is nil if there is nothing to read so: the table is no text, it has
// comments or another separator, or memory is short.
func (t *Table) Blocks(uses []Use) *Blocks {
	from, text := t.from.(*Records)
	if !text || len(t.first) > 0 || t.ended {
		return nil
	}
	sep, ok := from.plain()
	if !ok {
		return nil
	}
	cut := newCutter(t.Numbers, uses, sep)
	cut.fast = !t.Comma && t.Group == 0
	held := int64(native.Threads()) * (2*blockBytes + cut.bytes(blockBytes))
	if t.in.Mem.Take(held, 1) != nil {
		return nil
	}
	b := &Blocks{t: t, from: from, held: held, cut: cut}
	b.lead, b.line = from.pending()
	return b
}

// Sampled reports whether the next row is one of the first, which decided on the columns.
func (t *Table) Sampled() bool { return len(t.first) > 0 }

// Next returns the next block; io.EOF after the last one.
func (b *Blocks) Next() (*Block, error) {
	for len(b.round) == 0 {
		if b.last && len(b.ahead) == 0 {
			b.t.in.Mem.Give(b.held, 1)
			b.from.resume(b.lead, b.behind, b.line-1)
			return nil, io.EOF
		}
		if err := b.cutRound(); err != nil {
			return nil, err
		}
	}
	block := b.round[0]
	b.round = b.round[1:]
	for i := range block.Lines {
		block.Lines[i] += b.line
	}
	if n := len(block.Lines); n > 0 { // for the place of what comes next
		b.t.Line, b.from.Line = block.Lines[n-1], block.Lines[n-1]
	}
	b.line += block.ends
	if block.stopped < len(block.data) {
		left := [][]byte{block.data[block.stopped:]}
		for _, after := range slices.Concat(b.round, b.ahead) {
			left = append(left, after.data)
		}
		b.lead = bytes.Join(append(left, b.lead), nil)
		b.round, b.ahead, b.last = nil, nil, true
	}
	return block, nil
}

// cutRound cuts the blocks of a round in parallel, while it reads the blocks of the next round.
func (b *Blocks) cutRound() error {
	if len(b.ahead) == 0 {
		b.read()
	}
	round := b.ahead
	b.ahead = nil
	tasks := len(round)
	if !b.last {
		tasks++
	}
	err := parallel.For(b.t.in.Ctx, tasks, 1, func(_, task, _ int) error {
		if tasks > len(round) {
			task--
		}
		if task < 0 {
			b.read()
			return nil
		}
		if task < len(b.spare) {
			round[task].Val, round[task].Lines = b.spare[task].Val, b.spare[task].Lines
		}
		b.cut.rows(round[task])
		return nil
	})
	b.round, b.spare = round, round
	return err
}

// read fills the blocks of the next round.
func (b *Blocks) read() {
	for i := 0; i < native.Threads() && !b.last; i++ {
		if i == len(b.buffers[0]) {
			b.buffers[0] = append(b.buffers[0], make([]byte, blockBytes))
		}
		data := b.buffers[0][i]
		n := copy(data, b.lead)
		more, err := fill(b.t.in.Stream, data[n:])
		data = data[:n+more]
		end := len(data)
		if err != io.EOF {
			end = bytes.LastIndexByte(data, '\n') + 1
		}
		b.lead, b.behind = data[end:], err
		b.last = err != nil || end == 0
		if end > 0 {
			b.ahead = append(b.ahead, &Block{data: data[:end:end], Bytes: end})
		}
	}
	b.buffers[0], b.buffers[1] = b.buffers[1], b.buffers[0]
}

// mostIdle is how many reads in turn may give neither bytes nor an error.
const mostIdle = 100

// fill reads until p is full or the stream ends. Unlike io.ReadFull it keeps apart io.EOF, the true
// end, and the io.ErrUnexpectedEOF of a compressed stream that was cut off.
func fill(r io.Reader, p []byte) (n int, err error) {
	for idle := 0; n < len(p) && err == nil; {
		var k int
		k, err = r.Read(p[n:])
		n += k
		if idle++; k > 0 {
			idle = 0
		}
		if idle == mostIdle {
			return n, io.ErrNoProgress
		}
	}
	return n, err
}

// plain returns the separator of records that [Blocks] can cut.
func (t *Records) plain() (sep byte, ok bool) {
	comma := rune(0)
	if t.csv != nil && t.csv.Comment == 0 {
		comma = t.csv.Comma
	} else if t.split != nil && !t.split.comments {
		comma = t.split.comma
	}
	return byte(comma), slices.Contains(separators, comma) || comma == Blank
}

// pending takes what was read ahead, and returns it with the line that it begins.
func (t *Records) pending() (ahead []byte, line int) {
	if t.split != nil {
		return nil, t.first + int(t.split.lines.Number) + 1
	}
	ahead, _ = t.ahead.Peek(t.ahead.Buffered())
	ahead = bytes.Clone(ahead)
	return ahead, t.first + t.guard.lines - bytes.Count(ahead, newline) + 1
}

// resume makes [Records.Next] go on with bytes and then the stream, or the error that it gave
// behind them; so many lines come before.
func (t *Records) resume(ahead []byte, behind error, lines int) {
	rest := io.Reader(t.in.Stream)
	if behind != nil {
		rest = ended{behind}
	}
	t.in.Stream = bufio.NewReaderSize(io.MultiReader(bytes.NewReader(bytes.Clone(ahead)), rest), max(input.HeadSize, 64<<10))
	if t.split != nil {
		t.split.lines.Number = int64(lines - t.first)
		return
	}
	t.first = lines
	t.strict(t.csv.Comma)
}

// ended is a stream that ended with an error.
type ended struct{ err error }

// Read returns the error.
func (e ended) Read([]byte) (int, error) { return 0, e.err }
