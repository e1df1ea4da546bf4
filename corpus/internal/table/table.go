package table

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/parallel"
)

// Options choose how a table is read.
type Options struct {
	Comma   rune   // the separator; 0: found out
	Decimal string // "comma" or "point" before the fraction of a number; "": found out
	Header  string // "yes" or "no": whether the first row names the columns; "" or "auto": found out
	// Names are of columns that are looked for: a first row with one of them is a header. Rows says
	// that no other single row is one.
	Names []string
	Rows  bool
	Parts *Parts // where the rows that [FromRows] takes are from; nil: of one file
	// Words are the numbers of columns that hold words, also where they are written as numbers.
	Words map[int]bool
}

// DecimalComma and DecimalPoint are values of Options.Decimal.
const (
	DecimalComma = "comma"
	DecimalPoint = "point"
)

// HeaderYes, HeaderNo and HeaderAuto are values of Options.Header.
const (
	HeaderYes  = "yes"
	HeaderNo   = "no"
	HeaderAuto = "auto"
)

// source gives records one by one, each valid until the next one; io.EOF at the end.
type source interface {
	Next() ([]string, error)
	At() int // the line or row of the last record, from 1
}

// Table is a table whose columns are known and whose rows are read one by one.
type Table struct {
	Columns []columns.Column
	Header  []string     // nil: the first row is one of data
	Asked   bool         // the user said whether there is a header
	Line    int          // of the last row, from 1
	Sheets  int          // of the spreadsheet, one of which is read; 0 of another file
	Class   string       // the column of the classes, as the format says; "": it does not
	Summed  int          // rows that were left out as sums or means of others, and those without a number
	Aside   []int        // columns, from 0, that are beside the vector of a document
	Weights []int        // columns, from 0, that weigh the rows
	Words   map[int]bool // columns, from 0, that hold words as the file says; nil of others
	Numbers              // how the table writes numbers

	in    *input.File
	comma rune // the separator; 0 of a spreadsheet
	from  source
	unit  string // what a row is called: "line" or "row"
	short shortRows
	again headerAgain
	parts *Parts // nil: the rows are of one file
	first []row  // rows that decided on the columns and are not read yet
	ended bool   // first are all rows
}

type row struct {
	fields []string
	line   int
}

// How many rows decide on the columns, and their most bytes.
const (
	sampledRows  = 1000
	sampledBytes = 1 << 20
)

// Open starts reading a table of text in UTF-8 and finds out its columns by the first rows.
func Open(in *input.File, opt Options) (*Table, error) {
	head, err := Head(in, LookedAt)
	if err != nil {
		return nil, err
	}
	comma, lines, err := skipFirst(in, head, opt.Comma)
	if err != nil {
		return nil, err
	}
	if err := takeQuotes(in, comma); err != nil {
		return nil, err
	}
	if err := takeLists(in); err != nil {
		return nil, err
	}
	if comma == 0 {
		if head, err = in.Peek(LookedAt); err != nil {
			return nil, err
		}
		comma = Separator(head)
	}
	records := NewRecords(in, comma)
	records.first = lines
	t := &Table{in: in, comma: comma, from: records, unit: "line"}
	return t, t.look(comma, opt)
}

// skipFirst skips a first line sep=; that names the separator, as Excel writes it, one that counts
// rows and columns, and lines of comments before a table of blanks, as NumPy writes them. It
// returns the separator if that is known by then, and how many lines were skipped.
func skipFirst(in *input.File, head []byte, comma rune) (rune, int, error) {
	line, _, whole := bytes.Cut(head, []byte("\n"))
	line = bytes.Trim(bytes.TrimRight(line, "\r"), `"`)
	if name, ok := bytes.CutPrefix(bytes.ToLower(line), []byte("sep=")); ok && whole && len(bytes.Runes(name)) == 1 {
		_, err := in.Stream.Discard(bytes.IndexByte(head, '\n') + 1)
		in.Notef("The first line says that %q separates the columns.", string(name))
		return bytes.Runes(name)[0], 1, in.Wrap("", err)
	}
	if n := sizesLine(head); n > 0 && comma == 0 {
		_, err := in.Stream.Discard(n)
		in.Notef("The first line counts the rows and columns, as word2vec writes it, and is passed over.")
		return Blank, 1, in.Wrap("", err)
	}
	lines, separators := 0, ",;\t|"
	if comma != 0 {
		separators = string(comma)
	}
	for len(head) > 0 && head[0] == '#' {
		end := bytes.IndexByte(head, '\n')
		if end < 0 || bytes.ContainsAny(head[:end], separators) && !remark(head[:end], head[end+1:]) {
			break
		}
		if _, err := in.Stream.Discard(end + 1); err != nil {
			return 0, 0, in.Wrap("", err)
		}
		head = head[end+1:]
		lines++
	}
	if lines > 0 {
		in.Notef("%s at the start, which # begins, passed over.", message.Plural(lines, "line", "lines"))
	}
	return comma, lines, nil
}

