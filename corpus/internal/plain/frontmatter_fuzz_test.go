package plain

import (
	"strings"
	"testing"
)

// FuzzFrontMatter holds what is left of any text to its end, with a title of it before.
func FuzzFrontMatter(f *testing.F) {
	for _, seed := range []string{"---\ntitle: a b\ntags: [x]\n---\ntext\n", "+++\ntitle = 'a'\n+++\n", "---\n\ntext\n---\n", "---\r\na: b\r\n...\r\n", "---\ntitle: x\n---"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := withoutFrontMatter(s)
		title, text, cut := strings.Cut(out, "\n\n")
		switch {
		case strings.HasSuffix(s, out):
		case cut && strings.HasSuffix(s, text) && strings.Contains(s, title):
		default:
			t.Errorf("%q became %q", s, out)
		}
	})
}
