package text

import (
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
)

// tableFormat is the format of a table of texts.
const tableFormat = "table"

// NeedColumns refuses a table that lacks one of the columns that are wanted beside what is read.
func NeedColumns(file *input.File, t *table.Table, wanted []string) error {
	return needColumns(file, wanted, besideNames(t))
}

// ReadTable reads texts from the rows of a table whose columns were settled. Several columns of
// texts are joined by line breaks. A field that is empty is no id and no label. Ids that nobody
// asked for get a number after them where they occur again. Memory is as for [Read].
func ReadTable(file *input.File, t *table.Table, roles *columns.Roles, opt ReadOptions) (*counting.Collection, error) {
	if err := NeedColumns(file, t, opt.PageColumns); err != nil {
		return nil, err
	}
	in := &source{File: file, opt: opt}
	dec := charset.Decoder{Auto: true}
	if opt.Encoding != "" {
		dec = charset.Decoder{} // the stream was decoded
	}
	r := &tableRows{in: in, t: t, roles: roles, dec: dec, limit: in.Mem.Limit / lineShare,
		repeats: roles.GuessedID && roles.ID >= 0 && !strings.EqualFold(t.Columns[roles.ID].Name, lexical.IDNames[0])}
	r.findBeside()
	in.divides, in.repeats = true, r.repeats
	_, c, err := in.countTexts(r.batches, nil)
	return finish(file, c, tableFormat, err)
}

// tableRows makes documents of rows.
type tableRows struct {
	in      *source
	t       *table.Table
	roles   *columns.Roles
	dec     charset.Decoder
	limit   int64
	repeats bool
	beside  []besideColumn // empty if they are not wanted
}

// besideColumn is a column of a table beside the texts.
type besideColumn struct {
	number int
	name   string
}

// batches reads all rows and emits them.
func (r *tableRows) batches(emit func(counting.Batch) bool) error {
	from := &counting.Origin{File: r.in.Name, Unit: r.t.Unit(), Places: r.t.PlaceOf}
	b := &rowBatch{from: from}
	for {
		rec, err := r.t.Next()
		if err == io.EOF {
			emit(b)
			return nil
		}
		if err != nil {
			emit(b) // an error in an earlier row comes first
			return err
		}
		d := counting.Document{Line: r.t.Line, Repeats: r.repeats}
		if !r.fill(&d, rec) {
			emit(b)
			return tooLong(r.in.Name, r.t.Place(), "", r.limit)
		}
		if b.add(d); b.bytes >= counting.BatchBytes {
			if !emit(b) {
				return nil
			}
			b = &rowBatch{from: from}
		}
	}
}

// fill makes a document of a row, whose fields are valid until the next one; false if its text is
// too long, which is found out before the fields are copied.
func (r *tableRows) fill(d *counting.Document, rec []string) (ok bool) {
	length := int64(0)
	for _, j := range r.roles.Text {
		length += int64(len(rec[j])) + 1
	}
	if length-1 > r.limit {
		return false
	}
	parts := make([]string, 0, len(r.roles.Text))
	for _, j := range r.roles.Text {
		if isNoText(rec[j]) {
			d.NoText = true
			continue
		}
		parts = append(parts, r.decoded(d, rec[j]))
	}
	if d.Text, ok = joinTexts(parts, r.limit); !ok { // which decoding may have made longer
		return false
	}
	d.NoText = d.NoText && d.Text == ""
	if j := r.roles.ID; j >= 0 {
		d.ID = r.decoded(d, strings.TrimSpace(rec[j]))
		d.HasID = d.ID != ""
	}
	if j := r.roles.Label; j >= 0 {
		d.Label, d.HasLabel = r.decoded(d, rec[j]), true
	}
	r.fillBeside(d, rec)
	return true
}

// isNoText recognises what programs write for a text that is missing: nan, NaN or <NA> (pandas), NA
// (R), NULL (databases), #N/A (spreadsheets). None and N/A are words, with which people answer.
func isNoText(field string) bool {
	switch strings.TrimSpace(field) {
	case "nan", "NaN", "<NA>", "NA", "NULL", "null", "#N/A":
		return true
	}
	return false
}

// findBeside finds the columns that are no text, name or class. A column without a name has its
// number.
func (r *tableRows) findBeside() {
	if !r.in.opt.Beside {
		return
	}
	for j, name := range besideNames(r.t) {
		if j == r.roles.ID || j == r.roles.Label || slices.Contains(r.roles.Text, j) || r.in.opt.BesideColumns != nil && !slices.Contains(r.in.opt.BesideColumns, name) {
			continue
		}
		r.beside = append(r.beside, besideColumn{j, name})
	}
}

// fillBeside takes the fields of a row in the columns beside its text.
func (r *tableRows) fillBeside(d *counting.Document, rec []string) {
	for _, c := range r.beside {
		if c.number < len(rec) && strings.TrimSpace(rec[c.number]) != "" {
			d.Beside = append(d.Beside, counting.Value{Column: c.name, Text: r.plain(r.decoded(d, clipped(rec[c.number])))})
		}
	}
}

// plain is a number with a decimal comma or in groups of digits as programs write it, without an
// exponent unless it is very large or small, and any other field as it is.
func (r *tableRows) plain(field string) string {
	n := r.t.Numbers
	if !n.Comma && n.Group == 0 || !strings.ContainsAny(field, ",.") && !strings.ContainsRune(field, n.Group) {
		return field
	}
	v, err := r.t.Value(field)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return field
	}
	if size := math.Abs(v); size < 1e15 && size >= 1e-6 || v == 0 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// decoded is a copy of a field in UTF-8.
func (r *tableRows) decoded(d *counting.Document, field string) string {
	if utf8.ValidString(field) {
		return strings.Clone(field)
	}
	text, guess, damaged := r.dec.Decode([]byte(field))
	if guess != "" {
		d.Guessed = guess
	}
	d.Damaged = d.Damaged || damaged
	return text
}
