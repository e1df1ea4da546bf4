package plain

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

// TestStrikes: texts of many marks have the text that they have with the library's own extension.
func TestStrikes(t *testing.T) {
	whole := goldmark.New(goldmark.WithExtensions(extension.Strikethrough), goldmark.WithRendererOptions(html.WithUnsafe()))
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"~", "~~", "~~~", "*", "**", "a", " ", "words", "\n", "\n\n", "`", "[", "](b)", "- ", "<b>", "\\", ". "}
	struck := 0
	for range 20000 {
		var b strings.Builder
		for range 1 + random.IntN(12) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		var page strings.Builder
		if err := whole.Convert([]byte(b.String()), &page); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(page.String(), "<del>") {
			struck++
		}
		if got, want := Markdown(b.String()), HTML(page.String()); got != want {
			t.Fatalf("%q: %q, want %q", b.String(), got, want)
		}
	}
	if struck < 100 {
		t.Errorf("%d texts have strikes", struck)
	}
}
