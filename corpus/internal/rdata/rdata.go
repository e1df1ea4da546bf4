// Package rdata reads the data that R saves (.rds, .RData): tables, matrices and texts.
//
// R Internals describes the format under "Serialization Formats". Versions 2 and 3 are read, as xdr
// or ASCII. Functions and environments are passed over.
package rdata

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// Is reports whether a file is one of R by its first bytes.
func Is(head []byte) bool {
	for _, magic := range []string{"X\n\x00\x00\x00", "A\n2\n", "A\n3\n", "RDX2\n", "RDX3\n", "RDA2\n", "RDA3\n", "B\n"} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return magic != "B\n" || bytes.IndexByte(head[:min(len(head), 16)], 0) >= 0
		}
	}
	return false
}

// Data is an object of R that holds documents: a table, or a matrix.
type Data struct {
	Header []string     // of a table
	Words  map[int]bool // the columns that hold words, also where they are written as numbers
	Matrix *Matrix      // nil of a table
	List   bool         // a table of one vector of texts, with their names if they have some

	rows    int
	columns []*object
	names   []string // of the rows; nil: they have none
}

// Matrix is a matrix of R.
type Matrix struct {
	Rows, Cols int
	Values     []float64 // by columns where it is dense; else of the entries
	Sparse     bool
	Row, Col   []int // of each entry of a sparse matrix, from 0
	RowNames   []string
	ColNames   []string
}

// Read reads the object of a file. name chooses one of several, as the user does by option; "" is
// the only one.
func Read(in *input.File, name, option string) (*Data, error) {
	d := &decoder{in: in, r: in.Stream}
	head, err := in.Peek(5)
	if err != nil {
		return nil, err
	}
	several := bytes.HasPrefix(head, []byte("RD"))
	if several {
		d.r.Discard(5)
	}
	o, err := d.read()
	if err != nil {
		return nil, err
	}
	if several {
		if o, err = chosen(in, o, name, option); err != nil {
			return nil, err
		}
	} else if name != "" {
		return nil, in.Fail("", "holds one object, which has no name; name none")
	}
	return dataOf(in, o)
}

// read reads the first object.
func (d *decoder) read() (*object, error) {
	err := d.start()
	var o *object
	if err == nil {
		o, err = d.object()
	}
	if errors.Is(err, errDamaged) {
		return nil, d.in.Fail("", "the object is not as R writes it, the file is damaged; write it again with saveRDS(x, 'x.rds')")
	}
	return o, d.in.Wrap("", err)
}

// chosen is the object of a name among those that save wrote, or the only one.
func chosen(in *input.File, all *object, name, option string) (*object, error) {
	var said []string
	for i, o := range all.list {
		if all.names[i] == name && name != "" || name == "" && len(all.list) == 1 {
			if name == "" {
				in.Notef("The object %s is read.", message.Clip(all.names[i], 60))
			}
			return o, nil
		}
		size := fmt.Sprint(o.len())
		if rows, cols := o.size(); cols >= 0 {
			size = fmt.Sprintf("%d×%d", rows, cols)
		}
		said = append(said, fmt.Sprintf("%s (%s, %s)", message.Clip(all.names[i], 40), message.Clip(o.kindName(), 40), size))
	}
	switch {
	case len(said) == 0:
		return nil, input.NoDocuments(in.Fail("", "holds no object of R"))
	case name != "":
		return nil, in.Fail(option+" "+message.Clip(name, 60), "there is no such object; the file holds %s", message.List(said, 10))
	}
	return nil, in.Fail("", "holds several objects; %s names one: %s", option, message.List(said, 10))
}

// attribute is an attribute of an object, or a slot; nil if it has none.
func (o *object) attribute(name string) *object {
	if o.attr == nil {
		return nil
	}
	if i := slices.Index(o.attr.names, name); i >= 0 {
		return o.attr.list[i]
	}
	return nil
}

// class are the names of the class of an object.
func (o *object) class() []string {
	if c := o.attribute("class"); c != nil {
		return c.texts
	}
	return nil
}

func (o *object) is(class string) bool { return slices.Contains(o.class(), class) }

// len is the length of a vector.
func (o *object) len() int { return max(len(o.ints), len(o.reals), len(o.texts), len(o.list)) }

