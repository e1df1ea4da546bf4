package columns

import (
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
)

// textByName is the column with the best of the names of texts, if it holds words; -1 for none. A
// name that a term may have as well, such as title, counts only if a value has several words, and
// one of short texts only if no other column has longer ones, its values do not recur, and not only
// few rows have one. So does a field whose name only ends in text, where another has much longer
// ones, or its values recur.
func (s *settling) textByName() int {
	longest, _ := s.longest()
	lists := s.strings()
	for i, name := range lexical.TextNames {
		for j := range s.list {
			c := &s.list[j]
			if slices.Contains(lexical.ShortTextNames, name) && s.want.Kind == Table && c.recurs() && !s.wordsAlone() {
				continue // answers to choose from
			}
			if slices.Contains(lexical.ShortTextNames, name) && (c.seldom() || longest >= 0 && s.list[longest].perRow() >= 2*c.perRow() || lists >= 0 && s.list[lists].wordsOfStrings() >= 2*c.perRow()) {
				continue
			}
			if name == lexical.SomeText && s.namesCode(c, longest, lists) {
				continue
			}
			if s.hasText(j) && c.named([]string{name}) && !c.isLists() && (c.isWords() || s.want.Kind == Field && c.Odd == "" && c.Words > 0) && (i == 0 || c.perRow() > 1.5 || s.wordsAlone()) {
				return j
			}
		}
	}
	return -1
}

// titledNames are columns of texts that belong to their titles: abstracts of papers, as of Zotero,
// and posts of Reddit, of which those with a link have no text.
var titledNames = []string{"abstract", "abstract note", "selftext"}

// titleOf is the column of titles that belong to the texts in column j, in the same object of JSON.
// It is -1 if there is none, if texts of such a name have no titles, and if titles recur, as those
// of persons do.
func (s *settling) titleOf(j int) int {
	name := s.list[j].Name
	object := name[:strings.LastIndexByte(name, '.')+1]
	if !s.list[j].inside().named(titledNames) {
		return -1
	}
	k := s.find(object + "title")
	if k < 0 || k == j || !s.free(k) || !s.list[k].isWords() || s.list[k].isLists() || s.list[k].recurs() || s.list[k].perRow() < 2 {
		return -1
	}
	return k
}

// measures reports whether a column without words holds numbers that do not name rows, by its name.
func (c *Column) measures() bool {
	return c.Numbers > 0 && !c.Counts && !c.named(lexical.IndexNames) && !c.named(lexical.IDNames)
}

// hasText reports whether column j may have the texts: it has no role, and no other column has the
// texts of rows in which it is empty.
func (s *settling) hasText(j int) bool { return s.free(j) && !s.mostlyEmpty(j) }

// formNames are words in names of columns that hold a text in one of several forms.
var formNames = []string{"html", "xml", "markdown", "plain", "raw"}

// mostlyEmpty reports whether most rows have nothing in column j, where another column, which is as
// long and by its name the text in another form, such as html, has one in nearly all of them.
func (s *settling) mostlyEmpty(j int) bool {
	c := &s.list[j]
	if c.Rows < someNumbers || 2*c.Missing <= c.Rows {
		return false
	}
	for k := range s.list {
		l := &s.list[k]
		form := slices.ContainsFunc(formNames, func(word string) bool { return strings.Contains(strings.ToLower(l.Name), word) })
		if k != j && form && s.free(k) && l.isWords() && !l.isLists() && 10*l.Missing <= l.Rows && l.perRow() >= fewWords && 2*l.perRow() >= c.perRow() {
			return true
		}
	}
	return false
}

// namesCode reports whether a field whose name ends in text holds names of codes, as code.text
// does: its values recur, or they are short, and the field of the longest words or of lists
// has much longer ones. Posts are longer than codes, and may have descriptions of persons beside.
func (s *settling) namesCode(c *Column, longest, lists int) bool {
	if s.want.Kind != Field {
		return false
	}
	const longestCode = 5 // words
	if c.recurs() || c.perRow() > longestCode {
		return c.recurs()
	}
	least := muchLonger * c.perRow()
	return longest >= 0 && s.list[longest].perRow() >= least || lists >= 0 && s.list[lists].wordsOfStrings() >= least
}

