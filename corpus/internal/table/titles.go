package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// skipTitles passes over rows above the header that hold one word or sentence alone, as reports
// have them, and empty ones, if the row below them is a header.
func (t *Table) skipTitles(width int) {
	const fewest = 3 // columns from which a single field is no row
	all, most := t.first, min(20, len(t.first)-2)
	for k := 0; width >= fewest && k < most; k++ {
		filled := 0
		for _, f := range all[k].fields {
			if f = strings.TrimSpace(f); f == "" {
				continue
			}
			if filled++; filled > 1 || !IsWord(f) {
				break
			}
		}
		if filled > 1 || filled == 1 && !slices.ContainsFunc(all[k].fields, IsWord) {
			if t.first = all[k:]; k == 0 || !t.hasHeader() && t.joinedHeader() == nil {
				t.first = all
				return
			}
			t.in.Notef("%s above the header, with no more than a title, passed over; ‹header› no takes all rows for data.", message.Plural(k, t.unit, t.unit+"s"))
			return
		}
	}
}

// skipHeaders passes over the rows below the header that explain it: two that Qualtrics writes, the
// questions and {"ImportId":...}, or one that SurveyMonkey writes, of kinds of answers.
func (t *Table) skipHeaders() {
	has := func(k int, is func(string) bool) bool {
		return len(t.first) > k && slices.ContainsFunc(t.first[k].fields, is)
	}
	n := 0
	switch {
	case has(1, func(f string) bool { return strings.HasPrefix(strings.TrimSpace(f), `{"ImportId":`) }):
		n = 2
	case t.isRule():
		t.in.Notef("The line below the header, of dashes as Markdown writes it, is passed over; ‹header› no takes all rows for data.")
		t.first = t.first[1:]
		return
	case has(0, func(f string) bool { return f == "Response" || f == "Open-Ended Response" }) && strings.TrimSpace(t.first[0].fields[0]) == "":
		n = 1
	default:
		return
	}
	t.in.Notef("%s below the header, which explain its questions as programs for surveys write them, passed over; ‹header› no takes all rows for data.", message.Plural(n, t.unit, t.unit+"s"))
	t.first = t.first[n:]
}

// Rows below the header that Orange writes: the kinds of columns, and what they are for.
var (
	orangeKinds = []string{"continuous", "discrete", "string", "time", "c", "d", "s", "t"}
	orangeUses  = []string{"", "class", "meta", "ignore", "m", "i", "weight", "w"}
)

// skipKinds passes over the two rows below the header in which Orange says the kind of each column
// and what it is for.
func (t *Table) skipKinds() {
	const head = 3
	if len(t.first) <= head {
		return
	}
	for k, names := range [][]string{orangeKinds, orangeUses} {
		if slices.ContainsFunc(t.first[k+1].fields, func(f string) bool { return !slices.Contains(names, strings.ToLower(strings.TrimSpace(f))) }) {
			return
		}
	}
	if len(t.first[1].fields) < 2 {
		return
	}
	t.in.Notef("2 %ss below the header, in which Orange says the kinds of columns, passed over; ‹header› no takes all rows for data.", t.unit)
	t.first = slices.Delete(t.first, 1, head)
}

// isRule reports whether the first row below the header is a line of dashes between bars, as below
// the header of a table in Markdown. Single dashes are missing values.
func (t *Table) isRule() bool {
	if t.comma != '|' || len(t.first) < 2 {
		return false
	}
	other := func(f string) bool {
		f = strings.TrimSpace(f)
		return f != "" && (strings.Trim(f, ":-") != "" || !strings.Contains(f, "-"))
	}
	rule := func(f string) bool { return len(strings.TrimSpace(f)) > 1 }
	return slices.ContainsFunc(t.first[0].fields, rule) && !slices.ContainsFunc(t.first[0].fields, other)
}

