package input

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
)

// Lines returns the lines of a file one by one, each of any length within a limit: an eighth of the
// memory allowed.
type Lines struct {
	Number int64 // of the last line, from 1

	in   *File
	long []byte
}

// LineFeeds makes line feeds of the carriage returns of a file that has these alone at the ends
// of its lines, judged by head, its first bytes, and returns head with line feeds.
func (in *File) LineFeeds(head []byte) ([]byte, error) {
	if !OldLineEnds(head) {
		return head, nil
	}
	in.Stream = bufio.NewReaderSize(&lineFeeds{in.Stream}, bufferSize)
	in.Notef("The lines end with carriage returns.")
	return in.Peek(HeadSize)
}

// OldLineEnds reports whether a file that begins so has carriage returns alone at the ends of its
// lines, as on computers of the last century.
func OldLineEnds(head []byte) bool {
	at := bytes.IndexByte(head, '\r')
	return at >= 0 && at < len(head)-1 && bytes.IndexByte(head, '\n') < 0
}

// lineFeeds replaces carriage returns by line feeds.
type lineFeeds struct{ r io.Reader }

func (l *lineFeeds) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	for i, c := range p[:n] {
		if c == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}

// NewLines starts at the current position of the stream.
func NewLines(in *File) *Lines { return &Lines{in: in} }

// Next returns the next line with its newline, if it has one. It is valid until the following call.
// The error is io.EOF after the last line.
func (l *Lines) Next() ([]byte, error) {
	if l.Number == 0 {
		head, _ := l.in.Stream.Peek(HeadSize) // an error comes again below, with its place
		if _, err := l.in.LineFeeds(head); err != nil {
			return nil, err
		}
	}
	line, err := l.in.Stream.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		l.long = append(l.long[:0], line...)
		for err == bufio.ErrBufferFull {
			if int64(len(l.long)) > l.in.Mem.Limit/8 {
				l.Number++
				return nil, l.in.Wrap(l.Place(), ErrMemory)
			}
			line, err = l.in.Stream.ReadSlice('\n')
			l.long = append(l.long, line...)
		}
		line = l.long
	}
	if err != nil && (err != io.EOF || len(line) == 0) {
		if err == io.EOF {
			return nil, io.EOF
		}
		return nil, l.in.Wrap(l.Place(), err)
	}
	l.Number++
	return line, nil
}

// Place names the last line for a message.
func (l *Lines) Place() string { return fmt.Sprintf("line %d", max(1, l.Number)) }

// ReadLines returns the lines of a UTF-8 file without white space around them.
func ReadLines(ctx context.Context, path string, maxBytes int64) ([]string, error) {
	in, done, err := Open(ctx, path, Limits{MaxBytes: maxBytes})
	if err != nil {
		return nil, err
	}
	defer done()
	if err := in.RefuseWide(); err != nil {
		return nil, err
	}
	var out []string
	for r := NewLines(in); ; {
		line, err := r.Next()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		if len(out) == 0 {
			line = bytes.TrimPrefix(line, []byte(ByteOrderMark))
		}
		if err := in.Mem.Take(int64(len(line))+16, 1); err != nil {
			return nil, in.Wrap(r.Place(), err)
		}
		out = append(out, string(bytes.TrimSpace(line)))
	}
}
