package counting

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/classes"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/language"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/plain"
	"github.com/eigenmap/eigenmap/corpus/internal/tokens"
	"github.com/eigenmap/eigenmap/sparse"
)

// Collection makes the result of the counted documents: it chooses, names and orders the terms and
// builds the rows. The result does not depend on which worker counted which document. Memory
// besides the tally: 12 bytes per entry, none with [Keep].Counts.
func (t *Tally) Collection(ctx context.Context, a *Analyzer, mem *input.Budget, name string) (*Collection, error) {
	if t.Docs == 0 && t.Skipped > 0 {
		return nil, input.Failf(name, "", "none of its %s passes the selection; choose other parts or topics", message.Plural(t.Skipped, "document", "documents"))
	}
	if t.Docs == 0 {
		return nil, input.NoDocuments(input.Failf(name, "", "it holds no documents; give at least one text"))
	}
	if err := refuseNoTexts(t.noText, t.Docs, a, name); err != nil {
		return nil, err
	}
	moved, vocabulary, err := t.absorbed(ctx, mem)
	if err != nil {
		return nil, err
	}
	mixed := a.each != nil && language.Mixed(t.tongues[:])
	vocabulary.mixed = mixed
	terms, stems, column, apart, err := vocabulary.choose(t.Docs, name)
	if err != nil {
		return nil, err
	}
	f := facts{docs: t.Docs, words: t.words, distinct: len(vocabulary.term), terms: len(terms), apart: apart, mixed: mixed, foreign: mixed && language.NoneKnown(t.tongues[:]), emptied: t.emptied}
	for _, j := range column {
		if j >= 0 {
			f.met++
		}
	}
	if err := f.check(a, name); err != nil {
		return nil, err
	}
	if !a.Counts {
		if err := mem.Take(t.entries, 12); err != nil {
			return nil, err
		}
	}
	var rarities []Rarity
	if !a.opt.ForModel {
		if err := mem.Take(int64(t.Docs), 8); err != nil {
			return nil, err
		}
		rarities = t.rarities(moved, vocabulary, vocabulary.df, t.Docs, column)
	}
	c := &Collection{Terms: terms, Stems: stems, Snippets: t.snippets(a), Rarities: rarities}
	if t.outline != nil {
		t.outline.Stems = vocabulary.stemsOf(column, len(terms))
	}
	if c.Counts = t.asCounted(moved, column, len(terms)); !a.Counts {
		if c.X, err = c.Counts.Expand(ctx); err != nil {
			return nil, err
		}
		c.Counts = nil
	}
	if err := t.name(c, name); err != nil {
		return nil, err
	}
	t.notes(c, f.note(a))
	if a.each != nil {
		c.Notes = append(c.Notes, language.Notes(t.tongues[:], !a.opt.ForModel && a.among == nil)...)
	}
	c.Notes = append(c.Notes, plain.MarkupNote(t.markup, !a.opt.ForModel)...)
	c.Notes = append(c.Notes, charset.TwiceNote(t.twice)...)
	c.Notes = append(c.Notes, plain.LicenceNote(t.books)...)
	c.Notes = append(c.Notes, plain.RemovedNote(t.removed)...)
	c.Notes = append(c.Notes, pdfNote(t.pdfs, t.pdfsBy)...)
	if !a.opt.ForModel {
		c.noteMail(t.mail, first(t.mail, t.firstMail, t.place), t.emptied, first(t.emptied, t.firstEmptied, t.place))
	}
	c.Notes = append(c.Notes, tokens.UnspacedNotes(t.packed)...)
	return c, nil
}

// snippets are the snippets of the documents, nil if none are wanted.
func (t *Tally) snippets(a *Analyzer) []string {
	if a.Snippets == 0 {
		return nil
	}
	list := make([]string, 0, t.Docs)
	for _, p := range t.parts {
		for _, d := range p.docs {
			list = append(list, d.snippet)
		}
	}
	return list
}

// first is the place of document i, the first of n; "" if there is none.
func first(n, i int, place func(int) string) string {
	if n == 0 {
		return ""
	}
	return place(i)
}

// notes adds the note on the counting and those on bytes that are not UTF-8 and on missing texts.
func (t *Tally) notes(c *Collection, counting string) {
	c.Notes = append(c.Notes, counting)
	c.noteBytes(t.Damaged, first(t.Damaged, t.firstDamaged, t.place), t.guessed, first(t.guessed, t.firstGuessed, t.guess))
	c.noteNoTexts(t.noText, first(t.noText, t.firstNoText, t.named))
}

