// Package columns settles what the columns of a table are, whatever format it is in: the names of
// documents, their classes, their texts, or numbers. CSV, spreadsheets, JSON and Parquet share the
// rules, and every guess is one sentence with the option that says otherwise.
package columns

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// Column is what the first rows of a table say about one of its columns.
type Column struct {
	Name    string // "" without a header
	Rows    int    // rows that were looked at
	Missing int    // of these, empty or marked as missing
	Marks   int    // of these, marked, such as NaN
	Numbers int
	Words   int // neither missing nor numbers
	Lists   int // of the words, lists of two numbers or more in brackets
	Whole   int // whole numbers
	Tokens  int // pieces between blanks, in the words
	Letters int // characters of the words
	Wide    int // bytes of the words that are not ASCII
	// Distinct is the number of different values that are not missing.
	Distinct int
	// Counts says that the rows are numbered: whole numbers from 0 or 1, each one more than that
	// before.
	Counts bool
	// Steps says that each number is larger, or each smaller, than the one before by the same amount.
	Steps   bool
	Least   float64 // the smallest number and the largest one
	Most    float64
	Example string // a word
	// Odd is what it holds if that is neither a string nor a number: "a list", "a date"; else "".
	Odd string
	// Several says that Odd is a list of strings or numbers, such as several labels.
	Several bool
	// Strings are the rows that are lists of strings alone, with so many words in all. Inner says that
	// some are lists of objects that each have a text, which is taken.
	Strings, StringWords int
	Inner                bool

	seen map[string]struct{}
	next float64
	step float64 // from the first number to the second one
}

// mostSeen bounds the different values of a column that are counted.
const mostSeen = 4096

// Add takes the value of the next row. number is its value as a number, if isNumber.
func (c *Column) Add(field string, number float64, isNumber bool) {
	field = strings.TrimSpace(field)
	c.Rows++
	switch {
	case isNumber:
		c.measure(number)
		c.Numbers++
		whole := number == float64(int64(number)) && number > -1e15 && number < 1e15
		if whole {
			c.Whole++
		}
		if c.Rows == 1 {
			c.Counts = whole && (number == 0 || number == 1)
		} else if c.Counts {
			c.Counts = whole && number == c.next
		}
		c.next = number + 1
	case lexical.IsMissing(field), lexical.IsInfinite(field):
		c.Missing++
		if field != "" {
			c.Marks++
		}
		c.Counts, c.Steps = false, false
		return
	default:
		c.Counts, c.Steps = false, false
		if c.Words++; c.Words == 1 {
			c.Example = strings.Clone(field[:min(len(field), 200)])
		}
		if strings.HasPrefix(field, "[") {
			if list, ok := lexical.Vector(field); ok && len(list) > 1 {
				c.Lists++
			}
		}
		c.Tokens += len(strings.Fields(field))
		c.Letters += len(field)
		for k := range len(field) {
			if field[k] >= utf8.RuneSelf {
				c.Wide++
			}
		}
	}
	if c.seen == nil {
		c.seen = make(map[string]struct{})
	}
	if _, again := c.seen[field]; !again && len(c.seen) < mostSeen {
		c.seen[strings.Clone(field)] = struct{}{}
		c.Distinct++
	}
}

// measure keeps the range of the numbers and whether they go in equal steps. The number is not
// counted yet.
func (c *Column) measure(number float64) {
	last := c.next - 1
	if c.Numbers == 0 {
		c.Least, c.Most = number, number
	}
	c.Least, c.Most = min(c.Least, number), max(c.Most, number)
	switch {
	case c.Rows == 2 && c.Numbers == 1:
		c.step = number - last
		c.Steps = c.step != 0
	case c.Steps:
		c.Steps = math.Abs(number-last-c.step) <= 1e-6*math.Abs(c.step)
	}
}

// Has reports whether a value is among those that were looked at.
func (c *Column) Has(field string) bool {
	_, ok := c.seen[strings.TrimSpace(field)]
	return ok
}

// AddStrings adds a list of strings to what is known of the column, beside [Column.Add] of no
// value.
func (c *Column) AddStrings(list []string) {
	c.Strings++
	words := Column{}
	for _, s := range list {
		words.Add(s, 0, false)
	}
	c.StringWords += int(words.perRow()*float64(words.Words) + .5)
}

// IsStrings reports whether the column holds lists of strings alone.
func (c *Column) IsStrings() bool {
	return c.Strings > 0 && c.Words+c.Numbers == 0 && (c.Odd == "" || c.Several || c.Inner)
}

// wordsOfStrings is how many words a list of strings has on average.
func (c *Column) wordsOfStrings() float64 { return float64(c.StringWords) / float64(max(1, c.Strings)) }

// isWords reports whether the column holds words: most of what it holds is no number.
func (c *Column) isWords() bool { return c.Odd == "" && c.Words > 0 && c.Words >= c.Numbers }

