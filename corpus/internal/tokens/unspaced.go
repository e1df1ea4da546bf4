package tokens

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// unspaced are the scripts of alphabets that put no blanks between words, and what cuts such texts
// into words.
var unspaced = [...]struct {
	name, tool string
	table      *unicode.RangeTable
}{
	{"Thai", "PyThaiNLP", unicode.Thai}, {"Lao", "LaoNLP", unicode.Lao}, {"Khmer", "khmer-nltk", unicode.Khmer}, {"Burmese", "pyidaungsu", unicode.Myanmar},
}

// Unspaced is the number of these scripts.
const Unspaced = len(unspaced)

// wordLetters is the largest mean number of letters between blanks of a text whose words have
// blanks between them. Words of these languages have three to five letters beside their marks, and
// sentences without blanks some thirty.
const wordLetters = 8

// clustersInPiece is how many characters, each with its marks, make a word where nothing separates
// words.
const clustersInPiece = 3

// unspacedScript is the number of the script in [unspaced] that a letter is of; -1 for another.
func unspacedScript(r rune) int {
	if r < 0x0e00 || r > 0xaa7f || r > 0x17ff && r < 0xa9e0 || !unicode.IsLetter(r) {
		return -1
	}
	for k := range unspaced {
		if unicode.Is(unspaced[k].table, r) {
			return k
		}
	}
	return -1
}

// packed reports whether r is a letter of a script without blanks, in a text that has none between
// its words. The first such letter decides about the text, which is then looked at to its end.
func (s *Scanner) packed(r rune) bool { return s.packedAt(r, s.pos) }

// packedAt is packed of the letter at pos.
func (s *Scanner) packedAt(r rune, pos int) bool {
	if r < 0x0e00 {
		return false
	}
	script := unspacedScript(r)
	if script < 0 {
		return false
	}
	if s.Script == 0 {
		s.Script = script + 1
		s.Whole = hasBlanks(s.text[pos:])
	}
	return !s.Whole
}

// hasBlanks reports whether the letters of such scripts have blanks, or other characters, between
// words.
func hasBlanks(text string) bool {
	letters, runs, inside := 0, 0, false
	for _, r := range text {
		switch {
		case unspacedScript(r) >= 0:
			letters++
			if !inside {
				runs++
			}
			inside = true
		case !unicode.IsMark(r):
			inside = false
		}
	}
	return letters <= wordLetters*runs
}

// clusters makes the word of the next characters of a run without blanks, each with its marks, or
// of all if there are fewer. The next word begins one character later.
func (s *Scanner) clusters() bool {
	end, next := s.pos, 0
	n := 0
	for ; n < clustersInPiece; n++ {
		e := clusterEnd(s.text, end)
		if e == end {
			break
		}
		if end = e; n == 0 {
			next = e
		}
	}
	inside := s.pair
	begin := s.pos
	if n < clustersInPiece {
		s.pos, s.pair = end, false
		if inside {
			return false // a part of the word before
		}
	} else {
		s.pos, s.pair = next, true
	}
	s.Plain = false
	piece := s.text[begin:end]
	if len(piece) > MaxLength*utf8.UTFMax || utf8.RuneCountInString(piece) > MaxLength {
		return false
	}
	s.Word = append(s.Word[:0], piece...)
	return true
}

// clusterEnd is the end of the letter at pos of a script without blanks and of what belongs to it:
// marks, and letters below it; pos if there is no such letter.
func clusterEnd(text string, pos int) int {
	r, size := utf8.DecodeRuneInString(text[pos:])
	if unspacedScript(r) < 0 {
		return pos
	}
	for pos += size; pos < len(text); pos += size {
		r, size = utf8.DecodeRuneInString(text[pos:])
		if !unicode.IsMark(r) {
			break
		}
		if r == 0x17d2 || r == 0x1039 { // Khmer and Burmese: the next letter stands below
			if below, n := utf8.DecodeRuneInString(text[pos+size:]); unspacedScript(below) >= 0 {
				size += n
			}
		}
	}
	return pos
}

// UnspacedNotes says which texts were cut into pieces; counts are the numbers of documents by
// script.
func UnspacedNotes(counts []int) (notes []string) {
	for k, n := range counts {
		if n == 0 {
			continue
		}
		u := unspaced[k]
		notes = append(notes, fmt.Sprintf("%s %s, which has no blanks between words: overlapping runs of %d characters are counted in place of words. To count words, put blanks between them first, for instance with %s.",
			message.Plural(n, "document is", "documents are"), u.name, clustersInPiece, u.tool))
	}
	return notes
}
