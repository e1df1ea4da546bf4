// Package input opens the files that a corpus is read from: it unpacks them, bounds the memory that
// is taken for them, reports progress, and turns errors into sentences for the user.
package input

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/eigenmap/eigenmap/internal/regular"
	"github.com/eigenmap/eigenmap/internal/shards"
	"github.com/eigenmap/eigenmap/progress"
)

// HeadSize is how many bytes of a file are examined to recognise its format.
const HeadSize = 4096

// SniffBytes is how many bytes of a file in a folder are examined to recognise texts.
const SniffBytes = 8000

// bufferSize is the size of the buffers in front of a file, in bytes.
const bufferSize = 64 << 10

// Limits bound and observe the reading of one file.
type Limits struct {
	MaxBytes int64             // most memory, in bytes; 0 or less: three quarters of what is free
	Observer progress.Observer // gets stage "read"; nil: none
}

// File is an opened file, or a folder of files, as the readers of formats use it: unpacked, counted
// and cancellable.
//
// Each fetch of bytes from below checks the context and reports progress, so a reader that takes
// its bytes from a File needs no check of its own while it reads.
type File struct {
	Ctx      context.Context
	Name     string // as the user named it, for messages
	Path     string // the folder of this path holds the files beside it; empty: content in memory
	Mem      *Budget
	Observer progress.Observer
	Stream   *bufio.Reader // the content from its start; nil for a folder
	At       io.ReaderAt   // the content for random access; nil if it is compressed
	Size     int64         // bytes of the file on disk, compressed or not
	Notes    []string      // what the reader found out or decided, one sentence each
	// LabelNote is the one of Notes about where labels beside the matrix are from; "" if there is
	// none.
	LabelNote string

	meter    *meter
	content  io.Reader    // what Stream reads, of a compressed file
	packed   io.ReaderAt  // a compressed file as it is, to be unpacked again
	whole    []byte       // the content of a compressed file, once Random unpacked it
	unpacked atomic.Int64 // bytes of content that came out of a compressed file
}

// New makes the File of an opened file of size bytes, which is read from its start, and looks for
// compression.
func New(ctx context.Context, name string, file interface {
	io.Reader
	io.ReaderAt
}, size int64, limits Limits) (*File, error) {
	in := NewFolder(ctx, name, limits)
	in.meter.total = size
	return in.open(file, size)
}

// open looks for compression in the content of the file.
func (in *File) open(file interface {
	io.Reader
	io.ReaderAt
}, size int64) (*File, error) {
	in.Size = size
	in.Stream = bufio.NewReaderSize(in.Metered(file), bufferSize)
	first, err := in.Stream.Peek(1)
	if err != nil && err != io.EOF {
		return nil, in.Wrap("", err)
	}
	if len(first) == 0 {
		return nil, NoDocuments(in.Fail("", "the file is empty; give a file with at least one document"))
	}
	content, packed, err := Unpack(in.Stream)
	if err != nil {
		return nil, in.Wrap("", err)
	}
	if packed {
		in.content, in.packed = content, file
		in.Stream = bufio.NewReaderSize(in.guarded(content), bufferSize)
		return in, nil
	}
	in.At = &meteredReaderAt{file, in.meter}
	return in, nil
}

// NewFolder makes a File without content, for a folder whose files are opened one by one.
func NewFolder(ctx context.Context, name string, limits Limits) *File {
	return &File{Ctx: ctx, Name: name, Mem: NewBudget(Within(ctx, limits.MaxBytes)), Observer: limits.Observer,
		meter: &meter{ctx: ctx, observer: limits.Observer}}
}

// Open opens a regular file, or the parts of a file of a result as that file (package shards). The
// caller closes it by the function returned.
func Open(ctx context.Context, path string, limits Limits) (in *File, done func(), err error) {
	f, size, err := shards.Open(path)
	if err != nil {
		return nil, nil, OpenError(path, err)
	}
	in, err = New(ctx, path, f, size, limits)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return in, func() { closed(in.content); f.Close() }, nil
}

// Part opens one of the files of a corpus, with the memory and the progress of in, which
// [File.Expect] told of its bytes. An empty file is an error. The caller closes it by the function
// returned.
func (in *File) Part(path string) (part *File, done func(), err error) {
	f, size, err := OpenRegular(path)
	if err != nil {
		return nil, nil, err
	}
	part = &File{Ctx: in.Ctx, Name: path, Path: path, Mem: in.Mem, Observer: in.Observer, meter: in.meter}
	if part, err = part.open(f, size); err != nil {
		f.Close()
		return nil, nil, err
	}
	return part, func() { closed(part.content); f.Close() }, nil
}

