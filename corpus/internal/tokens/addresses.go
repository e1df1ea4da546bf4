package tokens

import "strings"

// address looks whether the word from start to end begins an address of the web: a scheme before
// ://, or www and a point. It returns where the text goes on: after the address, or after its
// scheme or www if the words of addresses count; 0 if there is none.
func (s *Scanner) address(start, end int) int {
	word, rest := s.text[start:end], s.text[end:]
	switch {
	case strings.HasPrefix(rest, "://") && isScheme(word[elided(word):]):
		end += len("://")
	case strings.HasPrefix(rest, ".") && strings.EqualFold(word, "www") && letterAt(rest, 1):
		end++
	default:
		return 0
	}
	s.Addressed = true
	if s.Addresses {
		return end
	}
	for end < len(s.text) && inAddress[s.text[end]] {
		end++
	}
	return end
}

// elided is the length of what an apostrophe ends in a word, such as l' of l'http.
func elided(word string) int {
	for _, mark := range []string{"'", "\u2019"} {
		if at := strings.LastIndex(word, mark); at >= 0 {
			return at + len(mark)
		}
	}
	return 0
}

// isScheme reports whether a word may be the scheme of an address: letters and digits of ASCII, the
// first a letter.
func isScheme(word string) bool {
	if word == "" {
		return false
	}
	for i := range len(word) {
		if c := word[i]; c >= 0x80 || byteClass[c] != byteLetter && (i == 0 || byteClass[c] != byteDigit) {
			return false
		}
	}
	return true
}

// inAddress has the bytes that an address goes on with: those of ASCII that are visible, but for
// marks that enclose it. Other letters end it, because texts without blanks between words go on
// there; addresses have them in escapes.
var inAddress = func() (in [256]bool) {
	for c := byte('!'); c <= '~'; c++ {
		in[c] = !strings.ContainsRune("\"'`<>()[]{}|\\^", rune(c))
	}
	return in
}()
