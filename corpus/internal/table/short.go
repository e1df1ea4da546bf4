package table

import (
	"io"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// shortRows fills rows of a table of texts that have fewer fields than the others, where these are
// few, and leaves out remarks below the table: the last rows, if the first field alone is filled,
// no row above is so, and the first column holds no texts.
type shortRows struct {
	fills   bool // rows with fewer fields are filled
	remarks bool // the last rows may be remarks
	count   int  // rows that were filled, and the line of the first of them
	first   int
	rows    int    // that were read
	texts   []bool // the columns that hold texts
	names   bool   // the first fields are names with a digit, such as d12
	sure    bool   // remarks look like such: the table is one of numbers
	before  int    // fields of the row before
	pending []row  // that may be remarks, and after them one that is none, or io.EOF
	next    *row
	done    bool
}

const (
	// shortShare is how many rows there are for each that has fewer fields than the others.
	shortShare = 50
	// fewRows is from how many rows on some may be short, and mostRemarks how many remarks are
	// looked for below a table.
	fewRows, mostRemarks = 10, 20
)

// settleShort looks at the first rows: whether some of so many fields may be short, and the last be
// remarks. Short ones are filled.
func (t *Table) settleShort(width int) {
	if len(t.first) < fewRows || width < 2 {
		return
	}
	_, sheet := t.from.(*sheetRows)
	texts := t.holdTexts(width)
	t.short.sure = !texts && !sheet
	short, alone, last := 0, 0, t.beforeRemarks(width)
	above := slices.IndexFunc(t.first[:last], func(r row) bool { return !isTitle(r.fields) })
	for _, r := range t.first[max(0, above):last] {
		if len(r.fields) > width {
			return
		}
		if len(r.fields) < width {
			short++
		}
		if onlyFirst(r.fields, width) {
			alone++
		}
	}
	t.short.before = len(t.first[len(t.first)-1].fields)
	t.short.remarks = (texts || sheet || t.ended) && alone == 0 && last >= fewRows && !t.holdText(0)
	if t.short.remarks && last < len(t.first) && len(t.first)-last <= mostRemarks {
		t.noteRemarks(t.first[last:])
		t.first = t.first[:last]
	}
	if sheet || !texts || short*shortShare > max(len(t.first), shortShare) {
		return
	}
	t.short.fills = true
	before := width
	for i, r := range t.first {
		if t.short.isWhole(r.fields, before, width) {
			t.first[i].fields = t.short.fill(r.fields, width, r.line)
		}
		before = len(r.fields)
	}
}

// beforeRemarks finds whether the first fields are names, and returns how many of the first rows
// are followed by nothing but rows that may be remarks.
func (t *Table) beforeRemarks(width int) int {
	last := len(t.first)
	for last > 0 && t.ended && onlyFirst(t.first[last-1].fields, width) {
		last--
	}
	t.short.names = last > 1 && !slices.ContainsFunc(t.first[1:last], func(r row) bool { return len(r.fields) == width && !hasDigit(r.fields[0]) })
	for last < len(t.first) && !t.short.remark(t.first[last].fields, width) {
		last++
	}
	return last
}

// holdTexts finds the columns that hold texts, and reports whether there is one.
func (t *Table) holdTexts(width int) bool {
	t.short.texts = make([]bool, width)
	for j := range width {
		t.short.texts[j] = t.holdText(j)
	}
	return slices.Contains(t.short.texts, true)
}

// holdText reports whether column j of the first rows has three words or more a row.
func (t *Table) holdText(j int) bool {
	words := 0
	for _, r := range t.first {
		if j < len(r.fields) {
			words += len(strings.Fields(r.fields[j]))
		}
	}
	return words >= 3*len(t.first)
}

// onlyFirst reports whether of a row the first field alone is filled, with a word.
func onlyFirst(fields []string, width int) bool {
	return len(fields) > 0 && (len(fields) < width || width > 2) && IsWord(strings.TrimSpace(fields[0])) &&
		!slices.ContainsFunc(fields[1:], func(f string) bool { return strings.TrimSpace(f) != "" })
}

// remark reports whether a row may be a remark: the first field alone is filled, and is no name of
// a document.
func (s *shortRows) remark(fields []string, width int) bool {
	return onlyFirst(fields, width) && !(s.names && hasDigit(fields[0])) && (!s.sure || len(fields) < width || looksRemark(fields[0]))
}

// looksRemark reports whether a field is a remark rather than the name of a row without numbers.
func looksRemark(field string) bool {
	return len(strings.Fields(field)) > 3 || strings.Contains(field, ":") || strings.ContainsAny(strings.TrimSpace(field)[:1], "*(")
}

// isTitle reports whether of a row no more than the first field is filled.
func isTitle(fields []string) bool {
	return len(fields) == 0 || !slices.ContainsFunc(fields[1:], func(f string) bool { return strings.TrimSpace(f) != "" })
}

// hasDigit reports whether a field is one word with a digit.
func hasDigit(field string) bool {
	return len(strings.Fields(field)) == 1 && strings.ContainsAny(field, "0123456789")
}

// isWhole reports whether a row lacks no more than its last fields. It does not if a line break
// inside a text divides a row in two: then the second part has no text, or begins with one where
// there are names or single words, or has all fields together with the row before.
func (s *shortRows) isWhole(fields []string, before, width int) bool {
	if len(fields) >= width {
		return true
	}
	if len(fields) == 0 || before < width && before+len(fields) == width+1 || s.names && !hasDigit(fields[0]) || !s.texts[0] && len(strings.Fields(fields[0])) >= 3 {
		return false
	}
	for j, f := range fields {
		if s.texts[j] && strings.TrimSpace(f) != "" {
			return true
		}
	}
	return false
}

// fill gives a row its missing fields.
func (s *shortRows) fill(fields []string, width, line int) []string {
	if len(fields) >= width {
		return fields
	}
	if s.count++; s.count == 1 {
		s.first = line
	}
	return append(slices.Clone(fields), make([]string, width-len(fields))...)
}

// noteRemarks says which rows below the table are left out.
func (t *Table) noteRemarks(rows []row) {
	t.in.Notef("%s below the table, of which the first field alone is filled, left out (first: %s, %q).",
		message.Plural(len(rows), t.unit, t.unit+"s"), t.PlaceOf(rows[0].line), message.Clip(strings.TrimSpace(rows[0].fields[0]), 40))
}

// noteShort says how many rows were filled.
func (t *Table) noteShort() {
	if n := t.short.count; n > 0 {
		t.in.Notef("%s fewer fields than the others (first: %s); the missing ones count as empty.", message.Plural(n, t.unit+" has", t.unit+"s have"), t.PlaceOf(t.short.first))
		t.short.count = 0
	}
}

// take returns the next row, with all fields, and passes over remarks at the end.
func (t *Table) take() (row, error) {
	s := &t.short
	width := len(t.Columns)
	if len(s.pending) > 0 {
		r := s.pending[0]
		s.pending = s.pending[1:]
		return r, nil
	}
	if s.next != nil {
		r := *s.next
		s.next = nil
		return r, nil
	}
	if s.done {
		return row{}, io.EOF
	}
	before := s.before
	r, err := t.read(width)
	if err != nil || !s.remarks || !s.remark(r.fields, width) {
		return r, err
	}
	for len(s.pending) < mostRemarks && err == nil && s.remark(r.fields, width) {
		s.pending = append(s.pending, row{cloned(r.fields), r.line})
		r, err = t.read(width)
	}
	switch {
	case err == io.EOF:
		s.done = true
		t.noteRemarks(s.pending)
		s.pending = nil
		return row{}, io.EOF
	case err != nil:
		return row{}, err
	}
	for i, p := range s.pending {
		if s.pending[i], err = t.whole(p, before, width); err != nil {
			return row{}, err
		}
		before = len(p.fields)
	}
	if r, err = t.whole(r, before, width); err != nil {
		return row{}, err
	}
	s.next = &row{cloned(r.fields), r.line}
	return t.take()
}

// read returns the next row, filled if it may be; a short one that may be a remark as it is.
func (t *Table) read(width int) (row, error) {
	rec, err := t.from.Next()
	for err == nil && t.again.is(rec, t.from.At()) {
		rec, err = t.from.Next()
	}
	if err != nil {
		return row{}, err
	}
	r, before := row{rec, t.from.At()}, t.short.before
	t.short.rows++
	t.short.before = len(rec)
	if s, ok := t.from.(*sheetRows); ok {
		r.fields = s.fitted(rec, width)
		return r, nil
	}
	if t.short.remarks && t.short.remark(rec, width) {
		return r, nil
	}
	return t.whole(r, before, width)
}

// whole returns a row with all fields, below one of before fields, or refuses it.
func (t *Table) whole(r row, before, width int) (row, error) {
	s := &t.short
	switch n := len(r.fields); {
	case n == width:
	case n > width || !s.fills || shortShare*s.count > sampledRows+s.rows || !s.isWhole(r.fields, before, width):
		return r, t.wrongWidth(r, width)
	default:
		r.fields = s.fill(r.fields, width, r.line)
	}
	return r, nil
}
