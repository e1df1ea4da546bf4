// Package language has the languages whose words are stemmed or left out as stop words, and finds
// out in which one a text is written.
package language

import (
	"slices"
	"strings"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/turkish"
	"github.com/kljensen/snowball/french"
	"github.com/kljensen/snowball/hungarian"
	"github.com/kljensen/snowball/norwegian"
	"github.com/kljensen/snowball/russian"
	"github.com/kljensen/snowball/spanish"
	"github.com/kljensen/snowball/swedish"

	"github.com/eigenmap/eigenmap/internal/pattern"
)

const (
	// None is the choice of no language: nothing is stemmed.
	None = "none"
	// Auto is the choice for texts each of which is read in its own language.
	Auto = "auto"
	// Usual is the language of a text whose own is not known.
	Usual = "english"
)

// stemmer is the Snowball stemmer of a language, or [unstemmed], and its stop words, to which
// [IsStop] adds; stop is nil if it has none.
type stemmer struct {
	stem func(word string, stemStopWords bool) string
	stop func(word string) bool
}

var stemmers = map[string]*stemmer{
	"arabic":     {compiled(arabic.Stem), nil},
	"catalan":    {unstemmed, nil},
	"czech":      {unstemmed, nil},
	"danish":     {compiled(danish.Stem), nil},
	"dutch":      {compiled(dutch.Stem), nil},
	"english":    {inLowerCase(compiled(english.Stem)), nil},
	"finnish":    {compiled(finnish.Stem), nil},
	"french":     {french.Stem, french.IsStopWord},
	"german":     {compiled(german.Stem), nil},
	"greek":      {unstemmed, nil},
	"hungarian":  {hungarian.Stem, hungarian.IsStopWord},
	"indonesian": {unstemmed, nil},
	"italian":    {compiled(italian.Stem), nil},
	"norwegian":  {norwegian.Stem, norwegian.IsStopWord},
	"polish":     {unstemmed, nil},
	"portuguese": {compiled(portuguese.Stem), nil},
	"romanian":   {withCedillas(compiled(romanian.Stem)), nil},
	"russian":    {russian.Stem, russian.IsStopWord},
	"spanish":    {spanish.Stem, spanish.IsStopWord},
	"swedish":    {swedish.Stem, swedish.IsStopWord},
	"turkish":    {compiled(turkish.Stem), nil},
	"ukrainian":  {unstemmed, nil},
}

// Stemmer is the Snowball stemmer of a language; nil for what is no language here.
func Stemmer(language string) func(word string, stemStopWords bool) string {
	if s := stemmers[language]; s != nil {
		return s.stem
	}
	return nil
}

// unstemmed leaves words as they are: of the language there is a list of stop words alone.
func unstemmed(word string, _ bool) string { return word }

// cedillas has the letters of Romanian as older texts, and its stemmer, write them.
var cedillas = strings.NewReplacer("ș", "ş", "ț", "ţ")

// withCedillas is a stemmer of words in both spellings.
func withCedillas(stem func(string, bool) string) func(string, bool) string {
	return func(word string, stop bool) string { return stem(cedillas.Replace(word), stop) }
}

// inLowerCase is a stemmer of words in any case.
func inLowerCase(stem func(string, bool) string) func(string, bool) string {
	return func(word string, stop bool) string { return stem(strings.ToLower(word), stop) }
}

// compiled is a stemmer that was made by Snowball's compiler. It stems stop words too.
func compiled(stem func(*snowballstem.Env) bool) func(string, bool) string {
	return func(word string, _ bool) string {
		env := snowballstem.NewEnv(word)
		stem(env)
		return env.Current()
	}
}

// Names are the languages, the usual one first and the others in
// alphabetical order. A language's index is its number.
var Names = func() []string {
	names := Sorted()
	at := slices.Index(names, Usual)
	return append([]string{Usual}, slices.Delete(names, at, at+1)...)
}()

// Splitting are the languages in which an apostrophe separates words.
var Splitting = []string{"catalan", "french", "italian"}

// languageCodes are the codes of ISO 639 of the languages, and other names of them.
var languageCodes = map[string]string{
	"ar": "arabic", "ara": "arabic", "ca": "catalan", "cat": "catalan", "cs": "czech", "ces": "czech", "cze": "czech",
	"el": "greek", "ell": "greek", "gre": "greek", "id": "indonesian", "ind": "indonesian", "pl": "polish", "pol": "polish",
	"ro": "romanian", "ron": "romanian", "rum": "romanian", "tr": "turkish", "tur": "turkish", "uk": "ukrainian", "ukr": "ukrainian",
	"da": "danish", "dan": "danish", "nl": "dutch", "nld": "dutch", "dut": "dutch", "en": "english", "eng": "english",
	"fi": "finnish", "fin": "finnish", "fr": "french", "fra": "french", "fre": "french", "de": "german", "deu": "german", "ger": "german",
	"hu": "hungarian", "hun": "hungarian", "it": "italian", "ita": "italian",
	"no": "norwegian", "nb": "norwegian", "nn": "norwegian", "nor": "norwegian", "pt": "portuguese", "por": "portuguese",
	"ru": "russian", "rus": "russian", "es": "spanish", "spa": "spanish", "sv": "swedish", "swe": "swedish",
}

// codeOf is the shortest code of a language, of equally short ones the alphabetically last (no for
// Norwegian).
func codeOf(language string) (code string) {
	for c, l := range languageCodes {
		if l == language && (code == "" || len(c) < len(code) || len(c) == len(code) && c > code) {
			code = c
		}
	}
	return code
}

// Sorted returns the languages, in alphabetical order.
func Sorted() []string {
	var names []string
	for name := range stemmers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Choices lists what may be chosen but none: names with their codes.
func Choices() string {
	list := []string{Auto}
	for _, name := range Sorted() {
		list = append(list, name+" ("+codeOf(name)+")")
	}
	return strings.Join(list, ", ")
}

// Known reports whether a name may be chosen: a language, several, [Auto] or [None].
func Known(name string) bool {
	return name == Auto || name == None || stemmers[name] != nil || Several(name) != nil
}

// Several are the numbers of the languages that a list separated by commas has, in its
// order; nil for anything else.
func Several(list string) (numbers []Tongue) {
	if !strings.Contains(list, ",") {
		return nil
	}
	for name := range strings.SplitSeq(list, ",") {
		k := slices.Index(Names, name)
		if k < 0 {
			return nil
		}
		numbers = append(numbers, Tongue(k))
	}
	return numbers
}

// isRegion is what may follow a code of a language: a country or a script.
var isRegion = pattern.Lazy(`^([a-z]{2}|[0-9]{3}|latn|cyrl|hans|hant)$`)

// Name returns the name of a language that is given by its name in any case, or by its code
// (en, en-US, eng), and of a list separated by commas the names (de, en: german,english); another
// word is returned as it is.
func Name(name string) string {
	if strings.Contains(name, ",") {
		list := strings.Split(name, ",")
		for i := range list {
			list[i] = Name(list[i])
		}
		if names := strings.Join(list, ","); Several(names) != nil {
			return names
		}
		return name
	}
	lower := strings.ToLower(strings.TrimSpace(name))
	code, region, more := strings.Cut(strings.ReplaceAll(lower, "_", "-"), "-")
	if more && !isRegion().MatchString(region) {
		return name // of a file, perhaps: de-stop.txt
	}
	switch {
	case Known(lower):
		return lower
	case languageCodes[code] != "":
		return languageCodes[code]
	}
	return name
}
