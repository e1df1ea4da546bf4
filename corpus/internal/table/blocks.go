package table

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"sync"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/native"
)

// A block has chunkBytes of a file, or as many as its first line has where that is longer, and at
// most blockBytes; a longer line ends the blocks. What a thread reads stays in the second-level
// cache of its core until it is cut.
const (
	chunkBytes = 128 << 10
	blockBytes = 512 << 10
)

// Use is what a column of a table is read as.
type Use uint8

// The uses of a column.
const (
	Skip Use = iota
	Number
	Word
)

// Blocks reads rows of a table of text many at a time: each thread takes the next block from the
// stream and cuts it, while others cut theirs. It stops before the first row that has a quote,
// another number of fields than the table has columns, or a field that is neither a finite number
// nor missing where a number is needed. [Table.Next] reads that row and all after it.
type Blocks struct {
	t     *Table
	from  *Records
	cut   cutter
	held  int64 // bytes of memory that are reserved
	place Place
	add   func(*Block) error

	free chan *Block   // those that hold nothing
	halt func()        // closes over
	over chan struct{} // closed when no more is to be read

	reading sync.Mutex // for the fields below
	lead    []byte     // what was taken from the stream and is in no block yet
	behind  error      // what the stream says behind lead; nil: it goes on
	read    int        // blocks that were read
	rows    int        // that these have, at most
	last    bool       // no more is read from the stream

	adding  sync.Mutex // for the fields below, and Line of the table
	line    int        // where the next block begins, from 1
	waiting []*Block   // blocks that were cut, each at its number modulo their most
	added   int        // blocks that were added
	stopped *Block     // the one that has a row that was not read
}

// Place says where the numbers of a block belong: an array of that many rows or more, or nil if the
// block shall have an array of its own. bytes is the length of the block, first the number of rows
// before it, from the first block on, and rows the number of its rows; both are too high if lines
// are empty. Blocks ask one at a time, in their order, before any thread cuts what the array holds.
type Place func(bytes, first, rows int) []float64

// Block is a few rows of a table.
type Block struct {
	Val     []float64 // the numbers, row by row; NaN for missing ones
	NonZero int       // of the numbers, missing ones among them
	Missing int       // of the numbers
	Mark    string    // how the first of them is written
	Words   [][]byte  // the words, row by row
	Lines   []int     // the line of each row, from 1

	number  int       // of the block, from 0
	most    int       // rows, at most
	buffer  []byte    // which data is in
	own     []float64 // for numbers that have no other place
	extra   int64     // bytes of memory that are reserved for rows with missing numbers
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
	b := &Blocks{t: t, from: from, cut: newCutter(t.Numbers, uses, sep), over: make(chan struct{})}
	b.halt = sync.OnceFunc(func() { close(b.over) })
	most := 3*native.Threads() - 2 // threads that wait for a slow one have blocks to go on with
	if !b.take(int64(most) * b.cut.memory(chunkBytes)) {
		return nil
	}
	b.free, b.waiting = make(chan *Block, most), make([]*Block, most)
	for range most {
		b.free <- &Block{}
	}
	b.lead, b.line = from.pending()
	return b
}

// take reserves memory until the blocks are read.
func (b *Blocks) take(bytes int64) bool {
	ok := b.t.in.Mem.Take(bytes, 1) == nil
	if ok {
		b.held += bytes
	}
	return ok
}

// Sampled reports whether the next row is one of the first, which decided on the columns.
func (t *Table) Sampled() bool { return len(t.first) > 0 }

