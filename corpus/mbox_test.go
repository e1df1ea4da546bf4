package corpus

import (
	"context"
	"encoding/base64"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

func readMailbox(t *testing.T, text string, opt ReadOptions) *Corpus {
	t.Helper()
	opt.Text = TextOptions{Language: "none", StopWords: "none", MinDF: 1}
	c := must.Get(readBytes([]byte(text), opt.Format, opt))(t)
	checkInvariants(t, c)
	return c
}

// textOf lists the words of document i.
func textOf(c *Corpus, i int) string {
	var words []string
	for j, term := range c.Terms {
		if c.X.At(i, j) > 0 {
			words = append(words, term)
		}
	}
	return strings.Join(words, " ")
}

func TestMbox(t *testing.T) {
	c := readMailbox(t, mailbox, ReadOptions{LabelHeader: "newsgroups"})
	if got := classOf(c); got != "1@x:sci.space 2@x:sci.med 1@x#2: 4: 5:sci.med" || c.Format != "mbox" {
		t.Errorf("%s %s", c.Format, got)
	}
	for i, want := range []string{
		"café escaped flew from it line on orbits shuttle the there went", "software łódź", "packed москва", "alone markup visible", "cafés raw",
	} {
		if got := textOf(c, i); got != want {
			t.Errorf("message %d has %q, want %q", i+1, got, want)
		}
	}
	wantNote(t, c, "5 messages, 1 in HTML alone")
	wantNote(t, c, "5 texts are mail (first: line 1): headers but the subject, signatures")
	wantNote(t, c, "Windows-1252 (first: line 50)")
	if c = readMailbox(t, mailbox, ReadOptions{LabelHeader: "list-id"}); !slices.Equal(c.ClassNames, []string{"med.example.org"}) {
		t.Errorf("classes %q", c.ClassNames)
	}
	if c = readMailbox(t, mailbox, ReadOptions{Strip: []string{StripHeaders}}); textOf(c, 0) != "escaped flew from it line on shuttle the there went" {
		t.Errorf("without headers %q", textOf(c, 0))
	}
	crlf := strings.ReplaceAll(mailbox, "\n", "\r\n")
	if c = readMailbox(t, crlf, ReadOptions{}); c.Len() != 5 || textOf(c, 1) != "software łódź" {
		t.Errorf("with CRLF %d messages", c.Len())
	}
	path := filepath.Join(t.TempDir(), "inbox.gz")
	writeFile(t, filepath.Dir(path), "inbox.gz", []byte(gzipped(mailbox)))
	if c, err := Read(context.Background(), path, ReadOptions{}); err != nil || c.Format != "mbox" {
		t.Errorf("by its look: %v", err)
	}
}

func TestMboxErrors(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		opt        ReadOptions
		parts      []string
	}{
		{"no mailbox", "words and words", ReadOptions{}, []string{"line 1", "From sender date"}},
		{"no mailbox below empty lines", "\n\nwords", ReadOptions{}, []string{"line 3"}},
		{"empty lines", "\n\n", ReadOptions{}, []string{"line 3"}},
		{"no such header", mailbox, ReadOptions{LabelHeader: "x-topic"}, []string{"X-Topic"}},
		{"too long", mailbox + mailMessage("A: b", strings.Repeat("word ", 1<<17)), ReadOptions{MaxBytes: 4 << 20}, []string{"line 57", "longer"}},
	} {
		_, err := readBytes([]byte(tc.text), "mbox", tc.opt)
		if err == nil {
			t.Errorf("%s: no error", tc.name)
			continue
		}
		wantFault(t, err, tc.parts...)
	}
}

