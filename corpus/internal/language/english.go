package language

import (
	_ "embed"
	"math"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/tokens"
)

//go:embed trigrams_english.txt
var trigramsOfEnglish string

// trigram is three letters of a word; outside is its edge, and other a letter that is not ASCII.
type trigram [3]byte

const (
	outside = '_'
	other   = '*'
)

// englishTrigrams are common runs of three letters in English words. Of the runs in different words
// of English texts more than half are among them, with the stop words or without; in Kirundi, Zulu,
// Somali and Hausa it is a quarter to two fifths.
var englishTrigrams = sync.OnceValue(func() map[trigram]bool {
	set := make(map[trigram]bool)
	for line := range strings.Lines(trigramsOfEnglish) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for run := range strings.FieldsSeq(line) {
			set[trigram([]byte(run))] = true
		}
	}
	return set
})

const (
	// fewTrigrams is how many runs of letters are needed to say that a text is not English: those of
	// some fifteen words. Names, products and lines of logs have few common runs in English too.
	fewTrigrams = 80
	// plainEnglish is the part of the words of a text from which on those that are among the
	// commonest of English say alone that it is English: one in so many.
	plainEnglish = 4
)

// notEnglish reports whether the words of a text in Latin letters are plainly not English: so few
// of the runs of three letters in its first words are common in English that this is no chance. The
// scanner is left at some place in the text.
func notEnglish(s *tokens.Scanner, text string) bool {
	common := englishTrigrams()
	var seen [4 * lookedWords]uint32 // hashes of words, in the first place from their own that was free
	runs, hits := 0, 0
	split := s.Split
	s.Split = true
	defer func() { s.Split = split }()
	s.Begin(text)
	for looked := 0; looked < lookedWords && s.Next(); looked++ {
		word := s.Spelling()
		hash, letters := uint32(2166136261), 0 // FNV-1a
		for i := 0; i < len(word); {
			r, size := rune(word[i]), 1
			if r >= utf8.RuneSelf {
				r, size = utf8.DecodeRune(word[i:])
			}
			i += size
			if hash = (hash ^ uint32(r)) * 16777619; unicode.IsMark(r) {
				continue
			}
			if letters++; r < 'a' || r > 'z' && (r < utf8.RuneSelf || !unicode.Is(unicode.Latin, r)) {
				letters = math.MinInt32 // of another script, or a digit
			}
		}
		at := hash % uint32(len(seen))
		for seen[at] != 0 && seen[at] != hash|1 {
			at = (at + 1) % uint32(len(seen))
		}
		if seen[at] != 0 || letters < 3 {
			continue
		}
		seen[at] = hash | 1
		t := trigram{other, other, outside}
		for i := 0; i <= len(word); {
			next, size := byte(outside), 1
			if i < len(word) {
				if next = word[i]; next >= utf8.RuneSelf {
					var r rune
					if r, size = utf8.DecodeRune(word[i:]); unicode.IsMark(r) {
						i += size
						continue
					}
					next = other
				}
			}
			i += size
			if t = (trigram{t[1], t[2], next}); t[0] != other || t[1] != outside {
				runs++
				if common[t] {
					hits++
				}
			}
		}
	}
	return runs >= fewTrigrams && float64(hits) < float64(runs)/2-1.25*math.Sqrt(float64(runs)) // 2.5 standard deviations
}