// size is the rows and columns of a table or matrix; -1 columns of another object.
func (o *object) size() (rows, cols int) {
	if o.is("data.frame") {
		return o.frameRows(), len(o.list)
	}
	for _, name := range []string{"dim", "Dim"} {
		if dim := o.attribute(name); dim != nil && len(dim.ints) == 2 {
			return int(dim.ints[0]), int(dim.ints[1])
		}
	}
	return 0, -1
}

// frameRows is the number of rows of a data.frame.
func (o *object) frameRows() int {
	switch names := o.attribute("row.names"); {
	case names == nil:
	case len(names.ints) == 2 && names.ints[0] == missingInt: // c(NA, -n)
		return int(max(names.ints[1], -names.ints[1]))
	default:
		return names.len()
	}
	if len(o.list) > 0 {
		return o.list[0].len()
	}
	return 0
}

// dataOf is what an object holds.
func dataOf(in *input.File, o *object) (*Data, error) {
	_, cols := o.size()
	switch {
	case o.is("data.frame"):
		return frameOf(in, o)
	case o.is("simple_triplet_matrix"):
		return tripletsOf(in, o)
	case o.kind == kindS4 && cols >= 0:
		return sparseOf(in, o)
	case cols >= 0 && o.class() == nil && (o.kind == kindReal || o.kind == kindInteger || o.kind == kindLogical), o.is("table") && cols >= 0:
		return denseOf(in, o)
	case o.kind == kindStrings && cols < 0, o.is("factor"):
		return textsOf(o), nil
	}
	return nil, in.Fail("", "holds %s, where a data.frame, a matrix of numbers, a sparse matrix (dgCMatrix) or a vector of texts is needed; write one with saveRDS(x, 'x.rds')", message.Clip(o.kindName(), 60))
}

// textsOf is a table of texts, with their names as ids.
func textsOf(o *object) *Data {
	d := &Data{Header: []string{"text"}, Words: map[int]bool{}, List: true, rows: o.len(), columns: []*object{o}}
	if names := o.attribute("names"); names != nil && len(names.texts) == d.rows {
		d.Header, d.names = []string{"id", "text"}, names.texts
	}
	return d
}

// frameOf is the table of a data.frame: without columns of lists and matrices, which a note names.
// Names of rows are a first column without a name, as R writes them.
func frameOf(in *input.File, o *object) (*Data, error) {
	d := &Data{Words: make(map[int]bool), rows: o.frameRows()}
	if err := d.nameRows(in, o.attribute("row.names")); err != nil {
		return nil, err
	}
	names := o.attribute("names")
	var out []string
	zone := false
	for j, c := range o.list {
		name := ""
		if names != nil && j < len(names.texts) {
			name = names.texts[j]
		}
		if !c.isColumn() {
			out = append(out, message.Clip(cmp.Or(name, fmt.Sprint(j+1)), 40))
			continue
		}
		if c.len() != d.rows {
			return nil, in.Fail("column "+message.Clip(name, 60), "has %d values, where the table has %d rows, the file is damaged; write it again", c.len(), d.rows)
		}
		if c.is("factor") {
			d.Words[len(d.Header)] = true
		}
		zone = zone || c.is("POSIXct") && !c.inUTC()
		d.Header, d.columns = append(d.Header, name), append(d.columns, c)
	}
	if zone {
		in.Notef("Times are in UTC, as R keeps them.")
	}
	if out != nil {
		in.Notef("Columns that hold lists, matrices or complex numbers are left out: %s.", message.List(out, 6))
	}
	if len(d.columns) == 0 || d.rows == 0 {
		return nil, input.NoDocuments(in.Fail("", "the data.frame has %s and %s that are read; a corpus needs at least one document and one term", message.Plural(d.rows, "row", "rows"), message.Plural(len(d.columns), "column", "columns")))
	}
	return d, nil
}

// nameRows takes the names of the rows of a data.frame, unless they are their numbers.
func (d *Data) nameRows(in *input.File, names *object) error {
	switch {
	case names == nil || d.rows == 0 || names.len() != d.rows:
		return nil
	case len(names.ints) > 0 && (names.ints[0] == missingInt || counts(names.ints)):
		return nil
	}
	if err := in.Mem.Take(int64(d.rows), 24); err != nil {
		return in.Wrap("", err)
	}
	d.Header, d.names = []string{""}, make([]string, d.rows)
	for i := range d.names {
		d.names[i] = names.field(i)
	}
	return nil
}

// isColumn reports whether a column of a data.frame is a vector of numbers or words.
func (o *object) isColumn() bool {
	_, cols := o.size()
	return cols < 0 && (o.kind == kindStrings || o.kind == kindReal || o.kind == kindInteger || o.kind == kindLogical)
}

