package text

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/parquet"
)

// ErrNumbers says of a file of Parquet that no column holds texts, or none is wanted, and that some
// column holds numbers, so that [OpenNumbers] may read it.
var ErrNumbers = input.ErrNumbers

// manyTokens is from how many words a value has on average on that a column is one of texts.
const manyTokens = 3

// numberColumn is a column of a file of Parquet that is read as a table.
type numberColumn struct {
	leaf  int
	name  string
	list  bool
	width int      // values of a list
	names []string // of classes, as in [parquetRole]
}

// manyListed is from how many numbers on a list is the vector of a document, beside which single
// numbers are no terms.
const manyListed = 8

// NumberRows reads the rows of a file of Parquet as fields of a table.
type NumberRows struct {
	p        *parquetFile
	columns  []numberColumn
	skip     bool             // lists are not read, and their fields are empty
	open     []*parquetColumn // of the group of rows that is being read
	g, row   int              // the group, from 1, and the rows that were read
	rec      []string
	begun    bool
	firstRow []string
}

// OpenNumbers reads a file of Parquet without texts as a table: the first row is the names of the
// columns. A list of numbers of one length is as many columns, NAME.0 and so on. Columns of other
// types, and of texts, are left out. Close gives its memory back.
func OpenNumbers(in *input.File, opt ReadOptions) (*NumberRows, error) {
	s := &source{File: in, opt: opt, numbers: true}
	p, err := s.openParquet(in, &counting.Origin{File: in.Name, Unit: "row"})
	if err != nil {
		return nil, err
	}
	return &NumberRows{p: p, columns: p.numbers}, nil
}

// Close gives the memory of the reader back.
func (r *NumberRows) Close() {
	r.closeGroup()
	r.p.close()
}

// Aside returns the columns of the table, from 0, that are single values beside the one list of
// numbers of a document, which is its vector if it has eight numbers or more; else nil. The length
// of the list is known once [NumberRows.Next] has returned a row.
func (r *NumberRows) Aside() (aside []int) {
	lists, at := 0, 0
	for _, c := range r.columns {
		if c.list {
			lists++
			at += c.width
			if c.width < manyListed {
				return nil
			}
			continue
		}
		aside = append(aside, at)
		at++
	}
	if lists != 1 {
		return nil
	}
	return aside
}

// SkipLists leaves the fields of lists empty in all rows that were not read yet.
func (r *NumberRows) SkipLists() { r.skip = true }

// holdsNumbers reports whether a column holds numbers, or lists of numbers.
func (p *parquetFile) holdsNumbers(leaf int) bool {
	c := &p.Footer.Leaves[leaf]
	switch c.Kind {
	case parquet.Float, parquet.Double, parquet.Int32, parquet.Int64, parquet.Fixed: // of these float16 alone has the kind ""
		return p.kind(leaf) == "" && (c.Most == 0 || p.isVector(leaf))
	}
	return false
}

// isVector reports whether a column is a list of numbers, inside nothing else.
func (p *parquetFile) isVector(leaf int) bool {
	c := &p.Footer.Leaves[leaf]
	if p.kind(leaf) != "" || c.Most != 1 || c.Kind == parquet.Bytes || c.Kind == parquet.Bool {
		return false
	}
	of := 0
	for _, other := range p.Footer.Leaves {
		if other.Path[0] == c.Path[0] {
			of++
		}
	}
	return of == 1
}

// refuseTexts is the error of a file without a column of texts; an ErrNumbers if it holds numbers.
func (p *parquetFile) refuseTexts(list []columns.Column, leaves []int) error {
	why := fmt.Sprintf("has no column of texts; its columns are %s; name the one of texts with ‹text-column›, or rename it to text", p.columnNames(list))
	if k := slices.IndexFunc(p.Footer.Leaves, func(l parquet.Leaf) bool {
		return l.Most > 0 && l.Kind == parquet.Bytes && (l.Logical.Name == "" || l.Logical.Name == "string")
	}); k >= 0 {
		why += fmt.Sprintf("; for the texts in lists such as %s write it as JSON lines, with python -c \"import pandas; pandas.read_parquet('FILE').to_json('FILE.jsonl', orient='records', lines=True)\"", message.Clip(p.Footer.Leaves[k].Path[0], 60))
	}
	for j := range list {
		if p.holdsNumbers(leaves[j]) {
			return &input.FormatError{File: p.In.Name, Why: why, Err: ErrNumbers}
		}
	}
	return p.In.Fail("", "%s", why)
}

// noteVectors says that lists of numbers beside the texts are not read.
func (p *parquetFile) noteVectors(list []columns.Column, leaves []int) (notes []string) {
	for j := range list {
		if list[j].Odd != "" && p.isVector(leaves[j]) {
			notes = append(notes, fmt.Sprintf("Column %s holds lists of numbers and is left out beside the texts; ‹vectors› with the name of this file compares the documents by them, and ‹text-column› none reads the numbers in place of the texts.", message.Clip(list[j].Name, 60)))
		}
	}
	return notes
}

// chooseNumbers chooses the columns of a table of numbers.
func (p *parquetFile) chooseNumbers(in *source) error {
	list, leaves := p.profiles()
	want := in.opt.columns()
	p.sample(list, leaves, false)
	if in.opt.Vectors {
		return p.chooseVector(list, leaves, want, in.opt.VectorColumn)
	}
	var out []string
	for j, c := range list {
		n := numberColumn{leaf: leaves[j], name: c.Name, list: p.isVector(leaves[j]), names: p.classNames(c.Name)}
		text := c.Words > 0 && c.Tokens >= manyTokens*c.Words && c.Name != want.ID && c.Name != want.Label
		if c.Odd != "" && !n.list || text {
			out = append(out, c.Name)
			continue
		}
		p.numbers = append(p.numbers, n)
	}
	if out != nil {
		in.Notef("Columns that are neither numbers nor names and classes are left out: %s.", message.List(out, 6))
	}
	return nil
}