// muchLonger is how many times as many words lists of texts have as the texts beside them, which
// then are their titles.
const muchLonger = 4

// named reports whether a column has one of the names of long texts. Inside an object one that ends
// in text may be a name, as code.text is.
func (s *settling) named(j int) bool {
	return slices.ContainsFunc(lexical.TextNames, func(name string) bool {
		inside := name == lexical.SomeText && strings.Contains(s.list[j].Name, ".")
		return !slices.Contains(lexical.ShortTextNames, name) && !inside && s.list[j].named([]string{name})
	})
}

// nestedText is, of fields of which several may be the texts, the one inside an object that has the
// best of the names of texts and half as many words as the longest, or more; -1 for none. It does
// not describe an account, and its values do not recur.
func (s *settling) nestedText(longest int) int {
	if s.want.Kind != Field {
		return -1
	}
	for _, name := range lexical.TextNames {
		for j := range s.list {
			c := &s.list[j]
			if s.free(j) && c.Odd == "" && c.isWords() && !c.isLists() && !c.seldom() && !c.recurs() && !c.ofAccount() && c.inside().named([]string{name}) && 2*c.perRow() >= s.list[longest].perRow() {
				return j
			}
		}
	}
	return -1
}

// ofAccount reports whether the column is a field inside an object that describes who wrote a
// document, such as user.description.
func (c *Column) ofAccount() bool {
	path := strings.Split(strings.ToLower(c.Name), ".")
	return slices.ContainsFunc(path[:len(path)-1], func(name string) bool {
		return slices.Contains([]string{"user", "author", "account", "profile", "owner", "sender", "creator", "customer", "company", "channel"}, name)
	})
}

// Numbers of words in a value from which it is a text: in a table that holds other words and few
// numbers, and in one of many numbers, where it may be a long name. Answers to an open question are
// texts, however short they are.
const (
	fewWords  = 5
	manyWords = 10
	manyTerms = 4
)

// longest is the column of the longest words, if they are texts; plain reports whether no other
// column could be meant. Where no column holds numbers, some column of words must hold the texts.
func (s *settling) longest() (best int, plain bool) {
	best = -1
	second, terms, unnamed := 0.0, 0, 0
	for j := range s.list {
		c := &s.list[j]
		switch {
		case !s.hasText(j) || c.Odd != "" || c.isLists() || c.recurs() || c.holdsDates() || c.seldom():
		case !c.isWords():
			if c.measures() {
				terms++
			} else if c.Name == "" && c.Numbers > 0 && !c.Counts {
				unnamed++
			}
		case best < 0 || c.perRow() > s.list[best].perRow():
			if best >= 0 {
				second = s.list[best].perRow()
			}
			best = j
		default:
			second = max(second, c.perRow())
		}
	}
	if best < 0 {
		return -1, true
	}
	if unnamed >= manyTerms { // fewer are classes and ids beside texts
		terms += unnamed
	}
	least := float64(fewWords)
	switch {
	case terms == 0 || s.list[best].asks():
		least = 1.2
	case terms >= manyTerms:
		least = manyWords
	}
	if s.list[best].perRow() < least {
		return -1, true
	}
	return best, s.list[best].perRow() >= 2*second || second < 1.2
}

// strings is the column of lists of strings with the most words, from fewStrings words a list on,
// where few columns hold numbers: such as the lines of poems; -1 for none.
func (s *settling) strings() int {
	const fewStrings = 2
	best, most, numbers := -1, float64(fewStrings), 0
	for j := range s.list {
		c := &s.list[j]
		if s.free(j) && c.Numbers > 0 && !c.Counts && !c.named(lexical.IDNames) {
			numbers++
		}
		if n := c.wordsOfStrings(); s.free(j) && c.IsStrings() && n >= most {
			best, most = j, n
		}
	}
	if numbers >= manyTerms {
		return -1
	}
	return best
}

// wordsAlone reports whether no column holds numbers that may be terms.
func (s *settling) wordsAlone() bool {
	for j := range s.list {
		c := &s.list[j]
		if s.free(j) && c.Numbers > 0 && !c.isWords() && !c.Counts && !c.named(lexical.IDNames) && !c.named(lexical.IndexNames) {
			return false
		}
	}
	return true
}
