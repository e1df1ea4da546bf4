package matrix

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// csvRoles decides by the request and the first records what the columns are.
func csvRoles(in *source, first [][]string) (csvColumns, error) {
	c := csvColumns{id: -1, label: -1, width: len(first[0])}
	data := first
	if hasHeader(first) {
		for _, name := range first[0] {
			c.header = append(c.header, strings.TrimSpace(name))
		}
		data = first[1:]
	}
	var lower []string
	for _, name := range c.header {
		lower = append(lower, strings.ToLower(name))
	}
	if len(lower) > 1 && slices.Contains(lexical.IDNames, lower[0]) {
		c.id = 0
	}
	if err := c.chooseLabel(in, lower); err != nil {
		return c, err
	}
	// Columns of words that have no role yet: one is the class, or the names if the class is known.
	if len(data) == 0 {
		return c, nil
	}
	words := c.wordColumns(data)
	noLabels := in.opt.LabelColumn == "none"
	last := c.width - 1
	switch {
	case len(words) == 1 && c.label < 0 && !noLabels:
		c.label = words[0]
	case len(words) == 1 && words[0] == 0 && c.id < 0:
		c.id = 0
	case len(words) == 2 && c.label < 0 && !noLabels && c.id < 0 && words[0] == 0 && words[1] == last:
		c.id, c.label = 0, last
	case len(words) > 0:
		return c, in.Fail("column "+c.columnName(words[0]), "holds words such as %q, where numbers are needed; name the column of classes with ‹label-column›, and remove other columns of text",
			message.Clip(strings.TrimSpace(data[0][words[0]]), 40))
	}
	c.note(in)
	return c, nil
}

// wordColumns returns the columns without a role that hold words in the first records.
func (c *csvColumns) wordColumns(data [][]string) (words []int) {
	for j, field := range data[0] {
		if j == c.id || j == c.label || !isWord(field) {
			continue
		}
		if len(data) > 1 && j < len(data[1]) && !isWord(data[1][j]) {
			continue
		}
		words = append(words, j)
	}
	return words
}

// chooseLabel finds the label column by the request, else by name among the outer columns. An inner
// column of such a name may be a term.
func (c *csvColumns) chooseLabel(in *source, lower []string) error {
	switch want := in.opt.LabelColumn; want {
	case "none":
		return nil
	case "":
		if len(lower) < 2 {
			return nil
		}
		start := c.id + 1
		for _, j := range []int{c.width - 1, start} {
			if j != c.id && slices.Contains(lexical.LabelNames, lower[j]) {
				c.label = j
				return nil
			}
		}
		return nil
	default:
		if k, err := strconv.Atoi(want); err == nil {
			j := k - 1
			if k < 0 {
				j = c.width + k
			}
			if k == 0 || j < 0 || j >= c.width {
				return in.Fail("‹label-column› "+want, "the table has columns 1 to %d; give one of them, or -1 for the last", c.width)
			}
			c.label = j
		} else {
			for j := range lower {
				if c.header[j] != want && (lower[j] != strings.ToLower(want) || slices.Contains(c.header, want)) {
					continue
				}
				if c.label >= 0 {
					return in.Fail("‹label-column› "+want, "columns %d and %d have this name; give the number", c.label+1, j+1)
				}
				c.label = j
			}
			switch {
			case c.header == nil:
				return in.Fail("‹label-column› "+want, "the table has no header with names; give the number of the column, from 1 to %d", c.width)
			case c.label < 0:
				return in.Fail("‹label-column› "+want, "no column has this name; the columns are %s", message.List(c.header, 12))
			}
		}
		if c.label == c.id {
			c.id = -1
		}
		return nil
	}
}

// note adds notes on the decisions.
func (c *csvColumns) note(in *source) {
	if c.header != nil {
		in.Notef("The first line is a header.")
	} else {
		in.Notef("There is no header.")
	}
	if c.id >= 0 {
		in.Notef("The names of the documents are column %s.", c.columnName(c.id))
	}
	switch {
	case c.label >= 0 && in.opt.LabelsGiven:
		in.Notef("Column %s holds classes and is not among the terms.", c.columnName(c.label))
	case c.label >= 0:
		in.Notef("The classes are column %s.", c.columnName(c.label))
	case in.opt.LabelColumn == "" && !in.opt.LabelsGiven:
		in.Notef("No column of classes was recognised; ‹label-column› names one (-1 is the last).")
	}
}

// hasHeader reports whether the first record names columns: it has a word above a number of the
// next record, or it begins with "id". A single record is a header if all its fields are words.
func hasHeader(first [][]string) bool {
	if len(first[0]) > 1 && slices.Contains(lexical.IDNames, strings.ToLower(strings.TrimSpace(first[0][0]))) {
		return true
	}
	if len(first) == 1 {
		return !slices.ContainsFunc(first[0], func(f string) bool { return !isWord(f) })
	}
	for j, field := range first[0] {
		if isWord(field) && j < len(first[1]) && !isWord(first[1][j]) {
			return true
		}
	}
	return false
}

// isWord reports whether a field is neither a number nor a mark of a missing one.
func isWord(field string) bool {
	field = strings.TrimSpace(field)
	if field == "" || isMissing(field) {
		return false
	}
	v, ok := lexical.Number(field)
	return !ok && !math.IsInf(v, 0) // a number beyond the largest is not a word
}

// isMissing recognises the usual marks of a missing or infinite number.
func isMissing(field string) bool {
	switch strings.ToLower(strings.TrimLeft(field, "+-")) {
	case "na", "n/a", "nan", "null", "none", "inf", "infinity", "?":
		return true
	}
	return false
}
