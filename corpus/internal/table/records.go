// Package table reads tables of text: CSV, TSV, and fields separated by semicolons, bars or blanks.
// It finds out the separator, the header and how numbers are written, and says what each column
// holds.
package table

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// Blank is the separator of fields that any run of blanks and tabs separates.
const Blank = ' '

// Records reads records whose fields are separated by commas, tabs, semicolons, bars or blanks.
type Records struct {
	Line int // where the last record begins, from 1

	in    *input.File
	csv   *csv.Reader   // of separators in whose tables quotes are strict
	ahead *bufio.Reader // what csv reads
	guard *recordGuard  // what ahead reads
	split *splitter     // of tabs and blanks
	first int           // lines before the first record
}

// NewRecords starts reading a UTF-8 file at the place where it stands, by the given separator.
func NewRecords(in *input.File, comma rune) *Records {
	t := &Records{in: in}
	if comma == '\t' || comma == Blank {
		t.split = &splitter{in: in, lines: input.NewLines(in), comma: comma}
		return t
	}
	t.strict(comma)
	return t
}

// strict reads records whose quotes are strict, from where the stream stands.
func (t *Records) strict(comma rune) {
	t.guard = &recordGuard{r: t.in.Stream, limit: max(1<<16, t.in.Mem.Limit/64)}
	t.ahead = bufio.NewReader(t.guard) // which csv.NewReader takes as it is
	t.csv = csv.NewReader(t.ahead)
	t.csv.Comma = comma
	t.csv.FieldsPerRecord = -1
	t.csv.ReuseRecord = true
	t.csv.TrimLeadingSpace = true
}

// Head prepares a file for [NewRecords]: it refuses UTF-16 and UTF-32, skips a byte-order mark and
// makes line feeds of old line ends. It returns up to n of the first bytes.
func Head(in *input.File, n int) ([]byte, error) {
	if err := in.RefuseWide(); err != nil {
		return nil, err
	}
	head, err := in.Peek(input.HeadSize)
	if err != nil {
		return nil, err
	}
	if len(head) >= 3 && string(head[:3]) == input.ByteOrderMark {
		if _, err := in.Stream.Discard(len(input.ByteOrderMark)); err != nil {
			return nil, in.Wrap("", err)
		}
		head = head[len(input.ByteOrderMark):]
	}
	if _, err = in.LineFeeds(head); err != nil {
		return nil, err
	}
	return in.Peek(n)
}

// SkipComments ignores lines that begin with #.
func (t *Records) SkipComments() {
	if t.csv != nil {
		t.csv.Comment = '#'
		return
	}
	t.split.comments = true
}

// Next returns the next record, valid until the following call; io.EOF at the end.
func (t *Records) Next() ([]string, error) {
	if t.split != nil {
		rec, err := t.split.next()
		t.Line = t.first + t.split.line
		return rec, err
	}
	t.guard.left = t.guard.limit
	rec, err := t.csv.Read()
	var parse *csv.ParseError
	switch {
	case err == io.EOF:
		return nil, io.EOF
	case errors.Is(err, input.ErrTooLong):
		return nil, t.in.Fail(t.Place(), "a record after it is longer than %s; check the quotes in it", message.Bytes(t.guard.limit))
	case errors.As(err, &parse) && parse.Err == csv.ErrBareQuote:
		return nil, t.in.Fail(fmt.Sprintf("line %d, character %d", t.first+parse.Line, parse.Column), "a field has quotes and does not stand in quotes itself; write the table anew, for instance with python -c \"import csv, sys; csv.writer(sys.stdout).writerows(csv.reader(sys.stdin, delimiter='%c'))\" < FILE > table.csv", t.csv.Comma)
	case errors.As(err, &parse):
		return nil, t.in.Fail(fmt.Sprintf("line %d, character %d", t.first+parse.Line, parse.Column), "%v; correct the quotes there: one inside a field in quotes is written twice (if they are \\\", with sed 's/\\\\\"/\"\"/g' FILE > table.csv)", parse.Err)
	case err != nil:
		return nil, t.in.Wrap(t.Place(), err)
	}
	line, _ := t.csv.FieldPos(0)
	t.Line = t.first + line
	return rec, nil
}

// cloned returns copies of the fields of a record, in one array.
func cloned(rec []string) []string {
	all, fields := strings.Join(rec, ""), make([]string, len(rec))
	for j, f := range rec {
		fields[j], all = all[:len(f)], all[len(f):]
	}
	return fields
}

// Place names the line of the last record for a message.
func (t *Records) Place() string { return fmt.Sprintf("line %d", max(1, t.Line)) }

// recordGuard bounds the bytes of one record. encoding/csv holds a record of any length in memory
// and takes about 30 bytes for every field, so the bound is a small part of the memory allowed.
type recordGuard struct {
	r           io.Reader
	limit, left int64
	lines       int // line feeds that were read
}

func (g *recordGuard) Read(p []byte) (int, error) {
	if g.left <= 0 {
		return 0, input.ErrTooLong
	}
	n, err := g.r.Read(p)
	g.left -= int64(n)
	g.lines += bytes.Count(p[:n], newline)
	return n, err
}

// OpenList starts reading a list of labels: records of a table without a look at its columns.
// Blanks separate fields only if what comes before them is different in every line.
func OpenList(in *input.File) (*Records, error) {
	head, err := Head(in, LookedAt)
	if err != nil {
		return nil, err
	}
	comma, lines, err := skipFirst(in, head, 0)
	if err != nil {
		return nil, err
	}
	if err := takeQuotes(in, comma); err != nil {
		return nil, err
	}
	if comma == 0 {
		if head, err = in.Peek(LookedAt); err != nil {
			return nil, err
		}
		if comma = Separator(head); comma == Blank && !firstDiffer(wholeLines(head)) {
			comma = ','
		}
	}
	t := NewRecords(in, comma)
	t.first = lines
	return t, nil
}

// firstDiffer reports whether the first fields of lines are all different.
func firstDiffer(lines [][]byte) bool {
	seen := make(map[string]bool)
	for _, rec := range cut(lines, Blank) {
		if seen[rec[0]] {
			return false
		}
		seen[rec[0]] = true
	}
	return len(lines) > 1
}
