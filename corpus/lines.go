package corpus

import (
	"bufio"
	"fmt"
	"io"
)

// lineReader hands out the lines of a text without their end, however long, within a limit.
type lineReader struct {
	in     *input
	number int64 // of the last line, from 1
	long   []byte
}

// next returns the next line, valid until the following call; io.EOF after the last, whether or not
// that one ended in a newline.
func (l *lineReader) next() ([]byte, error) {
	line, err := l.in.stream.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		l.long = append(l.long[:0], line...)
		for err == bufio.ErrBufferFull {
			if int64(len(l.long)) > l.in.mem.limit/8 {
				l.number++
				return nil, l.in.wrap(l.place(), errMemory)
			}
			line, err = l.in.stream.ReadSlice('\n')
			l.long = append(l.long, line...)
		}
		line = l.long
	}
	if err != nil && (err != io.EOF || len(line) == 0) {
		if err == io.EOF {
			return nil, io.EOF
		}
		return nil, l.in.wrap(l.place(), err)
	}
	l.number++
	return line, nil
}

// place names the last line.
func (l *lineReader) place() string { return fmt.Sprintf("line %d", max(1, l.number)) }

func isBlank(c byte) bool {
	return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'
}

// nextField cuts the first field off a line; empty at its end.
func nextField(line []byte) (field, rest []byte) {
	i := 0
	for i < len(line) && isBlank(line[i]) {
		i++
	}
	j := i
	for j < len(line) && !isBlank(line[j]) {
		j++
	}
	return line[i:j], line[j:]
}

// parseIndex reads a decimal integer.
func parseIndex(b []byte) (int64, bool) {
	negative := len(b) > 0 && b[0] == '-'
	if negative || len(b) > 0 && b[0] == '+' {
		b = b[1:]
	}
	if len(b) == 0 || len(b) > 18 {
		return 0, false
	}
	var v int64
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = 10*v + int64(c-'0')
	}
	if negative {
		v = -v
	}
	return v, true
}