// inUTC reports whether R shows times in UTC.
func (o *object) inUTC() bool {
	tz := o.attribute("tzone")
	return tz != nil && len(tz.texts) > 0 && (tz.texts[0] == "UTC" || tz.texts[0] == "GMT")
}

// counts reports whether numbers count from 1.
func counts(list []int32) bool {
	for i, v := range list {
		if int(v) != i+1 {
			return false
		}
	}
	return true
}

// Rows returns the rows of the table one by one, first its header; io.EOF is the end.
func (d *Data) Rows() func() ([]string, error) {
	at := -1
	rec := make([]string, len(d.Header))
	return func() ([]string, error) {
		if at++; at == 0 {
			return d.Header, nil
		}
		if at > d.rows {
			return nil, io.EOF
		}
		out := rec[:0]
		if d.names != nil {
			out = append(out, d.names[at-1])
		}
		for _, c := range d.columns {
			out = append(out, c.field(at-1))
		}
		return out, nil
	}
}

// field is an entry of a vector as a table has it: a factor by its level, a day or a time as such,
// and what is missing as an empty field.
func (o *object) field(i int) string {
	switch {
	case o.kind == kindStrings:
		return o.texts[i]
	case o.kind == kindReal && o.is("integer64"):
		if v := int64(math.Float64bits(o.reals[i])); v != math.MinInt64 {
			return fmt.Sprint(v)
		}
		return ""
	case o.kind == kindReal:
		return o.number(o.reals[i])
	case len(o.ints) <= i || o.ints[i] == missingInt:
		return ""
	case o.kind == kindLogical:
		return fmt.Sprint(o.ints[i] != 0)
	case o.is("factor"):
		if levels := o.attribute("levels"); levels != nil && int(o.ints[i]) <= len(levels.texts) && o.ints[i] > 0 {
			return levels.texts[o.ints[i]-1]
		}
		return ""
	}
	return o.number(float64(o.ints[i]))
}

// number writes a number. In a column of days or times it writes the day or the time.
func (o *object) number(v float64) string {
	const most = 1 << 38 // seconds, about 8,700 years
	switch {
	case math.IsNaN(v):
		return ""
	case o.is("Date") && math.Abs(v) < most/86400:
		return time.Unix(int64(math.Floor(v))*86400, 0).UTC().Format("2006-01-02")
	case o.is("POSIXct") && math.Abs(v) < most:
		return time.Unix(int64(math.Floor(v)), 0).UTC().Format("2006-01-02 15:04:05")
	}
	return lexical.Print(v)
}

// named takes the names of rows and columns.
func (m *Matrix) named(names *object) {
	if names == nil || len(names.list) != 2 {
		return
	}
	if t := names.list[0].texts; len(t) == m.Rows {
		m.RowNames = t
	}
	if t := names.list[1].texts; len(t) == m.Cols {
		m.ColNames = t
	}
}

// denseOf is a matrix of numbers.
func denseOf(in *input.File, o *object) (*Data, error) {
	m := &Matrix{Values: o.reals}
	m.Rows, m.Cols = o.size()
	if o.kind != kindReal {
		if err := in.Mem.Take(int64(len(o.ints)), 8); err != nil {
			return nil, in.Wrap("", err)
		}
		m.Values = make([]float64, len(o.ints))
		for i, v := range o.ints {
			if m.Values[i] = float64(v); v == missingInt {
				m.Values[i] = math.NaN()
			}
		}
	}
	if m.Rows < 0 || m.Cols < 0 || m.Cols > 0 && len(m.Values)/m.Cols != m.Rows || len(m.Values) != m.Rows*m.Cols {
		return nil, in.Fail("", "the matrix has %d numbers for %d×%d, the file is damaged; write it again", len(m.Values), m.Rows, m.Cols)
	}
	m.named(o.attribute("dimnames"))
	return &Data{Matrix: m}, nil
}

