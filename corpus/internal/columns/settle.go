package columns

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/dates"
	"github.com/eigenmap/eigenmap/internal/words"
)

// Kind is what the columns of a table are called.
type Kind string

// The kinds of columns. Those of a Table have numbers, and may be terms.
const (
	Table Kind = "column"
	Field Kind = "field"
)

// Request is what the user says of the columns: names, or numbers from 1, or negative ones from the
// end. Empty: decided by names and values. None means that there is no such column.
type Request struct {
	Text      []string // several are joined
	ID, Label string
	Time      string   // neither text nor class nor name; empty: none
	Beside    []string // neither text nor class nor name, where there are such columns
	Aside     []int    // columns, from 0, that are beside the vector of a document and no terms
	Weights   []int    // columns, from 0, that weigh the rows and are no terms, as a note says
	// Categories says that the table has no texts, and that its columns of words without another
	// role are categories: the columns that Beside names, or all of them if it names none. Columns
	// of AsCategories are categories whatever they hold. Later says that an earlier table chose the
	// categories: other columns of numbers then stay.
	Categories   bool
	AsCategories []string
	AsNumbers    []string // columns of Beside that must not hold words where there are categories
	Later        bool
	Index        string // the index of the rows, which names the documents if its values differ; "": none
	LabelsGiven  bool   // a file of labels replaces the classes of the table
	Header       bool   // the columns have names
	Transposed   bool   // the columns are the documents
	All          bool   // all rows of the table were looked at
	Kind         Kind
	Usual        Usual
	// Settled gets the names of the columns of texts and of the names of documents, as they are
	// settled; nil: nothing.
	Settled *Usual

	recalled []string // notes on what Recall took and did not find
}

// None says that no column has a role.
const None = "none"

// Roles are the columns by what they are; -1 is none.
type Roles struct {
	ID, Label int
	Text      []int // nil: the columns without another role are numbers
	// Either is a column of words of which all rows decide: the ids if no two are equal, else the
	// classes if EitherClasses, else it is left out; -1 for none.
	Either        int
	EitherClasses bool
	GuessedID     bool // nobody asked for the ids
	AnyLabel      bool // nobody asked for the classes
	// Transposed says that the ids are those of rows that are terms.
	Transposed bool
	Out        []int // columns that are left out
	Categories []int // columns of words that are terms, one for each of their values
	Notes      []string
}

// Fault is a request that the columns do not fit.
type Fault struct {
	Place, Why string
	Numbers    bool // the table was taken for one of numbers
}

// Error returns the place and the reason.
func (f *Fault) Error() string { return f.Place + ": " + f.Why }

func fail(place, format string, args ...any) error {
	return &Fault{Place: place, Why: fmt.Sprintf(format, args...)}
}

// settling is the work of [Settle].
type settling struct {
	list     []Column
	want     Request
	time     int   // the column of times; -1: none
	compared []int // the columns of Request.Beside
	coded    int   // columns of numbers that are left out as ids or codes
	// Of an earlier table: the columns that are its terms, nil if nothing is known of them, and
	// whether the names and the classes are in the columns in which they were.
	earlierTerms        []bool
	idAgain, labelAgain bool
	Roles
}

// Settle decides what the columns are. Errors are a *Fault.
//
//   - What is asked for is taken, then the usual columns.
//   - A column of long words, or of words with a name such as text or body, holds the texts, and
//     the
//     table is one of texts. Else its columns are terms.
//   - Names such as id, a header that is empty (pandas, R), words that are all different, and a
//     first
//     column that counts the rows are ids.
//   - Names such as label or class are classes, and words that occur again in the last column,
//     unless its name is one of rooms, users and the like.
func Settle(list []Column, want Request) (*Roles, error) {
	want = want.Recall(list).byNumbers(list)
	if want.Usual.isGuessed() {
		want = want.recallGuessed(list)
	}
	roles, err := settle(list, want)
	if err == nil && want.Settled != nil {
		*want.Settled = roles.names(list, want)
	}
	return roles, err
}