// joinHeaders makes one header of two rows: see [Table.joinedHeader]. It reports whether it did.
func (t *Table) joinHeaders() bool {
	joined := t.joinedHeader()
	if joined == nil {
		return false
	}
	t.in.Notef("The first two %ss are one header, of groups of columns and their names, such as %s; ‹header› no takes all rows for data.", t.unit, message.Clip(joined[len(joined)-1], 60))
	t.first = append([]row{{joined, t.first[1].line}}, t.first[2:]...)
	return true
}

// joinedHeader is the header that two rows make if the first has names of groups of columns, each
// in the first column of its group as merged cells are written, or in all of them, and the second a
// name for each column; nil if they make none.
func (t *Table) joinedHeader() []string {
	if t.Asked || len(t.first) < 4 {
		return nil
	}
	above, below := slices.Clone(t.first[0].fields), t.first[1].fields
	for j := len(above) - 1; j > 0; j-- {
		if above[j] == above[j-1] {
			above[j] = ""
		}
	}
	groups := named(above)
	if len(groups) == 0 || len(groups) == len(above) || strings.TrimSpace(above[0]) == "" && len(groups) == len(above)-1 {
		return nil // a corner
	}
	if !differ(groups) || slices.ContainsFunc(groups, func(f string) bool { return !IsWord(f) || !shortName(f) }) {
		return nil
	}
	joined, group, inside := make([]string, len(above)), "", false
	for j, f := range below {
		f = strings.TrimSpace(f)
		if g := strings.TrimSpace(above[j]); g != "" {
			group = g
		}
		if f == "" && strings.TrimSpace(above[j]) == "" || f != "" && (!isName(f) || !shortName(f)) {
			return nil
		}
		inside = inside || f != "" && group != ""
		joined[j] = strings.TrimSpace(group + " " + f)
	}
	all := t.first
	t.first = all[1:]
	names := t.hasHeader()
	if t.first = all; !names || !inside || !differ(joined) {
		return nil
	}
	if differ(below) { // which say enough
		joined = slices.Clone(below)
	}
	return joined
}

// isName reports whether a field may be the name of a column: a word, or Na, which is sodium there
// and a missing number in other rows.
func isName(f string) bool { return IsWord(f) || strings.EqualFold(f, "na") }

// severalHeaders passes over rows below the header that hold words above numbers too, such as
// units, and refuses a table whose header stands in the second row or below, under one that is no
// title.
func (t *Table) severalHeaders() error {
	const most = 3 // rows of header
	last := -1
	for k := range min(most, len(t.first)-most) {
		if t.aboveNumbers(k) {
			last = k
		}
	}
	if last < 1 || t.Asked {
		return nil
	}
	if !t.aboveNumbers(0) || !differ(named(t.first[0].fields)) {
		way := "write the table with one row of names"
		if t.unit == "line" {
			way = fmt.Sprintf("join them into one, or leave the first out, for instance with tail -n +%d FILE > table.csv", t.first[last].line)
		}
		return t.in.Fail(t.PlaceOf(t.first[last].line), "names the columns, below another row that does not name each; a table has one row of names: %s; ‹header› no takes all rows for data", way)
	}
	t.in.Notef("%s below the header, with words above numbers, as units are, passed over; ‹header› no takes all rows for data.", message.Plural(last, t.unit, t.unit+"s"))
	t.first = append(t.first[:1:1], t.first[1+last:]...)
	return nil
}

// named are the fields that are not empty.
func named(fields []string) (list []string) {
	for _, f := range fields {
		if f = strings.TrimSpace(f); f != "" {
			list = append(list, f)
		}
	}
	return list
}

// aboveNumbers reports whether row k holds words, and no numbers, above columns of numbers, of
// which there are two or more: in most of them.
func (t *Table) aboveNumbers(k int) bool {
	word := func(f string) bool {
		_, number := t.isNumber(strings.TrimSpace(f))
		return !number && IsWord(f)
	}
	columns, words := 0, 0
	for j, f := range t.first[k].fields {
		if !numeric(t.first[min(k+3, len(t.first)-1):], j, word) {
			continue
		}
		columns++
		if _, number := t.isNumber(strings.TrimSpace(f)); number {
			return false
		}
		if word(f) {
			words++
		}
	}
	return columns >= 2 && 2*words > columns
}

