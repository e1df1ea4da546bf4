package language

import (
	_ "embed"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/tokens"

	"golang.org/x/text/unicode/norm"
)

// Tongue is what a text is written in: the number of a language, then a script that other languages
// have, then what was not recognised, and what has no words.
type Tongue uint8

// scripts are the scripts by which texts of other languages are named. Greek is of one language, in
// which a text of such words is even without one of the commonest.
var scripts = []struct {
	name   string
	tables []*unicode.RangeTable
}{
	{"Thai", []*unicode.RangeTable{unicode.Thai}}, {"Lao", []*unicode.RangeTable{unicode.Lao}}, {"Khmer", []*unicode.RangeTable{unicode.Khmer}},
	{"Burmese", []*unicode.RangeTable{unicode.Myanmar}}, {"Japanese", []*unicode.RangeTable{unicode.Hiragana, unicode.Katakana}},
	{"Chinese characters", []*unicode.RangeTable{unicode.Han}}, {"Korean", []*unicode.RangeTable{unicode.Hangul}}, {"Greek", []*unicode.RangeTable{unicode.Greek}},
	{"Arabic script", []*unicode.RangeTable{unicode.Arabic}}, {"Hebrew", []*unicode.RangeTable{unicode.Hebrew}},
	{"Devanagari", []*unicode.RangeTable{unicode.Devanagari}}, {"Cyrillic script", []*unicode.RangeTable{unicode.Cyrillic}},
}

const (
	languageCount = 22 // of Names
	scriptCount   = 12 // of scripts
	unknownTongue = Tongue(languageCount + scriptCount)
	otherTongue   = unknownTongue + 1 // of a text in Latin letters that is plainly of no language here
	noTongue      = otherTongue + 1   // of a text without a word
	// Tongues is how many there are.
	Tongues = int(noTongue) + 1
)

// Language is the number of the language in which a text is read; the number of [Names] stands for
// one of which nothing is known.
func (t Tongue) Language() Tongue {
	switch {
	case t < languageCount:
		return t
	case t == otherTongue:
		return languageCount
	}
	return 0
}

// String names the language or script.
func (t Tongue) String() string {
	switch {
	case t < languageCount:
		return Names[t]
	case t < unknownTongue:
		return scripts[t-languageCount].name
	case t == otherTongue:
		return "none of them"
	}
	return "not recognised"
}

// letters are the letters that a language has in addition to English; "" for a language of another
// script.
var letters = map[string]string{
	"catalan": "àçèéíïòóúü", "czech": "áčďéěíňóřšťúůýž", "polish": "ąćęłńóśźż", "romanian": "ăâîșțşţ", "turkish": "çğıöşü",
	"danish": "æøåé", "dutch": "éëï", "finnish": "äöå", "french": "àâæçéèêëîïôœùûüÿ", "german": "äöüß", "hungarian": "áéíóöőúüű",
	"italian": "àèéìòù", "norwegian": "æøåéòô", "portuguese": "áâãàçéêíóôõú", "spanish": "áéíñóúü", "swedish": "åäöé",
}

//go:embed tonguewords.txt
var tongueWords string

// knownWords are the commonest words of all languages. words finds the number of one, languages are
// those that a word has, a bit each.
type knownWords struct {
	words     *tokens.Table
	languages []uint32
	borrowed  []bool          // words that English texts have in names, titles and borrowed phrases
	letters   map[rune]uint32 // Sorted that have a letter that English has not
}

// borrowed are such words: "La Scala", "Van Dyk", "Die Hard", "en route".
var borrowed = strings.Fields("la le les el los las en van von der den de del di du da dos die war man men san par est et dan")

var commonWords = sync.OnceValue(func() *knownWords {
	k := &knownWords{words: tokens.NewTable(), letters: make(map[rune]uint32)}
	for line := range strings.Lines(tongueWords) {
		list := strings.Fields(line)
		if len(list) == 0 || list[0] == "#" {
			continue
		}
		bit := uint32(1) << slices.Index(Names, list[0])
		for _, w := range append(list[1:], plainWords(list[0])...) {
			at, met := tokens.Find(k.words, w)
			if !met {
				at = int32(len(k.languages))
				k.words.Add(w, at)
				k.languages = append(k.languages, 0)
				k.borrowed = append(k.borrowed, slices.Contains(borrowed, w))
			}
			k.languages[at] |= bit
		}
		for _, r := range letters[list[0]] {
			k.letters[r] |= bit
		}
	}
	return k
})

