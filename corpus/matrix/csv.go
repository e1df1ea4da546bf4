package matrix

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/spreadsheet"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// csvColumns says what the columns of a table are.
type csvColumns struct {
	header    []string // nil without one
	id, label int      // -1 for none
	width     int
}

// readCSV reads a table of numbers with one row per document. It finds out the separator (comma,
// tab, semicolon, blank), the header and the columns of names and classes, and notes what it
// decided; see [Options].
func readCSV(in *source) (*draft, error) {
	comma := rune(0)
	if in.format == "tsv" {
		comma = '\t'
	}
	t, err := input.NewTable(in.File, comma)
	if err != nil {
		return nil, err
	}
	// The first three records decide on the columns.
	var first [][]string
	var firstLine []int
	for len(first) < 3 {
		rec, err := t.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if len(first) > 0 && len(rec) != len(first[0]) {
			return nil, wrongWidth(in, t.Line, len(rec), len(first[0]))
		}
		first, firstLine = append(first, slices.Clone(rec)), append(firstLine, t.Line)
	}
	if len(first) == 0 {
		return nil, input.NoDocuments(in.Fail("", "it holds no lines; a corpus needs at least one document and one term"))
	}
	cols, err := csvRoles(in, first)
	if err != nil {
		return nil, err
	}
	c := csvCollector{in: in, csvColumns: cols, ptr: []int{0}}
	for k, rec := range first {
		if k == 0 && cols.header != nil {
			continue
		}
		if err := c.add(rec, firstLine[k]); err != nil {
			return nil, err
		}
	}
	for len(first) == 3 {
		rec, err := t.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := c.add(rec, t.Line); err != nil {
			return nil, err
		}
	}
	return c.draft()
}

// csvCollector collects the rows, sparse until their density is known.
type csvCollector struct {
	in *source
	csvColumns
	ptr        []int
	col        []int32
	val        []float64
	ids, words []string
	idLines    []int // the line of each of ids
}

func (c *csvCollector) add(rec []string, line int) (err error) {
	place := fmt.Sprintf("line %d", line)
	if len(rec) != c.width {
		return wrongWidth(c.in, line, len(rec), c.width)
	}
	term := int32(0)
	for j, field := range rec {
		switch j {
		case c.id:
			if err = c.keep(&c.ids, field); err != nil {
				return c.in.Wrap(place, err)
			}
			if c.idLines, err = input.Push(c.in.Mem, c.idLines, 8, line); err != nil {
				return c.in.Wrap(place, err)
			}
			continue
		case c.label:
			if err = c.keep(&c.words, field); err != nil {
				return c.in.Wrap(place, err)
			}
			continue
		}
		if field != "0" {
			v, err := parseField(field)
			if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				return c.badField(place, j, field, err == nil && math.IsInf(v, 0))
			}
			if v != 0 {
				if c.col, err = input.Push(c.in.Mem, c.col, 4, term); err != nil {
					return c.in.Wrap(place, err)
				}
				if c.val, err = input.Push(c.in.Mem, c.val, 8, v); err != nil {
					return c.in.Wrap(place, err)
				}
			}
		}
		term++
	}
	if c.ptr, err = input.Push(c.in.Mem, c.ptr, 8, len(c.val)); err != nil {
		return c.in.Wrap(place, err)
	}
	return nil
}

func wrongWidth(in *source, line, fields, want int) error {
	return in.Fail(fmt.Sprintf("line %d", line), "has %s where the first line has %d; correct the line", message.Plural(fields, "field", "fields"), want)
}

// keep stores a copy of a word, because records are reused.
func (c *csvCollector) keep(list *[]string, word string) (err error) {
	word = strings.TrimSpace(word)
	// Consecutive documents of one class share their word.
	if n := len(*list); n > 0 && (*list)[n-1] == word {
		word = (*list)[n-1]
	} else {
		if err := c.in.Mem.Take(int64(len(word)), 1); err != nil {
			return err
		}
		word = strings.Clone(word)
	}
	*list, err = input.Push(c.in.Mem, *list, 16, word)
	return err
}

// parseField reads a number with blanks around it.
func parseField(s string) (float64, error) {
	if len(s) == 1 && s[0] >= '0' && s[0] <= '9' {
		return float64(s[0] - '0'), nil
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil && math.IsInf(v, 0) {
		err = nil // beyond float64: the caller refuses the infinity
	}
	return v, err
}

// badField says what is wrong with a field that is not a finite number. infinite says that it was
// read as an infinity.
func (c *csvCollector) badField(place string, j int, field string, infinite bool) error {
	place += ", column " + c.columnName(j)
	switch field = strings.TrimSpace(field); {
	case field == "":
		return c.in.Fail(place, "is empty; write a number, 0 where nothing occurs")
	case isMissing(field):
		return c.in.Fail(place, "is %s; replace entries that are not finite numbers", message.Clip(field, 40))
	case infinite:
		return c.in.Fail(place, "%s is beyond the largest number, %.2g; divide the column by a constant", message.Clip(field, 40), math.MaxFloat64)
	}
	return c.in.Fail(place, "%q is not a number; name the column of classes with ‹label-column›, and remove other columns of text", message.Clip(field, 40))
}

// columnName returns the number of column j from 1, and its name if it has one.
func (c *csvColumns) columnName(j int) string {
	if c.header != nil {
		return fmt.Sprintf("%d (%s)", j+1, message.Clip(c.header[j], 40))
	}
	return strconv.Itoa(j + 1)
}

// draft makes the matrix of the rows collected.
func (c *csvCollector) draft() (*draft, error) {
	n, terms := len(c.ptr)-1, c.width
	if c.id >= 0 {
		terms--
	}
	if c.label >= 0 {
		terms--
	}
	if err := c.in.checkShape("", int64(n), int64(terms), int64(n)*int64(terms)); err != nil {
		return nil, err
	}
	if c.id >= 0 && c.header != nil && strings.EqualFold(c.header[c.id], spreadsheet.MarkedID) {
		for i, id := range c.ids {
			c.ids[i] = spreadsheet.Unescape(id)
		}
	}
	d := &draft{what: "the table", rowNames: c.ids, rowLines: c.idLines, byRow: c.id >= 0 || c.label >= 0}
	if c.header != nil {
		for j, name := range c.header {
			if j != c.id && j != c.label {
				d.colNames = append(d.colNames, name)
			}
		}
	}
	if c.label >= 0 {
		d.labels = &Labels{What: "column " + c.columnName(c.label), File: c.in.Name, Without: "read without labels by ‹label-column› none", Words: c.words}
	}
	// More than 60 % zeros: 12 bytes per entry take less than 8 per cell.
	if 5*int64(len(c.val)) < 2*int64(n)*int64(terms) {
		x, err := sparse.NewCSR(n, terms, c.ptr, c.col, c.val)
		if err != nil {
			return nil, c.in.Wrap("", err)
		}
		d.x = x
		return d, nil
	}
	if err := c.in.Mem.Take(int64(n)*int64(terms), 8); err != nil {
		return nil, c.in.Wrap("", err)
	}
	x := mat.NewDense(n, terms, nil)
	for i := range n {
		row := x.RawRowView(i)
		for k := c.ptr[i]; k < c.ptr[i+1]; k++ {
			row[c.col[k]] = c.val[k]
		}
	}
	d.x = x
	return d, nil
}
