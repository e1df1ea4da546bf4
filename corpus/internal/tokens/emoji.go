package tokens

import (
	"unicode"
	"unicode/utf8"
)

// pictures are the characters that Unicode shows as pictures by default (Emoji_Presentation), by
// blocks of the supplementary plane as wholes: new ones are added there every year.
var pictures = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x231a, 0x231b, 1}, {0x23e9, 0x23ec, 1}, {0x23f0, 0x23f3, 3}, {0x25fd, 0x25fe, 1}, {0x2614, 0x2615, 1}, {0x2648, 0x2653, 1},
		{0x267f, 0x2693, 0x14}, {0x26a1, 0x26aa, 9}, {0x26ab, 0x26ab, 1}, {0x26bd, 0x26be, 1}, {0x26c4, 0x26c5, 1}, {0x26ce, 0x26d4, 6},
		{0x26ea, 0x26ea, 1}, {0x26f2, 0x26f3, 1}, {0x26f5, 0x26fa, 5}, {0x26fd, 0x26fd, 1}, {0x2705, 0x2705, 1}, {0x270a, 0x270b, 1},
		{0x2728, 0x2728, 1}, {0x274c, 0x274e, 2}, {0x2753, 0x2755, 1}, {0x2757, 0x2757, 1}, {0x2795, 0x2797, 1}, {0x27b0, 0x27bf, 0xf},
		{0x2b1b, 0x2b1c, 1}, {0x2b50, 0x2b55, 5},
	},
	R32: []unicode.Range32{
		{0x1f004, 0x1f004, 1}, {0x1f0cf, 0x1f0cf, 1}, {0x1f18e, 0x1f18e, 1}, {0x1f191, 0x1f19a, 1}, {0x1f201, 0x1f201, 1}, {0x1f21a, 0x1f21a, 1},
		{0x1f22f, 0x1f22f, 1}, {0x1f232, 0x1f236, 1}, {0x1f238, 0x1f23a, 1}, {0x1f250, 0x1f251, 1}, {0x1f300, 0x1f64f, 1}, {0x1f680, 0x1f6ff, 1},
		{0x1f7e0, 0x1f7f0, 1}, {0x1f900, 0x1f9ff, 1}, {0x1fa70, 0x1faff, 1},
	},
}

// signs are characters that are pictures only before [pictureMark], or that people write without it
// all the same: hearts and faces.
var (
	signs = &unicode.RangeTable{
		R16: []unicode.Range16{
			{0x2194, 0x2199, 1}, {0x21a9, 0x21aa, 1}, {0x2328, 0x2328, 1}, {0x23cf, 0x23cf, 1}, {0x23ed, 0x23ef, 1}, {0x23f1, 0x23f2, 1}, {0x23f8, 0x23fa, 1},
			{0x25aa, 0x25ab, 1}, {0x25b6, 0x25b6, 1}, {0x25c0, 0x25c0, 1}, {0x25fb, 0x25fc, 1}, {0x2600, 0x27bf, 1}, {0x2934, 0x2935, 1},
			{0x2b05, 0x2b07, 1},
		},
		R32: []unicode.Range32{{0x1f170, 0x1f171, 1}, {0x1f17e, 0x1f17f, 1}},
	}
	hearts = &unicode.RangeTable{R16: []unicode.Range16{{0x2639, 0x263a, 1}, {0x2665, 0x2665, 1}, {0x2763, 0x2764, 1}}}
)

const (
	pictureMark = '\ufe0f' // asks for the picture of the character before it
	joiner      = '\u200d' // makes one picture of two
)

// isTone reports whether r colours the skin of the picture before it.
func isTone(r rune) bool { return 0x1f3fb <= r && r <= 0x1f3ff }

// isFlag reports whether r is a letter of a country's code, two of which are a flag.
func isFlag(r rune) bool { return 0x1f1e6 <= r && r <= 0x1f1ff }

// isTag reports whether r is a part of the name of a region, which follows a flag.
func isTag(r rune) bool { return 0xe0020 <= r && r <= 0xe007f }

// emojiAt returns the length in bytes of the character that begins an emoji at pos; 0 if none does.
func emojiAt(text string, pos int) int {
	r, size := utf8.DecodeRuneInString(text[pos:])
	switch {
	case r < 0x2190:
		return 0
	case isFlag(r):
		if next, _ := utf8.DecodeRuneInString(text[pos+size:]); !isFlag(next) {
			return 0
		}
		return size
	case unicode.Is(pictures, r), unicode.Is(hearts, r):
		return size
	case unicode.Is(signs, r):
		if next, _ := utf8.DecodeRuneInString(text[pos+size:]); next == pictureMark || isTone(next) {
			return size
		}
	}
	return 0
}

// IsEmoji reports whether a word is an emoji.
func IsEmoji(word string) bool { return word != "" && word[0] >= 0xe2 && emojiWord(word) }

// emojiWord is IsEmoji of a word in the form of [Scanner.emoji], which has no marks: no other
// word begins with these characters.
func emojiWord(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return isFlag(r) || unicode.In(r, pictures, hearts, signs)
}

// emoji makes the word of the emoji at pos, whose first character has size bytes: the characters
// that are joined to it, without marks and the tone of the skin. It reports whether to keep it.
func (s *Scanner) emoji(size int) bool {
	text, pos, word := s.text, s.pos, s.Word[:0]
	s.pair, s.Plain = false, false
	flag, _ := utf8.DecodeRuneInString(text[pos:])
	length := 1
	word = append(word, text[pos:pos+size]...)
	pos += size
	if isFlag(flag) {
		word = append(word, text[pos:pos+size]...)
		s.pos, s.Word = pos+size, word
		return true
	}
	for pos < len(text) {
		r, size := utf8.DecodeRuneInString(text[pos:])
		if r == pictureMark || isTone(r) {
			pos += size
			continue
		}
		keep := isTag(r)
		if r == joiner {
			after := pos + size
			if n := joinedAt(text, after); n > 0 {
				size, keep = size+n, true
			}
		}
		if !keep {
			break
		}
		if length++; length <= MaxLength/2 {
			word = append(word, text[pos:pos+size]...)
		}
		pos += size
	}
	s.pos, s.Word = pos, word
	return length <= MaxLength/2
}

// joinedAt is emojiAt after a joiner, where signs need no mark.
func joinedAt(text string, pos int) int {
	if n := emojiAt(text, pos); n > 0 {
		return n
	}
	if r, size := utf8.DecodeRuneInString(text[pos:]); unicode.Is(signs, r) {
		return size
	}
	return 0
}
