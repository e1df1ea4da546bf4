package counting

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
	"github.com/eigenmap/eigenmap/corpus/internal/language"
	"github.com/eigenmap/eigenmap/corpus/internal/tokens"

	"github.com/kljensen/snowball/english"
)

// Languages that are named are read as such, and others are named for what they lack.
func TestLanguageNames(t *testing.T) {
	for _, word := range []string{"fr", "ru", "es-MX"} {
		if err := (Options{Language: word}).Validate(); err != nil {
			t.Errorf("%s: %v", word, err)
		}
	}
	a, err := NewAnalyzer(Options{Language: "fr"}, Keep{})
	if err != nil || a.term("maisons") != a.term("maison") || !a.split {
		t.Errorf("fr is not read as French: %v", err)
	}
	german, err := NewAnalyzer(Options{Language: "de-AT"}, Keep{})
	if err != nil || german.term("häuser") != german.term("haus") || german.term("und") != "" {
		t.Errorf("de-AT is not read as German: %v", err)
	}
	for language, words := range map[string][3]string{ // two words of one stem, and a stop word
		"ro": {"școlile", "şcoli", "pentru"}, "tr": {"kitaplar", "kitap", "için"}, "ar": {"الكتاب", "كتاب", "التي"},
	} {
		a, err := NewAnalyzer(Options{Language: language}, Keep{})
		if err != nil || a.term(words[0]) != a.term(words[1]) || a.term(words[2]) != "" {
			t.Errorf("%s: %q and %q, the stop word %q; %v", language, a.term(words[0]), a.term(words[1]), a.term(words[2]), err)
		}
	}
	for language, stop := range map[string]string{"pl": "który", "cs": "protože", "el": "είναι", "id": "yang", "ca": "això", "uk": "який"} {
		a, err := NewAnalyzer(Options{Language: language}, Keep{})
		if err != nil || a.term(stop) != "" || a.term("xyzowie") != "xyzowie" {
			t.Errorf("%s: the stop word is %q, another %q; %v", language, a.term(stop), a.term("xyzowie"), err)
		}
	}
	err = Options{Language: "klingon"}.Validate()
	if err == nil || !strings.Contains(err.Error(), "german (de)") || !strings.Contains(err.Error(), "norwegian (no)") {
		t.Errorf("klingon: %v", err)
	}
}

// English stems agree with another implementation of Snowball's algorithm.
func TestEnglishStems(t *testing.T) {
	met := map[string]bool{}
	s := tokens.Scanner{}
	for _, text := range corpustest.Descriptions(t) {
		for s.Begin(text); s.Next(); {
			met[strings.ToLower(string(s.Spelling()))] = true
		}
	}
	for word := range strings.FieldsSeq("generously generalization communal arsenal skies dying news inning proceeding exceeded succeed sayable flies enjoyed cried by rationalization hopping hoping feed agreed") {
		met[word] = true
	}
	stem := language.Stemmer("english")
	for word := range met {
		if got, want := stem(word, true), english.Stem(word, true); got != want && !strings.Contains(word, "'s") {
			t.Errorf("%q is stemmed to %q, want %q", word, got, want)
		}
	}
	if len(met) < 1000 {
		t.Errorf("%d words alone", len(met))
	}
}

// In a language of which nothing is known words count as they are, without English stop words, and
// without the short words whose vowel an apostrophe stands for. An apostrophe that is a letter
// stays.
func TestWordsOfOtherTongues(t *testing.T) {
	text := "w'umutekano ry\u2019igihugu n'ubutunzi hari amakuru ng'ombe o'zbek g'alaba go'aan k'uchu ch'aki yiteguriye kwegeranya kiringo gushigikira the"
	c := countTexts(t, fmt.Sprintf("{\"text\": %[1]q}\n{\"text\": %[1]q}", text), Options{})
	want := strings.Fields("amakuru ch'aki g'alaba go'aan gushigikira hari igihugu k'uchu kiringo kwegeranya ng'ombe o'zbek the ubutunzi umutekano yiteguriye")
	if !slices.Equal(c.Terms, want) {
		t.Errorf("terms %q, want %q", c.Terms, want)
	}
	if notes := strings.Join(c.Notes, " "); !strings.Contains(notes, "no stemming, no stop words") || !strings.Contains(notes, "none of those with a stemmer") {
		t.Error(notes)
	}
}
