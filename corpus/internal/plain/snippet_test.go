package plain

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSnippet(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{
		{"", 10, ""},
		{"as it is", 0, ""},
		{"as it is", 8, "as it is"},
		{"  white \t\r\n space\u00a0folded ", 40, "white space folded"},
		{"words are not cut", 12, "words are…"},
		{"one two", 3, "on…"},
		{"unbrokenletters", 6, "unbro…"},
		{"a\x00b\x1b[31mc\x07", 20, "ab[31mc"},
		{"left\u202eright\u2066", 20, "leftright"},
		{"broken \xff\xfe bytes \xc3", 20, "broken bytes"},
		{"kept \ufffd mark", 20, "kept \ufffd mark"},
		{"日本語の文章です", 5, "日本語の…"},
		{"caféeee\u0301e and more", 8, "caféee…"},
		{"abcee\u0301fgh", 6, "abce…"},
		{"<p>One<br />two &amp; three</p><script>no</script>", 30, "One two & three"},
		{"a < b and c > d", 30, "a < b and c > d"},
		{"From: a@b.c\nSubject: About it\nLines: 2\n\nThe body\nis this.", 60, "About it The body is this."},
		{"From: a@b.c\nX: y\n\nThe body", 60, "The body"},
		{"Note: this is a text alone", 60, "Note: this is a text alone"},
	} {
		got := Snippet(c.text, c.limit)
		if got != c.want {
			t.Errorf("%q, %d characters: %q, want %q", c.text, c.limit, got, c.want)
		}
	}
}

// FuzzSnippet: at most so many characters, valid, on one line, and the same of what it made itself.
func FuzzSnippet(f *testing.F) {
	f.Add("Subject: x\n\nA <b>text</b> that is long", 9)
	f.Add("\u200d\u0301\u0301\u0301", 2)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		if limit > 1000 {
			return
		}
		got := Snippet(text, limit)
		if n := utf8.RuneCountInString(got); n > max(0, limit) {
			t.Errorf("%d characters of %d: %q", n, limit, got)
		}
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\n\t\r\x00") || strings.Contains(got, "  ") || strings.TrimSpace(got) != got {
			t.Errorf("%q", got)
		}
	})
}