// sparseOf is a matrix of the package Matrix, or a table of words of quanteda, which is one.
func sparseOf(in *input.File, o *object) (*Data, error) {
	m := &Matrix{Sparse: true}
	m.Rows, m.Cols = o.size()
	slots := make(map[string]*object)
	for _, name := range []string{"i", "j", "p", "x"} {
		if slots[name] = o.attribute(name); slots[name] == nil {
			slots[name] = new(object)
		}
	}
	if o.attribute("uplo") != nil || o.attribute("i") == nil && o.attribute("j") == nil {
		return nil, in.Fail("", "holds %s, where a general sparse matrix is needed; write as(as(x, 'generalMatrix'), 'CsparseMatrix')", message.Clip(o.kindName(), 40))
	}
	i, j, p := slots["i"].ints, slots["j"].ints, slots["p"].ints
	if p != nil && i != nil {
		j = nil
	}
	entries := max(len(i), len(j))
	if err := in.Mem.Take(int64(entries), 24); err != nil {
		return nil, in.Wrap("", err)
	}
	damaged := in.Fail("", "the sparse matrix has rows, columns and values that do not fit, the file is damaged; write it again")
	m.Row, m.Col = wide(i), wide(j)
	if p != nil {
		lines := expanded(p, entries)
		if lines == nil {
			return nil, damaged
		}
		if i != nil {
			m.Col = lines
		} else {
			m.Row = lines
		}
	}
	m.Values = slots["x"].reals
	switch {
	case slots["x"].kind == kindLogical: // lgCMatrix
		m.Values = make([]float64, len(slots["x"].ints))
		for k, v := range slots["x"].ints {
			if m.Values[k] = float64(v); v == missingInt {
				m.Values[k] = math.NaN()
			}
		}
	case o.attribute("x") == nil: // a pattern
		m.Values = slices.Repeat([]float64{1}, entries)
	}
	if !m.fits() {
		return nil, damaged
	}
	m.named(o.attribute("Dimnames"))
	return &Data{Matrix: m}, nil
}

func wide(list []int32) []int {
	out := make([]int, len(list))
	for i, v := range list {
		out[i] = int(v)
	}
	return out
}

// expanded returns the line of each of so many entries, of which line k has those from p[k] on; nil
// if the numbers do not ascend to theirs.
func expanded(p []int32, entries int) []int {
	out := make([]int, 0, entries)
	for k := 1; k < len(p); k++ {
		if p[k] < p[k-1] || int(p[k]) > entries || p[0] != 0 {
			return nil
		}
		for range p[k] - p[k-1] {
			out = append(out, k-1)
		}
	}
	if len(out) != entries {
		return nil
	}
	return out
}

// fits reports whether all entries are inside the matrix.
func (m *Matrix) fits() bool {
	if len(m.Row) != len(m.Values) || len(m.Col) != len(m.Values) {
		return false
	}
	for k := range m.Row {
		if m.Row[k] < 0 || m.Row[k] >= m.Rows || m.Col[k] < 0 || m.Col[k] >= m.Cols {
			return false
		}
	}
	return true
}

// tripletsOf is a matrix of the package slam, as tm has tables of words. One whose rows are terms
// is turned.
func tripletsOf(in *input.File, o *object) (*Data, error) {
	part := func(name string) *object {
		if names := o.attribute("names"); names != nil {
			if k := slices.Index(names.texts, name); k >= 0 && k < len(o.list) {
				return o.list[k]
			}
		}
		return new(object)
	}
	m := &Matrix{Sparse: true, Values: part("v").reals}
	if v := part("v"); v.kind == kindInteger {
		for _, n := range v.ints {
			m.Values = append(m.Values, float64(n))
		}
	}
	for _, size := range []struct {
		name string
		to   *int
	}{{"nrow", &m.Rows}, {"ncol", &m.Cols}} {
		if s := part(size.name); len(s.ints) == 1 {
			*size.to = int(s.ints[0])
		} else if len(s.reals) == 1 {
			*size.to = int(s.reals[0])
		}
	}
	indices := func(name string) []int {
		out := wide(part(name).ints)
		for _, v := range part(name).reals {
			out = append(out, int(v))
		}
		for k := range out {
			out[k]--
		}
		return out
	}
	if m.Row, m.Col = indices("i"), indices("j"); !m.fits() {
		return nil, in.Fail("", "the sparse matrix has rows, columns and values that do not fit, the file is damaged; write it again")
	}
	m.named(part("dimnames"))
	if o.is("TermDocumentMatrix") {
		in.Notef("The columns of the TermDocumentMatrix are the documents.")
		m.Rows, m.Cols, m.Row, m.Col, m.RowNames, m.ColNames = m.Cols, m.Rows, m.Col, m.Row, m.ColNames, m.RowNames
	}
	return &Data{Matrix: m}, nil
}