// TestMboxDamaged: a damaged message is read as far as possible.
func TestMboxDamaged(t *testing.T) {
	for _, tc := range []struct{ name, headers, body, want string }{
		{"no headers", "just text", "more", "just more text"},
		{"cut boundary", "Content-Type: multipart/mixed; boundary=B", "--B\n\nfirst part\n--B\nContent-Type: text/plain\n\nsecond", "first part second"},
		{"no boundary", "Content-Type: multipart/mixed", "words", ""},
		{"unknown charset", "Content-Type: text/plain; charset=x-none", "caf\xe9", "café"},
		{"bad base64", "Content-Transfer-Encoding: base64", "d29yZHMg!!!", "words"},
		{"bad base64 of HTML", "Content-Type: text/html\nContent-Transfer-Encoding: base64", "PGI+d29yZHM8L2I+!!!", "words"},
		{"HTML in a part", "Content-Type: multipart/related; boundary=B", "--B\nContent-Type: text/html; charset=koi8-r\n\n<p>\xc4\xc1<style>x</style></p>\n--B--", "да"},
		{"HTML and a footer", "Content-Type: multipart/mixed; boundary=B", "--B\nContent-Type: multipart/alternative; boundary=C\n\n--C\nContent-Type: text/html\n\n<p>body</p>\n--C--\n--B\n\nfooter\n--B--", "body footer"},
		{"an unknown word", "Subject: =?x-none?q?gar=62age?= =?utf-8?q?caf=C3=A9?= =?utf-8?b?*bad*?= end", "text", "café end text"},
		{"bad type", "Content-Type: ;;;", "words", "words"},
		{"attachment", "Content-Type: multipart/mixed; boundary=B", "--B\n\nbody\n--B\nContent-Disposition: attachment; filename=x\n\nhidden\n--B--", "body"},
		{"forwarded", "Content-Type: multipart/mixed; boundary=B", "--B\nContent-Type: message/rfc822\n\nSubject: x\nContent-Type: text/plain\n\ninner\n--B--", "inner"},
		{"nested deep", "Content-Type: multipart/mixed; boundary=B", strings.Repeat("--B\nContent-Type: multipart/mixed; boundary=B\n\n", 50) + "deep", ""},
		{"NUL", "A: b", "one\x00two", "one two"},
		{"empty", "A: b", "", ""},
	} {
		c := readMailbox(t, mailMessage("A: b", "some text")+mailMessage(tc.headers, tc.body), ReadOptions{Format: "mbox"})
		if got := textOf(c, 1); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// TestMailNotes: a note counts the messages that lost text or were read from HTML.
func TestMailNotes(t *testing.T) {
	c := readMailbox(t, mailMessage("A: b", "some text")+mailMessage("Content-Transfer-Encoding: base64", "d29yZHMg!!!")+mailMessage("Content-Type: image/png", "words")+
		mailMessage("Content-Transfer-Encoding: base64", base64.StdEncoding.EncodeToString([]byte("whole"))), ReadOptions{Format: "mbox"})
	wantNote(t, c, "4 messages, 1 without a part of text, of which the Subject alone is counted, 1 in which base64")
}

// TestMboxOneID: thousands of messages with one id take no more time than others.
func TestMboxOneID(t *testing.T) {
	c := readMailbox(t, strings.Repeat(mailMessage("Message-ID: <1@x>", "word"), 20_000), ReadOptions{})
	if c.ID(19_999) != "1@x#20000" {
		t.Error(c.ID(19_999))
	}
}

func FuzzMbox(f *testing.F) {
	f.Add([]byte(mailbox))
	f.Add([]byte("From a 1:00\n\n\n\nFrom b 2:00\nContent-Type: multipart/mixed; boundary=\n\n--\n"))
	f.Add([]byte(mailMessage("Content-Type: text/plain; charset=utf-16\nContent-Transfer-Encoding: quoted-printable\nMessage-ID: <\xff>", "=\x00=ZZ")))
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzRead(t, data, "mbox", ReadOptions{Text: TextOptions{MinDF: 1}, LabelHeader: "Subject", Strip: []string{StripHeaders, StripQuotes, StripFooters}})
	})
}

// Messages begin with a line From in all the forms that programs write, and sentences that begin so
// begin none.
func TestMboxSeparators(t *testing.T) {
	const n = 8
	messages := func(from func(i int) string, blank bool) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%s\nFrom: a@x.org\nSubject: car %d\nMessage-ID: <c%d@x>\n\nthe engine of the car\n\nFrom there we went on\nFrom: one to another\n", from(i), i, i)
			if blank {
				b.WriteString("\n")
			}
		}
		return b.String()
	}
	full := func(int) string { return "From a@x.org Thu Feb  5 22:34:43 2009" }
	for name, content := range map[string]string{
		"usual":                  messages(full, true),
		"no empty line":          messages(full, false),
		"bare":                   messages(func(int) string { return "From " }, true),
		"bare, no empty":         messages(func(i int) string { return []string{full(0), "From "}[i%2] }, false),
		"an address":             messages(func(int) string { return "From a@x.org" }, true),
		"address, no empty line": messages(func(i int) string { return []string{full(0), "From a@x.org"}[i%2] }, false),
		"a sender":               messages(func(i int) string { return []string{full(0), "From MAILER-DAEMON"}[i%2] }, true),
		"Mozilla":                messages(func(int) string { return "From - Thu Feb 05 22:34:43 2009" }, true),
		"a day alone":            messages(func(int) string { return "From a@x.org 2009-02-05" }, true),
		"carriage returns":       strings.ReplaceAll(messages(full, false), "\n", "\r\n"),
		"mixed": messages(func(i int) string {
			return []string{"From ", full(0), "From b@x.org", "From - Thu Feb 05 22:34:43 2009"}[i%4]
		}, true),
	} {
		c, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.mbox", []byte(content)), ReadOptions{Text: TextOptions{MinDF: 1}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if c.Len() != n {
			t.Errorf("%s: %d messages, want %d", name, c.Len(), n)
		}
	}
}

// What is left out of texts in memory is chosen as of texts in a file.
func TestStripTextsInMemory(t *testing.T) {
	texts := []string{"From: a@b.c\nSubject: boats\n\nlake", "From: a@b.c\nSubject: boats\n\nlake"}
	for strip, want := range map[string]string{StripAuto: "boats lake", StripHeaders: "lake", StripNone: "boats from lake subject"} {
		c := must.Get(FromTexts(t.Context(), texts, ReadOptions{Text: TextOptions{Language: "none", StopWords: "none"}, Strip: []string{strip}}))(t)
		if got := textOf(c, 0); got != want {
			t.Errorf("%s leaves %q", strip, got)
		}
	}
}