// settle is [Settle] without columns of an earlier table.
func settle(list []Column, want Request) (*Roles, error) {
	s := &settling{list: list, want: want, Roles: Roles{ID: -1, Label: -1, Either: -1, Transposed: want.Transposed}}
	s.Notes = append(s.Notes, want.recalled...)
	var err error
	if s.time, err = s.asked("time-column", want.Time); err != nil {
		return nil, err
	}
	if s.ID, err = s.asked("id-column", want.ID); err != nil {
		return nil, err
	}
	if s.Label, err = s.asked("label-column", want.Label); err != nil {
		return nil, err
	}
	if want.ID == "" && s.Label == s.ID {
		s.ID = -1
	}
	for _, name := range want.Beside {
		j := s.find(name)
		if j < 0 { // another row may have it
			continue
		}
		for k := j + 1; k < len(list); k++ {
			if list[j].Name != "" && strings.EqualFold(list[k].Name, list[j].Name) {
				return nil, fail("‹view-columns› "+message.Clip(name, 60), "columns %d and %d have this name; give each its own, or leave ‹view-columns› out to take both", j+1, k+1)
			}
		}
		if want.Categories && list[j].isWords() && slices.Contains(want.AsNumbers, name) {
			return nil, fail("‹view-columns› "+message.Clip(name, 60)+"=number", "%s %s holds words such as %q; leave =number out to compare them as a category", want.Kind, s.at(j), message.Clip(list[j].Example, 40))
		}
		s.compared = append(s.compared, j)
	}
	if err := s.texts(); err != nil {
		return nil, err
	}
	if err := s.checkBeside(); err != nil {
		return nil, err
	}
	s.GuessedID, s.AnyLabel = want.ID == "", want.Label == ""
	if s.Text != nil {
		s.besideTexts()
		return &s.Roles, nil
	}
	if err := s.numbers(); err != nil {
		return nil, err
	}
	s.EitherClasses = s.Either >= 0 && s.mayBeClasses(s.Either) && !s.saysNothing(s.Either)
	return &s.Roles, nil
}

// asked finds a column by the user's word for it; -1 for none or no request.
func (s *settling) asked(option, want string) (int, error) {
	if want == "" || want == None && s.find(want) < 0 {
		return -1, nil
	}
	place := "‹" + option + "› " + message.Clip(want, 60)
	if j := s.find(want); j >= 0 && s.list[j].Name == "" {
		return j, nil
	}
	if s.want.Kind == Table {
		if k, err := strconv.Atoi(want); err == nil {
			j := k - 1
			if k < 0 {
				j = len(s.list) + k
			}
			if k == 0 || j < 0 || j >= len(s.list) {
				return -1, fail(place, "the table has columns 1 to %d; give one of them, or -1 for the last", len(s.list))
			}
			return j, nil
		}
		if !s.want.Header {
			return -1, fail(place, "the table has no header with names; give the number of the column, from 1 to %d", len(s.list))
		}
	}
	j := s.find(want)
	if j < 0 {
		return -1, fail(place, "no %s has this name; the %ss are %s", s.want.Kind, s.want.Kind, message.List(s.names(), 12))
	}
	for k := j + 1; k < len(s.list); k++ {
		if s.list[k].Name == s.list[j].Name {
			return -1, fail(place, "columns %d and %d have this name; give the number", j+1, k+1)
		}
	}
	return j, nil
}

// find returns the column of a name, whatever its case if there is none as it is written, or of the
// name that [TermName] gives to a column without one; -1 for none.
func (s *settling) find(name string) int {
	if j := slices.IndexFunc(s.list, func(c Column) bool { return c.Name == name && name != "" }); j >= 0 {
		return j
	}
	if j := slices.IndexFunc(s.list, func(c Column) bool { return strings.EqualFold(c.Name, name) && name != "" }); j >= 0 {
		return j
	}
	for j := range s.list {
		if s.list[j].Name == "" && TermName(s.list, j) == name {
			return j
		}
	}
	return -1
}

func (s *settling) names() (names []string) {
	for _, c := range s.list {
		names = append(names, c.Name)
	}
	return names
}

// at names a column in a message.
func (s *settling) at(j int) string { return label(s.list, j, s.want.Kind) }

// many names columns in a message.
func (s *settling) many(list []int) string {
	var names []string
	for _, j := range list {
		names = append(names, s.at(j))
	}
	return message.List(names, 6)
}

