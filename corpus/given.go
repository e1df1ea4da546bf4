package corpus

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/classes"
	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// Given is the labels of a part of the documents, for a method to learn from. The corpus' own
// labels are the truth to compare with.
type Given struct {
	Labels     []int    // class of each document here, 0-based index into ClassNames; -1 if unknown
	ClassNames []string // if Own is false the corpus' classes; some may not occur
	Own        bool     // the classes differ from the corpus' own
	Notes      []string // what the reader decided, one sentence each
}

// ReadGiven reads a file of labels for a part of the corpus' documents, in the forms of
// [ReadLabeling]. Documents are named by their ids, or by their numbers if the corpus has no ids,
// counted from Corpus.IDsFrom. Lines whose label means no label ([Labeling.Known]) are ignored, as
// are documents in a part that ReadOptions.Split left out. A label that is a class of the corpus
// always means that class.
//
// If the corpus has labels and one of its classes occurs in the file, all classes in the file must
// be classes of the corpus. A file with none of them is a classification of its own. The error
// names every line that is wrong, up to a limit: ids that the corpus does not have or has twice,
// ids with two labels, classes that the corpus does not have.
func ReadGiven(ctx context.Context, path string, c *Corpus) (*Given, error) {
	l, err := ReadLabeling(ctx, path, "")
	if err = c.agree(err); err != nil {
		return nil, err
	}
	g, err := l.give(c)
	if err == nil {
		g.note(l.besideClusters())
	}
	return g, err
}

// besideClusters says of the clusters.csv of a run with labels that these are taken, and not the
// clusters.
func (l *Labeling) besideClusters() string {
	if len(l.Header) < 3 || l.Header[1] != "cluster" || l.Column == "cluster" {
		return ""
	}
	return fmt.Sprintf("%s: its column %s is taken, and not its column cluster: for the clusters give the first two columns alone, as in cut -d, -f1,2.", l.File, l.Column)
}

// GiveWords is labels in memory: a word for each document, "" if its label is not known. Classes
// are ordered by value if all words are numbers, else by the alphabet; words that mean
// no label in a file of labels, such as nan, mean none here ([Labeling.Known]).
func GiveWords(words []string) *Given {
	g := &Given{Own: true}
	g.Labels, g.ClassNames = classes.OfWords(words)
	g.note(classes.CaseNote(g.ClassNames))
	return g
}

func (l *Labeling) give(c *Corpus) (*Given, error) {
	g := new(Given)
	l, header := l.withoutHeaderOver(c)
	g.note(header)
	class := l.classes(c)
	l = l.settled(class, g)
	if err := l.number(c, g); err != nil {
		return nil, err
	}
	words, err := l.words(c, class)
	if err != nil {
		return nil, err
	}
	if class != nil {
		words = own(c, words)
		g.Labels, g.ClassNames = make([]int, len(words)), c.ClassNames
		for i, w := range words {
			g.Labels[i] = class[w]
		}
		return g, nil
	}
	g.Labels, g.ClassNames = classes.OfWords(words)
	g.Labels, g.Own = own(c, g.Labels), true
	g.note(classes.CaseNote(g.ClassNames))
	if len(g.ClassNames) == 0 {
		return nil, input.Failf(l.File, "", "all labels are empty; write a class for at least one document")
	}
	return g, nil
}

