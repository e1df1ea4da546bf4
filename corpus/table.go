package corpus

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
)

// table reads records separated by commas, tabs, semicolons or blanks.
type table struct {
	in    *input
	csv   *csv.Reader
	guard *recordGuard
	line  int // where the last record began
}

// newTable starts reading; comma 0 looks at the first line for the separator.
func newTable(in *input, comma rune) (*table, error) {
	if err := in.refuseWide(); err != nil {
		return nil, err
	}
	head, err := in.peek(headSize)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(head, []byte("\ufeff")) {
		if _, err := in.stream.Discard(3); err != nil {
			return nil, in.wrap("", err)
		}
		head = head[3:]
	}
	if comma == 0 {
		comma = separator(head)
	}
	guard := &recordGuard{r: in.stream, limit: max(1<<16, in.mem.limit/64)}
	t := &table{in: in, csv: csv.NewReader(guard), guard: guard}
	t.csv.Comma = comma
	t.csv.FieldsPerRecord = -1
	t.csv.ReuseRecord = true
	t.csv.TrimLeadingSpace = comma != '\t' && comma != ' '
	return t, nil
}

// separator finds the separator from the first two lines: the one of tab, semicolon and comma that occurs most
// outside quotes in the first, else a blank between numbers. A tab or semicolon that the second line
// does not have is part of a name.
func separator(head []byte) rune {
	first, rest, _ := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	second, _, _ := bytes.Cut(bytes.TrimLeft(rest, "\r\n"), []byte("\n"))
	count, again := countOutsideQuotes(first), countOutsideQuotes(second)
	best := ','
	for _, c := range []rune{'\t', ';'} {
		if count[c] > count[best] && (len(second) == 0 || again[c] > 0) {
			best = c
		}
	}
	if count[best] == 0 && len(bytes.Fields(first)) > 1 && allNumbers(bytes.Fields(first), true) {
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

// next returns the next record, valid until the following call; io.EOF at the end.
func (t *table) next() ([]string, error) {
	t.guard.left = t.guard.limit
	rec, err := t.csv.Read()
	var parse *csv.ParseError
	switch {
	case err == io.EOF:
		return nil, io.EOF
	case errors.Is(err, errTooLong):
		return nil, t.in.fail(t.place(), "a record after it is longer than %s; check the quotes in it", humanBytes(t.guard.limit))
	case errors.As(err, &parse):
		return nil, t.in.fail(fmt.Sprintf("line %d, character %d", parse.Line, parse.Column), "%v; correct the quotes there", parse.Err)
	case err != nil:
		return nil, t.in.wrap(t.place(), err)
	}
	t.line, _ = t.csv.FieldPos(0)
	return rec, nil
}

// place names the line of the last record.
func (t *table) place() string { return fmt.Sprintf("line %d", max(1, t.line)) }

// recordGuard bounds the bytes of one record. encoding/csv holds a record in memory however long it
// is, with some 30 bytes for every field, so the bound is a small part of the memory allowed.
type recordGuard struct {
	r           io.Reader
	limit, left int64
}

func (g *recordGuard) Read(p []byte) (int, error) {
	if g.left <= 0 {
		return 0, errTooLong
	}
	n, err := g.r.Read(p)
	g.left -= int64(n)
	return n, err
}
