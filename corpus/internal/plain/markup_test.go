package plain

import (
	"strings"
	"testing"
)

// Tags of HTML and entities are no words; what only looks like them stays.
func TestWithoutMarkup(t *testing.T) {
	for text, want := range map[string]string{
		"It was <b>great</b>.<br /><br />I liked it":                        "It was great.\n\nI liked it",
		`a <a href="http://x.y/?a=1&amp;b=2" rel=nofollow>link</a> &amp; b`: "a link & b",
		"<P class='x'>one<p>two</P>":                                        "\none\ntwo\n",
		"<p>x<script>" + strings.Repeat("Ⱥ", 100) + "</script> y":           "\nx\n\n y",
		"<p>x<script>\xff\xff" + strings.Repeat("İ", 100) + "</SCRIPT> y":   "\nx\n\n y",
		"x<script type=\"a\">if (a<b) c()</script>y":                        "x\n\ny",
		"<i>before</i><!-- a <b> c --> <i>after</i>":                        "before\n after",
		"<b>a</b> and <i>b</i>":                                             "a and b",
		"<img src=\"a.png\" alt=\"a > b\" hidden/>end":                      "\nend",
		"caf&eacute; &#39;x&#x27; &nbsp;":                                   "café 'x' \u00a0",
		"R&amp;amp;D &amp;amp;lt; x &amp;unknownname;":                      "R&D < x &unknownname;",
		"<INPUT\n\tTYPE = text>z":                                           "\nz",
	} {
		if got, found := WithoutMarkup(text); got != want || !found {
			t.Errorf("%q is %q (%v), want %q", text, got, found, want)
		}
	}
	for _, text := range []string{"", "a < b and c > d", "<me@example.org> wrote", "#include <stdio.h>", "if a <b and c> d", "x <- y", "List<String>", "a && b; c", "AT&T", "&copy=1", "<br", "</p x>", "<!-- open",
		"<a link without quotes>", "reads <form> and </form> of a page", "the <b> tag", "before<!-- a -->after", "&unknownname;", "<p" + strings.Repeat(" ", longestTag) + ">"} {
		if got, found := WithoutMarkup(text); got != text || found {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

// FuzzMarkup takes arbitrary texts: what is left is found again as it is, but for entities.
func FuzzMarkup(f *testing.F) {
	f.Add("a<br/>b</p><a href='x'>&lt;br&gt;<script>x</SCRIPT><!-- -->")
	f.Fuzz(func(t *testing.T, text string) {
		got, found := WithoutMarkup(text)
		if !found && got != text {
			t.Fatalf("%q becomes %q unnoticed", text, got)
		}
		if len(got) > 4*len(text)+8 {
			t.Fatalf("%d bytes become %d", len(text), len(got))
		}
	})
}
