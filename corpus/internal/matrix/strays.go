package matrix

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/words"
)

// mostStrays is the divisor of the rows that may have a word in a column of numbers.
const mostStrays = 5

// stray are the words in a column of numbers.
type stray struct {
	count int
	line  int // of the first
	word  string
}

// takesStray reports whether a field that is no number counts as a missing one: so it is if the
// user or the model says what becomes of missing numbers, and the field does not say infinity.
func (c *csvCollector) takesStray(field string, v float64) bool {
	fills := c.in.opt.Missing != "" || c.in.opt.Filling != nil && c.in.opt.Filling.By != ""
	return fills && !math.IsInf(v, 0) && !lexical.IsInfinite(strings.TrimSpace(field))
}

// addStray counts a word among the numbers of a column.
func (c *csvCollector) addStray(column, line int, field string) {
	s := c.strays[column]
	if s == nil {
		if c.strays == nil {
			c.strays = make(map[int]*stray)
		}
		s = &stray{line: line, word: strings.Clone(strings.TrimSpace(field))}
		c.strays[column] = s
	}
	s.count++
	c.noteGap(line, column, s.word)
}

// noteStrays says which words count as missing numbers, and refuses a column with many of them,
// which is one of words as well.
func (c *csvCollector) noteStrays(rows int) error {
	var list []string
	all := 0
	for j := range c.Columns {
		s := c.strays[j]
		if s == nil {
			continue
		}
		if mostStrays*s.count > rows && s.count > 1 {
			return c.badField(c.PlaceOf(s.line), j, s.word, false)
		}
		all += s.count
		more := ""
		if s.count > 1 {
			more = fmt.Sprintf(" and %d more", s.count-1)
		}
		list = append(list, fmt.Sprintf("%q in column %s (%s)%s", message.Clip(s.word, 40), c.ColumnName(j), c.PlaceOf(s.line), more))
	}
	if all > 0 {
		list = slices.Clip(list)
		c.in.Notef("%s in columns of numbers, taken for missing: %s.", message.Plural(all, "word", "words"), words.Few(list, 6))
	}
	return nil
}