// word is how an option names a column, as a shell reads it.
func (s *settling) word(j int) string { return words.ShellWord(s.plainWord(j)) }

// plainWord is how an option names a column.
func (s *settling) plainWord(j int) string {
	if name := s.list[j].Name; name != "" && s.find(name) == j {
		return name
	}
	return strconv.Itoa(j + 1)
}

// title is the kind of the columns at the start of a sentence.
func (s *settling) title() string {
	if s.want.Kind == Field {
		return "Field"
	}
	return "Column"
}

func (s *settling) note(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
}

// free reports whether a column has no role that was asked for.
func (s *settling) free(j int) bool {
	return j != s.ID && j != s.Label && j != s.time && !s.wasTerm(j) && !slices.Contains(s.Text, j) && !slices.Contains(s.compared, j)
}

// texts finds the columns of texts: as asked, else by name among the columns of words, else the one
// of the longest words.
func (s *settling) texts() error {
	if s.noTexts() {
		s.earlier()
		return nil
	}
	for _, w := range s.want.Text {
		j, err := s.asked("text-column", w)
		switch {
		case err != nil:
			return err
		case slices.Contains(s.Text, j):
			return fail("‹text-column› "+message.Clip(w, 60), "names a %s twice; give it once", s.want.Kind)
		case s.list[j].Odd != "" && !s.list[j].IsStrings():
			return fail(string(s.want.Kind)+" "+s.at(j), "is %s, where texts are needed; choose another with ‹text-column›", s.list[j].Odd)
		}
		s.Text = append(s.Text, j)
	}
	if len(s.Text) == 1 && s.list[s.Text[0]].isLists() {
		return s.refuseLists(s.Text[0])
	}
	if s.earlier(); s.Text != nil || s.earlierTerms != nil {
		return nil
	}
	j, plain := s.textByName(), true
	if j < 0 {
		j, plain = s.longest()
	}
	if k := s.strings(); j < 0 || k >= 0 && !s.named(j) && s.list[k].Inner && s.list[k].wordsOfStrings() >= muchLonger*s.list[j].perRow() {
		j, plain = k, true
	}
	if !plain {
		if k := s.nestedText(j); k >= 0 {
			j, plain = k, true
		}
	}
	if j < 0 {
		return s.vectors()
	}
	if !plain {
		return s.severalTexts()
	}
	s.Text = []int{j}
	if k := s.titleOf(j); k >= 0 {
		s.Text = []int{k, j}
		alone := "abstracts"
		if s.list[j].inside().named([]string{"selftext"}) {
			alone = "texts"
		}
		s.note("The texts are %ss %s and %s, joined; ‹text-column› %s takes the %s alone.", s.want.Kind, s.at(k), s.at(j), s.word(j), alone)
		return nil
	}
	if !strings.EqualFold(s.list[j].Name, lexical.TextNames[0]) {
		s.note("The texts are %s %s; ‹text-column› names another, or several to join.", s.want.Kind, s.at(j))
	}
	return nil
}

// severalTexts refuses a table in which several columns may hold the texts.
func (s *settling) severalTexts() error {
	var words []int
	for k := range s.list {
		if s.free(k) && s.list[k].isWords() && !s.list[k].holdsDates() {
			words = append(words, k)
		}
	}
	return fail(string(s.want.Kind)+"s "+s.many(words), "hold texts; name the one to cluster with ‹text-column›, or several with commas between them to join them")
}

// vectors refuses a table without texts that has a column of lists of numbers, where no column
// holds numbers or the lists are long: as words they would be names or classes.
func (s *settling) vectors() error {
	for j := range s.list {
		if c := &s.list[j]; s.free(j) && c.isLists() && (c.perRow() >= fewWords || s.wordsAlone()) {
			return s.refuseLists(j)
		}
	}
	return nil
}

// refuseLists says what may be done with a column of lists of numbers.
func (s *settling) refuseLists(j int) error {
	return fail(string(s.want.Kind)+" "+s.at(j), "holds lists of numbers in brackets and no texts; they are read as vectors of documents beside their texts, by ‹vectors›, or alone from .npy (numpy.save) and from lists in Parquet")
}

