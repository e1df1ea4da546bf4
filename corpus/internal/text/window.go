package text

import (
	"bytes"
	"io"

	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// windowRead is how many bytes one fill of a window reads.
const windowRead = 64 << 10

// window is the part of a stream that a reader of records needs: bytes that were read and not yet
// taken. It grows to the length of one record, but never beyond limit.
type window struct {
	r     io.Reader
	limit int64
	data  []byte // read and not taken
	buf   []byte
	end   bool
	line  int // lines that end before data
}

// fill reads more bytes, or returns input.ErrTooLong if data has limit bytes already. At the end of
// the stream it sets end.
func (w *window) fill() error {
	if int64(len(w.data)) >= w.limit {
		return input.ErrTooLong
	}
	if cap(w.buf)-len(w.buf) < windowRead {
		// Moving the rest to the front costs its length. Doubling keeps the total cost linear over
		// a long record.
		grown := w.buf[:0]
		if need := 2*len(w.data) + windowRead; cap(w.buf) < need {
			grown = make([]byte, 0, need)
		}
		w.buf = grown[:copy(grown[:len(w.data)], w.data)]
	}
	start := len(w.buf) - len(w.data)
	n, err := w.r.Read(w.buf[len(w.buf) : len(w.buf)+windowRead])
	w.buf = w.buf[:len(w.buf)+n]
	w.data = w.buf[start:]
	if err == io.EOF {
		w.end = true
		return nil
	}
	return err
}

// skip takes n bytes.
func (w *window) skip(n int) {
	w.line += bytes.Count(w.data[:n], []byte("\n"))
	w.data = w.data[n:]
}

// find returns where sep begins and reads what it needs for that; -1 at the end of the stream.
// Bytes before from were searched already.
func (w *window) find(sep string, from int) (int, error) {
	for {
		if from < len(w.data) {
			if at := bytes.Index(w.data[from:], []byte(sep)); at >= 0 {
				return from + at, nil
			}
			from = max(from, len(w.data)-len(sep)+1)
		}
		if w.end {
			return -1, nil
		}
		if err := w.fill(); err != nil {
			return -1, err
		}
	}
}

// recordBatch is a few records of one file, each decoded by the worker that counts it.
type recordBatch struct {
	data   []byte
	ends   []int
	lines  []int // line that each record begins in, from 1
	decode func(raw []byte, line int) (counting.Document, error)
}

func (b *recordBatch) Len() int  { return len(b.ends) }
func (b *recordBatch) Held() int { return len(b.data) }

func (b *recordBatch) add(raw []byte, line int) {
	b.data = append(b.data, raw...)
	b.ends = append(b.ends, len(b.data))
	b.lines = append(b.lines, line)
}

// document decodes record i.
func (b *recordBatch) Document(i int) (counting.Document, error) {
	start := 0
	if i > 0 {
		start = b.ends[i-1]
	}
	return b.decode(b.data[start:b.ends[i]], b.lines[i])
}
