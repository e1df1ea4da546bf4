package text

import (
	"encoding/binary"
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// maxWord is the most characters of a word. Longer runs are not words (an encoded attachment, a
// hash).
const maxWord = 64

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

// wordScanner cuts a text into words, as [Options] describes. It makes ASCII letters lower case;
// [analyzer.canonical] does the rest, once per distinct word. Bytes that are not UTF-8 separate
// words.
type wordScanner struct {
	text  string
	pos   int
	split bool // apostrophes separate
	elide bool // what [withoutCutOff] finds is no part of the word
	plain bool // the word that next found is ASCII without apostrophe: canonical as it is
	// key is the word that next found, of up to keyBytes bytes; size is its length in bytes.
	key  wordKey
	size int
	// word has the bytes of a word that is longer or not plain, until the next call;
	// [wordScanner.spelling] puts the bytes of other words there.
	word []byte
	pair bool // the last word was a pair of ideographs, or a piece of a run, and its second one is at pos
	// addressed says that the text has an address of the web, whose words are passed over unless
	// addresses is set.
	addressed, addresses bool
	// script is the number in [unspaced], from 1, of the first letter of the text that is of one of
	// these scripts; 0: none was met. whole says that the text has blanks between its words.
	script int
	whole  bool
}

// begin sets the scanner to the beginning of a text.
func (s *wordScanner) begin(text string) {
	s.text, s.pos, s.pair, s.script, s.whole = text, 0, false, 0, false
	s.addressed, s.addresses = false, false
}

// next finds the next word that has a letter and is not too long, or an emoji, and reports whether
// there is one.
func (s *wordScanner) next() bool {
	var one [1]wordKey
	if s.keys(one[:]) == 0 {
		return s.nextSlowly()
	}
	s.key, s.size, s.plain, s.word = one[0], one[0].size(), true, s.word[:0]
	return true
}

// keys finds the next words up to the first that is longer than keyBytes or not plain, and returns
// how many there are, at most len(list). If there are fewer, [wordScanner.nextSlowly] finds the
// next one. Such words, nearly all of an English text, are read by eight bytes.
func (s *wordScanner) keys(list []wordKey) (found int) {
	text, pos := s.text, s.pos
	for found < len(list) && pos+keyBytes < len(text) {
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
		key, n := wordKey{low | lowerCase, 0}, bits.TrailingZeros64(in^highBits)/8
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
		if end >= utf8.RuneSelf || end == '\'' && !s.split {
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

// spelling returns the bytes of the word that next found, valid until the next call.
func (s *wordScanner) spelling() []byte {
	if len(s.word) == 0 {
		var b [keyBytes]byte
		binary.LittleEndian.PutUint64(b[:8], s.key.a)
		binary.LittleEndian.PutUint64(b[8:], s.key.b)
		s.word = append(s.word, b[:s.size]...)
	}
	return s.word
}

// nextSlowly is next for words of any letters.
func (s *wordScanner) nextSlowly() bool {
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
func (s *wordScanner) found() bool {
	if s.elide {
		s.word = withoutCutOff(s.word)
	}
	if s.size = len(s.word); s.size <= keyBytes {
		s.key = keyOf(s.word)
	}
	return true
}

// scan reads the word that begins at pos, and reports whether to keep it.
func (s *wordScanner) scan() bool {
	text, pos, word := s.text, s.pos, s.word[:0]
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
				if s.split || !last || !letterAt(text, pos+1) {
					break loop
				}
				plain, last = false, false
			default:
				break loop
			}
			pos++
			if length++; length <= maxWord {
				word = append(word, c)
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[pos:])
		switch {
		case r == '\u2019':
			if s.split || !last || !letterAt(text, pos+size) {
				break loop
			}
			r, last = '\'', false
		case r == '\u00ad' || r == '\u200c' || r == '\u200d' || r == '\u2060':
			// Soft hyphen, joiners: invisible in a word.
			pos += size
			continue
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
		if length++; length <= maxWord {
			word = utf8.AppendRune(word, r)
		}
	}
	if past := s.address(s.pos, pos); past > 0 {
		s.pos = past
		return false
	}
	s.pos, s.word, s.plain = pos, word, plain
	return letter && length <= maxWord
}

// ideographs makes the word of the ideograph r at pos and the next one, or of r alone.
func (s *wordScanner) ideographs(r rune, size int) bool {
	s.pos += size
	next, _ := utf8.DecodeRuneInString(s.text[s.pos:])
	if !ideograph(next) {
		if s.pair {
			s.pair = false
			return false
		}
		s.word, s.plain = utf8.AppendRune(s.word[:0], r), false
		return true
	}
	s.word = utf8.AppendRune(utf8.AppendRune(s.word[:0], r), next)
	s.plain, s.pair = false, true
	return true
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