// byName is the column with the best of some names that has no role; -1 for none.
func (s *settling) byName(names []string) int {
	for _, name := range names {
		for j := range s.list {
			if s.free(j) && s.list[j].named([]string{name}) && (name != "" || j == 0 && s.want.Header) {
				return j
			}
		}
	}
	return -1
}

// besideTexts finds ids and classes of a table of texts.
func (s *settling) besideTexts() {
	if s.want.ID == "" && s.ID < 0 {
		if s.ID = s.byName(lexical.IDNames); s.ID >= 0 && s.list[s.ID].isConstant() {
			s.note("%s %s is the same in all rows looked at and names no document; ‹id-column› names another.", s.title(), s.at(s.ID))
			s.ID = -1
		} else if s.ID < 0 {
			s.ID = s.nestedID()
		}
		if s.ID < 0 {
			if j := s.byName(lexical.IndexNames); j >= 0 && s.list[j].unique() {
				s.ID = j
			}
		}
		if s.ID < 0 {
			s.ID = s.index()
		}
		if s.ID < 0 && s.free(0) && s.list[0].Counts && s.want.Kind == Table {
			s.ID = 0
		}
		if s.ID >= 0 && s.list[s.ID].Odd != "" {
			s.ID = -1
		}
		if s.ID >= 0 && !strings.EqualFold(s.list[s.ID].Name, lexical.IDNames[0]) {
			s.note("The names of the documents are %s %s; ‹id-column› names another, or none.", s.want.Kind, s.at(s.ID))
		}
		if s.ID < 0 {
			s.noteName()
		}
	}
	s.labelBeside()
}

// labelBeside finds the classes of a table of texts, if nobody asks for others.
func (s *settling) labelBeside() {
	if s.want.Label != "" {
		return
	}
	var several []int
	if s.Label = s.byName(lexical.LabelNames); s.Label < 0 {
		s.Label, several = s.topics()
	}
	if s.Label < 0 && several == nil {
		if s.Label = s.onlyClasses(); s.Label < 0 {
			s.Label = s.numberedClasses()
		}
	}
	switch {
	case s.oneClass():
		s.Label = -1
		s.noClasses()
	case s.Label >= 0 && s.list[s.Label].isEmpty() && s.list[s.Label].Odd == "": // of lists without a member, or elements without a text
		s.Label = -1
		s.noClasses()
	case len(several) > 0 && !s.want.LabelsGiven:
		s.note("Each of %s may hold the classes, and none is read; ‹label-column› names one.", s.many(several))
	case s.Label < 0:
		s.noClasses()
	case s.list[s.Label].Odd != "" && !s.list[s.Label].Several:
		s.note("The %s %s is %s, which is no class, and is not read; ‹label-column› names another.", s.want.Kind, s.at(s.Label), s.list[s.Label].Odd)
		s.Label = -1
	case s.list[s.Label].isNames():
		s.note("%s %s holds words that hardly recur, which are no classes, and is not read; ‹label-column› %s makes it the classes.", s.title(), s.at(s.Label), s.word(s.Label))
		s.Label = -1
	case s.list[s.Label].measured():
		s.note("%s %s holds measurements of many values, which are no classes, and is not read; ‹label-column› %s makes it the classes.", s.title(), s.at(s.Label), s.word(s.Label))
		s.Label = -1
	case !strings.EqualFold(s.list[s.Label].Name, lexical.LabelNames[0]) && !s.want.LabelsGiven:
		s.note("The classes are %s %s; ‹label-column› names another, or none.", s.want.Kind, s.at(s.Label))
	}
}

// index is the column of the index of the rows, if its values differ; -1 for none.
func (s *settling) index() int {
	if j := s.find(s.want.Index); j >= 0 && s.free(j) && s.list[j].unique() {
		return j
	}
	return -1
}

// MakesNames is the end of the note on a column that may hold the names of the documents.
const MakesNames = "makes it the names of the documents."

// noteName notes the column that may hold the names of the documents.
func (s *settling) noteName() {
	if j := s.mayName(); j >= 0 {
		s.note("%s %s differs in all rows looked at; ‹id-column› %s "+MakesNames, s.title(), s.at(j), s.word(j))
	}
}