// noteBytes says how many documents are not UTF-8, and the first of each kind.
func (c *Collection) noteBytes(damaged int, firstDamaged string, guessed int, firstGuessed string) {
	if damaged > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s bytes that are not UTF-8 (first: %s); such bytes separate words. Convert the texts if their words matter, for instance with iconv.",
			message.Plural(damaged, "document holds", "documents hold"), firstDamaged))
	}
	if guessed > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s not UTF-8 and %s read as %s.", message.Plural(guessed, "document is", "documents are"), wasWere(guessed), firstGuessed))
	}
}

// guess says what encoding document i was read as, and where it is.
func (t *Tally) guess(i int) string {
	_, d := t.find(i)
	return d.Guessed + " (first: " + t.place(i) + ")"
}

// absorbed joins the counters of the workers in the first of them. moved has the new number of each
// term of the others.
func (t *Tally) absorbed(ctx context.Context, mem *input.Budget) (moved [][]int32, vocabulary *counter, err error) {
	moved = make([][]int32, len(t.workers)) // worker's term -> vocabulary's term
	vocabulary = t.workers[0]
	if err := mem.Take(t.vocabularyBytes()-vocabulary.bytes, 1); err != nil {
		return nil, nil, err
	}
	for w, c := range t.workers[1:] {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		moved[w+1] = vocabulary.absorb(c)
		t.workers[w+1] = nil
	}
	return moved, vocabulary, nil
}

