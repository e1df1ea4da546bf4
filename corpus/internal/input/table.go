package input

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// Table reads records whose fields are separated by commas, tabs, semicolons or blanks.
type Table struct {
	Line int // where the last record begins, from 1

	in    *File
	csv   *csv.Reader
	guard *recordGuard
}

// NewTable starts reading a UTF-8 file. With comma 0 the first lines decide on the separator.
func NewTable(in *File, comma rune) (*Table, error) {
	if err := in.refuseWide(); err != nil {
		return nil, err
	}
	head, err := in.Peek(HeadSize)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(head, []byte(ByteOrderMark)) {
		if _, err := in.Stream.Discard(len(ByteOrderMark)); err != nil {
			return nil, in.Wrap("", err)
		}
		head = head[len(ByteOrderMark):]
	}
	if head, err = in.oldLineEnds(head); err != nil {
		return nil, err
	}
	if comma == 0 {
		comma = Separator(head)
	}
	guard := &recordGuard{r: in.Stream, limit: max(1<<16, in.Mem.Limit/64)}
	t := &Table{in: in, csv: csv.NewReader(guard), guard: guard}
	t.csv.Comma = comma
	t.csv.FieldsPerRecord = -1
	t.csv.ReuseRecord = true
	t.csv.TrimLeadingSpace = comma != '\t' && comma != ' '
	return t, nil
}

// SkipComments ignores lines that begin with #.
func (t *Table) SkipComments() { t.csv.Comment = '#' }

// Separator finds the separator from the first two lines. It is the one of tab, semicolon and comma
// that occurs most often outside quotes in the first line, or else a blank if the line holds
// numbers. A tab or semicolon that the second line does not have is part of a name.
func Separator(head []byte) rune {
	first, rest, _ := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	second, _, _ := bytes.Cut(bytes.TrimLeft(rest, "\r\n"), []byte("\n"))
	count, again := countOutsideQuotes(first), countOutsideQuotes(second)
	best := ','
	for _, c := range []rune{'\t', ';'} {
		if count[c] > count[best] && (len(second) == 0 || again[c] > 0) {
			best = c
		}
	}
	if count[best] == 0 && len(bytes.Fields(first)) > 1 && lexical.AllNumbers(bytes.Fields(first), true) {
		return ' '
	}
	return best
}

func countOutsideQuotes(line []byte) map[rune]int {
	count := map[rune]int{}
	quoted := false
	for _, c := range string(line) {
		if c == '"' {
			quoted = !quoted
		} else if !quoted {
			count[c]++
		}
	}
	return count
}

// Next returns the next record, valid until the following call; io.EOF at the end.
func (t *Table) Next() ([]string, error) {
	t.guard.left = t.guard.limit
	rec, err := t.csv.Read()
	var parse *csv.ParseError
	switch {
	case err == io.EOF:
		return nil, io.EOF
	case errors.Is(err, ErrTooLong):
		return nil, t.in.Fail(t.Place(), "a record after it is longer than %s; check the quotes in it", message.Bytes(t.guard.limit))
	case errors.As(err, &parse):
		return nil, t.in.Fail(fmt.Sprintf("line %d, character %d", parse.Line, parse.Column), "%v; correct the quotes there", parse.Err)
	case err != nil:
		return nil, t.in.Wrap(t.Place(), err)
	}
	t.Line, _ = t.csv.FieldPos(0)
	return rec, nil
}

// Place names the line of the last record for a message.
func (t *Table) Place() string { return fmt.Sprintf("line %d", max(1, t.Line)) }

// recordGuard bounds the bytes of one record. encoding/csv holds a record of any length in memory
// and takes about 30 bytes for every field, so the bound is a small part of the memory allowed.
type recordGuard struct {
	r           io.Reader
	limit, left int64
}

func (g *recordGuard) Read(p []byte) (int, error) {
	if g.left <= 0 {
		return 0, ErrTooLong
	}
	n, err := g.r.Read(p)
	g.left -= int64(n)
	return n, err
}
