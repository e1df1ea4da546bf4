package network

import (
	"bufio"
	"io"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// scanner reads the characters of a file of text and counts its lines.
type scanner struct {
	b    *builder
	r    *bufio.Reader
	line int64 // of the next character, from 1
	buf  []byte
	old  bool // the last character was a carriage return
}

func newScanner(b *builder) *scanner {
	s := &scanner{b: b, r: b.in.Stream, line: 1}
	if head, _ := s.r.Peek(len(input.ByteOrderMark)); string(head) == input.ByteOrderMark { // an error comes again
		_, _ = s.r.Discard(len(head))
	}
	return s
}

// byte reads a byte; io.EOF at the end.
func (s *scanner) byte() (byte, error) {
	c, err := s.r.ReadByte()
	if err != nil {
		if err == io.EOF {
			return 0, err
		}
		return 0, s.b.in.Wrap(s.b.at(s.line), err)
	}
	if c == '\r' || c == '\n' && !s.old {
		s.line++
	}
	s.old = c == '\r'
	return c, nil
}

// peek is the next byte; 0 at the end.
func (s *scanner) peek() byte {
	p, _ := s.r.Peek(1) // an error comes again
	if len(p) == 0 {
		return 0
	}
	return p[0]
}

// keep appends a byte to the word that is read, begun in a line.
func (s *scanner) keep(c byte, began int64) error {
	if s.buf = append(s.buf, c); int64(len(s.buf)) > s.b.most {
		return s.b.in.Wrap(s.b.at(began), input.ErrMemory)
	}
	return nil
}

// skipLine reads on behind the end of the line.
func (s *scanner) skipLine() error {
	for {
		c, err := s.byte()
		if err != nil || c == '\n' || c == '\r' {
			return err
		}
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
