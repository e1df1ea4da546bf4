package corpus

import (
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// Messages of mail in a folder are read as those of a mailbox: decoded, without headers but the
// Subject.
func TestFolderOfMessages(t *testing.T) {
	const head = "From: a@x.org\r\nTo: b@y.org\r\nSubject: =?utf-8?q?about_caf=C3=A9?=\r\nMIME-Version: 1.0\r\n"
	files := map[string]string{
		"p/1.eml":  head + "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nwheel en=\r\ngine caf=C3=A9\r\n",
		"p/2.EML":  head + "Content-Type: text/plain; charset=iso-8859-1\r\n\r\nwheel engine caf\xe9\r\n",
		"q/3.eml":  head + "Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\nd2hlZWwgZW5naW5lIGNhZsOp\r\n",
		"q/4.eml":  head + "Content-Type: text/html\r\n\r\n<p class=\"lost\">wheel engine <b>caf&eacute;</b></p>\r\n",
		"q/5.eml":  "From a@x.org Thu Feb  5 22:34:43 2009\n" + strings.ReplaceAll(head, "\r", "") + "\nwheel engine café\n",
		"q/6.eml":  head + "Content-Type: multipart/alternative; boundary=zz\r\n\r\n--zz\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nwheel engine café\r\n--zz\r\nContent-Type: text/html\r\n\r\n<p>lost</p>\r\n--zz--\r\n",
		"q/7.eml":  "wheel engine café about café",
		"q/8.eml":  gzipped(""),
		"q/9.html": "<p>wheel engine café about café</p>",
	}
	delete(files, "q/8.eml")
	c := must.Get(Read(t.Context(), makeFolder(t, files), ReadOptions{Text: TextOptions{MinDF: 1, StopWords: "none"}}))(t)
	if want := []string{"café", "engine", "wheel"}; !slices.Equal(slices.DeleteFunc(slices.Clone(c.Terms), func(s string) bool { return s == "about" }), want) || c.Len() != 8 || len(c.ClassNames) != 2 {
		t.Errorf("%d documents, terms %q, classes %q", c.Len(), c.Terms, c.ClassNames)
	}
	for i := range c.Len() {
		if got, first := rowSum(c, i), rowSum(c, 0); got != first {
			t.Errorf("%s has %v words, and %s has %v", c.IDs[i], got, c.IDs[0], first)
		}
	}
}

// rowSum is the sum of a document's entries.
func rowSum(c *Corpus, i int) (sum float64) {
	_, cols := c.X.Dims()
	for j := range cols {
		sum += c.X.At(i, j)
	}
	return sum
}

// Fields before the text of Markdown are not in it, but for the title; rules and lists are.
func TestMarkdownFrontMatter(t *testing.T) {
	for content, want := range map[string]string{
		"---\ntitle: Lost City\ntags: [x, y]\nauthor:\n  name: somebody\n- list\n\n# comment\n---\n# Heading\n\nwords\n": "city heading lost words",
		"---\r\ntitle: \"Lost City\"\r\ndate: 2020\r\n---\r\nwords\r\n":                                                  "city lost words",
		"+++\ntitle = 'Lost City'\ndraft = true\n+++\nwords\n":                                                           "city lost words",
		"---\nlayout: post\n...\nwords\n":                                                                                "words",
		"---\nlayout: post\n---":                                                                                         "",
		"---\n\nfirst words\n\n---\n\nmore words\n":                                                                      "first more words",
		"---\nlayout: post\nwords without an end\n":                                                                      "an end layout post without words",
		"words\n\n---\ntitle: kept\n---\n":                                                                               "kept title words",
		"---\nNote: kept words\n":                                                                                        "kept note words",
	} {
		folder := makeFolder(t, map[string]string{"a.md": content, "b.txt": "other"})
		c := must.Get(Read(t.Context(), folder, ReadOptions{Text: TextOptions{MinDF: 1, StopWords: "none"}}))(t)
		terms := slices.DeleteFunc(slices.Clone(c.Terms), func(s string) bool { return s == "other" })
		if got := strings.Join(terms, " "); got != want {
			t.Errorf("%q: %q, want %q", content, got, want)
		}
	}
}
