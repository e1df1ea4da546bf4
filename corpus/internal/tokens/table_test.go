package tokens

import (
	"testing"

	"github.com/eigenmap/eigenmap/internal/property"
	"pgregory.net/rapid"
)

// TestWordTableIsAMap compares the table with a map.
func TestWordTableIsAMap(t *testing.T) {
	letter := rapid.SampledFrom([]rune("abé統'"))
	property.Check(t, func(rt *rapid.T) {
		table, want := NewTable(), map[string]int32{}
		table.slots, table.shift = make([]slot, 2), 63 // collisions and growth from the start
		for i, word := range rapid.SliceOfN(rapid.StringOfN(letter, 0, 24, -1), 0, 200).Draw(rt, "words") {
			got, ok := Find(table, word)
			if have, known := want[word]; ok != known || known && got != have {
				rt.Fatalf("%q: %d %v, want %d %v", word, got, ok, have, known)
			}
			if !ok {
				want[word] = int32(i) - 1
				table.Add(word, int32(i)-1)
			}
		}
		for word, form := range want {
			if got, ok := Find(table, word); !ok || got != form {
				rt.Fatalf("%q is lost", word)
			}
		}
	})
}