// withoutHeaderOver is [Labeling.WithoutHeader] for the documents of a corpus, and leaves out a
// first line of a list with names too if it may be a header of other words than id and label, and
// of all lines it alone is of no document. A line whose name has a digit as others have, or whose
// label is a class of the corpus, is of a document with a wrong name. All ranks call it.
func (l *Labeling) withoutHeaderOver(c *Corpus) (*Labeling, string) {
	if l.firstLine() == 0 || !l.mayHaveHeader() {
		return l.WithoutHeader(c.Documents())
	}
	coded := func(id string) bool { return isWord(id) && strings.ContainsAny(id, "0123456789") }
	if coded(l.IDs[0]) && slices.ContainsFunc(l.IDs[1:], coded) || slices.Contains(c.ClassNames, l.Labels[0]) {
		return l, ""
	}
	ids, _, err := c.numbered(l.File, l.IDs)
	if err != nil { // which is said when they are numbered
		return l, ""
	}
	row := c.found(ids)
	for k, id := range ids {
		if _, known := row[id]; (known || c.isUnread(id)) == (k == 0) {
			return l, ""
		}
	}
	return l.withoutFirst(), l.headerNote("it alone is of no document, and no other is like it")
}

// settled is the list with every label that means no label made empty. class are the classes of the
// corpus if the list shares them.
func (l *Labeling) settled(class map[string]int, g *Given) *Labeling {
	own := *l
	var note string
	if class == nil {
		own.Labels, note = classes.Unlabel(l.Labels)
	} else {
		own.Labels, note = classes.Replace(l.Labels, func(w string) bool { return class[w] < 0 && classes.MeansNone(w) })
	}
	g.note(note)
	return &own
}

// number makes the ids of the list names of the corpus.
func (l *Labeling) number(c *Corpus, g *Given) error {
	ids, note, err := c.numbered(l.File, l.IDs)
	if err == nil && l.IDs != nil {
		l.IDs = ids
	}
	g.note(note)
	return err
}

func (g *Given) note(text string) {
	if text != "" {
		g.Notes = append(g.Notes, text)
	}
}

// classes maps each class in the list to its number in the corpus, -1 if the corpus has no such
// class. It is nil if the corpus has none of them.
func (l *Labeling) classes(c *Corpus) map[string]int {
	if c.Labels == nil {
		return nil
	}
	class := map[string]int{"": -1}
	some := false
	for _, w := range l.Labels {
		if _, seen := class[w]; !seen {
			class[w] = c.classIndex(w)
			some = some || class[w] >= 0
		}
	}
	if !some {
		return nil
	}
	return class
}

// words returns the label of each document of the corpus, including the documents of other ranks.
// If class is not nil, labels that it has no number for are faults.
func (l *Labeling) words(c *Corpus, class map[string]int) ([]string, error) {
	if l.IDs == nil && len(l.Labels) != c.Documents() {
		return nil, input.Failf(l.File, "", "has %s, but %s has %s; write lines id,label for the documents whose class is known", message.Plural(len(l.Labels), "label", "labels"), c.Name, message.Plural(c.Documents(), "document", "documents"))
	}
	faults := faults{file: l.File, header: l.firstLine(), nameless: c.nameless()}
	help := "the classes of the corpus are " + message.List(c.ClassNames, 12)
	classed := func(k int) bool {
		w := l.Labels[k]
		if class == nil || w == "" || class[w] >= 0 {
			return true
		}
		faults.add(l.Lines[k], "the corpus has no class %s", message.Clip(w, 40))
		return false
	}
	if l.IDs == nil || c.division == nil && slices.Equal(l.IDs, c.IDs) { // in order, so names may occur twice
		for k := range l.Labels {
			classed(k)
		}
		return l.Labels, faults.err(help)
	}
	if class == nil {
		help = c.names()
	} else {
		help = c.names() + ", " + help
	}
	row := c.found(l.IDs)
	words := make([]string, c.Documents())
	line := make([]int, len(words)) // where the label of a document was read
	for k, id := range l.IDs {
		fits := classed(k)
		if _, known := row[id]; !known && c.isUnread(id) {
			continue
		}
		i, ok := faults.row(row, id, l.Lines[k])
		switch {
		case !ok || !fits || l.Labels[k] == "":
		case words[i] != "" && words[i] != l.Labels[k]:
			faults.add(l.Lines[k], "%s is %s, but %s by line %d", message.Clip(id, 40), message.Clip(l.Labels[k], 40), message.Clip(words[i], 40), line[i])
		case words[i] == "":
			words[i], line[i] = l.Labels[k], l.Lines[k]
		}
	}
	return words, faults.err(help)
}

