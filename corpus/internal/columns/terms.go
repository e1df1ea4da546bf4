package columns

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/words"
)

// countedRows is from how many rows on a first column that counts them is their number, whatever
// its name.
const countedRows = 5

// mostlyWords is for how many words a column may hold a number and be one of words without doubt.
const mostlyWords = 4

// numbers settles a table whose columns are terms.
func (s *settling) numbers() error {
	s.leaveOut()
	if s.time >= 0 && s.time != s.ID && s.time != s.Label {
		s.Out = append(s.Out, s.time)
	}
	s.ids()
	if s.want.Label == "" && s.Label < 0 {
		s.labelByName()
	}
	s.aside()
	s.codes()
	s.unnamed()
	words := s.leaveNew(s.withoutDates(s.words()))
	switch {
	case s.want.Categories && (s.want.Label == None || s.want.Beside == nil && s.terms() == 0): // all are categories
	case s.want.Label == "" && s.Label < 0:
		words = s.split(words)
	default:
		words = s.splitKnown(words)
	}
	s.uniqueClasses()
	if s.oneClass() {
		s.Out, s.Label = append(s.Out, s.Label), -1
	}
	if s.want.Categories && !s.want.Transposed {
		s.categories(words)
		words = nil
	}
	if words = s.beside(words); len(words) > 0 {
		fault := s.tooManyWords(words)
		fault.Numbers = true
		return fault
	}
	s.describe()
	return nil
}

// aside leaves out single numbers beside the vectors of the documents: in other units than these
// they would decide the clusters.
func (s *settling) aside() {
	var out []int
	for _, j := range s.want.Weights {
		if s.free(j) && !s.want.Transposed && !slices.Contains(s.Out, j) {
			s.Out = append(s.Out, j)
		}
	}
	for _, j := range s.want.Aside {
		if c := &s.list[j]; !s.want.Transposed && s.free(j) && !slices.Contains(s.Out, j) && !c.isWords() {
			out = append(out, j)
		}
	}
	s.Out = append(s.Out, out...)
	if len(out) == 1 {
		s.note("%s %s holds single numbers beside the list of numbers, which alone is compared; to compare by it too, write it into the list, in the units of the list.", s.title(), s.at(out[0]))
	} else if len(out) > 1 {
		s.note("%ss %s hold single numbers beside the list of numbers, which alone is compared; to compare by them too, write them into the list, in the units of the list.", s.title(), s.many(out))
	}
}

// leaveOut leaves out columns without a name and without a value, as a separator at the end of
// every line makes them.
func (s *settling) leaveOut() {
	for j := len(s.list) - 1; j > 0; j-- {
		if c := &s.list[j]; s.free(j) && !slices.Contains(s.Out, j) && c.Name == "" && c.isEmpty() && c.Marks == 0 {
			s.Out = append(s.Out, j)
			s.note("Column %d is empty and left out.", j+1)
			continue
		}
		return
	}
}

// ids finds the names of the documents by a header, or by numbers that count the rows. Under
// such a header words, and in the first column numbers, are left out if the user wants no names.
func (s *settling) ids() {
	for j := range s.list {
		if s.want.ID == None && s.free(j) && !slices.Contains(s.Out, j) && (j == 0 || s.list[j].isWords()) && s.list[j].named(lexical.IDNames) {
			s.Out = append(s.Out, j)
			what := "documents"
			if s.want.Transposed {
				what = "rows, which are the terms once transposed,"
			}
			s.note("Column %s would be the names of the %s and is left out.", s.at(j), what)
		}
	}
	if s.want.ID != "" || s.ID >= 0 {
		return
	}
	for _, j := range s.want.Aside {
		if s.free(j) && s.list[j].named(lexical.IDNames) {
			s.ID = j
			return
		}
	}
	if len(s.list) < 2 {
		return
	}
	if s.ID = s.index(); s.ID >= 0 {
		return
	}
	s.sharedIndex()
	if s.free(0) && !slices.Contains(s.Out, 0) {
		s.firstIDs()
	}
}

// sharedIndex leaves out an index of numbers that several rows share.
func (s *settling) sharedIndex() {
	if j := s.find(s.want.Index); j >= 0 && s.free(j) && !slices.Contains(s.Out, j) && !s.list[j].isWords() {
		s.Out = append(s.Out, j)
		s.note("Column %s is the index of the rows, has a value that two of them share and is left out.", s.at(j))
	}
}

