package plain

import (
	"strings"
	"testing"
	"time"
)

// Markdown of some kilobytes that nests deeply, or has tables whose rows the library would fill,
// takes no time that grows with the square of its length.
func TestMarkdownIsBounded(t *testing.T) {
	for what, s := range map[string]string{
		"wide table":  strings.Repeat("|a", 20000) + "\n" + strings.Repeat("|-", 20000) + "\n" + strings.Repeat("|b\n", 500),
		"quotes":      strings.Repeat(">", 100000) + " a b",
		"lists":       strings.Repeat("- ", 50000) + "a b",
		"open links":  strings.Repeat("[a](<b", 50000),
		"one line":    strings.Repeat("é", 50000),
		"open braces": strings.Repeat("[", 100000) + " b",
	} {
		began := time.Now()
		if text := Markdown(s); what != "quotes" && !strings.ContainsAny(text, "abé") {
			t.Errorf("%s: the text is lost", what)
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%s: it took %v", what, took)
		}
	}
}

// A piece of a long text ends after an empty line, a line or a whole character.
func TestMarkdownPieces(t *testing.T) {
	for what, s := range map[string]string{"lines": strings.Repeat("a line of words\n", 5000), "empty lines": strings.Repeat("some words\n\n", 5000), "characters": strings.Repeat("é", 40000)} {
		words, got := strings.Fields(s), strings.Fields(Markdown(s))
		if what == "characters" {
			words, got = []string{s}, []string{strings.Join(got, "")}
		}
		if strings.Join(got, " ") != strings.Join(words, " ") {
			t.Errorf("%s: %d words became %d", what, len(words), len(got))
		}
	}
}