// remark reports whether a line that begins with # and a blank is a remark, though it holds a
// separator: another such line follows, and the first line below all of them is cut into another
// number of fields. The last one of them may name the columns.
func remark(line, rest []byte) bool {
	if !bytes.HasPrefix(line, []byte("# ")) || !bytes.HasPrefix(rest, []byte("# ")) {
		return false
	}
	for bytes.HasPrefix(rest, []byte("#")) {
		_, rest, _ = bytes.Cut(rest, []byte("\n"))
	}
	row, _, _ := bytes.Cut(rest, []byte("\n"))
	here, below := countOutsideQuotes(line), countOutsideQuotes(row)
	return len(row) > 0 && !slices.ContainsFunc(separators, func(c rune) bool { return here[c] > 0 && here[c] == below[c] })
}

// FromRows makes a table of the rows that next gives, such as the rows of a spreadsheet; io.EOF is
// the end. A row that is shorter than the longest of the first ones is filled with empty fields.
func FromRows(in *input.File, next func() ([]string, error), opt Options) (*Table, error) {
	rows := &sheetRows{next: next}
	t := &Table{in: in, from: rows, unit: "row"}
	if opt.Parts != nil {
		rows.at, t.parts, t.unit = opt.Parts.at, opt.Parts, opt.Parts.Unit
	}
	return t, t.look(0, opt)
}

// look reads the first rows and finds out how numbers are written, the header and the columns.
func (t *Table) look(comma rune, opt Options) error {
	if err := t.sample(); err != nil {
		return err
	}
	if len(t.first) == 0 {
		return input.NoDocuments(t.in.Fail("", "it holds no %ss; a corpus needs at least one document and one term", t.unit))
	}
	if opt.Header != HeaderNo {
		t.skipNarrow()
	}
	t.pad()
	width := len(t.first[0].fields)
	if s, ok := t.from.(*sheetRows); ok {
		for _, r := range t.first {
			width = max(width, len(r.fields))
		}
		for i, r := range t.first {
			t.first[i].fields = slices.Clone(s.fitted(r.fields, width))
		}
	}
	t.settleShort(width)
	for _, r := range t.first {
		if len(r.fields) != width {
			return t.wrongWidth(r, width)
		}
	}
	t.settleNumbers(comma, opt.Decimal)
	t.settleTruth()
	t.Asked = opt.Header == HeaderYes || opt.Header == HeaderNo
	if !t.Asked {
		t.skipTitles(width)
		t.skipKinds()
	}
	joined := t.joinHeaders()
	if err := t.severalHeaders(); err != nil {
		return err
	}
	body := t.first
	if opt.Header == HeaderYes || joined || !t.Asked && (t.hasName(opt.Names) || t.hasHeader() && !(opt.Rows && len(t.first) == 1)) {
		for _, name := range body[0].fields {
			t.Header = append(t.Header, strings.TrimSpace(name))
		}
		t.first = t.first[1:]
		if !joined {
			t.settleAgain(body[0].fields)
		}
		t.skipHeaders()
	}
	t.dropSubtotals()
	t.dropTotals()
	body = t.first
	t.Columns = make([]columns.Column, width)
	return parallel.For(t.in.Ctx, width, 4, func(_, lo, hi int) error {
		for j := lo; j < hi; j++ {
			if t.Header != nil {
				t.Columns[j].Name = t.Header[j]
			}
			for _, r := range body {
				if opt.Words[j] {
					t.Columns[j].Add(r.fields[j], 0, false)
				} else {
					t.profile(&t.Columns[j], r.fields[j])
				}
			}
		}
		return nil
	})
}

// profile adds a field to what is known of its column.
func (t *Table) profile(c *columns.Column, field string) {
	trimmed := strings.TrimSpace(field)
	v, ok := t.isNumber(trimmed)
	if !ok && v-v != 0 {
		ok = true // beyond the largest number: not a word; refused where it is read
	}
	c.Add(trimmed, v, ok)
}

// sample reads the first rows.
func (t *Table) sample() error {
	bytes, most := int64(0), min(sampledBytes, t.in.Mem.Limit/16)
	for len(t.first) <= sampledRows && bytes < most {
		rec, err := t.from.Next()
		if err == io.EOF {
			t.ended = true
			return nil
		}
		if err != nil {
			return err
		}
		t.first = append(t.first, row{cloned(rec), t.from.At()})
		for _, f := range rec {
			bytes += int64(len(f)) + 16
		}
	}
	return nil
}