// mayName returns the first column that may hold names of the documents under a name that is not
// known: single words that are no dates, or whole numbers in the first column, another one in each
// row; -1 for none. A title or an address may be so too, so it is the user who takes it.
func (s *settling) mayName() int {
	for j := range s.list {
		c := &s.list[j]
		if !s.free(j) || !c.unique() || c.Rows < countedRows {
			continue
		}
		if c.Words == 0 && j == 0 && c.Whole == c.Rows {
			return j
		}
		if c.isWords() && c.perRow() == 1 {
			if _, read, err := dates.Read([]string{c.Example}); err == nil && !read[0] {
				return j
			}
		}
	}
	return -1
}

// nestedID returns the column of ids inside an object, such as meta.id, if no two of its values are
// equal; -1 for none. Of several such columns it is the one in the same object as the texts, and
// without such a one none.
func (s *settling) nestedID() int {
	var beside, all []int
	for j := range s.list {
		object, ok := s.list[j].nestedID()
		if !ok || !s.free(j) || !s.list[j].unique() {
			continue
		}
		all = append(all, j)
		if slices.ContainsFunc(s.Text, func(k int) bool { return strings.HasPrefix(s.list[k].Name, object) }) {
			beside = append(beside, j)
		}
	}
	switch {
	case len(beside) == 1:
		return beside[0]
	case len(all) == 1:
		return all[0]
	}
	return -1
}

// noClasses says that no column holds the classes, if some column has no role.
func (s *settling) noClasses() {
	var others []int
	for j := range s.list {
		if s.free(j) && !s.list[j].isEmpty() && !s.list[j].named(lexical.IDNames) {
			others = append(others, j)
		}
	}
	if len(others) > 0 && !s.want.LabelsGiven {
		s.note("No %s of classes was recognised among %s; ‹label-column› names one.", s.want.Kind, s.many(others))
	}
}

// onlyClasses is the one column beside the texts and the ids, if its values occur again and again
// and its name is no usual one of ids, rooms, users and the like; -1 for none.
func (s *settling) onlyClasses() int {
	only := -1
	for j := range s.list {
		c := &s.list[j]
		if _, nested := c.nestedID(); nested || !s.free(j) || c.isEmpty() || c.Rows == 0 || c.named(lexical.IDNames) {
			continue
		}
		if only >= 0 {
			return -1
		}
		only = j
	}
	if only < 0 || s.want.Kind == Field && s.list[only].Numbers > 0 {
		return -1
	}
	c := &s.list[only]
	if lexical.NamesThings(c.Name) || c.Odd != "" || c.Words == 0 && c.Whole < c.Numbers || c.perRow() > 3 || c.Distinct < 1 || c.isConstant() || 2*c.Distinct > c.Rows {
		return -1
	}
	return only
}

// topics is the column of few values that its name makes the classes of the texts, -1 for none; of
// several it is none, and they are returned.
func (s *settling) topics() (only int, several []int) {
	for j := range s.list {
		c := &s.list[j]
		if _, nested := c.nestedID(); nested || !s.free(j) || c.Odd != "" || c.isLists() || !lexical.NamesTopics(c.Name) {
			continue
		}
		if c.Distinct >= 1 && 2*c.Distinct <= c.Rows && !c.seldom() && (c.Words > c.Numbers && c.perRow() <= wordsOfClass || c.Words == 0 && c.Whole == c.Numbers && c.Distinct <= codesOfClasses) {
			several = append(several, j)
		}
	}
	if len(several) == 1 {
		return several[0], nil
	}
	return -1, several
}

// Bounds of the names of classes that nobody asked for: their words on average, and how many there
// are if they are whole numbers.
const wordsOfClass, codesOfClasses = 5, 20

// checkBeside refuses columns that are to be compared if they were asked for as the names, the
// classes or the texts.
func (s *settling) checkBeside() error {
	for _, j := range s.compared {
		role := ""
		switch {
		case j == s.ID:
			role = "names of the documents (‹id-column›), which differ in all of them"
		case j == s.Label:
			role = "classes (‹label-column›), with which the result is compared"
		case slices.Contains(s.Text, j):
			role = "texts (‹text-column›), which are compared by their words"
		default:
			continue
		}
		return fail("‹view-columns› "+message.Clip(s.list[j].Name, 60), "this %s holds the %s: leave it out of one of the two", s.want.Kind, role)
	}
	return nil
}
