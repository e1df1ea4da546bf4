package table

import (
	"bufio"
	"bytes"
	"io"
	"slices"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
)

// listBytes is the most that a list of numbers in brackets takes in a field without quotes.
const listBytes = 1 << 20

// takeLists makes one field of each list of numbers in brackets that its own commas would part, if
// the first records have such lists: every field "[0.1, 0.2]" without quotes gets them.
func takeLists(in *input.File) error {
	head, err := in.Peek(LookedAt)
	if err != nil || !hasBareLists(head) {
		return err
	}
	in.Stream = bufio.NewReaderSize(newListQuoter(in.Stream), 64<<10)
	return nil
}

// hasBareLists reports whether most records at the beginning of a file, but for one that may be a
// header, have a list of two numbers or more without quotes, with commas between the numbers.
func hasBareLists(head []byte) bool {
	if bytes.IndexByte(head, '[') < 0 {
		return false
	}
	q := newListQuoter(bufio.NewReader(bytes.NewReader(head)))
	_, _ = io.Copy(io.Discard, q) // a reader of bytes has no errors
	if len(head) < LookedAt {
		q.endRecord()
	}
	return 2*q.with > max(1, q.records-1)
}

// listQuoter puts quotes around the lists of a table.
type listQuoter struct {
	r     *bufio.Reader
	out   []byte // what was read, with quotes, and is not taken yet
	open  int    // where a list begins in out that may be a whole field; -1 for none
	comma bool   // the open list has a comma

	quotes bool // within a field in quotes
	start  bool // at the start of a field, or in the blanks before it

	filled, listed bool // the record has something, and a list that got quotes
	records, with  int  // records that have something, and those of them with such a list
}

func newListQuoter(r *bufio.Reader) *listQuoter {
	return &listQuoter{r: r, open: -1, start: true}
}

// Read implements io.Reader.
func (q *listQuoter) Read(p []byte) (int, error) {
	for len(q.out) < len(p) || q.open >= 0 {
		c, err := q.r.ReadByte()
		if err == nil {
			q.add(c)
			continue
		}
		if q.open = -1; len(q.out) == 0 {
			return 0, err
		}
		break
	}
	n := copy(p, q.out)
	q.out = q.out[:copy(q.out, q.out[n:])]
	return n, nil
}

// add takes the next byte.
func (q *listQuoter) add(c byte) {
	q.out = append(q.out, c)
	switch {
	case q.open >= 0 && q.within(c):
	case c == '"':
		q.quotes, q.start = !q.quotes, false
	case q.quotes:
	case c == '[' && q.start:
		q.open, q.comma, q.start = len(q.out)-1, false, false
	case c == '\n':
		q.endRecord()
	case c != ' ':
		q.filled, q.start = q.filled || c != '\r', isEnd(c)
	}
}

// within reports whether the open list goes on behind its byte c, the last of out. It closes a list
// that is a whole field.
func (q *listQuoter) within(c byte) bool {
	q.comma = q.comma || c == ','
	if c != ']' {
		if bytes.IndexByte([]byte("[ ,+-.0123456789eE"), c) < 0 || len(q.out)-q.open > listBytes {
			q.open = -1
		}
		return q.open >= 0
	}
	next, err := q.r.Peek(1)
	if err == nil && next[0] == ']' {
		return true
	}
	list, ok := lexical.Vector(string(q.out[q.open:]))
	if ok && len(list) > 1 && q.comma && (err != nil || isEnd(next[0])) {
		q.out, q.listed = slices.Insert(append(q.out, '"'), q.open, '"'), true
	}
	q.open = -1
	return false
}

// endRecord counts the record that ends.
func (q *listQuoter) endRecord() {
	if q.filled {
		q.records++
	}
	if q.listed {
		q.with++
	}
	q.start, q.filled, q.listed = true, false, false
}

// isEnd reports whether c ends a field, at the end of a line too.
func isEnd(c byte) bool { return bytes.IndexByte([]byte(",;\t|\r\n"), c) >= 0 }