// Ended reports whether the rows that decided on the columns are all.
func (t *Table) Ended() bool { return t.ended }

// At is the line of the last record.
func (t *Records) At() int { return t.Line }

// pad puts an empty name before a header that has one field less than the rows, as R and NumPy
// write it: the first column holds names. A header that begins with a usual name of names may have
// one: see hasRowNames. If all rows end with a separator, as Web of Science writes them, the empty
// name is the last.
func (t *Table) pad() {
	if len(t.first) < 2 {
		return
	}
	width := len(t.first[1].fields)
	if slices.ContainsFunc(t.first[1:], func(r row) bool { return len(r.fields) != width }) {
		return
	}
	if len(t.first[0].fields) == width-1 && width > 2 && t.endEmpty() {
		t.first[0].fields = append(t.first[0].fields, "")
		return
	}
	if len(t.first[0].fields) == 0 || slices.Contains(lexical.IDNames, strings.ToLower(strings.TrimSpace(t.first[0].fields[0]))) && !t.hasRowNames() {
		return
	}
	if len(t.first[0].fields) == width-1 && width > 1 && !slices.ContainsFunc(t.first[0].fields, func(f string) bool { return !IsWord(f) }) {
		t.first[0].fields = append([]string{""}, t.first[0].fields...)
	}
}

// hasRowNames reports whether rows with one field more than a header that begins with a usual name
// of names, such as id, have a name before the fields of the header. They do not if they end with a
// separator. In a text that holds commas, semicolons or bars there is one of these in every row at
// times: then the second field, of the header's first column, is no name of its own.
func (t *Table) hasRowNames() bool {
	rows := t.first[1:]
	if t.endEmpty() {
		return false
	}
	if t.comma == '\t' || t.comma == Blank {
		return true
	}
	seen := make(map[string]bool, len(rows))
	for _, r := range rows {
		name := r.fields[1]
		if name == "" || seen[name] || strings.ContainsAny(name, " \t\n") {
			return false
		}
		seen[name] = true
	}
	return true
}

// endEmpty reports whether the last field of every row below the first is empty.
func (t *Table) endEmpty() bool {
	return !slices.ContainsFunc(t.first[1:], func(r row) bool {
		return len(r.fields) == 0 || strings.TrimSpace(r.fields[len(r.fields)-1]) != ""
	})
}

// settleNumbers decides how numbers are written.
func (t *Table) settleNumbers(comma rune, decimal string) {
	if decimal == DecimalPoint {
		return
	}
	sign := t.signs()
	var w writing
	for _, r := range t.first {
		for _, f := range r.fields {
			if f = strings.TrimSpace(f); len(f) < 40 {
				if sign != "" {
					f, _ = unsigned(f)
				}
				w.look(f)
			}
		}
	}
	n, example := w.numbers(comma)
	if n.Signs = sign != ""; n.Signs {
		t.in.Notef("Signs of percent or money are left out of numbers such as %s; ‹decimal› point reads them as words.", message.Clip(sign, 40))
	}
	if decimal == DecimalComma {
		n.Comma = true
		if n.Group == ',' {
			n.Group = 0
		}
	}
	t.Numbers = n
	switch {
	case example == "" || decimal != "":
	case n.Comma && n.Group != 0:
		t.in.Notef("Numbers are written with a decimal comma and in groups of digits, such as %s; ‹decimal› point reads them as words.", message.Clip(example, 40))
	case n.Comma:
		t.in.Notef("Numbers are written with a decimal comma, such as %s; ‹decimal› point reads them as words.", message.Clip(example, 40))
	default:
		t.in.Notef("Numbers are written in groups of digits, such as %s; ‹decimal› comma takes the comma for a decimal point.", message.Clip(example, 40))
	}
}

// signs returns a number with a sign of percent or money if some column below the first row holds
// such numbers, plain numbers and missing values alone, and more of the first than of the second;
// else "".
func (t *Table) signs() string {
	for j := range t.first[0].fields {
		if !slices.ContainsFunc(t.first[1:], func(r row) bool { return maySign(r.fields[j]) }) {
			continue
		}
		example, with, without := "", 0, 0
		for _, r := range t.first[1:] {
			f := strings.TrimSpace(r.fields[j])
			_, plain := lexical.Number(f)
			switch {
			case lexical.IsMissing(f):
			case len(f) < 40 && signed(f):
				if with++; with == 1 {
					example = f
				}
			case plain:
				without++
			default:
				with = -len(t.first)
			}
		}
		if with > without {
			return example
		}
	}
	return ""
}

