package charset

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"golang.org/x/text/encoding/charmap"
)

// Once undoes an encoding that was done twice: a text whose letters outside of ASCII are the bytes
// of UTF-8, each read as a character of Latin-1 or Windows-1252, as exports of Facebook write them
// and programs that take UTF-8 for Windows-1252. It returns false for another text.
//
// All such letters have to be whole characters of UTF-8, and one of them begins with Ã or Â or
// holds one that stands in no text: a control character, or a sign such as € that letters follow
// and precede. The end of a word in capitals before a mark (AMANHÃ…) is no such character.
func Once(text string) (string, bool) {
	if !strings.Contains(text, "Ã") && !strings.Contains(text, "Â") && !strings.Contains(text, "â€") && !hasControls(text) {
		return text, false
	}
	var out strings.Builder
	out.Grow(len(text))
	twice := false
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			out.WriteByte(text[i])
			i++
			continue
		}
		r, n, sure := onceRune(text[i:])
		if n == 0 {
			return text, false
		}
		twice = twice || sure && !inCapitals(text[:i], text[i:i+n], text[i+n:])
		out.WriteRune(r)
		i += n
	}
	if !twice {
		return text, false
	}
	return out.String(), true
}

// inCapitals reports whether two characters may be the last letter of a word in capitals and a mark
// after it, as in AMANHÃ… or AVELÔ.
func inCapitals(before, pair, after string) bool {
	_, n := utf8.DecodeRuneInString(pair)
	if !strings.Contains("…’”–—»›", pair[n:]) || n == len(pair) || len(before) == 0 {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	return unicode.IsUpper(last) && !unicode.IsLetter(next)
}

// hasControls reports whether a text has characters from U+0080 to U+009F.
func hasControls(text string) bool {
	for i := strings.IndexByte(text, 0xc2); i >= 0 && i+1 < len(text); {
		if text[i+1] < 0xa0 {
			return true
		}
		next := strings.IndexByte(text[i+2:], 0xc2)
		if next < 0 {
			return false
		}
		i += 2 + next
	}
	return false
}

// onceRune returns the character that the first ones of a text are the bytes of, and how many bytes
// of the text these take; 0 if they are none. sure says that no text has them for themselves.
func onceRune(text string) (r rune, n int, sure bool) {
	var raw [utf8.UTFMax]byte
	for k := range raw {
		c, size := utf8.DecodeRuneInString(text[n:])
		b, ok := charmap.Windows1252.EncodeRune(c)
		if c >= 0x80 && c < 0xa0 {
			b, ok, sure = byte(c), true, true
		}
		if !ok || b < utf8.RuneSelf || size == 0 {
			return 0, 0, false
		}
		raw[k] = b
		n += size
		if r, whole := utf8.DecodeRune(raw[:k+1]); r != utf8.RuneError {
			return r, n, sure || raw[0] == 0xc3 || raw[0] == 0xc2 || whole > 2
		}
	}
	return 0, 0, false
}

// TwiceNote says how many texts were encoded twice.
func TwiceNote(texts int) (notes []string) {
	if texts == 0 {
		return nil
	}
	return []string{message.Plural(texts, "text was", "texts were") + " written in UTF-8 twice, as exports of Facebook are, and read as meant."}
}