// firstIDs makes the first column the names of the documents if it has a usual name of them, or
// counts the rows.
func (s *settling) firstIDs() {
	c := &s.list[0]
	switch {
	case c.Rows == 0 && !c.named(lexical.IDNames):
	case c.named(lexical.IDNames):
		s.ID = 0
	case s.want.Header && c.named(lexical.IndexNames) && c.unique() && (c.isWords() || c.Whole == c.Rows):
		s.ID = 0
	case c.Counts && c.Rows >= countedRows:
		s.ID = 0
	}
}

// labelByName finds the classes by name among the outer columns. An inner column of such a name may
// be a term, and so is one of measurements, such as y beside x.
func (s *settling) labelByName() {
	if len(s.list) < 2 {
		return
	}
	first, last := s.ID+1, len(s.list)-1
	for last > 0 && slices.Contains(s.Out, last) {
		last--
	}
	for slices.Contains(s.Out, first) { // the names, which the user does not want
		first++
	}
	for _, j := range append([]int{last, first}, s.want.Aside...) {
		if j >= len(s.list) || !s.free(j) || !lexical.NamesLabels(s.list[j].Name) {
			continue
		}
		if s.list[j].measured() && slices.Contains(s.want.Aside, j) {
			continue
		}
		if s.list[j].measured() {
			s.note("%s %s holds measurements of many values and is a term; ‹label-column› %s makes it the classes.", s.title(), s.at(j), s.word(j))
			continue
		}
		s.Label = j
		return
	}
}

// words are the columns without a role that hold words.
func (s *settling) words() (words []int) {
	for j := range s.list {
		if s.free(j) && !slices.Contains(s.Out, j) && s.list[j].isWords() {
			words = append(words, j)
		}
	}
	return words
}

// split gives roles to columns of words where neither ids nor classes were asked for or have a
// name; it returns those that have none.
func (s *settling) split(words []int) []int {
	noID := s.ID < 0 && s.want.ID == ""
	if rest, done := s.splitByName(words, noID); done {
		return rest
	}
	switch {
	case len(words) == 1 && s.want.LabelsGiven && noID && s.list[words[0]].unique():
		s.ID = words[0]
	case len(words) == 1 && noID && (s.mayBeClasses(words[0]) || 2*s.list[words[0]].Distinct > s.list[words[0]].Rows):
		s.Either = words[0]
	case len(words) == 1:
		return s.lastClasses(words)
	case len(words) == 2 && noID && words[0] == 0 && words[1] == len(s.list)-1:
		s.ID = words[0]
		return s.lastClasses(words[1:])
	case len(words) == 2 && noID && s.list[words[0]].unique() != s.list[words[1]].unique():
		if s.list[words[1]].unique() {
			words = []int{words[1], words[0]}
		}
		s.ID = words[0]
		return s.lastClasses(words[1:])
	default:
		return words
	}
	return nil
}

// splitByName is split of several columns of words of which the name of one says that it holds the
// classes, where the others may be left out or one of them is the names; done is false of others.
func (s *settling) splitByName(words []int, noID bool) (rest []int, done bool) {
	k := s.namedClasses(words)
	if len(words) < 2 || k < 0 {
		return words, false
	}
	rest = slices.Delete(slices.Clone(words), k, k+1)
	switch {
	case len(rest) == 1 && noID && s.list[rest[0]].unique():
		s.ID, rest = rest[0], nil
	case s.terms()+s.coded < manyTerms && !s.noTexts():
		return words, false
	}
	s.Label = words[k]
	return rest, true
}

// lastClasses makes the one column of words that is left the classes if it may be; otherwise it is
// left out, or returned where columns of words are categories.
func (s *settling) lastClasses(words []int) []int {
	switch {
	case s.mayBeClasses(words[0]), s.list[words[0]].unique():
		s.Label = words[0]
	case s.want.Categories:
		return words
	default:
		s.leaveWords(words)
	}
	return nil
}

// mayBeClasses reports whether a column of words may be taken for the classes though nobody asked
// for it: its name says so, or it is the last column and has not the name of a room, a user and the
// like. Without names every column may be.
func (s *settling) mayBeClasses(j int) bool {
	name := s.list[j].Name
	if !s.want.Header || s.want.Transposed || strings.TrimSpace(name) == "" || lexical.NamesClasses(name) {
		return true
	}
	last := len(s.list) - 1
	for last > 0 && (slices.Contains(s.Out, last) || last == s.ID || last == s.time) {
		last--
	}
	return j == last && !lexical.NamesThings(name)
}

