package table

import (
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// headerAgain leaves out rows that repeat the header, as files of one header that were joined have
// them.
type headerAgain struct {
	fields []string // of the header; nil: no row repeats it
	count  int      // rows left out, and the line of the first of them
	first  int
}

// settleAgain takes the header, and leaves out of the first rows those that repeat it. A document
// may have the values of a header of one name, or of numbers alone, as pandas counts columns.
func (t *Table) settleAgain(header []string) {
	const fewest = 2 // names
	if len(named(header)) < fewest || !slices.ContainsFunc(header, isName) {
		return
	}
	t.again.fields = header
	t.first = slices.DeleteFunc(t.first, func(r row) bool { return t.again.is(r.fields, r.line) })
}

// is reports whether a row repeats the header, and counts it.
func (h *headerAgain) is(fields []string, line int) bool {
	if h.fields == nil || len(fields) != len(h.fields) {
		return false
	}
	for j, f := range fields {
		if f != h.fields[j] && strings.TrimSpace(f) != strings.TrimSpace(h.fields[j]) {
			return false
		}
	}
	if h.count++; h.count == 1 {
		h.first = line
	}
	return true
}

// noteAgain says how many rows were left out.
func (t *Table) noteAgain() {
	if n := t.again.count; n > 0 {
		t.in.Notef("%s the header again and left out (first: %s).", message.Plural(n, t.unit+" is", t.unit+"s are"), t.PlaceOf(t.again.first))
		t.again.count = 0
	}
}
