package columns

import (
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/internal/dates"
)

// Of columns of numbers that name things: from how many rows on equal steps number the rows, of
// whole numbers in the first column and of others, and a name of a column counts; from how many
// rows on different numbers are names; and how many digits such numbers have at least if no name of
// the column says so.
const (
	steppedFirst = 10
	steppedRows  = 20
	keyRows      = 20
	keyDigits    = 10
	longCode     = 1000 // the least largest number under a name of long codes
)

// codes leaves out columns of numbers that name things: their sizes mean nothing. These are, in a
// table with a header:
//   - whole numbers in equal steps from row to row, such as 100, 101, 102, or the years of a
//     series, but for coordinates by their names; the first column, also of fractions, becomes the
//     names of the documents if there are none;
//   - whole numbers in a column with a usual name of codes ([lexical.CodeNames], and of large
//     numbers [lexical.LongCodeNames]) that does not count them, as lines of code do, unless the
//     name is one of [lexical.AmbiguousNames] and they spread as a measurement does;
//   - whole numbers of which hardly two are alike in a column with a usual name of numbers of
//     documents ([lexical.KeyNames]), behind the first column under a name of row numbers
//     ([lexical.RowNumberNames]) only if they fill their range, as an index of prices does not;
//   - days as numbers of eight digits, such as 20240131;
//   - different whole numbers that all have the same number of digits, ten or more, as telephone
//     numbers, codes of articles and times have. Populations of a country have eight or nine.
//
// If all columns are such, all are compared, and a note says so. None is left out where the user
// wants no ids, or in a later table, whose terms are the model's.
func (s *settling) codes() {
	if !s.want.Header || s.want.Later || s.want.Transposed || s.want.ID == None {
		return
	}
	var out []int
	for j := range s.list {
		c := &s.list[j]
		switch {
		case !s.free(j) || slices.Contains(s.Out, j) || slices.Contains(s.want.Aside, j) || !c.holdsNumbers():
		case j == 0 && s.ID < 0 && s.want.ID == "" && c.numbersRows():
			s.ID = j
		case c.isCode(j):
			out = append(out, j)
		case c.isYears() && s.want.Time == "":
			s.note("%s %s holds years and is compared as a number; ‹time-column› %s leaves it out and counts the clusters over time.", s.title(), s.at(j), s.word(j))
		case c.mayBeCode(j):
			s.note("%s %s has a name of codes or row numbers, but spreads as measurements do and is compared as a number; ‹id-column› %s makes it the names of the documents.", s.title(), s.at(j), s.word(j))
		}
	}
	if len(out) == 0 {
		return
	}
	if len(out) == s.terms() {
		s.note("%ss %s hold numbers that look like ids, codes or times, whose sizes mean nothing, and are compared, as there are no others; ‹id-column› makes one of them the names of the documents.", s.title(), s.many(out))
		return
	}
	s.Out, s.coded = append(s.Out, out...), len(out)
	if len(out) == 1 {
		s.note("%s %s holds numbers that look like ids, codes or times, whose sizes mean nothing, and is left out; ‹id-column› none takes it for a term.", s.title(), s.at(out[0]))
		return
	}
	s.note("%ss %s hold numbers that look like ids, codes or times, whose sizes mean nothing, and are left out; ‹id-column› none takes them for terms.", s.title(), s.many(out))
}

// holdsNumbers reports whether the column holds single numbers alone.
func (c *Column) holdsNumbers() bool {
	return c.Numbers > 0 && c.Words == 0 && c.Odd == "" && !c.isElement()
}

// numbersRows reports whether a first column numbers the rows, in equal steps.
func (c *Column) numbersRows() bool {
	return c.Steps && !c.named(lexical.CoordinateNames) && (c.Rows >= steppedRows || c.Rows >= steppedFirst && c.Whole == c.Rows)
}

// isCode reports whether column j, of numbers, holds ids or codes: see [settling.codes].
func (c *Column) isCode(j int) bool {
	if c.Whole != c.Numbers || c.Least < 0 || c.Numbers < steppedFirst {
		return false
	}
	if c.Steps && c.Rows >= steppedRows && !c.named(lexical.CoordinateNames) {
		return true
	}
	words := lexical.NameWords(c.Name)
	ends := func(list []string) bool {
		return len(words) > 0 && slices.Contains(list, words[len(words)-1])
	}
	counts := func(word string) bool { return slices.Contains(lexical.CountedNames, word) }
	switch {
	case c.isDays():
		return true
	case len(words) > 1 && slices.ContainsFunc(words[:len(words)-1], counts):
		return false
	case len(words) == 1 && slices.Contains(lexical.AmbiguousNames, words[0]) && c.spreads():
		return false
	case ends(lexical.CodeNames), ends(lexical.LongCodeNames) && c.Most >= longCode, len(words) > 1 && words[0] == "id" && !counts(words[len(words)-1]):
		return true
	}
	return c.isKey(j, words)
}

