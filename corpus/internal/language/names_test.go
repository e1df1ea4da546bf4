package language

import (
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/tokens"
	"golang.org/x/text/unicode/norm"
)

// Languages go by names and codes.
func TestNames(t *testing.T) {
	for word, want := range map[string]string{"en": "english", "English": "english", "en-US": "english", "en_GB": "english", "FR": "french", "swe": "swedish",
		"nb": "norwegian", "none": "none", "None": "none", "german": "german", "De": "german", "klingon": "klingon", "auto": "auto", "words.txt": "words.txt", "": ""} {
		if got := Name(word); got != want {
			t.Errorf("%q is %q, want %q", word, got, want)
		}
		if got := Name(Name(word)); got != Name(word) {
			t.Errorf("%q is named twice: %q", word, got)
		}
	}
	for _, name := range Sorted() {
		if Name(codeOf(name)) != name {
			t.Errorf("the code of %s is %q", name, codeOf(name))
		}
	}
}

// A code may have a country or a script, and a file's name is no code.
func TestNamesOfFilesAreNoLanguages(t *testing.T) {
	for name, want := range map[string]string{
		"en": "english", "en-US": "english", "pt_BR": "portuguese", "German": "german", "sr-latn": "sr-latn",
		"en-stop.txt": "en-stop.txt", "no_common.txt": "no_common.txt", "de-words": "de-words", "mystop.txt": "mystop.txt",
	} {
		if got := Name(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

// Of languages that are listed each text is read in its own, and in no other: the one whose words
// it has, else the first.
func TestSeveral(t *testing.T) {
	if got := Name("de, EN"); got != "german,english" {
		t.Errorf("de, EN is %q", got)
	}
	catalan := spoken["catalan"][0]
	for _, c := range []struct{ list, text, want string }{
		{"german,english", spoken["german"][0], "german"},
		{"german,english", spoken["english"][0], "english"},
		{"english,german", "xyz qwv", "english"},
		{"german,english", "xyz qwv", "german"},
		{"spanish,english", catalan, "spanish"},
		{"french,german", spoken["english"][0], "french"},
		{"german,french", "Das Boot and other films in German", "german"},
		{"german,english", "", "not recognised"},
		{"german,english", "Meeting for das Projekt und", "german"},
		{"english,german", "Meeting for das Projekt und", "german"},
		{"german,english", "Das Meeting for the team and you", "english"},
		{"german,english", "Software in Rust", "english"},
	} {
		got := Of(&tokens.Scanner{Word: make([]byte, 0, 256)}, c.text, Several(c.list))
		if got.String() != c.want {
			t.Errorf("%q, of %s, is %s, want %s", c.text, c.list, got, c.want)
		}
	}
}

// A language that was found for fewer than one in a hundred texts is not named.
func TestRareLanguages(t *testing.T) {
	counts := make([]int, Tongues)
	counts[0] = 2000
	counts[slices.Index(Names, "catalan")] = 10
	if notes := Notes(counts, true); len(notes) > 0 {
		t.Errorf("English and chance: %q", notes)
	}
	for k := 1; k <= 12; k++ { // rare, but many together
		counts[k] = 19
	}
	if notes := Notes(counts, true); len(notes) != 1 || !strings.HasSuffix(notes[0], "english of 2000, others of 228. ‹language› names one for all.") {
		t.Errorf("many languages: %q", notes)
	}
	counts = make([]int, Tongues)
	counts[0], counts[slices.Index(Names, "catalan")] = 2000, 10
	counts[slices.Index(Names, "german")] = 900
	const want = "english of 2000, german of 900, others of 10. ‹language› english,german reads all of them in one of these."
	if notes := Notes(counts, true); len(notes) != 1 || !strings.HasSuffix(notes[0], want) {
		t.Errorf("%q, want %q", notes, want)
	}
}

// TestStopListsAreCanonical: every word of a list is one word of a text in its language, in the
// form that is looked up, and none is in the stemmer's list already.
func TestStopListsAreCanonical(t *testing.T) {
	for language, set := range stopSets() {
		for word := range set {
			s := tokens.Scanner{Split: slices.Contains(Splitting, language)}
			var got []string
			for s.Begin(word); s.Next(); {
				got = append(got, norm.NFC.String(strings.ToLower(string(s.Spelling()))))
			}
			if !slices.Equal(got, []string{word}) || !s.Split && strings.HasSuffix(word, "'s") {
				t.Errorf("%s: stop word %q is cut into %q", language, word, got)
			}
			if own := stemmers[language].stop; own != nil && own(word) {
				t.Errorf("%s: stop word %q is listed twice", language, word)
			}
		}
	}
}