func wasWere(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// rarities counts the terms of each document, and those of them that would not be columns if the
// document were not there. These are the terms that are left out, and those of as few documents as
// a column must have at least.
// df are the documents of each term, of docs in all, those of other ranks among them.
func (t *Tally) rarities(moved [][]int32, vocabulary *counter, df []int32, docs int, column []int32) []Rarity {
	least, _ := vocabulary.opt.limits(docs)
	if vocabulary.opt.Vocabulary != nil {
		least = 0 // its terms are columns whatever the documents are
	}
	own := func(worker int, term int32) bool {
		if m := moved[worker]; m != nil {
			term = m[term]
		}
		return column[term] < 0 || int(df[term]) <= least
	}
	list := make([]Rarity, 0, t.Docs)
	for _, part := range t.parts {
		at := 0
		for _, end := range part.ends {
			var r Rarity
			for data := part.counts[at:end]; len(data) > 0; r.Terms++ {
				var term int32
				if term, _, data = sparse.NextCount(data); own(part.worker, term) {
					r.Own++
				}
			}
			list = append(list, r)
			at = end
		}
	}
	return list
}

// asCounted is the matrix of counts as they were counted, which it takes over from the tally.
func (t *Tally) asCounted(moved [][]int32, column []int32, cols int) *sparse.Counts {
	columns := make([][]int32, len(moved)) // of the terms of each worker
	for w, m := range moved {
		if columns[w] = column; m == nil {
			continue
		}
		columns[w] = make([]int32, len(m))
		for term, to := range m {
			columns[w][term] = column[to]
		}
	}
	parts := make([]sparse.CountsPart, len(t.parts))
	for p := range parts {
		of := &t.parts[p]
		parts[p] = sparse.CountsPart{Data: of.counts, Ends: of.ends, Column: columns[of.worker]}
		of.counts, of.ends = nil, nil
	}
	return sparse.NewCounts(cols, parts)
}

// name adds the documents' names and classes to the result. A name that is used twice is an error,
// because results and lists of labels refer to documents by name.
func (t *Tally) name(c *Collection, file string) error {
	if t.outline != nil {
		if note := oddNote(t.odd, t.Docs, t.OddWay); note != "" {
			c.Notes = append(c.Notes, note)
		}
		if note := t.outline.name(c, mostlyOdd(t.odd, t.Docs)); note != "" && !mostlyOdd(t.odd, t.Docs) {
			c.Notes = append(c.Notes, note)
		}
		return nil
	}
	anyID, anyLabel := false, false
	for _, p := range t.parts {
		for _, d := range p.docs {
			anyID, anyLabel = anyID || d.HasID, anyLabel || d.HasLabel
		}
	}
	var words []string
	var firstWith map[string]int
	again := make(map[string]int)
	var same sameIDs
	if anyID {
		c.IDs = make([]string, 0, t.Docs)
		firstWith = make(map[string]int, t.Docs)
	}
	for _, p := range t.parts {
		for _, d := range p.docs {
			if anyLabel {
				words = append(words, d.Label)
			}
			if !anyID {
				continue
			}
			i := len(c.IDs)
			if !d.HasID {
				d.ID = strconv.Itoa(i + 1)
			}
			if _, twice := firstWith[d.ID]; twice && d.Repeats {
				d.ID = UnusedName(firstWith, again, d.ID)
			}
			if k, twice := firstWith[d.ID]; !twice {
				firstWith[d.ID] = i
			} else if same.count++; same.count == 1 {
				same.i, same.k = i, k
			}
			c.IDs = append(c.IDs, d.ID)
		}
	}
	if same.count > 0 {
		return t.refuseID(file, c.IDs[same.i], same)
	}
	if note := oddNote(t.odd, t.Docs, t.OddWay); note != "" {
		c.Notes = append(c.Notes, note)
		anyLabel = anyLabel && !mostlyOdd(t.odd, t.Docs)
	}
	if anyLabel {
		if c.Labels, c.ClassNames = classes.OfWords(words); len(c.ClassNames) == 0 {
			c.Labels = nil
		}
		if _, note := classes.Unlabel(words); note != "" {
			c.Notes = append(c.Notes, note)
		}
	}
	return nil
}

// UnusedName returns id#2, or with the next number that makes a new name; again keeps the last
// number of each id.
func UnusedName(used, again map[string]int, id string) string {
	k := max(again[id], 1)
	for {
		k++
		name := id + "#" + strconv.Itoa(k)
		if _, taken := used[name]; !taken {
			again[id] = k
			return name
		}
	}
}

// sameIDs are the documents that have the id of an earlier one: how many, and the first of them, i,
// with that one, k.
type sameIDs struct{ count, i, k int }

// refuseID returns an error about documents with ids of earlier ones, the first of which has id.
func (t *Tally) refuseID(file, id string, s sameIDs) error {
	part, d := t.find(s.i)
	if part.from == nil {
		return sameID(file, t.place(s.i), id, t.place(s.k), s.count, "none to number them")
	}
	return sameID(part.from.File, part.from.At(d.Line), id, t.place(s.k), s.count, numberThem)
}

// numberThem is the way out of ids that several documents of a table have.
const numberThem = "number them with ‹id-column› none"

// sameID returns an error about the first of count documents that have the id of an earlier one.
func sameID(file, place, id, other string, count int, way string) error {
	more := ""
	if count > 1 {
		more = fmt.Sprintf(" (%s have the id of an earlier one)", message.Plural(count, "document", "documents"))
	}
	return &input.FormatError{File: file, Place: place, Err: input.ErrSameID,
		Why: fmt.Sprintf("the id %q already belongs to %s%s; give each document its own id, or %s", message.Clip(id, 60), other, more, way)}
}

// find returns document i and the part that it is in.
func (t *Tally) find(i int) (*counted, *Document) {
	if t.outline != nil {
		return t.outline.find(i)
	}
	for p := range t.parts {
		part := &t.parts[p]
		if i < len(part.docs) {
			return part, &part.docs[i]
		}
		i -= len(part.docs)
	}
	panic("counting: there is no such document")
}

// place names document i of the corpus in a message.
func (t *Tally) place(i int) string {
	part, d := t.find(i)
	switch {
	case part.from != nil:
		return part.from.Place(d.Line)
	case d.Line > 0:
		return "line " + strconv.Itoa(d.Line)
	case d.HasID:
		return message.Clip(d.ID, 120)
	}
	return "document " + strconv.Itoa(i+1)
}

// Assign gives the documents ids and classes after they were counted: those that named has for
// each.
func (t *Tally) Assign(named func(i int) Document) {
	labels := make(map[string]string)
	i := 0
	for _, p := range t.parts {
		for k := range p.docs {
			d, says := &p.docs[k], named(i)
			label, ok := labels[says.Label]
			if !ok {
				label = lexical.Tidy(strings.Clone(says.Label)) // it is a piece of a path
				labels[says.Label] = label
			}
			d.ID, d.Label, d.HasLabel = lexical.Tidy(says.ID), label, says.HasLabel
			i++
		}
	}
}