// namedClasses is the index of the one column among some whose name says that it holds classes and
// whose values recur; -1 for none or several.
func (s *settling) namedClasses(list []int) int {
	is := func(j int) bool {
		return s.want.Header && !s.want.Transposed && lexical.NamesClasses(s.list[j].Name) && !s.list[j].unique()
	}
	k := slices.IndexFunc(list, is)
	if k < 0 || slices.ContainsFunc(list[k+1:], is) {
		return -1
	}
	return k
}

// splitKnown gives roles to columns of words where the classes are known, or not wanted: such a
// column holds the ids, unless its values recur, or without classes what would have been the
// classes, which is left out.
func (s *settling) splitKnown(words []int) []int {
	noID := s.ID < 0 && s.want.ID == ""
	switch {
	case len(words) == 1 && noID && s.list[words[0]].unique():
		s.ID = words[0]
	case len(words) == 1 && noID && words[0] == 0 && s.want.Label != None:
		if c := &s.list[0]; c.Rows >= countedRows && 2*c.Distinct <= c.Rows { // a room, not a name
			if s.want.Categories {
				return words
			}
			s.leaveWords(words)
			return nil
		}
		s.ID = words[0]
	case s.want.Label == None && len(words) <= 2 && len(words) > 0:
		if len(words) == 2 && noID && s.list[words[0]].unique() {
			s.ID, words = words[0], words[1:]
		}
		for _, j := range words {
			s.Out = append(s.Out, j)
			s.note("Column %s holds words and is left out.", s.at(j))
		}
	default:
		return words
	}
	return nil
}

// uniqueClasses takes the role of classes from a column of words that nobody asked for and that has
// another word in every row: it holds the names, or prices, dates and the like, which are left out.
func (s *settling) uniqueClasses() {
	j := s.Label
	if j < 0 || s.labelAgain || s.want.Label != "" || s.want.LabelsGiven || !s.list[j].isWords() || !s.list[j].unique() || s.list[j].Rows < countedRows {
		return
	}
	s.Label = -1
	if s.ID < 0 && s.want.ID == "" {
		s.Either = j // all rows decide
		return
	}
	s.Out = append(s.Out, j)
	s.note("Column %s has a word of its own in every row, such as %q, and is left out; ‹label-column› %s makes it the classes.", s.at(j), message.Clip(s.list[j].Example, 40), s.word(j))
}

// categories takes columns of words as categories. If some columns are named, it leaves out all
// others. No column of words stays without a role.
func (s *settling) categories(words []int) {
	named := func(j int, list []string) bool {
		return slices.ContainsFunc(list, func(name string) bool { return s.find(name) == j })
	}
	var out []int
	for j := range s.list {
		c := &s.list[j]
		switch {
		case j == s.ID || j == s.Label || j == s.Either || j == s.time || slices.Contains(s.Out, j):
		case named(j, s.want.AsCategories), slices.Contains(s.compared, j) && c.isWords():
			s.Categories = append(s.Categories, j)
		case slices.Contains(s.compared, j), s.want.Later && !slices.Contains(words, j):
		case s.want.Beside != nil:
			out = append(out, j)
		case slices.Contains(words, j) && s.ID < 0 && s.want.ID == "" && c.unique():
			s.ID = j
		case slices.Contains(words, j):
			s.Categories = append(s.Categories, j)
		}
	}
	if s.Out = append(s.Out, out...); len(out) > 0 && !s.want.Later {
		s.note("%ss that ‹view-columns› does not name are left out: %s.", s.title(), s.many(out))
	}
}

// beside leaves out columns of words that have no role, in a table of many numbers, or of which the
// user said that it has no texts; it returns those that stay without a role. Unless the user said
// so they hold words with few numbers among them, such as names of models. The first one that has
// another word in every row is the names, if nothing else is.
func (s *settling) beside(words []int) []int {
	if n := s.terms() + s.coded; len(words) == 0 || s.terms() == 0 || n < manyTerms && !s.noTexts() {
		return words
	}
	if !s.noTexts() && slices.ContainsFunc(words, func(j int) bool { return s.list[j].Numbers > s.list[j].Words/mostlyWords }) {
		return words
	}
	var out []int
	for _, j := range words {
		if s.ID < 0 && s.want.ID == "" && s.list[j].unique() {
			s.ID = j
			continue
		}
		out = append(out, j)
	}
	s.leaveWords(out)
	return nil
}

