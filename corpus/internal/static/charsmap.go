package static

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf8"
)

// charsMap is SentencePiece's table of characters and what they become: a trie as a double array
// (Yata's darts-clone), whose values are places in a list of texts that end in a zero byte.
type charsMap struct {
	units []uint32
	texts []byte
}

// newCharsMap reads a table; nil if it is none.
func newCharsMap(raw []byte) *charsMap {
	if len(raw) < 4 {
		return nil
	}
	size := binary.LittleEndian.Uint32(raw)
	if raw = raw[4:]; size%4 != 0 || size == 0 || uint64(size) > uint64(len(raw)) {
		return nil
	}
	m := &charsMap{units: make([]uint32, size/4), texts: raw[size:]}
	for i := range m.units {
		m.units[i] = binary.LittleEndian.Uint32(raw[4*i:])
	}
	return m
}

// find returns what the shortest beginning of a text that is in the table becomes.
func (m *charsMap) find(text string) (string, bool) {
	offset := func(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }
	at := offset(m.units[0])
	for k := range len(text) {
		if at ^= uint32(text[k]); text[k] == 0 || uint64(at) >= uint64(len(m.units)) {
			return "", false
		}
		unit := m.units[at]
		if unit&(1<<31|0xff) != uint32(text[k]) {
			return "", false
		}
		if at ^= offset(unit); unit>>8&1 == 0 {
			continue
		}
		if uint64(at) >= uint64(len(m.units)) {
			return "", false
		}
		value := m.units[at] & (1<<31 - 1)
		if uint64(value) > uint64(len(m.texts)) {
			return "", false
		}
		rest := m.texts[value:]
		if end := bytes.IndexByte(rest, 0); end >= 0 {
			rest = rest[:end]
		}
		return string(rest), true
	}
	return "", false
}

// longest is the length of a character with its marks that is looked for as a whole, in bytes.
const longest = 5

// normalize changes each character, together with its marks if the table has both.
func (m *charsMap) normalize(text string) string {
	var b strings.Builder
	for text != "" {
		n := cluster(text)
		part := text[:n]
		text = text[n:]
		if n <= longest {
			if to, ok := m.find(part); ok {
				b.WriteString(to)
				continue
			}
		}
		for _, c := range part {
			if to, ok := m.find(string(c)); ok {
				b.WriteString(to)
			} else {
				b.WriteRune(c)
			}
		}
	}
	return b.String()
}

// cluster is the length of a character with the marks that follow it, in bytes.
func cluster(text string) int {
	_, n := utf8.DecodeRuneInString(text)
	if strings.HasPrefix(text, "\r\n") {
		return 2
	}
	if c := text[0]; c < ' ' {
		return n
	}
	for n < len(text) {
		c, size := utf8.DecodeRuneInString(text[n:])
		if !unicode.Is(unicode.M, c) && c != '\u200d' && c != '\u200c' {
			break
		}
		n += size
	}
	return n
}