// chooseVector chooses the column of vectors, and the one of the documents' names: that which was
// asked for, else one of a usual name. Without a list of numbers all columns of numbers are taken.
func (p *parquetFile) chooseVector(list []columns.Column, leaves []int, want columns.Request, asked string) error {
	vector, id := -1, -1
	var all, plain []string
	want = want.Recall(list)
	for j, c := range list {
		switch {
		case p.isVector(leaves[j]) && (asked == "" || asked == c.Name):
			vector = j
			all = append(all, c.Name)
		case c.Odd == "" && (want.ID == c.Name || want.ID == "" && id < 0 && slices.Contains(lexical.IDNames, strings.ToLower(c.Name))):
			id = j
		case p.holdsNumbers(leaves[j]):
			plain = append(plain, c.Name)
		}
	}
	switch {
	case len(all) > 1:
		return p.In.Fail("", "has several columns of lists of numbers: %s; name one with ‹vectors-column›", message.List(all, 6))
	case vector < 0 && asked != "":
		return p.In.Fail("", "has no column %s of lists of numbers; its columns are %s", message.Clip(asked, 60), p.columnNames(list))
	case vector < 0 && plain == nil:
		return p.In.Fail("", "has no column of numbers or of lists of numbers; its columns are %s", p.columnNames(list))
	}
	for j, c := range list {
		if j == id || j == vector || vector < 0 && slices.Contains(plain, c.Name) {
			p.numbers = append(p.numbers, numberColumn{leaf: leaves[j], name: c.Name, list: j == vector})
		}
	}
	return nil
}

// Next returns the names of the columns, then row by row; io.EOF at the end.
func (r *NumberRows) Next() ([]string, error) {
	if r.begun && r.firstRow == nil {
		return r.read()
	}
	if r.begun {
		rec := r.firstRow
		r.firstRow = nil
		return rec, nil
	}
	r.begun = true
	rec, err := r.read()
	if err != nil {
		return nil, err
	}
	r.firstRow = append([]string{}, rec...)
	var names []string
	for _, c := range r.columns {
		if !c.list {
			names = append(names, c.name)
		}
		for k := range c.width {
			names = append(names, fmt.Sprintf("%s.%d", c.name, k))
		}
	}
	return names, nil
}

// read reads the next row.
func (r *NumberRows) read() ([]string, error) {
	if err := r.p.In.Ctx.Err(); err != nil {
		return nil, err
	}
	for r.open == nil || r.row == r.p.first[r.g] {
		r.closeGroup()
		if r.g++; r.g >= len(r.p.first) {
			r.g = len(r.p.first) - 1
			return nil, io.EOF
		}
		if err := r.p.guard(group(r.g-1), r.openGroup); err != nil {
			return nil, err
		}
	}
	r.rec = r.rec[:0]
	r.row++
	for k := range r.columns {
		c := &r.columns[k]
		if c.list && r.skip {
			r.rec = append(r.rec, make([]string, c.width)...)
			continue
		}
		place := r.p.from.At(r.row) + ", column " + message.Clip(c.name, 60)
		err := r.p.guard(place, func() error {
			if c.list {
				return r.open[k].list(r.p.limit)
			}
			return r.open[k].take(1, math.MaxInt)
		})
		if errors.Is(err, errLong) {
			err = tooLong(r.p.In.Name, place, "", r.p.limit)
		}
		if err != nil {
			return nil, err
		}
		if err := r.add(c, r.open[k].values, place); err != nil {
			return nil, err
		}
		r.open[k].release()
	}
	return r.rec, nil
}

// add adds the values of a column to the row.
func (r *NumberRows) add(c *numberColumn, values []cell, place string) error {
	switch {
	case c.list && c.width == 0:
		c.width = len(values)
	case c.list && len(values) != c.width:
		return r.p.In.Fail(place, "the list has %s, where that of the first row has %d; write vectors of one length", message.Plural(len(values), "value", "values"), c.width)
	}
	if len(values) == 0 {
		return r.p.In.Fail(place, "the column ends here, or a list is empty; write a value for every row")
	}
	role := parquetRole{names: c.names}
	for _, v := range values {
		if v.present {
			v.text = role.named(strings.ToValidUTF8(v.text, "\ufffd"))
		}
		r.rec = append(r.rec, v.text)
	}
	return nil
}

// openGroup opens the columns of the next group of rows.
func (r *NumberRows) openGroup() error {
	for _, c := range r.columns {
		column, err := r.p.openColumn(r.g-1, c.leaf)
		if err != nil {
			return err
		}
		r.open = append(r.open, column)
	}
	return nil
}

func (r *NumberRows) closeGroup() {
	for _, c := range r.open {
		c.release()
		c.Pages.Close()
	}
	r.open = nil
}

// list sets values to the values of the list in the next row; nulls are values that are not
// present.
func (c *parquetColumn) list(most int64) error {
	c.values = c.values[:0]
	for {
		more, err := c.Next()
		if err != nil || !more || c.Repeat == 0 && len(c.values) > 0 {
			return err
		}
		if err := c.add(); err != nil {
			return err
		}
		if 64*int64(len(c.values)) > most {
			return errLong
		}
	}
}