// wrongWidth refuses a row of another length than the first one.
func (t *Table) wrongWidth(r row, want int) error {
	way := "correct the line"
	if k := t.titles(); k > 0 && r.line <= t.first[k].line && len(r.fields) > want {
		return t.in.Fail(t.PlaceOf(r.line), "has %s where the first line has %d; if a title stands above the header, leave it out, for instance with tail -n +%d FILE > table.csv", message.Plural(len(r.fields), "field", "fields"), want, t.first[k].line)
	}
	if r.line > 2 && len(r.fields) < want && len(r.fields) <= 2 {
		way = fmt.Sprintf("correct the line, or if remarks stand below the table, leave them out, for instance with head -n %d FILE > table.csv", r.line-1)
	}
	if t.short.fills && len(r.fields) < want {
		way = strings.Replace(way, "the line", "the line, put a text that goes on in the next line into quotes", 1)
	}
	whole := func(f string) bool { return strings.Trim(f, "+-0123456789") == "" }
	if n := len(r.fields); n > want && n <= 2*want && !slices.ContainsFunc(r.fields, func(f string) bool { return !whole(strings.TrimSpace(f)) }) {
		way += ", or, if some of its commas are decimal commas, write the table with semicolons between the columns"
	} else if len(r.fields) > want && slices.ContainsFunc(r.fields, func(f string) bool { return len(strings.Fields(f)) > 2 }) {
		way = "put texts that hold the separator into quotes"
	}
	return t.in.Fail(t.PlaceOf(r.line), "has %s where the first line has %d; %s", message.Plural(len(r.fields), "field", "fields"), want, way)
}

// skipNarrow passes over rows above the header that have half as many fields as the table or fewer,
// of which three or fewer are filled: the title of a report, and what it says of its time, its
// account or its size. A row alone with a single word may name the columns of lines with commas.
func (t *Table) skipNarrow() {
	const most, filled, least = 30, 3, 5
	k := t.titles()
	if k == 0 || k > most || len(t.first)-k < least {
		return
	}
	header := t.first[k].fields
	if len(header) < filled || !IsWord(strings.TrimSpace(header[0])) || slices.ContainsFunc(header, func(f string) bool { return strings.HasPrefix(f, " ") }) || !differ(named(header)) {
		return
	}
	for _, r := range t.first[:k] {
		if 2*len(r.fields) > len(header) || len(named(r.fields)) > filled {
			return
		}
	}
	name := func(f string) bool { return IsWord(f) && len(strings.Fields(f)) < 2 }
	if k == 1 && slices.ContainsFunc(named(t.first[0].fields), name) {
		return
	}
	t.in.Notef("%s above the header, of a title or remarks, passed over (first: %s); ‹header› no takes all rows for data.", message.Plural(k, t.unit, t.unit+"s"), message.Clip(strings.Join(named(t.first[0].fields), " "), 40))
	t.first = t.first[k:]
}

// titles returns how many of the first rows have fewer fields than all the rows below them, which
// have equally many, but for remarks of one field at the end, and begin with one that has a word; 0
// for none.
func (t *Table) titles() int {
	last := len(t.first)
	for last > 0 && t.ended && len(t.first)-last < mostRemarks && len(t.first[last-1].fields) == 1 {
		last--
	}
	if last == 0 {
		return 0
	}
	width := len(t.first[last-1].fields)
	k := last
	for k > 0 && len(t.first[k-1].fields) == width {
		k--
	}
	if k == last || 2*k > last || !slices.ContainsFunc(t.first[k].fields, IsWord) || slices.ContainsFunc(t.first[:k], func(r row) bool { return len(r.fields) > width }) {
		return 0
	}
	return k
}
