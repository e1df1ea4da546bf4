package tokens

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// withoutCutOff takes from a word with an apostrophe what is before it, if that is left of a short
// word whose vowel is cut off before that of the next, as in Kirundi w'umutekano and ry'igihugu:
// one or two consonants before a vowel. Stops before an apostrophe are letters of their own, such
// as g' in Uzbek, ng' in Swahili, and k', t' and ch' in Quechua.
func withoutCutOff(word []byte) []byte {
	at := bytes.IndexByte(word, '\'')
	if at < 1 || at > 2 || bytes.ContainsFunc(word[:at], func(r rune) bool { return r < 'a' || r > 'z' || isVowel(r) || isStop(r) }) || string(word[:at]) == "ch" {
		return word
	}
	next, _ := utf8.DecodeRune(word[at+1:])
	if base, _ := utf8.DecodeRuneInString(norm.NFD.String(string(unicode.ToLower(next)))); !isVowel(base) {
		return word
	}
	return word[:copy(word, word[at+1:])]
}

func isVowel(r rune) bool { return strings.ContainsRune("aeiou", r) }

// isStop reports whether r is a letter of a consonant that an apostrophe may make another one.
func isStop(r rune) bool { return strings.ContainsRune("gkpqtx", r) }
