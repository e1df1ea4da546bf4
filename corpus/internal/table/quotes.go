package table

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// takeQuotes writes a table whose quotes are single ones with double quotes around each field,
// which the readers of tables know. comma is the separator; 0 if it is not known.
func takeQuotes(in *input.File, comma rune) error {
	head, err := in.Peek(LookedAt)
	if err != nil || bytes.IndexByte(head, '\'') < 0 {
		return err
	}
	for _, c := range separators {
		if (comma == 0 || comma == c) && singleQuotes(head, c) {
			in.Stream = bufio.NewReaderSize(newRequoter(in.Stream, byte(c)), 64<<10)
			in.Notef("Fields stand in single quotes, which are no part of them.")
			return nil
		}
	}
	return nil
}

// singleQuotes reports whether a separator cuts the records at the beginning of a file into equally
// many fields, two or more, if single quotes are around fields. Either one column has them in all
// records but for a header, or some field has them and double quotes do not cut so. An apostrophe
// that begins a field is none: its field would go over line ends, or stay open at the end.
func singleQuotes(head []byte, comma rune) bool {
	q := newRequoter(bufio.NewReader(bytes.NewReader(head)), byte(comma))
	_, _ = io.Copy(io.Discard, q) // a reader of bytes has no errors
	if len(head) < LookedAt && q.state == fieldSingle {
		return false
	}
	if len(head) < LookedAt && (q.fields > 0 || q.state != fieldStart) {
		q.endRecord()
	}
	if q.uneven || q.width < 2 || q.odd*10 > q.records {
		return false
	}
	some := false
	for _, n := range q.quoted {
		if q.records > 1 && n >= q.records-1 && !q.over {
			return true
		}
		some = some || n > 0
	}
	return some && !doubleQuotes(head, comma)
}

// doubleQuotes reports whether a separator cuts the records at the beginning of a file into equally
// many fields, if double quotes alone are quotes.
func doubleQuotes(head []byte, comma rune) bool {
	lines := wholeLines(head)
	records := cut(lines, comma)
	if _, even := fit(records, comma); !even {
		return false
	}
	r := csv.NewReader(bytes.NewReader(bytes.Join(lines, newline)))
	r.Comma, r.FieldsPerRecord, r.TrimLeadingSpace = comma, -1, true
	for comma != '\t' {
		_, err := r.Read()
		var parse *csv.ParseError
		if errors.As(err, &parse) && parse.Err == csv.ErrBareQuote {
			return false
		}
		if err != nil {
			return true
		}
	}
	return true
}

// The places in a record at which a requoter stands.
type fieldState uint8

const (
	fieldStart  fieldState = iota // before a field, or in the blanks there
	fieldPlain                    // in a field without quotes
	fieldSingle                   // between single quotes
	fieldEnd                      // behind the quote that ends a field
)

// requoter puts each field of a record between double quotes, those in single quotes without these.
// Between single quotes two of them are one, and one that no separator follows is a character.
type requoter struct {
	r     *bufio.Reader
	out   []byte // what was read, and is not taken yet
	comma byte
	state fieldState

	fields, width int   // of this record, before the field, and of the first one
	quoted        []int // for each field of a record, how many records have it in single quotes
	records, odd  int   // records that ended, and quotes within fields that no separator follows
	uneven        bool  // two records have different numbers of fields
	over          bool  // a field in single quotes goes over a line end
}

func newRequoter(r *bufio.Reader, comma byte) *requoter { return &requoter{r: r, comma: comma} }

// Read implements io.Reader.
func (q *requoter) Read(p []byte) (int, error) {
	for len(q.out) < len(p) {
		c, err := q.r.ReadByte()
		if err == nil {
			q.add(c)
			continue
		}
		if q.endField(); len(q.out) == 0 {
			return 0, err
		}
		break
	}
	n := copy(p, q.out)
	q.out = q.out[:copy(q.out, q.out[n:])]
	return n, nil
}

// endField closes a field without single quotes.
func (q *requoter) endField() {
	if q.state == fieldPlain {
		q.state = fieldEnd
		q.out = append(q.out, '"')
	}
}

// add takes the next byte.
func (q *requoter) add(c byte) {
	switch {
	case q.state == fieldSingle:
		q.within(c)
		return
	case c == '\'' && q.state == fieldStart:
		q.state, c = fieldSingle, '"'
		for len(q.quoted) <= q.fields {
			q.quoted = append(q.quoted, 0)
		}
		q.quoted[q.fields]++
	case c == q.comma:
		q.endField()
		q.fields++
		q.state = fieldStart
	case c == '\n' || c == '\r':
		if q.endField(); c == '\n' {
			q.endRecord()
		}
	case q.state == fieldStart && c != ' ':
		q.state = fieldPlain
		q.out = append(q.out, '"')
	}
	if c == '"' && q.state == fieldPlain {
		q.out = append(q.out, c)
	}
	q.out = append(q.out, c)
}

// within takes the next byte between single quotes.
func (q *requoter) within(c byte) {
	switch next, err := q.r.Peek(1); {
	case c == '"':
		q.out = append(q.out, c, c)
	case c != '\'':
		q.over = q.over || c == '\n'
		q.out = append(q.out, c)
	case err != nil || next[0] == q.comma || next[0] == '\r' || next[0] == '\n':
		q.state = fieldEnd
		q.out = append(q.out, '"')
	case next[0] == '\'':
		_, _ = q.r.ReadByte() // it was seen
		q.out = append(q.out, c)
	default:
		q.odd++
		q.out = append(q.out, c)
	}
}

// endRecord counts the record that ends; an empty line is none.
func (q *requoter) endRecord() {
	if q.fields > 0 || q.state != fieldStart {
		q.fields++
		if q.records++; q.records == 1 {
			q.width = q.fields
		}
		q.uneven = q.uneven || q.fields != q.width
	}
	q.fields, q.state = 0, fieldStart
}