// plainWords returns the stop words of a language that no English text has several of: words with a
// letter that is not ASCII or of five letters or more, without English stop words.
func plainWords(language string) (words []string) {
	for w := range stopSets()[language] {
		plain := !strings.ContainsFunc(w, func(r rune) bool { return r >= utf8.RuneSelf })
		if language != Usual && (!plain || len(w) >= 5) && !IsStop(Usual, w) {
			words = append(words, w)
		}
	}
	slices.Sort(words)
	return words
}

// Bounds of the look at a text.
const (
	lookedWords  = 300 // words that are looked at
	lookedAtOnce = 32  // words until it may end
	// A text of longText words or more has a different one of the commonest words of its language
	// in every mostWordsOfOne words; in a table of contents fewOfOne of them are enough, if a
	// quarter of all words are of the language.
	longText, mostWordsOfOne, fewOfOne = 40, 25, 5
	// The look ends when there are plainlyEnglish words of English and plainlyMore times as many as
	// of any other language.
	plainlyEnglish, plainlyMore = 12, 4
)

// evidence is what was counted of the words of a text.
type evidence struct {
	words    int
	unique   [languageCount]int // words with a letter that no other language here has
	hits     [languageCount]int // words that are among the commonest of a language
	distinct [languageCount]int // different ones of these that are none of English
	own      [languageCount]int // distinct ones that are not borrowed
	shared   [languageCount]int // hits that are among the commonest of English too
	marked   [languageCount]int // words with letters that English does not have and the language has
	scripts  [scriptCount]int   // words that begin with a letter of a script
	seen     [96]uint64         // of the commonest words
	// ukrainian are words with Cyrillic letters of Ukrainian that Russian does not have, and other
	// words with letters that neither has.
	ukrainian, otherCyrillic int
	// notUkrainian are words with Cyrillic letters that Ukrainian does not have, and notArabic
	// words with letters of Persian, Urdu and other languages in Arabic script.
	notUkrainian, notArabic int
	foreign                 int // words with a Latin letter that no language here has
}

// ukrainian and otherCyrillic are letters that Russian does not have: of Ukrainian, and of
// Belarusian, Serbian and Macedonian alone.
const ukrainian, otherCyrillic = "іїєґ", "ўјљњћђџѓќѕ"

// notUkrainian are letters of Russian and Belarusian, and notArabic of Persian and Urdu.
const notUkrainian, notArabic = "ыэёъ", "پچژگکیٹڈڑںہھےێۆڵ"

// Of finds out what a text is written in, by its first words: one of the languages of among,
// if that is not nil. The scanner is left at some place in the text. Cost: at most [lookedWords]
// words, a few dozen of an English text.
func Of(s *tokens.Scanner, text string, among []Tongue) Tongue {
	known := commonWords()
	var e evidence
	split := s.Split
	s.Split = true
	var list [lookedAtOnce]tokens.Key
	meet := func(at int32) { e.meet(int(at), known.languages[at], known.borrowed[at]) }
	for s.Begin(text); e.words < lookedWords; {
		left := min(lookedAtOnce-e.words%lookedAtOnce, lookedWords-e.words)
		found := s.Keys(list[:left])
		for _, k := range list[:found] {
			if at, ok := known.words.Find(k); ok {
				meet(at)
			}
		}
		if e.words += found; found < left {
			if !s.NextSlowly() {
				break
			}
			e.words++
			at, ok := known.words.FindNext(s)
			if !ok && !s.Plain {
				word := norm.NFC.String(strings.ToLower(string(s.Spelling())))
				if at, ok = tokens.Find(known.words, word); !ok || word[0] >= 0xd0 && word[0] <= 0xd3 {
					e.look(known, word)
				}
			}
			if ok {
				meet(at)
			}
		}
		if e.words%lookedAtOnce == 0 && e.isEnglish() {
			break
		}
	}
	s.Split = split
	if among != nil {
		return e.decideAmong(among)
	}
	t := e.decide(nil)
	if (t == 0 || t == unknownTongue) && plainEnglish*e.hits[0] < e.words && notEnglish(s, text) {
		return otherTongue
	}
	return t
}

// meet counts one of the commonest words, of the languages whose bits are set.
func (e *evidence) meet(at int, languages uint32, borrowed bool) {
	first := e.seen[at/64]>>(at%64)&1 == 0
	e.seen[at/64] |= 1 << (at % 64)
	for rest := languages; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros32(rest)
		e.hits[l]++
		switch {
		case languages&1 != 0:
			e.shared[l]++
		case first:
			e.distinct[l]++
			if !borrowed {
				e.own[l]++
			}
		}
	}
}

