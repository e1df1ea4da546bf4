package text

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/kljensen/snowball/english"
	"github.com/kljensen/snowball/french"
	"github.com/kljensen/snowball/hungarian"
	"github.com/kljensen/snowball/norwegian"
	"github.com/kljensen/snowball/russian"
	"github.com/kljensen/snowball/spanish"
	"github.com/kljensen/snowball/swedish"
	"golang.org/x/text/unicode/norm"
)

// noLanguage is the Language without stemming.
const noLanguage = "none"

// stemmer is the Snowball stemmer of a language and its stop words, to which [stopIn] adds; stop is
// nil if it has none.
type stemmer struct {
	stem func(word string, stemStopWords bool) string
	stop func(word string) bool
}

var stemmers = map[string]*stemmer{
	"english":   {english.Stem, nil},
	"french":    {french.Stem, french.IsStopWord},
	"hungarian": {hungarian.Stem, hungarian.IsStopWord},
	"norwegian": {norwegian.Stem, norwegian.IsStopWord},
	"russian":   {russian.Stem, russian.IsStopWord},
	"spanish":   {spanish.Stem, spanish.IsStopWord},
	"swedish":   {swedish.Stem, swedish.IsStopWord},
}

// analyzer decides what a word counts as. It is read-only and shared by the workers. It is called
// once per distinct word, so it may be slow.
type analyzer struct {
	opt   Options // defaults filled in
	stem  func(word string, stemStopWords bool) string
	stop  func(word string) bool
	split bool // apostrophes separate words
}

// newAnalyzer checks the options and reads the file of stop words, if there is one.
func newAnalyzer(opt Options) (*analyzer, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	a := &analyzer{opt: opt.withDefaults()}
	a.split = a.opt.Language == "french"
	if s := stemmers[a.opt.Language]; s != nil {
		a.stem = s.stem
	}
	if a.opt.Stop != nil {
		a.stop = stopSet(a.opt.Stop)
		return a, nil
	}
	var err error
	a.stop, err = stopWords(a.opt.StopWords)
	return a, err
}

// canonical returns the form under which a word is counted: lower case, composed, without an ending
// 's. It is idempotent.
func (a *analyzer) canonical(word string) string {
	for {
		form := norm.NFC.String(strings.ToLower(word))
		if !a.split {
			form = strings.TrimSuffix(form, "'s")
		}
		if form == word {
			return form
		}
		word = form
	}
}

// term returns the stem of a canonical word; empty for a word that is left out.
func (a *analyzer) term(form string) string {
	if utf8.RuneCountInString(form) < a.opt.MinLength || a.stop(form) {
		return ""
	}
	return a.stemOf(form)
}

// stemOf returns the stem of a canonical word.
func (a *analyzer) stemOf(form string) string {
	if a.stem == nil {
		return form
	}
	if s := a.stem(form, true); s != "" {
		return s
	}
	return form
}

// describe names stemming and stop words in a few words, for a note.
func (a *analyzer) describe() string {
	stems := "no stemming"
	if a.stem != nil {
		stems = a.opt.Language + " stemming"
	}
	if a.opt.NGrams > 1 {
		stems += ", runs of up to " + strconv.Itoa(a.opt.NGrams) + " words"
	}
	switch {
	case len(a.opt.Stop) > 0:
		return stems + ", " + message.Plural(len(a.opt.Stop), "stop word", "stop words") + " given"
	case a.opt.StopWords == "none":
		return stems + ", no stop words"
	case stemmers[a.opt.StopWords] != nil:
		return stems + ", " + a.opt.StopWords + " stop words"
	}
	return stems + ", stop words of " + a.opt.StopWords
}

// Stems returns the stem of every term of a text corpus that was read with these options. Two
// corpora may name the same stem by different words, each by its own most frequent one, so their
// columns are the same term if the stems are equal.
func (o Options) Stems(terms []string) ([]string, error) {
	o.Language = LanguageName(o.Language)
	if o.Language != "" && o.Language != noLanguage && stemmers[o.Language] == nil {
		return nil, o.Validate()
	}
	o = o.withDefaults()
	a := &analyzer{opt: o}
	if s := stemmers[o.Language]; s != nil {
		a.stem = s.stem
	}
	stems := make([]string, len(terms))
	for i, t := range terms {
		if !strings.Contains(t, " ") {
			stems[i] = a.stemOf(t)
			continue
		}
		words := strings.Fields(t)
		for k, w := range words {
			words[k] = a.stemOf(w)
		}
		stems[i] = strings.Join(words, " ")
	}
	return stems, nil
}
