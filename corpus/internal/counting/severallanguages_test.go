package counting

import (
	"errors"
	"io/fs"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/language"
	"github.com/eigenmap/eigenmap/corpus/internal/tokens"
	"github.com/eigenmap/eigenmap/internal/must"
)

// Of languages that are listed each text is read in its own, and stop words are of each or of all.
func TestSeveralLanguages(t *testing.T) {
	a := must.Get(NewAnalyzer(Options{Language: "de,en"}, Keep{}))(t)
	for l, want := range map[string][2]bool{"german": {true, false}, "english": {false, true}} {
		own := a.each[slices.Index(language.Names, l)]
		if got := [2]bool{own.stop("nicht"), own.stop("the")}; got != want {
			t.Errorf("%s leaves out nicht, the: %v", l, got)
		}
	}
	for _, language := range []string{"none", "german", "auto", "german,english", "english,german"} {
		union := must.Get(NewAnalyzer(Options{Language: language, StopWords: "german,en"}, Keep{}))(t)
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

// FuzzTongue finds the language of arbitrary bytes, and counts their words in it.
func FuzzTongue(f *testing.F) {
	f.Add("Der Hund schläft unter dem Tisch und wartet auf das Abendessen. The library reads files and writes the results.")
	f.Add("Η βιβλιοθήκη διαβάζει τα αρχεία και γράφει τα αποτελέσματα. القطة تنام تحت الطاولة")
	f.Add("\xff\u200d\ufe0f👍🏽👨‍👩‍👧 🇩 🇩🇪🇫 ก\u0e31\u0e31 ក្ រ្រ")
	a := must.Get(NewAnalyzer(Options{}, Keep{}))(f)
	f.Fuzz(func(t *testing.T, text string) {
		c := newCounter(a)
		c.use(language.Of(&tokens.Scanner{}, text, nil).Language())
		if _, err := c.add(t.Context(), text); err != nil {
			t.Fatal(err)
		}
		for _, k := range c.touched {
			if c.term[k].stem == "" {
				t.Fatalf("%q has an empty term", text)
			}
		}
	})
}