// Each calls add with one block after the other, on any goroutine. A block is valid in the call,
// what it has at a place for longer. An error of add ends it, and is returned.
func (b *Blocks) Each(place Place, add func(*Block) error) error {
	b.place, b.add = place, add
	defer func() { b.t.in.Mem.Give(b.held, 1) }()
	err := parallel.For(b.t.in.Ctx, native.Threads(), 1, func(_, _, _ int) error {
		defer b.halt()
		for {
			block := b.next()
			if block == nil {
				return b.t.in.Ctx.Err()
			}
			b.cut.rows(block)
			if err := b.addInOrder(block); err != nil {
				return err
			}
		}
	})
	if err != nil {
		return err
	}
	if b.stopped != nil {
		left := [][]byte{b.stopped.data[b.stopped.stopped:]}
		for k := b.added; k < b.read; k++ {
			left = append(left, b.waiting[k%len(b.waiting)].data)
		}
		b.lead = bytes.Join(append(left, b.lead), nil)
	}
	b.from.resume(b.lead, b.behind, b.line-1)
	return nil
}

// next returns the next block of the stream, which is not cut; nil if there is none.
func (b *Blocks) next() *Block {
	b.reading.Lock()
	defer b.reading.Unlock()
	select {
	case <-b.over: // before a free block, which may be there too
		return nil
	default:
	}
	for !b.last && b.t.in.Ctx.Err() == nil {
		select {
		case block := <-b.free:
			if b.fill(block) {
				return block
			}
		case <-b.over:
			return nil
		}
	}
	return nil
}

// fill fills a block with whole lines; false if there are none, or none that fit. What the block
// had before may be in lead.
func (b *Blocks) fill(block *Block) bool {
	size := max(chunkBytes, min(blockBytes, 2*len(b.lead)))
	lead, end := b.lead, 0
	for data := []byte(nil); ; size = min(blockBytes, 2*size) {
		if size > max(chunkBytes, len(block.buffer)) && !b.take(b.cut.memory(size)-b.cut.memory(max(chunkBytes, len(block.buffer)))) {
			b.lead, b.last = lead, true
			return false
		}
		if size > len(block.buffer) {
			block.buffer = make([]byte, size)
		}
		n := copy(block.buffer, lead)
		more, err := fill(b.t.in.Stream, block.buffer[n:size])
		data = block.buffer[:n+more]
		lead, b.behind = data, err
		if end = len(data); err != io.EOF {
			end = bytes.LastIndexByte(data, '\n') + 1
		}
		if err != nil || end > 0 || size >= blockBytes {
			break
		}
	}
	b.lead = lead[end:]
	b.last = b.behind != nil || end == 0
	if end == 0 {
		return false
	}
	block.data = lead[:end:end]
	block.number, block.most = b.read, b.cut.count(block.data)
	if more := b.cut.ofRows(block.most-b.cut.most(len(block.data))) - block.extra; more > 0 {
		if !b.take(more) {
			b.lead, b.last = lead, true
			return false
		}
		block.extra += more
	}
	block.Val = b.place(end, b.rows, block.most)
	b.read++
	b.rows += block.most
	return true
}

// addInOrder adds a block that was cut and those that wait for it; if blocks before it are missing,
// it waits.
func (b *Blocks) addInOrder(block *Block) error {
	b.adding.Lock()
	defer b.adding.Unlock()
	b.waiting[block.number%len(b.waiting)] = block
	for b.stopped == nil {
		at := b.added % len(b.waiting)
		block := b.waiting[at]
		if block == nil {
			return nil
		}
		b.waiting[at] = nil
		for i := range block.Lines {
			block.Lines[i] += b.line
		}
		if n := len(block.Lines); n > 0 { // for the place of what comes next
			b.t.Line, b.from.Line = block.Lines[n-1], block.Lines[n-1]
		}
		b.line += block.ends
		if err := b.add(block); err != nil {
			return err
		}
		b.added++
		if block.stopped < len(block.data) {
			b.stopped = block
			b.halt()
			return nil
		}
		b.free <- block
	}
	return nil
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
		line = t.first + int(t.split.lines.Number) + 1
		for k, l := range t.split.held {
			if ahead = append(append(ahead, l.text...), '\n'); k == 0 {
				line = t.first + l.number
			}
		}
		t.split.held = nil
		return ahead, line
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
