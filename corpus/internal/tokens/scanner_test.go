package tokens

import (
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/property"
	"pgregory.net/rapid"
)

// TestScannersAgree: the words found eight bytes at a time are those found one character at a time.
func TestScannersAgree(t *testing.T) {
	piece := rapid.OneOf(
		rapid.StringMatching(`[a-zA-Z0-9]{1,20}`), rapid.StringOfN(rapid.RuneFrom([]rune("aZ09@[`{/:'’\x00\x10\x7f")), 0, 12, -1),
		rapid.SampledFrom([]string{" ", ", ", "é", "統計学習", "ไทยภาษา", "\u0301", "\u00ad", "don't", "🙂", "\xff", "İ", "K"}), rapid.String())
	property.Check(t, func(rt *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 30).Draw(rt, "text"), "")
		split := rapid.Bool().Draw(rt, "split")
		fast, slow := Scanner{Split: split}, Scanner{Split: split}
		fast.Begin(text)
		slow.Begin(text)
		for {
			one, other := fast.Next(), slow.NextSlowly()
			if one != other || fast.pos != slow.pos && one || fast.pair != slow.pair {
				rt.Fatalf("%q: at %d and %d of the text, found: %v and %v", text, fast.pos, slow.pos, one, other)
			}
			if !one {
				return
			}
			if a, b := string(fast.Spelling()), string(slow.Word); a != b || fast.Size != len(b) || fast.Plain != slow.Plain || len(b) <= KeyBytes && fast.Key != slow.Key {
				rt.Fatalf("%q: %q and %q", text, a, b)
			}
		}
	})
}

// Pieces of Lao and Burmese have at most three characters, each with its marks.
func TestPiecesOfThree(t *testing.T) {
	for _, text := range []string{"ຂ້ອຍມັກກິນເຂົ້າຫຼາຍ", "ကျွန်တော်သည်မြန်မာစာကိုဖတ်သည်"} {
		var s Scanner
		found := 0
		for s.Begin(text); s.Next(); found++ {
			if list := clustersOf(string(s.Spelling())); len(list) > clustersInPiece {
				t.Errorf("%q: %q has %d characters", text, list, len(list))
			}
		}
		if found < 3 {
			t.Errorf("%q: %d pieces", text, found)
		}
	}
}

// clustersOf cuts a word into characters with their marks.
func clustersOf(word string) (list []string) {
	for pos := 0; pos < len(word); {
		end := clusterEnd(word, pos)
		if end == pos {
			break
		}
		list = append(list, word[pos:end])
		pos = end
	}
	return list
}
