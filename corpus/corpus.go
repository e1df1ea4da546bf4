package corpus

import (
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/matrix"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Corpus is a collection of documents: rows of X are documents, columns are terms.
//
// Of a corpus that is divided among ranks, every rank holds some consecutive documents: X, Labels,
// IDs and the numbers that methods take are of these, while Terms, ClassNames, Notes,
// [Corpus.ClassSizes] and the file's places in messages are of all. [Corpus.Weighted],
// [Corpus.WeightedLike], [Corpus.IDF], [Corpus.TopTerms], [ReadGiven] and [ReadConstraints] are
// then collective calls: all ranks make them in the same order.
//
// Every slice is either nil or has the length that its comment names. This package does not change
// a Corpus after [Read] has returned it; a corpus made from it (by [Corpus.Select]) may share its
// slices.
type Corpus struct {
	Name string // what the user called it: the file or folder
	// X are documents × terms: *sparse.CSR or *mat.Dense, with ReadOptions.Single *sparse.Single or
	// *sparse.SingleDense, which ReadOptions.AsStored may give too, and with ReadOptions.Counts
	// *sparse.Counts. All entries are finite.
	X mat.Matrix
	// Labels is the class of each document, an index into ClassNames from 0; -1 for an unlabelled
	// document, nil if no document has a label.
	Labels     []int
	ClassNames []string // name of each class
	Terms      []string // name of each column; nil if the file has none
	// Stems is what the words of each column have in common, if texts of several languages were read,
	// each in its own; else nil, and TextOptions.Stems gives them.
	Stems []string
	IDs   []string // name of each row; nil means 1, 2, 3, ...
	// Snippets are the beginnings of the texts on one line each, at most ReadOptions.Snippets
	// characters; nil if the source has no texts, or none were wanted.
	Snippets []string
	// Rarities says, of each document, how many terms it has that a vocabulary made without it would
	// lack; nil if the documents are no texts or were read for a model. Of a divided corpus they are
	// of this rank's documents.
	Rarities []Rarity
	Notes    []string // what the reader found out or decided, one sentence each
	// Filling says what became of missing numbers; nil if there is nothing that new documents need:
	// see ReadOptions.Missing.
	Filling *Filling
	// Categories are the columns of words whose values are the last columns of X, in this order; nil:
	// none. See ReadOptions.Categories.
	Categories []Category
	// Columns say what the columns of a table of numbers are, for [ReadOptions].Usual of a later one;
	// empty of another file.
	Columns UsualColumns
	// LabelNote is the one of Notes about where labels beside X are from; "" if there is none.
	LabelNote string
	// Format is the format of the file, one of [Formats], [ParquetNumbers] or [XMLNumbers]; empty if
	// the corpus is not from a file.
	Format string
	// IDsFrom is the number that other files give the first document if IDs is nil: FromZero, FromOne,
	// or "" to find it out from the numbers in the file.
	IDsFrom string

	// First and Total are of a corpus that is divided among ranks ([ReadOptions.Divide]): the number
	// of the first document here, from 0, counted over all ranks, and the number of documents of all
	// ranks. Total is 0 if all documents are here.
	First, Total int

	division *division // nil if all documents are here
	outline  *outline  // of documents that are not here, see ReadBlocks; else nil
	numbers  []int     // of a table without names of columns: the column of the file, from 0, of each one of X; nil: the same
	gaps     [][]int32 // of each column the documents here whose values were missing and are filled, ascending; nil: none
	kept     []int     // the documents that are left once labels are theirs; nil: all
	unread   []string  // parts that ReadOptions.Split left out; their documents' ids begin with them
}

// Len returns the number of documents.
func (c *Corpus) Len() int {
	if c.division == nil && c.Total > 0 {
		return c.Total // see Gathered
	}
	if c.X == nil {
		return 0
	}
	r, _ := c.X.Dims()
	return r
}

// ID returns the name of document i: its IDs entry, else its number counted from 1, among the
// documents of all ranks.
func (c *Corpus) ID(i int) string {
	if c.IDs == nil {
		i += c.First
	}
	return c.content().ID(i)
}

// className returns the name of document i's class; empty if it has none.
func (c *Corpus) className(i int) string { return c.content().ClassName(i) }

// rowsByID maps the names of the documents to their numbers; -1 for a name that several have.
func (c *Corpus) rowsByID() map[string]int {
	row := make(map[string]int, c.Len())
	for i := range c.Len() {
		id := c.ID(i)
		if _, twice := row[id]; twice {
			row[id] = -1
		} else {
			row[id] = i
		}
	}
	return row
}

// isUnread reports whether a name belongs to a document in a part that was left out.
func (c *Corpus) isUnread(id string) bool {
	part, _, found := strings.Cut(id, "/")
	return found && slices.Contains(c.unread, part)
}

// ClassSizes returns how many documents each class of ClassNames has, and how many have none.
func (c *Corpus) ClassSizes() (sizes []int, unlabelled int) {
	if c.division != nil {
		return slices.Clone(c.division.sizes), c.division.unlabelled
	}
	if c.outline != nil {
		return slices.Clone(c.outline.sizes), c.outline.unlabelled
	}
	sizes = make([]int, len(c.ClassNames))
	for _, l := range c.Labels {
		if l < 0 {
			unlabelled++
		} else {
			sizes[l]++
		}
	}
	if c.Labels == nil {
		unlabelled = c.Len()
	}
	return sizes, unlabelled
}

// Select keeps the documents of the given classes, in the corpus' order; class i of the result is
// classes[i]. A class is given by its name, or by another spelling of the name if it is a number
// ("1" for "1.0"). All columns stay, so terms keep their numbers. An empty list keeps everything.
//
// A class that the corpus does not have, one given twice, and documents that are divided among
// ranks are an error that satisfies errors.Is(err, fs.ErrInvalid).
func (c *Corpus) Select(classes []string) (*Corpus, error) {
	out, _, err := c.SelectWithRows(classes)
	return out, err
}

// SelectWithRows is [Corpus.Select] and also returns the numbers of the documents kept (0-based,
// ascending).
func (c *Corpus) SelectWithRows(classes []string) (out *Corpus, rows []int, err error) {
	if len(classes) == 0 {
		rows = make([]int, c.Len())
		for i := range rows {
			rows[i] = i
		}
		return c, rows, nil
	}
	if c.division != nil {
		return nil, nil, c.errDivided("‹classes› and ‹random-classes› cannot choose some of them")
	}
	if c.Labels == nil {
		return nil, nil, invalid.Errorf("%s has no labels, so classes cannot be chosen; give labels with ‹truth› FILE or leave out ‹classes›", c.Name)
	}
	newClass := make([]int, len(c.ClassNames))
	for i := range newClass {
		newClass[i] = -1
	}
	names := make([]string, len(classes))
	for i, want := range classes {
		k := c.classIndex(want)
		if k < 0 {
			return nil, nil, invalid.Errorf("%s has no class %q; its classes are %s", c.Name, want, message.List(c.ClassNames, 12))
		}
		if newClass[k] >= 0 {
			return nil, nil, invalid.Errorf("class %q is chosen twice; name each class once", c.ClassNames[k])
		}
		newClass[k] = i
		names[i] = c.ClassNames[k]
	}
	for i, l := range c.Labels {
		if l >= 0 && newClass[l] >= 0 {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 {
		return nil, nil, invalid.Errorf("%s has no document of the chosen classes %s", c.Name, message.List(names, 12))
	}
	out = c.SelectRows(rows)
	for i, l := range out.Labels {
		out.Labels[i] = newClass[l]
	}
	out.ClassNames = names
	return out, rows, nil
}

// SelectRows keeps the documents with the given numbers (0-based, any order), with their labels and
// names; classes keep their numbers. It panics if a number is out of range, or if the documents are
// divided among ranks.
func (c *Corpus) SelectRows(rows []int) *Corpus {
	if c.division != nil {
		panic("corpus: SelectRows of documents that are divided among ranks")
	}
	out := &Corpus{Name: c.Name, Format: c.Format, IDsFrom: c.IDsFrom, ClassNames: c.ClassNames, Terms: c.Terms, Stems: c.Stems, Filling: c.Filling, Categories: c.Categories, Columns: c.Columns, numbers: c.numbers, Notes: slices.Clone(c.Notes), unread: c.unread}
	out.X, out.gaps = sparse.SelectRows(c.X, rows), c.gapsIn(rows)
	out.Labels, out.Snippets, out.Rarities = matrix.Picked(c.Labels, rows), matrix.Picked(c.Snippets, rows), matrix.Picked(c.Rarities, rows)
	// Documents without names have their numbers as names. A selection changes the numbers, so the
	// names become explicit here.
	out.IDs = make([]string, len(rows))
	for i, r := range rows {
		out.IDs[i] = c.ID(r)
	}
	return out
}

// classIndex finds a class by name, then by numeric value; -1 if there is none.
func (c *Corpus) classIndex(name string) int {
	if k := slices.Index(c.ClassNames, name); k >= 0 {
		return k
	}
	name = strings.TrimSpace(name)
	v, isNumber := lexical.Number(name)
	for k, have := range c.ClassNames {
		if have == name {
			return k
		}
		if h, ok := lexical.Number(have); isNumber && ok && h == v {
			return k
		}
	}
	return -1
}
