package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// maxGram is the most words of a term.
const maxGram = 3

// choose returns the names of the columns and the column of every term, -1 for one left out. The
// columns are the given vocabulary, else the terms within the limits of document frequency.
func (c *counter) choose(docs int, name string) (names []string, column []int32, err error) {
	if c.opt.Vocabulary != nil {
		column, met, err := c.given(name)
		if err == nil && met == 0 && !c.opt.AnyText {
			err = c.noneMet(name)
		}
		return c.opt.Vocabulary, column, err
	}
	names, column = c.columns(docs)
	return names, column, nil
}

// columns chooses the terms within the limits of document frequency and orders them by name. A stem
// is named by its most frequent word (of equally frequent ones the alphabetically first), a run by
// the names of its words. column is -1 for a term left out.
func (c *counter) columns(docs int) (names []string, column []int32) {
	best := make([]*form, len(c.term)) // of stems
	for i := range c.form {
		f := &c.form[i]
		b := best[f.term]
		if b == nil || f.count > b.count || f.count == b.count && f.text < b.text {
			best[f.term] = f
		}
	}
	var nameOf func(t int32) string
	nameOf = func(t int32) string {
		if best[t] != nil {
			return best[t].text
		}
		return nameOf(c.term[t].left) + " " + best[c.term[t].last].text
	}
	type named struct {
		name string
		term int32
	}
	column = make([]int32, len(c.term))
	least, most := c.opt.limits(docs)
	var kept []named
	for t, df := range c.df {
		column[t] = -1
		if int(df) >= least && int(df) <= most {
			kept = append(kept, named{nameOf(int32(t)), int32(t)})
		}
	}
	slices.SortFunc(kept, func(a, b named) int { return cmp.Compare(a.name, b.name) })
	names = make([]string, len(kept))
	for j, k := range kept {
		names[j] = k.name
		column[k.term] = int32(j)
	}
	return names, column
}

// noneMet refuses texts that hold no term of the vocabulary.
func (c *counter) noneMet(file string) error {
	return input.Failf(file, "", "holds none of the %s of the vocabulary given; check that texts and vocabulary are of one kind and language", message.Plural(len(c.opt.Vocabulary), "term", "terms"))
}

// given finds the terms of the vocabulary among those counted, of which met occur. Two names of one
// stem are an error, because the counts could not be divided between them.
func (c *counter) given(file string) (column []int32, met int, err error) {
	column = make([]int32, len(c.term))
	for t := range column {
		column[t] = -1
	}
	first := make(map[string]string, len(c.opt.Vocabulary)) // stems -> the name
	for j, name := range c.opt.Vocabulary {
		words := strings.Fields(name)
		t := int32(-1)
		for i, w := range words {
			words[i] = c.stemOf(c.canonical(w))
			s, ok := c.stems[words[i]]
			switch {
			case !ok || i > 0 && t < 0:
				t = -1
			case i == 0:
				t = s
			default:
				if t, ok = c.grams[gram{t, s}]; !ok {
					t = -1
				}
			}
		}
		stems := strings.Join(words, " ")
		if other, twice := first[stems]; twice {
			return nil, 0, input.Failf(file, "", "terms %q and %q of the vocabulary are the same term; keep one of them", message.Clip(other, 60), message.Clip(name, 60))
		}
		first[stems] = name
		if t >= 0 {
			column[t] = int32(j)
			met++
		}
	}
	return column, met, nil
}

// facts are what a note on the counting says.
type facts struct {
	docs     int
	words    int64
	distinct int // terms that were counted
	terms    int // columns
	met      int // columns of a vocabulary given that occur
}

// note describes the counting in a sentence.
func (f facts) note(a *analyzer) string {
	kept := message.Plural(f.terms, "term", "terms")
	note := fmt.Sprintf("Text: %d words make %s (%s)", f.words, kept, a.describe())
	if f.words == 1 {
		note = fmt.Sprintf("Text: 1 word makes %s (%s)", kept, a.describe())
	}
	if a.opt.Vocabulary != nil {
		return note + fmt.Sprintf("; those of the vocabulary given, of which %d occur; %d others left out.", f.met, f.distinct-f.met)
	}
	if left := f.distinct - f.terms; left > 0 {
		least, most := a.opt.limits(f.docs)
		note += fmt.Sprintf("; %s in fewer than %s", message.Plural(left, "term", "terms"), message.Plural(least, "document", "documents"))
		switch {
		case a.opt.MaxDFCount > 0 && most == a.opt.MaxDFCount:
			note += fmt.Sprintf(" or in more than %d", most)
		case a.opt.MaxDF < 1:
			note += fmt.Sprintf(" or in more than the share %v of all", a.opt.MaxDF)
		}
		note += " left out"
	}
	return note + "."
}

// check refuses texts of which no term is left.
func (f facts) check(a *analyzer, name string) error {
	switch {
	case f.terms > 0:
		return nil
	case f.words == 0:
		return &input.FormatError{File: name, Err: input.ErrNoTerms, Why: fmt.Sprintf("none of its %d documents has a word left (%s); check that this is the right file, the language and the stop words", f.docs, a.describe())}
	}
	return &input.FormatError{File: name, Err: input.ErrNoTerms, Why: noTermsLeft(a.opt, f.distinct, f.docs)}
}

// noTermsLeft says why every term is left out.
func noTermsLeft(opt Options, terms, docs int) string {
	low, high := opt.limits(docs)
	found := fmt.Sprintf("no term is left: %s found in %s", message.Plural(terms, "term was", "terms were"), message.Plural(docs, "document", "documents"))
	least := fmt.Sprintf("‹min-df› leaves out terms in fewer than %s", message.Plural(low, "document", "documents"))
	most := fmt.Sprintf("‹max-df› leaves out terms in more than the share %v of all documents", opt.MaxDF)
	if opt.MaxDFCount > 0 && high == opt.MaxDFCount {
		most = fmt.Sprintf("‹max-df› leaves out terms in more than %s", message.Plural(high, "document", "documents"))
	}
	switch {
	case high >= docs:
		return found + ", and " + least + "; lower it"
	case low <= 1:
		return found + ", and " + most + "; raise it (1 is no limit)"
	}
	return found + "; " + least + " and " + most + "; lower the first or raise the second (1 is no limit)"
}
