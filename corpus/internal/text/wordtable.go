package text

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"math/rand/v2"
)

// wordTable finds the form of a word. It replaces a map[string]int32, whose lookups take half of
// the time of counting. Words of up to eight bytes, four fifths of a text, are their own key, so a
// lookup takes one access to memory.
//
// A random odd factor spreads the keys, so a text cannot be prepared to make words collide. No
// result depends on it.
type wordTable struct {
	slots []wordSlot // a power of two, at most half full
	shift int        // 64 - log2(len(slots))
	used  int
	long  []string // words of more than eight bytes
	mix   uint64
	seed  maphash.Seed
}

// wordSlot is 16 bytes. A value of 0 marks a free slot.
type wordSlot struct {
	key   uint64 // the word itself, padded with zeros, or a long word's hash
	value int32  // the form + 2
	long  int32  // the long word's index + 1; 0 for a short one
}

// shortWord is the most bytes of a word that is its own key. Words have no zero bytes.
const shortWord = 8

// firstSlots is the number of slots of an empty table.
const firstSlots = 1 << 12

func newWordTable() *wordTable {
	return &wordTable{slots: make([]wordSlot, firstSlots), shift: 64 - bits.TrailingZeros(firstSlots), mix: rand.Uint64() | 1, seed: maphash.MakeSeed()}
}

// find returns the form of a word, and whether the word is known. The capacity of the slice must be
// at least eight bytes.
func (t *wordTable) find(word []byte) (form int32, ok bool) {
	if n := len(word); n <= shortWord {
		key := binary.LittleEndian.Uint64(word[:shortWord]) & (1<<(8*n) - 1)
		for i := key * t.mix >> t.shift; ; i = (i + 1) & uint64(len(t.slots)-1) {
			s := &t.slots[i]
			if s.key == key && s.long == 0 || s.value == 0 {
				return s.value - 2, s.value != 0
			}
		}
	}
	key := maphash.Bytes(t.seed, word)
	for i := key * t.mix >> t.shift; ; i = (i + 1) & uint64(len(t.slots)-1) {
		s := &t.slots[i]
		if s.value == 0 {
			return 0, false
		}
		if s.key == key && s.long > 0 && t.long[s.long-1] == string(word) {
			return s.value - 2, true
		}
	}
}

// findString is find for a word that is not in a scanner's buffer.
func (t *wordTable) findString(word string) (form int32, ok bool) {
	return t.find(append(make([]byte, 0, max(shortWord, len(word))), word...))
}

// add adds a word that is not known.
func (t *wordTable) add(word string, form int32) {
	if 2*(t.used+1) > len(t.slots) {
		t.grow()
	}
	s := wordSlot{value: form + 2}
	if len(word) <= shortWord {
		var b [shortWord]byte
		copy(b[:], word)
		s.key = binary.LittleEndian.Uint64(b[:])
	} else {
		t.long = append(t.long, word)
		s.key, s.long = maphash.String(t.seed, word), int32(len(t.long))
	}
	t.insert(s)
}

func (t *wordTable) insert(s wordSlot) {
	i := s.key * t.mix >> t.shift
	for t.slots[i].value != 0 {
		i = (i + 1) & uint64(len(t.slots)-1)
	}
	t.slots[i] = s
	t.used++
}

func (t *wordTable) grow() {
	old := t.slots
	t.slots = make([]wordSlot, 2*len(old))
	t.shift = 64 - bits.TrailingZeros(uint(len(t.slots)))
	t.used = 0
	for _, s := range old {
		if s.value != 0 {
			t.insert(s)
		}
	}
}
