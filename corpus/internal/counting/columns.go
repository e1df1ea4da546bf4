package counting

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/words"
)

// maxGram is the most words of a term.
const maxGram = 3

// choose returns the names of the columns and the column of every term, -1 for one left out. The
// columns are the given vocabulary, else the terms within the limits of document frequency.
//
// stems are the stems of the columns if texts of other languages than the usual one were read; else
// nil.
// apart is the number of runs within the limits whose words do not belong together.
func (c *counter) choose(docs int, name string) (names, stems []string, column []int32, apart int, err error) {
	if c.opt.Vocabulary != nil {
		column, met, err := c.given(name)
		if err == nil && met == 0 && !c.opt.AnyText {
			err = c.noneMet(name)
		}
		return c.opt.Vocabulary, nil, column, 0, err
	}
	names, stems, column, apart = c.columns(docs)
	return names, stems, column, apart, nil
}

// columns chooses the terms within the limits of document frequency and orders them by name. A stem
// is named by its most frequent word (of equally frequent ones the alphabetically first), a run by
// the names of its words. column is -1 for a term left out.
func (c *counter) columns(docs int) (names, stems []string, column []int32, apart int) {
	best := make([]*form, len(c.term)) // of stems
	forms := c.form
	if c.mixed {
		forms = sameWords(forms)
	}
	for i := range forms {
		f := &forms[i]
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
	column = make([]int32, len(c.term))
	least, most := c.opt.limits(docs)
	var kept []columnName
	for t, df := range c.df {
		column[t] = -1
		if int(df) < least || int(df) > most {
			continue
		}
		if c.term[t].left >= 0 && c.opt.chooses() && !together(int(df), docs, c.wordsOf(int32(t), c.df)) {
			apart++
		} else {
			kept = append(kept, columnName{name: nameOf(int32(t)), stem: c.stemOfTerm(int32(t)), term: int32(t)})
		}
	}
	sortColumns(kept)
	for j, k := range kept {
		names, stems = append(names, k.name), append(stems, k.stem)
		column[k.term] = int32(j)
	}
	if !c.mixed {
		stems = nil
	}
	return names, stems, column, apart
}

// stemsOf are the stems of the columns of terms, of which there are n; of a column that none of the
// terms has, as of a vocabulary that was given, it is the one that was given.
func (c *counter) stemsOf(column []int32, n int) []string {
	stems := make([]string, n)
	copy(stems, c.opt.VocabularyStems)
	for t, j := range column {
		if j >= 0 {
			stems[j] = c.stemOfTerm(int32(t))
		}
	}
	return stems
}

// stemOfTerm returns the stem of a term; for a run of words, the stems of its words with blanks
// between.
func (c *counter) stemOfTerm(t int32) string {
	if c.term[t].left < 0 {
		return c.term[t].stem
	}
	return c.stemOfTerm(c.term[t].left) + " " + c.term[c.term[t].last].stem
}

// sameWords joins the forms of one word that texts of several languages have under one stem.
func sameWords(forms []form) []form {
	type key struct {
		text string
		term int32
	}
	at := make(map[key]int, len(forms))
	var out []form
	for _, f := range forms {
		k := key{f.text, f.term}
		i, met := at[k]
		if !met {
			i = len(out)
			at[k] = i
			out = append(out, form{text: f.text, term: f.term})
		}
		out[i].count += f.count
	}
	return out
}

// columnName is the name and the stem of a column, and the term that it counts.
type columnName struct {
	name, stem string
	term       int32
}

// sortColumns orders columns by their names. Several columns have one name if languages give a word
// different stems: all but the first of them, in the order of the stems, get theirs after the name.
func sortColumns(list []columnName) {
	order := func(a, b columnName) int { return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.stem, b.stem)) }
	slices.SortFunc(list, order)
	renamed := false
	for i := len(list) - 1; i > 0; i-- {
		if list[i].name == list[i-1].name {
			list[i].name += "/" + strings.ReplaceAll(list[i].stem, " ", "+")
			renamed = true
		}
	}
	if renamed {
		slices.SortFunc(list, order)
	}
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
	if c.opt.Index != nil {
		for t := range column {
			if j, ok := c.opt.Index[c.stemOfTerm(int32(t))]; ok {
				column[t] = j
				met++
			}
		}
		return column, met, nil
	}
	first := make(map[string]string, len(c.opt.Vocabulary)) // stems -> the name
	for j, name := range c.opt.Vocabulary {
		words := strings.Fields(name)
		if c.opt.VocabularyStems != nil {
			words = strings.Fields(c.opt.VocabularyStems[j])
		}
		t := int32(-1)
		for i, w := range words {
			if c.opt.VocabularyStems == nil {
				words[i] = c.stemOf(c.canonical(w))
			}
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
	distinct int  // terms that were counted
	terms    int  // columns
	apart    int  // runs within the limits whose words do not belong together
	met      int  // columns of a vocabulary given that occur
	emptied  int  // documents without a word out of which parts of mail were cut
	mixed    bool // texts of other languages than the usual one were read in their own
	foreign  bool // nothing is known of the language of any text
}

// note describes the counting in a sentence.
func (f facts) note(a *Analyzer) string {
	kept := message.Plural(f.terms, "term", "terms")
	note := fmt.Sprintf("Text: %d words make %s (%s)", f.words, kept, a.describe(f.mixed, f.foreign))
	if f.words == 1 {
		note = fmt.Sprintf("Text: 1 word makes %s (%s)", kept, a.describe(f.mixed, f.foreign))
	}
	if a.opt.Vocabulary != nil {
		return note + fmt.Sprintf("; the terms of the given vocabulary, of which %d %s; %s left out.", f.met, words.Verb(f.met, "occurs", "occur"), words.Counted(f.distinct-f.met, "other"))
	}
	if left := f.distinct - f.terms - f.apart; left > 0 {
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
	if f.apart > 0 {
		note += fmt.Sprintf("; %s whose words do not belong together left out", message.Plural(f.apart, "run of words", "runs of words"))
	}
	return note + "."
}

// check refuses texts of which no term is left.
func (f facts) check(a *Analyzer, name string) error {
	switch {
	case f.terms > 0:
		return nil
	case f.words == 0:
		way := ""
		if f.emptied > 0 {
			way = fmt.Sprintf("; of %d parts of mail were left out: ‹strip› none keeps them", f.emptied)
		}
		return &input.FormatError{File: name, Err: input.ErrNoTerms, Why: fmt.Sprintf("none of its %s has a word left (%s); check that this is the right file, the language and the stop words%s", message.Plural(f.docs, "document", "documents"), a.describe(f.mixed, f.foreign), way)}
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