// mayBeCode reports whether column j, which is no code by its numbers, has a name that codes or row
// numbers have as well as measurements.
func (c *Column) mayBeCode(j int) bool {
	words := lexical.NameWords(c.Name)
	if len(words) == 0 || c.Whole != c.Numbers || c.Least < 0 || c.Numbers < steppedFirst {
		return false
	}
	return len(words) == 1 && slices.Contains(lexical.AmbiguousNames, words[0]) && c.spreads() ||
		j > 0 && slices.Contains(lexical.RowNumberNames, words[len(words)-1]) && c.differs() && !c.fills()
}

// isKey reports whether column j, whose name has these words, holds whole numbers that differ as
// numbers of documents do.
func (c *Column) isKey(j int, words []string) bool {
	if c.Missing > 0 || c.Numbers < keyRows {
		return false
	}
	last := ""
	if len(words) > 0 {
		last = words[len(words)-1]
	}
	if j > 0 && slices.Contains(lexical.RowNumberNames, last) && !c.fills() {
		return false
	}
	if c.differs() && (slices.Contains(lexical.KeyNames, last) || hasSuffix(last, lexical.KeyEndings)) {
		return true
	}
	return c.unique() && digits(c.Least) == digits(c.Most) && digits(c.Least) >= keyDigits-1
}

// digits is one less than the number of digits of a whole number.
func digits(v float64) float64 { return math.Floor(math.Log10(max(v, 1))) }

// differs reports whether hardly two numbers are alike.
func (c *Column) differs() bool { return 10*c.Distinct >= 9*min(c.Numbers, mostSeen) }

// fills reports whether the numbers may number the rows in some order: half of all between the
// least and the largest one are there.
func (c *Column) fills() bool { return c.Most-c.Least < 2*float64(c.Numbers) }

// spreads reports whether the numbers are those of a measurement, such as prices: hardly two are
// alike, they have different numbers of digits, as codes do not, and do not number the rows.
func (c *Column) spreads() bool {
	return c.differs() && digits(c.Least) != digits(c.Most) && !c.fills()
}

func hasSuffix(word string, list []string) bool {
	return slices.ContainsFunc(list, func(end string) bool { return len(word) > len(end) && strings.HasSuffix(word, end) })
}

// isElement reports whether the column is one of the numbers of lists, such as emb.0.
func (c *Column) isElement() bool {
	at := strings.LastIndexByte(c.Name, '.') + 1
	return at > 0 && at < len(c.Name) && strings.Trim(c.Name[at:], "0123456789") == ""
}

// isDays reports whether the column holds days of 1800 to 2100, written as 20240131.
func (c *Column) isDays() bool {
	if c.Least < 18000101 || c.Most > 21001231 {
		return false
	}
	for day := range c.seen {
		if _, err := time.Parse("20060102", day); err != nil {
			return false
		}
	}
	return true
}

// isYears reports whether the column holds years, by its name and its numbers.
func (c *Column) isYears() bool {
	words := lexical.NameWords(c.Name)
	return c.Whole == c.Numbers && c.Least >= 1000 && c.Most < 3000 && len(words) > 0 && slices.Contains(lexical.YearNames, words[len(words)-1])
}

// recurringRows is from how many rows on values that recur are none of texts, and each of them is
// there recurring times on average.
const (
	recurringRows = 40
	recurring     = 20
)

// recurs reports whether a column of words has few values that each occur again and again, as
// answers to choose from and categories do, and texts do not.
func (c *Column) recurs() bool {
	return c.Words >= recurringRows && recurring*c.Distinct <= c.Words
}

// datesLooked is the most different words of a column that are looked at for dates.
const datesLooked = 50

// holdsDates reports whether a column of words holds dates or times.
func (c *Column) holdsDates() bool {
	if !c.isWords() || c.Numbers > 0 {
		return false
	}
	list := slices.Sorted(maps.Keys(c.seen))
	if n := len(list); n > datesLooked { // spread over all, the same in each run
		for i := range datesLooked {
			list[i] = list[i*n/datesLooked]
		}
		list = list[:datesLooked]
	}
	_, read, err := dates.Read(list)
	if err != nil {
		return read != nil || strings.Count(c.Example, "/") == 2 || strings.Count(c.Example, "-") == 2 // days and months in either order
	}
	return !slices.Contains(read, false)
}

// withoutDates leaves columns of dates out of a list of columns of words, in a table that has
// numbers too: dates that became classes or categories would lose their order. A single column of
// words that all differ may hold the names of the documents, and stays.
func (s *settling) withoutDates(list []int) []int {
	if s.want.Categories || s.terms() == 0 || len(list) > 2 && s.terms()+s.coded >= manyTerms { // beside leaves them out
		return list
	}
	var out, left []int
	for _, j := range list {
		names := len(list) == 1 && s.ID < 0 && s.want.ID == "" && s.list[j].unique()
		if !names && s.list[j].holdsDates() {
			out = append(out, j)
			continue
		}
		left = append(left, j)
	}
	s.Out = append(s.Out, out...)
	if len(out) == 1 {
		s.note("%s %s holds dates and is left out; ‹time-column› %s counts the clusters over time.", s.title(), s.at(out[0]), s.word(out[0]))
	} else if len(out) > 1 {
		s.note("%ss %s hold dates and are left out; ‹time-column› counts the clusters over time by one of them.", s.title(), s.many(out))
	}
	return left
}