// isLists reports whether the column holds lists of numbers as text, which are no words.
func (c *Column) isLists() bool { return c.Lists > 0 && c.Lists == c.Words }

// isEmpty reports whether a column holds nothing in the rows looked at.
func (c *Column) isEmpty() bool { return c.Rows > 0 && c.Missing == c.Rows && c.Strings == 0 }

// isNames reports whether nearly all words of many differ, as titles and names do; of a thousand
// classes not so many of the first documents have different ones.
func (c *Column) isNames() bool {
	return (c.Odd == "" || c.Several) && c.Words >= someNumbers && c.Words >= c.Numbers && 20*c.Distinct > 19*c.Words
}

// seldom reports whether hardly a row has a value: such texts are remarks on a few of them.
func (c *Column) seldom() bool {
	return c.Rows >= someNumbers && seldomShare*(c.Rows-c.Missing) < c.Rows
}

// unique reports whether no two rows have one value.
func (c *Column) unique() bool {
	return c.Odd == "" && c.Missing == 0 && c.Rows > 0 && (c.Distinct == c.Rows || c.Distinct == mostSeen)
}

// isConstant reports whether three rows or more were looked at, and all have the same value.
func (c *Column) isConstant() bool {
	const fewest = 3
	return c.Odd == "" && c.Rows >= fewest && c.Missing == 0 && c.Distinct == 1
}

// seldomShare is the divisor of the rows of which fewer have a value where these are no texts.
const seldomShare = 4

// Of numbers that are no classes: from how many on whole numbers may be measurements, and from how
// many different ones on fractions are, however often each of them is there. Whole numbers of so
// many values are, too, if on average fewer than fewAlike rows have one.
const (
	someNumbers   = 20
	manyFractions = 50
	manyWhole     = 50
	fewAlike      = 5
)

// measured reports whether the column holds numbers that are no classes: most of them differ, or
// they are fractions of many values. Few whole numbers may be classes, though they differ.
func (c *Column) measured() bool {
	if c.Odd != "" || c.Words > 0 || c.Numbers <= 2 {
		return false
	}
	if c.Whole == c.Numbers {
		return c.Numbers >= someNumbers && (2*c.Distinct > c.Numbers || c.Distinct >= manyWhole && fewAlike*c.Distinct > c.Numbers)
	}
	return 2*c.Distinct > c.Numbers || c.Distinct >= manyFractions
}

// perRow is how many words a value has on average.
func (c *Column) perRow() float64 {
	if c.Words == 0 {
		return 0
	}
	// Scripts without blanks have a word for every few characters; 30 bytes are ten ideographs.
	return max(float64(c.Tokens), float64(c.Wide)/30) / float64(c.Words)
}

// manyAnswers is the most different answers to a question that has its answers beside it, of which
// one is chosen.
const manyAnswers = 20

// asks reports whether the column holds answers to an open question of a survey, in their own
// words: its name ends with a question mark, and many of its values differ.
func (c *Column) asks() bool {
	name := strings.TrimSpace(c.Name)
	return (strings.HasSuffix(name, "?") || strings.HasSuffix(name, "？")) && c.Distinct > manyAnswers && manyAnswers*c.Distinct > c.Rows
}

// named reports whether the column has one of the names, which are in lower case.
func (c *Column) named(names []string) bool {
	lower := strings.ToLower(strings.TrimSpace(c.Name))
	for _, n := range names {
		if lower == n || n == lexical.SomeText && strings.HasSuffix(lower, "text") {
			return true
		}
	}
	return false
}

// inside is the column under its name in the object that it is in, such as content of
// object.content.
func (c *Column) inside() *Column {
	out := *c
	out.Name = c.Name[strings.LastIndexByte(c.Name, '.')+1:]
	return &out
}

// nestedID reports whether the column is a field inside an object with a usual name of ids, and
// returns the path of the object with the point behind it. MongoDB writes _id as an object with the
// field $oid.
func (c *Column) nestedID() (object string, ok bool) {
	path := strings.TrimSuffix(c.Name, ".$oid")
	at := strings.LastIndexByte(path, '.') + 1
	ok = (at > 0 || path != c.Name) && slices.Contains(lexical.NestedIDNames, strings.ToLower(path[at:]))
	return path[:at], ok
}

// TermName is the name of column j, from 0, as a term: its own, or "column 5" where it has none.
func TermName(list []Column, j int) string {
	if name := list[j].Name; name != "" {
		return name
	}
	return fmt.Sprintf("column %d", j+1)
}

// label names column j, from 0, in a message: its number and its name.
func label(list []Column, j int, what Kind) string {
	name := message.Clip(list[j].Name, 40)
	switch {
	case what == Field:
		return name
	case name == "":
		return fmt.Sprint(j + 1)
	}
	return fmt.Sprintf("%d (%s)", j+1, name)
}
