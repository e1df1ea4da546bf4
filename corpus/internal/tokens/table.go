package tokens

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
)

// Table finds the form of a word. It replaces a map[string]int32, whose lookups take half of
// the time of counting. Words of up to sixteen bytes, nearly all of a text, are their own key, so a
// lookup takes one access to memory.
//
// Random factors spread the keys, so a text cannot be prepared to make words collide. No result
// depends on them.
type Table struct {
	slots []slot // a power of two, at most three quarters full
	shift int    // 64 - log2(len(slots))
	used  int
	mix   [2]uint64
	long  map[string]int32 // the forms of longer words
}

// slot is 24 bytes. A value of 0 marks a free slot.
type slot struct {
	Key
	value int32 // the form + 2
}

// LeftOut is the value of a word that is left out, whose form is -1.
const LeftOut = 1

// SlotBytes is the memory of a slot.
const SlotBytes = 24

// Key is a word of up to KeyBytes bytes, padded with zeros. Words have no zero bytes.
type Key struct{ a, b uint64 }

// KeyBytes is the most bytes of a word that is its own key.
const KeyBytes = 16

// KeyOf is the key of a word of at most KeyBytes bytes.
func KeyOf[T []byte | string](word T) Key {
	var b [KeyBytes]byte
	copy(b[:], word)
	return Key{binary.LittleEndian.Uint64(b[:8]), binary.LittleEndian.Uint64(b[8:])}
}

// Size is the length of the word in bytes.
func (k Key) Size() int {
	if k.b != 0 {
		return KeyBytes - bits.LeadingZeros64(k.b)/8
	}
	return KeyBytes/2 - bits.LeadingZeros64(k.a)/8
}

// FirstSlots is the number of slots of an empty table.
const FirstSlots = 1 << 12

// NewTable returns an empty table.
func NewTable() *Table {
	return &Table{slots: make([]slot, FirstSlots), shift: 64 - bits.TrailingZeros(FirstSlots), mix: [2]uint64{rand.Uint64(), rand.Uint64() | 1}}
}

// first is the slot at which a search for a key begins.
func (t *Table) first(k Key) uint64 {
	high, low := bits.Mul64(k.a^t.mix[0], k.b^t.mix[1])
	return (high ^ low) >> t.shift
}

// Find returns the form of a word by its key, and whether the word is known.
func (t *Table) Find(k Key) (form int32, ok bool) {
	v := t.Value(k)
	return v - 2, v != 0
}

// Value returns the form of a word + 2; 0 if the word is not known.
func (t *Table) Value(k Key) int32 {
	for i := t.first(k); ; i++ {
		s := &t.slots[i&uint64(len(t.slots)-1)]
		if s.Key == k || s.value == 0 {
			return s.value
		}
	}
}

// FindNext is Find for the word that a scanner is at.
func (t *Table) FindNext(s *Scanner) (form int32, ok bool) {
	if s.Size <= KeyBytes {
		return t.Find(s.Key)
	}
	return Find(t, s.Word)
}

// Find is [Table.Find] for a word of any length.
func Find[T []byte | string](t *Table, word T) (form int32, ok bool) {
	if len(word) <= KeyBytes {
		return t.Find(KeyOf(word))
	}
	form, ok = t.long[string(word)]
	return form, ok
}

// Add adds a word that is not known.
func (t *Table) Add(word string, form int32) {
	if len(word) > KeyBytes {
		if t.long == nil {
			t.long = make(map[string]int32)
		}
		t.long[word] = form
		return
	}
	if 4*(t.used+1) > 3*len(t.slots) {
		t.grow()
	}
	t.insert(slot{KeyOf(word), form + 2})
}

func (t *Table) insert(s slot) {
	i := t.first(s.Key)
	for t.slots[i].value != 0 {
		i = (i + 1) & uint64(len(t.slots)-1)
	}
	t.slots[i] = s
	t.used++
}

func (t *Table) grow() {
	old := t.slots
	t.slots = make([]slot, 2*len(old))
	t.shift = 64 - bits.TrailingZeros(uint(len(t.slots)))
	t.used = 0
	for _, s := range old {
		if s.value != 0 {
			t.insert(s)
		}
	}
}
