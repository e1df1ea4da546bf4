package corpus

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/eigenmap/eigenmap/progress"
)

// input is an opened file as the format readers see it: decompressed, counted, cancellable.
//
// The context is looked at and progress told whenever bytes are fetched from below, so a reader that
// takes its bytes from here needs no check of its own while it reads.
type input struct {
	ctx    context.Context
	name   string // as the user named it, for messages
	path   string // where siblings are looked for; empty when the bytes come from memory
	opt    ReadOptions
	mem    *budget
	stream *bufio.Reader // the content from its start
	at     io.ReaderAt   // the content for random access; nil when it is compressed
	meter  *meter
	size   int64     // bytes of the file as it lies on disk
	given  *Labeling // labels the user gave apart
	format string    // what it turned out to be
	notes  []string
}

// newInput looks for compression and wraps the reader. file must also be an io.Reader from its start.
func newInput(ctx context.Context, name string, file interface {
	io.Reader
	io.ReaderAt
}, size int64, opt ReadOptions) (*input, error) {
	in := &input{ctx: ctx, name: name, opt: opt, mem: newBudget(opt.MaxBytes), size: size}
	in.meter = &meter{ctx: ctx, total: size, observer: opt.Observer}
	in.stream = bufio.NewReaderSize(&meteredReader{file, in.meter}, 1<<16)
	first, err := in.stream.Peek(1)
	if err != nil && err != io.EOF {
		return nil, in.wrap("", err)
	}
	if len(first) == 0 {
		return nil, failf(name, "", "the file is empty; give a file with at least one document")
	}
	content, packed, err := unpack(in.stream)
	if err != nil {
		return nil, in.wrap("", err)
	}
	if packed {
		in.stream = bufio.NewReaderSize(content, 1<<16)
		return in, nil
	}
	in.at = &meteredReaderAt{file, in.meter}
	return in, nil
}

// peek returns up to n first bytes of the content.
func (in *input) peek(n int) ([]byte, error) {
	head, err := in.stream.Peek(n)
	if err != nil && err != io.EOF {
		return nil, in.wrap("", err)
	}
	return head, nil
}

// random returns the content for random access and its length. A compressed file is unpacked into
// memory first, within the budget; its own word about its size is not asked.
func (in *input) random() (io.ReaderAt, int64, error) {
	if in.at != nil {
		return in.at, in.size, nil
	}
	var data []byte
	for {
		if len(data) == cap(data) {
			grown, err := regrow(in.mem, data, 1, max(1<<16, 2*cap(data)))
			if err != nil {
				return nil, 0, in.wrap("", err)
			}
			data = grown
		}
		n, err := in.stream.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			return bytes.NewReader(data), int64(len(data)), nil
		}
		if err != nil {
			return nil, 0, in.wrap("", err)
		}
	}
}

// fail makes the FormatError of a place in this file.
func (in *input) fail(place, format string, args ...any) error {
	return failf(in.name, place, format, args...)
}

// notef keeps a sentence for Corpus.Notes.
func (in *input) notef(format string, args ...any) {
	in.notes = append(in.notes, fmt.Sprintf(format, args...))
}

// wrap turns an error from below into one sentence about this file. Cancellation and errors that
// already are sentences pass unchanged; what the disk refused stays an error of the system.
func (in *input) wrap(place string, err error) error {
	if err == nil {
		return nil
	}
	if cancelled := in.ctx.Err(); cancelled != nil {
		return cancelled
	}
	var format *FormatError
	var corrupt flate.CorruptInputError
	var path *os.PathError
	why := ""
	switch {
	case errors.As(err, &format):
		if format.Place == "" && place != "" && format.File == in.name {
			return &FormatError{File: format.File, Place: place, Why: format.Why, Err: format.Err}
		}
		return err
	case errors.Is(err, errMemory):
		why = fmt.Sprintf("reading it needs more than the %s of memory allowed here; free memory, read it on a larger machine or read a part of it", humanBytes(in.mem.limit))
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		why = "the file ends too early, it was cut off; copy or download it again"
	case errors.Is(err, errDamaged), errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.Is(err, zlib.ErrHeader),
		errors.Is(err, zlib.ErrChecksum), errors.Is(err, zlib.ErrDictionary), errors.As(err, &corrupt):
		why = "the compressed data are damaged; copy or download the file again"
	case errors.As(err, &path):
		return fmt.Errorf("cannot read %s: %w", in.name, path.Err)
	default:
		return fmt.Errorf("cannot read %s: %w", in.name, err)
	}
	return &FormatError{File: in.name, Place: place, Why: why, Err: err}
}

// plural counts things in a sentence: "1 entry", "3 entries".
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// humanBytes prints a size with one decimal.
func humanBytes(n int64) string {
	const units = "KMGT"
	if n < 1024 {
		return fmt.Sprintf("%d bytes", n)
	}
	v, u := float64(n)/1024, 0
	for v >= 1024 && u < len(units)-1 {
		v, u = v/1024, u+1
	}
	return fmt.Sprintf("%.1f %ciB", v, units[u])
}

// meter counts the bytes of a file as they are fetched and tells the observer a few times a second.
type meter struct {
	ctx         context.Context
	done, total int64
	observer    progress.Observer
	last        time.Time
}

func (m *meter) count(n int) {
	m.done += int64(n)
	if m.observer == nil {
		return
	}
	if now := time.Now(); now.Sub(m.last) > 200*time.Millisecond {
		m.last = now
		m.observer.Report("read", min(m.done, m.total), m.total, "bytes")
	}
}

// step bounds one fetch, so that the context is looked at often.
const step = 1 << 20

type meteredReader struct {
	r io.Reader
	m *meter
}

func (r *meteredReader) Read(p []byte) (int, error) {
	if err := r.m.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.r.Read(p[:min(len(p), step)])
	r.m.count(n)
	return n, err
}

type meteredReaderAt struct {
	r io.ReaderAt
	m *meter
}

func (r *meteredReaderAt) ReadAt(p []byte, off int64) (int, error) {
	total := 0
	for {
		if err := r.m.ctx.Err(); err != nil {
			return total, err
		}
		part := p[total:min(len(p), total+step)]
		n, err := r.r.ReadAt(part, off+int64(total))
		total += n
		r.m.count(n)
		if err != nil || total == len(p) {
			return total, err
		}
	}
}
