package matrix

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Category is a column of words whose values are columns of a matrix.
type Category struct {
	Name   string `json:"name"`
	Values int    `json:"values"` // the number of these columns
}

const (
	// mostValues is the largest number of values of a category that count.
	mostValues = 100
	// fewRows is the number of rows below which words that all differ are not taken for names.
	fewRows = 20
)

// category is a column of words that is being read.
type category struct {
	column int
	name   string
	words  []string
	number map[string]int32 // of each of words
	count  []int
	of     []int32  // the word of each row; -1: none
	values []string // that are columns
}

// checkCategory refuses a category whose name another column has, too: its values are terms by that
// name, and new rows have it.
func (c *csvCollector) checkCategory(j int) error {
	place, name := "column "+c.ColumnName(j), columns.TermName(c.Columns, j)
	for k := range c.Columns {
		if k != j && columns.TermName(c.Columns, k) == name {
			return c.in.Fail(place, "column %d has the same name, so that ‹views› columns cannot tell their categories apart: give each column a name of its own", k+1)
		}
	}
	return nil
}

// add takes the value of the next row.
func (k *category) add(mem *input.Budget, field string) (err error) {
	at := int32(-1)
	if word := lexical.Tidy(field); !lexical.IsMissing(word) {
		var known bool
		if at, known = k.number[word]; !known {
			const beside = 80 // bytes of a word in the map and the lists
			if err := mem.Take(int64(len(word))+beside, 1); err != nil {
				return err
			}
			word = strings.Clone(word)
			at = int32(len(k.words))
			k.words, k.count, k.number[word] = append(k.words, word), append(k.count, 0), at
		}
		k.count[at]++
	}
	k.of, err = input.Push(mem, k.of, 4, at)
	return err
}

// chooseValues chooses which values of the categories become columns. If an earlier table chose
// them, its terms name them; else they are the most frequent values of two rows or more.
func (c *csvCollector) chooseValues() {
	var taken, left []string
	for _, k := range c.categories {
		if known := c.in.opt.Filling; known != nil {
			if note := k.chooseKnown(known.Terms); note != "" {
				c.in.Notef("%s", note)
			}
			continue
		}
		order := make([]int, 0, len(k.words))
		for w, n := range k.count {
			if n > 1 {
				order = append(order, w)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return k.count[b] - k.count[a] })
		many := len(order)
		for _, w := range order[:min(many, mostValues)] {
			k.values = append(k.values, k.words[w])
		}
		slices.Sort(k.values)
		switch {
		case many == 0 || len(k.words) > mostValues && 2*len(k.words) > len(k.of) && len(k.of) >= fewRows:
			k.values = nil
			left = append(left, fmt.Sprintf("%s (%d different words in %d rows)", message.Clip(k.name, 40), len(k.words), len(k.of)))
		case len(k.values) < len(k.words):
			taken = append(taken, fmt.Sprintf("%s (%d of %s)", message.Clip(k.name, 40), len(k.values), words.Counted(len(k.words), "value")))
		default:
			taken = append(taken, fmt.Sprintf("%s (%s)", message.Clip(k.name, 40), words.Counted(len(k.values), "value")))
		}
	}
	if taken != nil {
		c.in.Notef("Columns of words that are compared as categories, each of their values a term: %s.", message.List(taken, 6))
	}
	if left != nil {
		c.in.Notef("Columns of words that are no categories and are left out: %s.", message.List(left, 6))
	}
}

// chooseKnown chooses the values that terms name. A word that is the same number as a value counts
// as this value (1.0 as 1, which is how programs write codes where some are missing), and so does
// True as true. The note says how many rows have other values; "" if none has.
func (k *category) chooseKnown(terms []string) string {
	for _, term := range terms {
		if value, is := strings.CutPrefix(term, k.name+"="); is {
			k.values = append(k.values, value)
		}
	}
	rows, example := 0, ""
	for w, word := range k.words {
		if slices.Contains(k.values, word) {
			continue
		}
		if value := k.sameValue(word); value != "" {
			k.words[w] = value
			continue
		}
		if rows += k.count[w]; example == "" {
			example = word
		}
	}
	if rows == 0 {
		return ""
	}
	return fmt.Sprintf("In %s of %s column %s has a value that the model does not compare, such as %q: it counts as none.", words.Thousands(rows), words.Counted(len(k.of), "row"), message.Clip(k.name, 40), message.Clip(example, 40))
}

// sameValue is the one value that is the number of a word, or that is true or false as it is; "" if
// there is none, or are several.
func (k *category) sameValue(word string) (same string) {
	number, is := lexical.Number(word)
	truth := strings.EqualFold(word, "true") || strings.EqualFold(word, "false")
	for _, value := range k.values {
		v, isNumber := lexical.Number(value)
		if is && isNumber && v == number || truth && strings.EqualFold(value, word) {
			if same != "" {
				return ""
			}
			same = value
		}
	}
	return same
}

// addCategories puts the values of the categories behind the columns of numbers.
func (c *csvCollector) addCategories(d *draft) error {
	width := 0
	for _, k := range c.categories {
		if len(k.values) == 0 {
			continue
		}
		d.categories = append(d.categories, Category{k.name, len(k.values)})
		for _, v := range k.values {
			d.colNames = append(d.colNames, k.name+"="+v)
		}
		width += len(k.values)
	}
	if width == 0 {
		return nil
	}
	d.byRow = true
	n, cols := c.store.rows, c.store.cols
	if s, isSparse := d.x.(*sparse.CSR); isSparse {
		d.x = s.ToDense()
	}
	if err := c.in.Mem.Take(int64(n)*int64(cols+width), 8); err != nil {
		return c.in.Wrap("", err)
	}
	x := mat.NewDense(n, cols+width, nil)
	for i := range n {
		if d.x != nil {
			copy(x.RawRowView(i), d.x.(*mat.Dense).RawRowView(i))
		}
	}
	first := cols
	for _, k := range c.categories {
		at := make(map[string]int, len(k.values))
		for v, value := range k.values {
			at[value] = first + v
		}
		for i, w := range k.of {
			if w < 0 {
				continue
			}
			if j, known := at[k.words[w]]; known {
				x.Set(i, j, 1)
			}
		}
		first += len(k.values)
	}
	c.in.Mem.Give(int64(n)*int64(cols), 8)
	d.x = x
	return nil
}