// settleTruth reads true and false as numbers if two columns or more hold nothing else, as pandas
// writes the indicators of values. A single one is more likely one of classes.
func (t *Table) settleTruth() {
	columns := 0
	for j := range t.first[0].fields {
		other := func(r row) bool { return truth(strings.TrimSpace(r.fields[j])) == "" }
		if len(t.first) > 1 && !slices.ContainsFunc(t.first[1:], other) {
			columns++
		}
	}
	t.Truth = columns > 1
}

// Next returns the next row, valid until the following call; io.EOF at the end.
func (t *Table) Next() ([]string, error) {
	if len(t.first) > 0 {
		r := t.first[0]
		t.first = t.first[1:]
		t.Line = r.line
		return r.fields, nil
	}
	if t.ended {
		t.noteShort()
		t.noteAgain()
		return nil, io.EOF
	}
	r, err := t.take()
	if err == io.EOF {
		t.noteShort()
		t.noteAgain()
	}
	if err != nil {
		return nil, err
	}
	t.Line = r.line
	return r.fields, nil
}

// Place names the last row in a message.
func (t *Table) Place() string { return t.PlaceOf(t.Line) }

// PlaceOf names the row of a line in a message.
func (t *Table) PlaceOf(line int) string {
	if t.parts != nil {
		return t.parts.place(line)
	}
	return t.unit + " " + lexical.Print(float64(line))
}

// ColumnName returns the number of column j from 1, and its name if it has one.
func (t *Table) ColumnName(j int) string {
	name := lexical.Print(float64(j + 1))
	if t.Header != nil && t.Header[j] != "" {
		name += " (" + message.Clip(t.Header[j], 40) + ")"
	}
	return name
}

// sheetRows are rows that come from a function.
type sheetRows struct {
	next func() ([]string, error)
	at   func() int // the line of the last row; nil: rows are counted
	row  int
	rec  []string
}

// Next returns the next row.
func (s *sheetRows) Next() ([]string, error) {
	s.row++
	return s.next()
}

// At is the number of the row.
func (s *sheetRows) At() int {
	if s.at != nil {
		return s.at()
	}
	return s.row
}

// fitted is a row with so many fields.
func (s *sheetRows) fitted(rec []string, width int) []string {
	s.rec = append(s.rec[:0], rec[:min(len(rec), width)]...)
	for len(s.rec) < width {
		s.rec = append(s.rec, "")
	}
	return s.rec
}

// Unit is what a row is called: "line" or "row".
func (t *Table) Unit() string { return t.unit }

// mostBehind is the divisor of the rows that may have a smaller number than the one before.
const mostBehind = 20

// Triplets reports whether the first rows look like the entries of a sparse matrix or like edges of
// a graph: row and column numbers, no two alike, and perhaps a value, nearly all ordered by one of
// the numbers, which occur again.
func (t *Table) Triplets() bool {
	const least = 10
	if n := len(t.Columns); n < 2 || n > 3 || len(t.first) < least {
		return false
	}
	seen := make(map[[2]float64]bool, len(t.first))
	var behind [2]int
	var last [2]float64
	for i, r := range t.first {
		var at [2]float64
		for j := range at {
			v, ok := t.isNumber(strings.TrimSpace(r.fields[j]))
			if !ok || v < 0 || v != float64(int32(v)) {
				return false
			}
			at[j] = v
			if i > 0 && v < last[j] {
				behind[j]++
			}
		}
		if seen[at] {
			return false
		}
		if len(t.Columns) == 3 {
			if _, ok := t.isNumber(strings.TrimSpace(r.fields[2])); !ok {
				return false
			}
		}
		seen[at], last = true, at
	}
	again := max(t.Columns[0].Distinct, t.Columns[1].Distinct)
	return min(behind[0], behind[1])*mostBehind <= len(t.first) && 3*min(t.Columns[0].Distinct, t.Columns[1].Distinct) < 2*len(t.first) && again < len(t.first)
}

// Filled returns how many bytes the fields of the first rows have, and whether some have long
// words, as texts do.
func (t *Table) Filled() (bytes int, texts bool) {
	for _, r := range t.first {
		for _, f := range r.fields {
			bytes += len(f)
		}
	}
	const long = 25 // bytes in the middle of the values that a column has
	for j := range t.Columns {
		words, all, size := 0, 0, 0
		for _, r := range t.first {
			if f := strings.TrimSpace(r.fields[j]); f != "" {
				if all, size = all+1, size+len(f); strings.ContainsRune(f, ' ') {
					words++
				}
			}
		}
		texts = texts || all > 1 && 2*words > all && size > long*all
	}
	return bytes, texts
}