// Section is [File.Part] of a file that is not compressed, from a byte on.
func (in *File) Section(path string, from int64) (part *File, done func(), err error) {
	f, size, err := OpenRegular(path)
	if err != nil {
		return nil, nil, err
	}
	part = &File{Ctx: in.Ctx, Name: path, Path: path, Mem: in.Mem, Observer: in.Observer, meter: in.meter, Size: size, At: &meteredReaderAt{f, in.meter}}
	part.Stream = bufio.NewReaderSize(in.Metered(io.NewSectionReader(f, from, size-from)), bufferSize)
	return part, func() { f.Close() }, nil
}

// OpenRegular is [regular.Open] with a FormatError.
func OpenRegular(path string) (*os.File, int64, error) {
	f, size, err := regular.Open(path)
	if err != nil {
		return nil, 0, OpenError(path, err)
	}
	return f, size, nil
}

// Peek returns up to the first n bytes of the content and does not consume them.
func (in *File) Peek(n int) ([]byte, error) {
	head, err := in.Stream.Peek(n)
	if err != nil && err != io.EOF {
		return nil, in.Wrap("", err)
	}
	return head, nil
}

// Random returns the content for random access and its length in bytes. It first unpacks a
// compressed file into memory, within the budget; it does not rely on the size that the file
// claims. Stream is at the start of the content again.
func (in *File) Random() (io.ReaderAt, int64, error) {
	if in.At != nil {
		return in.At, in.Size, nil
	}
	if in.whole != nil {
		return bytes.NewReader(in.whole), int64(len(in.whole)), nil
	}
	var data []byte
	for {
		if len(data) == cap(data) {
			grown, err := Regrow(in.Mem, data, 1, max(1<<16, 2*cap(data)))
			if err != nil {
				return nil, 0, in.Wrap("", err)
			}
			data = grown
		}
		n, err := in.Stream.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			in.whole, in.Stream = data, bufio.NewReaderSize(bytes.NewReader(data), bufferSize)
			return bytes.NewReader(data), int64(len(data)), nil
		}
		if err != nil {
			return nil, 0, in.Wrap("", err)
		}
	}
}

// Again returns a second reader of the unpacked content, from its start. Its bytes are not counted
// as progress. The caller closes it by the function returned.
func (in *File) Again() (r io.Reader, done func(), err error) {
	if m, ok := in.At.(*meteredReaderAt); ok {
		return io.NewSectionReader(m.r, 0, in.Size), func() {}, nil
	}
	r, _, err = Unpack(bufio.NewReaderSize(io.NewSectionReader(in.packed, 0, in.Size), bufferSize))
	if err != nil {
		return nil, nil, err
	}
	return r, func() { closed(r) }, nil
}

// Rewind sets Stream to the start of the content of a compressed file, and progress to zero. The
// caller closes it by the function returned.
func (in *File) Rewind() (done func(), err error) {
	in.meter.done = 0
	in.unpacked.Store(0)
	r, _, err := Unpack(bufio.NewReaderSize(in.Metered(io.NewSectionReader(in.packed, 0, in.Size)), bufferSize))
	if err != nil {
		return nil, err
	}
	closed(in.content)
	in.content = r
	in.Stream = bufio.NewReaderSize(in.guarded(r), bufferSize)
	return func() { closed(r) }, nil
}

// Notef keeps a sentence for Corpus.Notes.
func (in *File) Notef(format string, args ...any) {
	in.Notes = append(in.Notes, fmt.Sprintf(format, args...))
}

// LabelNotef keeps the sentence about where labels beside the matrix are from.
func (in *File) LabelNotef(format string, args ...any) {
	in.Notef(format, args...)
	in.LabelNote = in.Notes[len(in.Notes)-1]
}

// Sibling returns the path of a regular file in the same folder, if there is one of this name.
func (in *File) Sibling(name string) (string, bool) {
	if in.Path == "" {
		return "", false
	}
	p := filepath.Join(filepath.Dir(in.Path), name)
	info, err := os.Stat(p)
	return p, err == nil && info.Mode().IsRegular()
}

// ReadFull reads all of p; an earlier end is io.ErrUnexpectedEOF.
func ReadFull(r io.Reader, p []byte) error {
	_, err := io.ReadFull(r, p)
	return Early(err)
}

// Early is err where a file must go on: io.EOF becomes io.ErrUnexpectedEOF.
func Early(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