// leaveWords leaves out columns of words.
func (s *settling) leaveWords(out []int) {
	s.Out = append(s.Out, out...)
	by := func(them string) string { // of a later table the model says what is compared
		if s.want.Later || s.want.Transposed {
			return ""
		}
		return ", and ‹views› columns compares by " + them + " too"
	}
	if len(out) == 1 {
		s.note("%s %s holds words and is no term; ‹label-column› %s makes it the classes%s.", s.title(), s.at(out[0]), s.word(out[0]), by("it"))
	} else if len(out) > 1 {
		s.note("%ss %s hold words and are no terms; ‹label-column› makes one of them the classes%s.", s.title(), s.many(out), by("them"))
	}
}

// noTexts reports whether the user said that no column holds texts.
func (s *settling) noTexts() bool {
	return len(s.want.Text) == 1 && s.want.Text[0] == None && s.find(None) < 0
}

// terms is how many columns without a role hold numbers.
func (s *settling) terms() (n int) {
	for j := range s.list {
		if s.wasTerm(j) || s.free(j) && !slices.Contains(s.Out, j) && !s.list[j].isWords() && s.list[j].Numbers > 0 {
			n++
		}
	}
	return n
}

// tooManyWords says what a table is that has columns of words without a role.
func (s *settling) tooManyWords(list []int) *Fault {
	place := "column " + s.at(list[0])
	example := message.Clip(s.list[list[0]].Example, 40)
	var options []string
	for _, j := range list[:min(len(list), 6)] {
		options = append(options, s.plainWord(j))
	}
	way := ""
	if s.want.Kind == Table {
		way = ", or ‹views› columns to compare by them as categories"
	}
	without := ""
	if s.terms() > 0 {
		without = ", none to leave them out"
	}
	return &Fault{Place: place, Why: fmt.Sprintf("holds words such as %q, where numbers are needed; name the column of classes with ‹label-column› and the column of names with ‹id-column›, or give ‹text-column› %s to cluster the words%s%s",
		example, words.ShellWord(strings.Join(options, ",")), without, way)}
}

// describe adds the notes on the decisions.
func (s *settling) describe() {
	switch {
	case s.idAgain:
	case s.ID >= 0 && s.Transposed:
		s.note("Column %s names the rows, which are the terms once transposed; ‹id-column› names another, or none.", s.at(s.ID))
	case s.ID >= 0 && s.want.ID == "" && !s.list[s.ID].named(lexical.IDNames):
		way := "‹id-column› none makes it one"
		if s.list[s.ID].isWords() {
			way = "‹id-column› names another"
		}
		s.note("Column %s holds the names of the documents and is not among the terms; %s.", s.at(s.ID), way)
	case s.ID >= 0:
		s.note("The names of the documents are column %s.", s.at(s.ID))
	}
	switch {
	case s.labelAgain:
	case s.Label >= 0 && s.want.LabelsGiven:
		s.note("Column %s holds classes and is not among the terms.", s.at(s.Label))
	case s.Label >= 0:
		s.note("%s", s.classesNote())
	case s.Either >= 0:
	case s.want.Label == "" && !s.want.LabelsGiven && s.earlierTerms == nil:
		s.note("No column of classes was recognised; ‹label-column› names one (-1 is the last).")
	}
}

// classesNote says which column the classes are, and unless that was asked for or is the usual name
// the option that says otherwise.
func (s *settling) classesNote() string {
	note := "The classes are column " + s.at(s.Label)
	if s.want.Label == "" && !s.list[s.Label].named(lexical.LabelNames[:1]) {
		note += "; ‹label-column› names another, or none"
	}
	return note + "."
}

// Decide settles the column of words that is the ids, the classes or neither, once all of its rows
// were read: it is the ids if no two rows have one word. The sentence says which.
func (r *Roles) Decide(list []Column, unique bool, given bool) string {
	j := r.Either
	at := label(list, j, Table)
	if r.Either = -1; unique {
		r.ID = j
		if r.Transposed {
			return "Column " + at + " has a word of its own in every row and names the rows, which are the terms once transposed; ‹label-column› makes it the classes."
		}
		return "Column " + at + " has a word of its own in every row and holds the names of the documents; ‹label-column› makes it the classes."
	}
	if !r.EitherClasses {
		r.Out = append(r.Out, j)
		return "Column " + at + " holds words and is no term; ‹label-column› makes it the classes."
	}
	r.Label = j
	if given {
		return "Column " + at + " holds classes and is not among the terms."
	}
	return "The classes are column " + at + "; ‹label-column› names another, or none."
}
