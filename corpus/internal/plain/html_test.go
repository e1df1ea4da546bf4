package plain

import (
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/internal/property"
	"pgregory.net/rapid"
)

func TestHTMLText(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "",
		"no tags, 3 < 4 & 5 > 2":                 "no tags, 3 < 4 & 5 > 2",
		"<p>one</p><p>two</p>":                   "one two",
		"in<b>side</b> a <A HREF='x'>word</A>":   "inside a word",
		"cell<td>cell<br/>line":                  "cell cell line",
		"<!-- a <b> comment -->text<!doctype x>": "text",
		"caf&eacute; &amp;lt; &lt;b&gt; &#1078;": "café &lt; <b> ж",
		"<script>if (a</b) x</SCRIPT >shown":     "shown",
		"a<style type=\"text/css\">p{}</style>b": "a b",
		"<script>to the end":                     "",
		`<img alt="a > b" title='"'>seen`:        "seen",
		"seen<a href=\"cut off":                  "seen",
		"<":                                      "<",
		"</":                                     "</",
		"<!-- open":                              "",
	} {
		if got := strings.Join(strings.Fields(HTML(text)), " "); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
	// Words come back after escaping and markup.
	property.Check(t, func(rt *rapid.T) {
		words := rapid.SliceOf(rapid.StringMatching(`[a-zé<>&"']{1,6}`)).Draw(rt, "words")
		tags := rapid.SliceOfN(rapid.SampledFrom([]string{"<p>", "</div >", "<br/>", "<!-- <p> -->\n", "<td x='<y>'>", "<style>a</style>"}), len(words), len(words)).Draw(rt, "tags")
		escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;")
		var page strings.Builder
		for i, w := range words {
			page.WriteString(escape.Replace(w) + tags[i])
		}
		if got := strings.Join(strings.Fields(HTML(page.String())), " "); got != strings.Join(words, " ") {
			rt.Fatalf("%q gives %q, want %q", page.String(), got, words)
		}
	})
}

// A page is known by its name or its beginning, and declares its encoding.
func TestIsHTML(t *testing.T) {
	for _, c := range []struct {
		name, text string
		page       bool
	}{
		{"a/b.html", "plain", true}, {"x.HTM.gz", "", true}, {"x.txt", "\n<!DOCTYPE HTML>\n", true}, {"x", "<html lang=en>", true},
		{"x.txt", "a <b>", false}, {"html", "", false}, {"x.xml", "<?xml?>", false},
	} {
		if got := IsHTML(c.name, []byte(c.text)); got != c.page {
			t.Errorf("%s with %q: %v", c.name, c.text, got)
		}
	}
	for _, meta := range []string{"<meta charset=iso-8859-2>", `<meta name=x><META http-equiv="Content-Type" content="text/html; charset=ISO-8859-2"/>`} {
		page := []byte(meta + "<p>\xb1")
		if text, _, damaged := HTMLDecoder(page, charset.Decoder{}).Decode(page); damaged || strings.TrimSpace(HTML(text)) != "ą" {
			t.Errorf("%q, damaged %v", HTML(text), damaged)
		}
	}
	if d := HTMLDecoder([]byte("<p>\xb1"), charset.Decoder{Auto: true}); !d.Auto {
		t.Errorf("without a declaration: %+v", d)
	}
}
