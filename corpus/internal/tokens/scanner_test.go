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
		rapid.SampledFrom([]string{" ", ", ", "é", "統計学習", "ไทยภาษา", "\u0301", "\u00ad", "ſ", "ﬁ", "¬\n", "\u00ad \n ", "don't", "🙂", "\xff", "İ", "K"}), rapid.String())
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

// TestWordsOfPrint: letters of print count as the letters that they stand for, and a word that a
// soft hyphen divides at the end of a line is one word.
func TestWordsOfPrint(t *testing.T) {
	for text, want := range map[string]string{
		"Bloſſoms and ﬁne ﬂowers, eﬃcient oﬀers, teﬅ": "blossoms and fine flowers efficient offers test",
		"wit¬\nneſſed":                               "witnessed",
		"wit\u00ad\r\n  nessed":                      "witnessed",
		"wit\u00adnessed":                            "witnessed",
		"wit¬nessed, p ¬ q and not¬\nNew\u00ad\n2nd": "wit nessed p q and not new 2nd",
		"one\u00ad\n\nparagraph two¬":                "one paragraph two",
		"state-\nment":                               "state ment", // a hyphen may be the word's own
	} {
		var s Scanner
		var words []string
		for s.Begin(text); s.Next(); {
			words = append(words, strings.ToLower(string(s.Spelling())))
		}
		if got := strings.Join(words, " "); got != want {
			t.Errorf("%q: the words are %q, want %q", text, got, want)
		}
	}
	long := strings.Repeat("ﬃ", MaxLength/3)
	var s Scanner
	if s.Begin(long + "ﬀ"); s.Next() {
		t.Errorf("%q is longer than a word may be", s.Spelling())
	}
	if s.Begin(long); !s.Next() || len(s.Spelling()) != MaxLength/3*3 {
		t.Errorf("%d letters are not read as a word", MaxLength/3*3)
	}
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