// look counts a word that is not ASCII: by the letters in it, or by its script.
func (e *evidence) look(known *knownWords, word string) {
	switch {
	case strings.ContainsAny(word, otherCyrillic):
		e.otherCyrillic++
	case strings.ContainsAny(word, ukrainian):
		e.ukrainian++
	case strings.ContainsAny(word, notUkrainian):
		e.notUkrainian++
	case strings.ContainsAny(word, notArabic):
		e.notArabic++
	}
	r, _ := utf8.DecodeRuneInString(word)
	if r >= 0x370 {
		for k := range scripts {
			if unicode.In(r, scripts[k].tables...) {
				e.scripts[k]++
				return
			}
		}
		return
	}
	all, foreign := ^uint32(0), false
	for _, r := range word {
		if r >= utf8.RuneSelf {
			all &= known.letters[r]
			foreign = foreign || known.letters[r] == 0 && unicode.IsLetter(r)
		}
	}
	if foreign {
		e.foreign++
		return
	}
	for l := range e.marked {
		e.marked[l] += int(all >> l & 1)
	}
	for _, r := range word {
		if of := known.letters[r]; of != 0 && of&(of-1) == 0 {
			e.unique[bits.TrailingZeros32(of)]++
			return
		}
	}
}

// isEnglish reports whether a text is plainly English.
func (e *evidence) isEnglish() bool {
	return e.hits[0] >= plainlyEnglish && e.hits[0] >= plainlyMore*slices.Max(e.hits[1:])
}

// decideAmong says in which of some languages the text is read: the one that [evidence.decide]
// finds. If it finds none of them, this is the one of which the text has the most words; English,
// if two have as many; the first, if it has no such word.
func (e *evidence) decideAmong(list []Tongue) Tongue {
	t := e.decide(list)
	if t == noTongue || t > 0 && t != unknownTongue && slices.Contains(list, t.Language()) {
		return t // not English, of which one word is enough there
	}
	best := slices.MaxFunc(list, func(a, b Tongue) int { return e.of(int(a)) - e.of(int(b)) })
	if e.hits[0] > 0 && e.of(0) == e.of(int(best)) && slices.Contains(list, 0) {
		return 0
	}
	return best
}

// of is how many words and letters of language l the text has.
func (e *evidence) of(l int) int {
	return e.hits[l] + max(min(e.marked[l], e.hits[l]), e.unique[l])
}

// decide says what the text is written in: a language of which it has enough words, a script that
// most words are of, or English; nothing without words. If list is not nil, it finds the languages
// of the list, English, and those of scripts.
func (e *evidence) decide(list []Tongue) Tongue {
	best, most, second := 0, 0, 0
	for l := 1; l < languageCount; l++ {
		n := e.of(l)
		switch {
		case list != nil && !slices.Contains(list, Tongue(l)) || !e.speaks(l, n):
		case n > most || n == most && Names[best] == "catalan": // has Spanish's commonest words too
			best, most, second = l, n, most
		default:
			second = max(second, n)
		}
	}
	if best > 0 && (most > second || e.distinct[best] >= 3) {
		return Tongue(best)
	}
	for k, n := range e.scripts {
		if 2*n >= e.words && n > 0 {
			if l := e.onlyLanguage(scripts[k].name); l != "" {
				return Tongue(slices.Index(Names, l))
			}
			return Tongue(languageCount + k)
		}
	}
	if japanese := e.scripts[4] + e.scripts[5]; e.scripts[4] > 0 && 2*japanese >= e.words {
		return languageCount + 4
	}
	switch {
	case e.words == 0:
		return noTongue
	case e.hits[0] > 0:
		return 0
	}
	return unknownTongue
}

// onlyLanguage is the language of a text in a script of which it has none of the commonest words:
// the only one here that has the letters that it has; "" for none.
func (e *evidence) onlyLanguage(script string) string {
	switch {
	case script == "Greek":
		return "greek"
	case script == "Arabic script" && e.notArabic == 0:
		return "arabic"
	case script == "Cyrillic script" && e.ukrainian > 0 && e.otherCyrillic+e.notUkrainian == 0:
		return "ukrainian"
	}
	return ""
}

