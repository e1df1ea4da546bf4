package text

import "testing"

// Languages go by names and codes, and others are named for what they lack.
func TestLanguageNames(t *testing.T) {
	for word, want := range map[string]string{"en": "english", "English": "english", "en-US": "english", "en_GB": "english", "FR": "french", "swe": "swedish",
		"nb": "norwegian", "none": "none", "None": "none", "german": "german", "words.txt": "words.txt", "": ""} {
		if got := LanguageName(word); got != want {
			t.Errorf("%q is %q, want %q", word, got, want)
		}
		if got := LanguageName(LanguageName(word)); got != LanguageName(word) {
			t.Errorf("%q is named twice: %q", word, got)
		}
	}
	for _, word := range []string{"fr", "ru", "es-MX"} {
		if err := (Options{Language: word}).Validate(); err != nil {
			t.Errorf("%s: %v", word, err)
		}
	}
	a, err := newAnalyzer(Options{Language: "fr"})
	if err != nil || a.term("maisons") != a.term("maison") || !a.split {
		t.Errorf("fr is not read as French: %v", err)
	}
	if (Options{Language: "german"}).Validate() == nil {
		t.Error("german has no stemmer here")
	}
}
