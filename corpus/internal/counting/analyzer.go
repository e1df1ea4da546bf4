package counting

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/language"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/tokens"
	"golang.org/x/text/unicode/norm"
)

// Analyzer decides what a word counts as. It is read-only and shared by the workers. It is called
// once per distinct word, so it may be slow.
type Analyzer struct {
	opt   Options // defaults filled in
	stem  func(word string, stemStopWords bool) string
	stop  func(word string) bool
	split bool // apostrophes separate words
	// elide leaves out what is left of a short word before an apostrophe ([tokens.Scanner]).
	elide bool
	// each are the analyzers of the languages, by number, if each text is read in its own; else
	// nil. among are the languages that the texts may be in; nil: all.
	each  []*Analyzer
	among []language.Tongue
	Keep
}

// Keep says what is kept of documents.
type Keep struct {
	Snippets int      // most characters of each text that are kept; 0: none
	Strip    []string // parts of mail that are cut out of texts
	Counts   bool     // the rows stay as they were counted
	Outline  *Outline // takes the documents; nil: they are kept
	Encoded  bool     // the encoding was chosen: texts that look as if they had two are as they are
}

// NewAnalyzer checks the options and reads the file of stop words, if there is one.
func NewAnalyzer(opt Options, keep Keep) (*Analyzer, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	opt = opt.withDefaults()
	a := newStemming(opt, opt.Language)
	among := language.Several(opt.Language)
	each := among != nil || opt.Language == language.Auto
	switch {
	case opt.Stop != nil:
		a.stop = language.StopsOf(opt.Stop)
	case !each || opt.StopWords != language.Auto:
		var err error
		if a.stop, err = language.Stops(opt.StopWords); err != nil {
			return nil, err
		}
	}
	if each {
		for _, name := range append(slices.Clone(language.Names), language.None) {
			own := newStemming(opt, name)
			if a.stop != nil {
				own.stop = a.stop
			}
			a.each = append(a.each, own)
		}
		for _, own := range a.each {
			own.each, own.among = a.each, among
		}
		a = a.each[0]
	}
	a.Keep = keep
	return a, nil
}

// newStemming is an analyzer with the stemmer and the stop words of a language; without them of
// [language.Auto], [language.None] and several languages. Of None beside others nothing is known.
func newStemming(opt Options, name string) *Analyzer {
	a := &Analyzer{opt: opt, stem: language.Stemmer(name), split: slices.Contains(language.Splitting, name)}
	switch {
	case a.stem != nil:
		a.stop = func(word string) bool { return language.IsStop(name, word) }
	case name == language.None && opt.Language != language.None:
		a.elide = true
		a.stop = func(string) bool { return false }
	}
	return a
}

// canonical returns the form under which a word is counted: lower case, composed, without an ending
// 's. It is idempotent.
func (a *Analyzer) canonical(word string) string {
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
func (a *Analyzer) term(form string) string {
	if utf8.RuneCountInString(form) < a.opt.MinLength && !tokens.IsEmoji(form) || a.stop(form) {
		return ""
	}
	return a.stemOf(form)
}

// stemOf returns the stem of a canonical word.
func (a *Analyzer) stemOf(form string) string {
	if a.stem == nil {
		return form
	}
	if s := a.stem(form, true); s != "" {
		return s
	}
	return form
}

// describe names stemming and stop words in a few words, for a note. mixed says that texts of
// several languages were read, each in its own, and foreign that nothing is known of any.
func (a *Analyzer) describe(mixed, foreign bool) string {
	name, list := a.opt.Language, a.opt.StopWords
	if a.each != nil {
		name = language.Usual
		if a.among != nil && !slices.Contains(a.among, 0) { // and no text has a word
			name = language.Names[a.among[0]]
		}
	}
	if list == language.Auto {
		list = name
	}
	stems := "no stemming"
	if a.stem != nil {
		stems = name + " stemming"
	}
	switch {
	case foreign:
		stems = "no stemming"
	case mixed:
		stems = "stemming of each document's language"
	}
	if a.opt.NGrams > 1 {
		stems += ", runs of up to " + strconv.Itoa(a.opt.NGrams) + " words"
		if a.opt.chooses() {
			stems += " that belong together"
		}
	}
	switch {
	case len(a.opt.Stop) > 0:
		return stems + ", " + message.Plural(len(a.opt.Stop), "stop word", "stop words") + " given"
	case foreign && a.opt.StopWords == language.Auto:
		return stems + ", no stop words"
	case mixed && a.opt.StopWords == language.Auto:
		return stems + ", and its stop words"
	case list == "none":
		return stems + ", no stop words"
	case language.Stemmer(list) != nil:
		return stems + ", " + list + " stop words"
	}
	return stems + ", stop words of " + list
}

// Stems returns the stem of every term of a text corpus that was read with these options. Two
// corpora may name the same stem by different words, each by its own most frequent one, so their
// columns are the same term if the stems are equal. Texts of several languages, each read in its
// own, have their stems in [Collection]; without any the words are English.
func (o Options) Stems(terms []string) ([]string, error) {
	o.Language = language.Name(o.Language)
	if o.Language != "" && !language.Known(o.Language) {
		return nil, o.Validate()
	}
	o = o.withDefaults()
	if o.Language == language.Auto || language.Several(o.Language) != nil {
		o.Language = language.Usual
	}
	a := &Analyzer{opt: o, stem: language.Stemmer(o.Language)}
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
