package text

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/tokens"
)

// Of languages that are listed each text is read in its own, and in no other: the one whose words
// it has, else the first.
func TestSeveralLanguages(t *testing.T) {
	if got := LanguageName("de, EN"); got != "german,english" {
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
		got := tongueOf(&tokens.Scanner{Word: make([]byte, 0, 256)}, c.text, severalLanguages(c.list))
		if got.String() != c.want {
			t.Errorf("%q, of %s, is %s, want %s", c.text, c.list, got, c.want)
		}
	}
	a, err := newAnalyzer(Options{Language: "de,en"})
	if err != nil {
		t.Fatal(err)
	}
	for l, want := range map[string][2]bool{"german": {true, false}, "english": {false, true}} {
		own := a.each[slices.Index(languageNames, l)]
		if got := [2]bool{own.stop("nicht"), own.stop("the")}; got != want {
			t.Errorf("%s leaves out nicht, the: %v", l, got)
		}
	}
	for _, language := range []string{"none", "german", "auto", "german,english", "english,german"} {
		union, err := newAnalyzer(Options{Language: language, StopWords: "german,en"})
		if err != nil {
			t.Fatal(err)
		}
		for _, own := range append(union.each, union) {
			if !own.stop("nicht") || !own.stop("the") || own.stop("avec") {
				t.Errorf("stop words of two languages of texts in %s", language)
			}
		}
	}
	for _, list := range []string{"german,klingon", "auto,german", "german,", "none,english"} {
		if err := (Options{Language: list}).Validate(); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%q: %v", list, err)
		}
	}
	if err := (Options{Language: "de,en", Vocabulary: []string{"a"}}).Validate(); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a vocabulary of two languages: %v", err)
	}
}

// A language that was found for fewer than one in a hundred texts is not named.
func TestRareLanguages(t *testing.T) {
	counts := make([]int, tongueCount)
	counts[0] = 2000
	counts[slices.Index(languageNames, "catalan")] = 10
	if notes := tongueNotes(counts, true); len(notes) > 0 {
		t.Errorf("English and chance: %q", notes)
	}
	for k := 1; k <= 12; k++ { // rare, but many together
		counts[k] = 19
	}
	if notes := tongueNotes(counts, true); len(notes) != 1 || !strings.HasSuffix(notes[0], "english of 2000, others of 228. ‹language› names one for all.") {
		t.Errorf("many languages: %q", notes)
	}
	counts = make([]int, tongueCount)
	counts[0], counts[slices.Index(languageNames, "catalan")] = 2000, 10
	counts[slices.Index(languageNames, "german")] = 900
	const want = "english of 2000, german of 900, others of 10. ‹language› english,german reads all of them in one of these."
	if notes := tongueNotes(counts, true); len(notes) != 1 || !strings.HasSuffix(notes[0], want) {
		t.Errorf("%q, want %q", notes, want)
	}
}
