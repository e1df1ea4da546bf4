// Package tokens cuts a text into words: of letters of any script, of pieces where a script has no
// blanks, and emoji.
package tokens

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxLength is the most characters of a word. Longer runs are not words (an encoded attachment, a
// hash).
const MaxLength = 64

// Classes of the bytes below 128. Unicode's tables classify longer runes.
const (
	byteBreak = iota
	byteLetter
	byteDigit
	byteQuote
)

var byteClass = func() (class [utf8.RuneSelf]uint8) {
	for c := range class {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
			class[c] = byteLetter
		case '0' <= c && c <= '9':
			class[c] = byteDigit
		case c == '\'':
			class[c] = byteQuote
		}
	}
	return class
}()

// Scanner cuts a text into words: runs of letters, digits and marks. It makes ASCII letters lower
// case; who counts the words does the rest, once per distinct word. Bytes that are not UTF-8
// separate words.
type Scanner struct {
	text  string
	pos   int
	Split bool // apostrophes separate
	Elide bool // what [withoutCutOff] finds is no part of the word
	Plain bool // the word that Next found is ASCII without apostrophe: canonical as it is
	// Key is the word that Next found, of up to KeyBytes bytes; Size is its length in bytes.
	Key  Key
	Size int
	// Word has the bytes of a word that is longer or not plain, until the next call;
	// [Scanner.Spelling] puts the bytes of other words there.
	Word []byte
	pair bool // the last word was a pair of ideographs, or a piece of a run, and its second one is at pos
	// Addressed says that the text has an address of the web, whose words are passed over unless
	// Addresses is set.
	Addressed, Addresses bool
	// Script is the number, from 1 to [Unspaced], of the script without blanks of the first letter of
	// the text that is of one; 0: none was met. Whole says that the text has blanks between its words.
	Script int
	Whole  bool
}

// Begin sets the scanner to the beginning of a text.
func (s *Scanner) Begin(text string) {
	s.text, s.pos, s.pair, s.Script, s.Whole = text, 0, false, 0, false
	s.Addressed, s.Addresses = false, false
}

// Next finds the next word that has a letter and is not too long, or an emoji, and reports whether
// there is one.
func (s *Scanner) Next() bool {
	var one [1]Key
	if s.Keys(one[:]) == 0 {
		return s.NextSlowly()
	}
	s.Key, s.Size, s.Plain, s.Word = one[0], one[0].Size(), true, s.Word[:0]
	return true
}

// Keys finds the next words up to the first that is longer than KeyBytes or not plain, and returns
// how many there are, at most len(list). If there are fewer, [Scanner.NextSlowly] finds the
// next one. Such words, nearly all of an English text, are read by eight bytes.
func (s *Scanner) Keys(list []Key) (found int) {
	text, pos := s.text, s.pos
	for found < len(list) && pos+KeyBytes < len(text) {
		c := text[pos]
		if c >= utf8.RuneSelf {
			break
		}
		if k := byteClass[c]; k != byteLetter && k != byteDigit {
			pos++
			s.pair = false
			continue
		}
		low := eightAt(text, pos)
		in, letters := wordBytes(low)
		key, n := Key{low | lowerCase, 0}, bits.TrailingZeros64(in^highBits)/8
		if n < 8 {
			key.a &= 1<<(8*n) - 1
			letters &= 1<<(8*n) - 1
		} else {
			high := eightAt(text, pos+8)
			more, of := wordBytes(high)
			if n = bits.TrailingZeros64(more^highBits) / 8; n == 8 {
				break
			}
			key.b = (high | lowerCase) & (1<<(8*n) - 1)
			letters |= of & (1<<(8*n) - 1)
			n += 8
		}
		end := text[pos+n]
		if end >= utf8.RuneSelf || end == '\'' && !s.Split {
			break
		}
		if end == ':' || end == '.' {
			if past := s.address(pos, pos+n); past > 0 {
				pos, s.pair = past, false
				continue
			}
		}
		pos += n
		s.pair = false
		if letters != 0 {
			list[found] = key
			found++
		}
	}
	s.pos = pos
	return found
}