// speaks reports whether a text may be in language l, of which it has n words and letters. That
// needs three different words that English does not have, one of them not borrowed in a text of
// fewer than eight words, and twice as many words as English; or two, one of them not borrowed, or
// with a letter of its own, in a text whose English words are all of the language too, as in is of
// German. A sixth of all words must be of the language. Texts of languages that have no list here
// share a few short words with one that has, again and again, or have letters of their own.
func (e *evidence) speaks(l, n int) bool {
	few := mostWordsOfOne*e.distinct[l] < e.words && (e.distinct[l] < fewOfOne || 4*n < e.words)
	if e.words >= longText && few || 10*e.foreign > e.words {
		return false
	}
	switch Names[l] {
	case "russian":
		if 20*(e.ukrainian+e.otherCyrillic) > e.words {
			return false
		}
	case "ukrainian":
		if e.ukrainian == 0 || 20*e.otherCyrillic > e.words {
			return false
		}
	}
	switch own := e.own[l] > 0; {
	case e.distinct[l] >= 3 && (own || e.words >= 8) && n > 2*e.hits[0]:
		return 6*n >= e.words
	case e.hits[0] > e.shared[l]:
		return false
	case e.distinct[l] == 2 && (own || e.marked[l] > 0) && 6*n >= e.words:
		return true
	}
	if e.unique[l] >= 2 && 5*e.unique[l] >= e.words {
		return true
	}
	return e.distinct[l] >= 1 && e.marked[l] >= 2 && 4*n >= e.words
}

// Mixed reports whether some of the texts are read in another way than English. counts has the
// number of texts of each language.
func Mixed(counts []int) bool {
	return counts[otherTongue] > 0 || slices.ContainsFunc(counts[1:languageCount], func(n int) bool { return n > 0 })
}

// NoneKnown reports whether all texts with words are in languages of which nothing is known here.
func NoneKnown(counts []int) bool {
	all := 0
	for _, n := range counts[:noTongue] {
		all += n
	}
	return counts[otherTongue] == all && all > 0
}

// mostChance bounds the chance finds of languages: they are in fewer than one in mostChance texts.
const mostChance = 20

// Notes says what the texts are written in, if some are not English, and with a choice how to
// name languages for all; counts has the number of texts of each language. Languages that fewer
// than one in a hundred texts are in are chance, and have no name.
func Notes(counts []int, choice bool) (notes []string) {
	var order []int
	all, others := 0, 0
	for _, n := range counts[:noTongue] {
		all += n
	}
	for k, n := range counts[:unknownTongue] {
		if 100*n >= all && n > 0 {
			order = append(order, k)
		} else {
			others += n
		}
	}
	unknown, foreign := counts[unknownTongue], counts[otherTongue]
	if NoneKnown(counts) {
		way := ""
		if choice {
			way = " ‹stop-words› takes a file of its stop words, and ‹language› names another language for all."
		}
		return []string{"The language of the documents is none of those with a stemmer or a list of words here: their words count as they are." + way}
	}
	if mostChance*foreign < all && (len(order) == 0 || len(order) == 1 && order[0] == 0 && mostChance*others < all) {
		return nil // short English texts without one of the commonest words are not known either
	}
	slices.SortStableFunc(order, func(a, b int) int { return counts[b] - counts[a] })
	var list, names []string
	known := others
	for _, k := range order {
		if k < languageCount {
			names = append(names, Names[k])
		}
		list = append(list, Tongue(k).String()+" of "+strconv.Itoa(counts[k]))
		known += counts[k]
	}
	if others > 0 {
		list = append(list, "others of "+strconv.Itoa(others))
	}
	way := ""
	if choice {
		way = wayOfTongues(counts, order, names, known, others)
	}
	rest := ""
	if unknown > 0 {
		rest = fmt.Sprintf("; %d not recognised, read as English", unknown)
	}
	if foreign > 0 {
		rest += fmt.Sprintf("; %d in none of those known here, whose words count as they are", foreign)
	}
	if len(list) == 0 {
		rest = strings.TrimPrefix(rest, "; ")
	}
	return []string{fmt.Sprintf("Languages of the documents, each found by its own words: %s%s.%s", strings.Join(list, ", "), rest, way)}
}

// wayOfTongues says how to name languages for all texts. order are the numbers of what the note
// names, and names the languages among them. known is how many texts are in something recognised,
// and others how many of these the note does not name.
func wayOfTongues(counts, order []int, names []string, known, others int) string {
	main := 0
	if len(order) > 0 {
		main = order[0]
	}
	switch {
	case counts[unknownTongue] > 0 && 0 < main && main < languageCount && 10*counts[main] >= 9*known:
		return " ‹language› " + Names[main] + " reads all of them in it."
	case others > 0 && len(names) > 1:
		return " ‹language› " + strings.Join(names, ",") + " reads all of them in one of these."
	}
	return " ‹language› names one for all."
}
