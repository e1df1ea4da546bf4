package text

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
)

// wordTable finds the form of a word. It replaces a map[string]int32, whose lookups take half of
// the time of counting. Words of up to sixteen bytes, nearly all of a text, are their own key, so a
// lookup takes one access to memory.
//
// Random factors spread the keys, so a text cannot be prepared to make words collide. No result
// depends on them.
type wordTable struct {
	slots []wordSlot // a power of two, at most three quarters full
	shift int        // 64 - log2(len(slots))
	used  int
	mix   [2]uint64
	long  map[string]int32 // the forms of longer words
}

// wordSlot is 24 bytes. A value of 0 marks a free slot.
type wordSlot struct {
	wordKey
	value int32 // the form + 2
}

// leftOut is the value of a word that is left out, whose form is -1.
const leftOut = 1

// slotBytes is the memory of a slot.
const slotBytes = 24

// wordKey is a word of up to keyBytes bytes, padded with zeros. Words have no zero bytes.
type wordKey struct{ a, b uint64 }

// keyBytes is the most bytes of a word that is its own key.
const keyBytes = 16

// keyOf is the key of a word of at most keyBytes bytes.
func keyOf[T []byte | string](word T) wordKey {
	var b [keyBytes]byte
	copy(b[:], word)
	return wordKey{binary.LittleEndian.Uint64(b[:8]), binary.LittleEndian.Uint64(b[8:])}
}

// size is the length of the word in bytes.
func (k wordKey) size() int {
	if k.b != 0 {
		return keyBytes - bits.LeadingZeros64(k.b)/8
	}
	return keyBytes/2 - bits.LeadingZeros64(k.a)/8
}

// firstSlots is the number of slots of an empty table.
const firstSlots = 1 << 12

func newWordTable() *wordTable {
	return &wordTable{slots: make([]wordSlot, firstSlots), shift: 64 - bits.TrailingZeros(firstSlots), mix: [2]uint64{rand.Uint64(), rand.Uint64() | 1}}
}

// first is the slot at which a search for a key begins.
func (t *wordTable) first(k wordKey) uint64 {
	high, low := bits.Mul64(k.a^t.mix[0], k.b^t.mix[1])
	return (high ^ low) >> t.shift
}

// find returns the form of a word by its key, and whether the word is known.
func (t *wordTable) find(k wordKey) (form int32, ok bool) {
	v := t.value(k)
	return v - 2, v != 0
}

// value returns the form of a word + 2; 0 if the word is not known.
func (t *wordTable) value(k wordKey) int32 {
	for i := t.first(k); ; i++ {
		s := &t.slots[i&uint64(len(t.slots)-1)]
		if s.wordKey == k || s.value == 0 {
			return s.value
		}
	}
}

// findNext is find for the word that a scanner is at.
func (t *wordTable) findNext(s *wordScanner) (form int32, ok bool) {
	if s.size <= keyBytes {
		return t.find(s.key)
	}
	return findWord(t, s.word)
}

// findWord is find for a word of any length.
func findWord[T []byte | string](t *wordTable, word T) (form int32, ok bool) {
	if len(word) <= keyBytes {
		return t.find(keyOf(word))
	}
	form, ok = t.long[string(word)]
	return form, ok
}

// add adds a word that is not known.
func (t *wordTable) add(word string, form int32) {
	if len(word) > keyBytes {
		if t.long == nil {
			t.long = make(map[string]int32)
		}
		t.long[word] = form
		return
	}
	if 4*(t.used+1) > 3*len(t.slots) {
		t.grow()
	}
	t.insert(wordSlot{keyOf(word), form + 2})
}

func (t *wordTable) insert(s wordSlot) {
	i := t.first(s.wordKey)
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