const (
	eachByte  = 0x0101010101010101
	highBits  = 0x80 * eachByte
	lowerCase = 0x20 * eachByte // makes ASCII letters lower case and leaves digits as they are
)

// eightAt is eight bytes of a text, the first the lowest.
func eightAt(text string, at int) uint64 {
	t := text[at : at+8]
	return uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16 | uint64(t[3])<<24 |
		uint64(t[4])<<32 | uint64(t[5])<<40 | uint64(t[6])<<48 | uint64(t[7])<<56
}

// wordBytes has the high bit of each of eight bytes that is a letter or digit of ASCII, and of each
// that is a letter.
func wordBytes(eight uint64) (in, letters uint64) {
	within := func(v, least, most uint64) uint64 { // of bytes below 128
		return (v + (0x80-least)*eachByte) &^ (v + (0x7f-most)*eachByte)
	}
	ascii := highBits &^ eight
	letters = within((eight|lowerCase)&^highBits, 'a', 'z') & ascii
	return letters | within(eight&^highBits, '0', '9')&ascii, letters
}

// Spelling returns the bytes of the word that Next found, valid until the next call.
func (s *Scanner) Spelling() []byte {
	if len(s.Word) == 0 {
		var b [KeyBytes]byte
		binary.LittleEndian.PutUint64(b[:8], s.Key.a)
		binary.LittleEndian.PutUint64(b[8:], s.Key.b)
		s.Word = append(s.Word, b[:s.Size]...)
	}
	return s.Word
}

// NextSlowly is Next for words of any letters.
func (s *Scanner) NextSlowly() bool {
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		if c < utf8.RuneSelf {
			if k := byteClass[c]; k == byteLetter || k == byteDigit {
				if s.scan() {
					return s.found()
				}
				continue
			}
			s.pos++
			s.pair = false
			continue
		}
		r, size := utf8.DecodeRuneInString(s.text[s.pos:])
		switch {
		case ideograph(r):
			if s.ideographs(r, size) {
				return s.found()
			}
		case s.packed(r):
			if s.clusters() {
				return s.found()
			}
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if s.scan() {
				return s.found()
			}
		default:
			if n := emojiAt(s.text, s.pos); n > 0 {
				if s.emoji(n) {
					return s.found()
				}
				continue
			}
			s.pos += size
			s.pair = false
		}
	}
	return false
}

// found takes the word in the buffer.
func (s *Scanner) found() bool {
	if s.Elide {
		s.Word = withoutCutOff(s.Word)
	}
	if s.Size = len(s.Word); s.Size <= KeyBytes {
		s.Key = KeyOf(s.Word)
	}
	return true
}