// names describes the range of document names for a message.
func (c *Corpus) names() string {
	first, last := c.endIDs()
	return fmt.Sprintf("the names of the documents run from %s to %s", message.Clip(first, 40), message.Clip(last, 40))
}

// noteOnNames is the note on the column that may hold the names of the documents; "" for none.
func (c *Corpus) noteOnNames() string {
	for _, note := range c.Notes {
		if strings.HasSuffix(note, columns.MakesNames) {
			return note
		}
	}
	return ""
}

// looksNamed reports whether a column that was not asked for may hold the names of the documents.
// If they are divided among ranks, the call is collective.
func (c *Corpus) looksNamed() bool {
	noted := []float64{0}
	if c.noteOnNames() != "" {
		noted[0] = 1
	}
	c.sum(noted)
	return noted[0] > 0
}

// MayName returns the column, as a shell reads it, that may hold the names of the documents by the
// rows that the reader looked at; "" for none, and if the documents have names.
func (c *Corpus) MayName() string {
	_, column, _ := strings.Cut(c.noteOnNames(), "‹id-column› ")
	return strings.TrimSuffix(column, " "+columns.MakesNames)
}

// nameless describes, for a message, documents that have no names; "" if they have names. It quotes
// the note on the column that may hold the names, if there is one.
func (c *Corpus) nameless() string {
	if c.IDs != nil {
		return ""
	}
	text := fmt.Sprintf("%s has no names of documents, but numbers them from 1 to %d", c.Name, c.Documents())
	if note := c.noteOnNames(); note != "" {
		return text + "; " + strings.ToLower(note[:1]) + strings.TrimSuffix(note[1:], ".")
	}
	if slices.Contains(TableFormats(), c.Format) {
		text += "; if a column or field of it holds these names, ‹id-column› names it"
	}
	return text
}

const (
	faultsShown = 10 // the largest number of lines that a message names
	examples    = 2  // lines that it names if no line names a document
)

// faults collects what is wrong with the lines of a file.
type faults struct {
	file     string
	header   int    // the first line, if it may be a header that was not recognised; 0 if not
	nameless string // of Corpus.nameless
	count    int
	found    int  // how often a document was found
	later    bool // a line after the first one is wrong
	shown    []string
}

func (f *faults) add(line int, format string, args ...any) {
	f.later = f.later || line != f.header
	if f.count++; f.count <= faultsShown {
		f.shown = append(f.shown, fmt.Sprintf("line %d: ", line)+fmt.Sprintf(format, args...))
	}
}

// row finds a document by its name and adds a fault if there is not exactly one.
func (f *faults) row(rows map[string]int, id string, line int) (i int, ok bool) {
	i, known := rows[id]
	switch {
	case !known:
		f.add(line, "there is no document %s", message.Clip(id, 40))
		return i, false
	case i < 0:
		f.add(line, "several documents have the name %s", message.Clip(id, 40))
	}
	f.found++
	return i, i >= 0
}

// err returns all faults as one sentence that ends in help; nil if there are none.
func (f *faults) err(help string) error {
	if f.count == 0 {
		return nil
	}
	help = "; correct or remove them: " + help
	switch {
	case f.found == 0 && f.nameless != "":
		f.shown, help = f.shown[:min(len(f.shown), examples)], ": "+f.nameless
	case f.found > 0 && !f.later:
		help = "; if it is a header, name its columns id and label, or remove it" + help
	}
	text := strings.Join(f.shown, "; ")
	if more := f.count - len(f.shown); more > 0 {
		text += fmt.Sprintf("; and %d more such lines", more)
	}
	return input.Failf(f.file, "", "%s%s", text, help)
}
