package records

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/internal/pattern"
)

// Record is one record of a file.
type Record struct {
	Line   int // where it begins, from 1
	fields []field
}

// field is the values of a field of a record, in their order.
type field struct {
	path   *path
	values []string
}

// path is where a field is inside a record.
type path struct {
	name     string // such as a.b
	depth    int
	children map[string]*path
	list     bool // several values are a list
	text     bool // a value may be a number and is a text
	stamp    int  // the record that has it as field number at
	at       int
}

// shortValue is the most characters that values of a list have on average.
const shortValue = 40

// Settle decides by the first records which fields are lists where they occur several times: those
// of short values. Values of others are joined by line breaks. Where fewer
// than half of these values are numbers, none is, such as the title 1984 among others.
func (r *Reader) Settle(first []*Record) {
	type sum struct{ values, length, several, numbers, words int }
	sums := make(map[*path]*sum)
	for _, rec := range first {
		for _, f := range rec.fields {
			s := sums[f.path]
			if s == nil {
				s = &sum{}
				sums[f.path] = s
			}
			for _, v := range f.values {
				s.values, s.length = s.values+1, s.length+utf8.RuneCountInString(v)
				if isNumber(v) {
					s.numbers++
				} else if v != "" {
					s.words++
				}
			}
			if len(f.values) > 1 {
				s.several++
			}
		}
	}
	for p, s := range sums {
		asked := slices.ContainsFunc(r.joined, func(name string) bool { return strings.EqualFold(name, p.name) })
		if p.list = s.several > 0 && s.length < shortValue*s.values && !asked; p.list {
			r.lists[p.name] = true
		}
		if p.text = s.words > s.numbers || asked; p.text {
			r.texts[p.name] = true
		}
	}
}

// Append appends the record as a JSON object to a list of bytes.
func (rec *Record) Append(out []byte) []byte {
	out = append(out, '{')
	for i, f := range rec.fields {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(quoted(out, f.path.name), ':')
		switch {
		case len(f.values) == 1 && !f.path.text && isNumber(f.values[0]):
			out = append(out, f.values[0]...)
		case len(f.values) == 1:
			out = quoted(out, f.values[0])
		case !f.path.list:
			out = quoted(out, strings.Join(slices.DeleteFunc(f.values, func(v string) bool { return v == "" }), "\n"))
		default:
			for k, v := range f.values {
				out = quoted(append(out, map[bool]byte{true: '[', false: ','}[k == 0]), v)
			}
			out = append(out, ']')
		}
	}
	return append(out, '}')
}

// isNumber reports whether a text is a number as JSON writes it.
func isNumber(s string) bool { return len(s) < 20 && len(s) > 0 && number().MatchString(s) }

var number = pattern.Lazy(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

// quoted appends a text as a JSON string. Bytes that are not UTF-8 stay as they are: the reader of
// JSON counts such documents.
func quoted(out []byte, s string) []byte {
	out = append(out, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c == '\n':
			out = append(out, '\\', 'n')
		case c < 0x20:
			out = fmt.Appendf(out, "\\u%04x", c)
		default:
			out = append(out, c)
		}
	}
	return append(out, '"')
}

// Fields are the names of the fields, in their order.
func (rec *Record) Fields() []string {
	names := make([]string, len(rec.fields))
	for i, f := range rec.fields {
		names[i] = f.path.name
	}
	return names
}

// Value is the value of field k of [Record.Fields], several of them with semicolons between.
func (rec *Record) Value(k int) string { return strings.Join(rec.fields[k].values, "; ") }

// Size is about the bytes of the record.
func (rec *Record) Size() (n int) {
	for _, f := range rec.fields {
		for _, v := range f.values {
			n += len(v) + len(f.path.name)
		}
	}
	return n
}

// Has reports whether the record has a field, its name in any case.
func (rec *Record) Has(name string) bool {
	return slices.ContainsFunc(rec.fields, func(f field) bool { return strings.EqualFold(f.path.name, name) })
}