// scan reads the word that begins at pos, and reports whether to keep it.
func (s *Scanner) scan() bool {
	text, pos, word := s.text, s.pos, s.Word[:0]
	letter, plain, length := false, true, 0
	last := false // the last character was a letter
	s.pair = false
loop:
	for pos < len(text) {
		c := text[pos]
		if c < utf8.RuneSelf {
			switch byteClass[c] {
			case byteLetter:
				c |= 0x20
				letter, last = true, true
			case byteDigit:
				last = false
			case byteQuote:
				if s.Split || !last || !letterAt(text, pos+1) {
					break loop
				}
				plain, last = false, false
			default:
				break loop
			}
			pos++
			if length++; length <= MaxLength {
				word = append(word, c)
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[pos:])
		if n, letters := ofPrint(text[pos:], r, size, last); n > 0 {
			pos += n
			if length += len(letters); length <= MaxLength {
				word = append(word, letters...)
			}
			letter, last = letter || letters != "", last || letters != ""
			continue
		}
		switch {
		case r == '\u2019':
			if s.Split || !last || !letterAt(text, pos+size) {
				break loop
			}
			r, last = '\'', false
		case ideograph(r), s.packedAt(r, pos):
			break loop
		case unicode.IsLetter(r):
			letter, last = true, true
		case unicode.IsMark(r): // belongs to the character before it
		case unicode.IsDigit(r):
			last = false
		default:
			break loop
		}
		plain = false
		pos += size
		if length++; length <= MaxLength {
			word = utf8.AppendRune(word, r)
		}
	}
	if past := s.address(s.pos, pos); past > 0 {
		s.pos = past
		return false
	}
	s.pos, s.Word, s.Plain = pos, word, plain
	return letter && length <= MaxLength
}

// ideographs makes the word of the ideograph r at pos and the next one, or of r alone.
func (s *Scanner) ideographs(r rune, size int) bool {
	s.pos += size
	next, _ := utf8.DecodeRuneInString(s.text[s.pos:])
	if !ideograph(next) {
		if s.pair {
			s.pair = false
			return false
		}
		s.Word, s.Plain = utf8.AppendRune(s.Word[:0], r), false
		return true
	}
	s.Word = utf8.AppendRune(utf8.AppendRune(s.Word[:0], r), next)
	s.Plain, s.pair = false, true
	return true
}

// ofPrint is how many bytes of text belong to its first character, r of size bytes, if that is no
// character of a word itself but stands in one: invisible, or for letters, which it returns. It is
// 0 for others. inWord says that a letter comes before; a soft hyphen after it that ends a line,
// which programs that read scans write as ¬ too, joins the word to the next line.
func ofPrint(text string, r rune, size int, inWord bool) (n int, letters string) {
	switch r {
	case '\u200c', '\u200d', '\u2060': // joiners
		return size, ""
	case '\u00ad':
		if inWord {
			size += continued(text[size:])
		}
		return size, ""
	case '¬':
		if more := continued(text[size:]); inWord && more > 0 {
			return size + more, ""
		}
		return 0, ""
	}
	if letters = printed(r); letters == "" {
		return 0, ""
	}
	return size, letters
}

// continued is how many bytes of text lie between a soft hyphen at the end of a line and the word's
// other part: blanks and one line break. It is 0 if the text goes on otherwise.
func continued(text string) int {
	rest := strings.TrimLeft(text, " \t\r")
	if !strings.HasPrefix(rest, "\n") {
		return 0
	}
	rest = strings.TrimLeft(rest[1:], " \t")
	if r, _ := utf8.DecodeRuneInString(rest); !unicode.IsLower(r) {
		return 0
	}
	return len(text) - len(rest)
}

// printed is the letters that a character stands for in print, of the long s and of joined letters;
// "" of other characters.
func printed(r rune) string {
	switch r {
	case 'ſ':
		return "s"
	case 'ﬀ':
		return "ff"
	case 'ﬁ':
		return "fi"
	case 'ﬂ':
		return "fl"
	case 'ﬃ':
		return "ffi"
	case 'ﬄ':
		return "ffl"
	case 'ﬅ', 'ﬆ':
		return "st"
	}
	return ""
}

// letterAt reports whether there is a letter at pos.
func letterAt(text string, pos int) bool {
	if pos >= len(text) {
		return false
	}
	if c := text[pos]; c < utf8.RuneSelf {
		return byteClass[c] == byteLetter
	}
	r, _ := utf8.DecodeRuneInString(text[pos:])
	return unicode.IsLetter(r) && !ideograph(r)
}

// ideograph recognises the letters of scripts without separators between words: Han, hiragana,
// katakana, and the mark that lengthens a vowel in both kana.
func ideograph(r rune) bool {
	return r >= 0x2e80 && unicode.IsLetter(r) &&
		(unicode.Is(unicode.Han, r) || unicode.Is(unicode.Hiragana, r) || unicode.Is(unicode.Katakana, r) || r == 'ー')
}
