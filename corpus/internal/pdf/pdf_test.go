package pdf

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// pages are eight pages with heads, feet and lines of their own.
func pages() (list [][]string) {
	for p, word := range strings.Fields("anchor compass rudder cabin sail mast rope deck") {
		head := "Annual Report of the Harbour"
		if p%2 == 1 {
			head = "Chapter on Ships"
		}
		list = append(list, []string{head, "", "the " + word + " was lost in the storm", "a line that is on every page", "the ship lies in the har-", "bour again", "and a " + word + " too", "", fmt.Sprintf("page %d of 8", p+1)})
	}
	return list
}

// The text of a PDF has its words. Words that are divided at the end of a line are joined, and
// lines that head or foot the pages count once.
func TestTextOfPDF(t *testing.T) {
	corpustest.NeedPDFToText(t)
	tool := New(1 << 30)
	text, err := tool.Text(t.Context(), []byte(corpustest.PDF(pages()...)), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	text = strings.ReplaceAll(text, "\n", " ")
	for words, times := range map[string]int{"Annual Report": 1, "Chapter on Ships": 1, "the mast was lost": 1, "and a mast too": 1, "was lost in the storm": 8, "harbour again": 8, "har-": 0, "on every page": 8, "page 1 of 8": 1, "page 2 of 8": 0, "\f": 0} {
		if got := strings.Count(text, words); got != times {
			t.Errorf("%q is there %d times, not %d: %q", words, got, times, text)
		}
	}
	if text, err = tool.Text(t.Context(), []byte(corpustest.PDF([]string{"caf\xe9 (\x80 5) na\xefve"})), 1<<20); err != nil || strings.TrimSpace(text) != "café (€ 5) naïve" {
		t.Errorf("%q %v", text, err)
	}
}

// Files without a text say what they are and what helps.
func TestPDFWithoutText(t *testing.T) {
	corpustest.NeedPDFToText(t)
	whole := corpustest.PDF([]string{"some words"})
	locked := strings.Replace(whole, "/Root 1 0 R", "/Root 1 0 R/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<"+strings.Repeat("41", 32)+">/U<"+strings.Repeat("42", 32)+">>>", 1)
	for file, why := range map[string]string{corpustest.PDF([]string{""}): "ocrmypdf", "%PDF-1.4\n": "does not read (", locked: "qpdf --decrypt"} {
		var known input.Unread
		if text, err := New(1<<30).Text(t.Context(), []byte(file), 1<<20); !errors.As(err, &known) || !strings.Contains(string(known), why) || !strings.HasPrefix(string(known), "is a PDF ") {
			t.Errorf("%q, not %q: %v", text, why, err)
		}
	}
	if text, err := New(1<<30).Text(t.Context(), []byte(whole[:len(whole)/2]), 1<<20); err == nil && strings.TrimSpace(text) != "some words" {
		t.Errorf("of a file that was cut off: %q", text)
	}
}

// A program that fails, prints too much or is another's is named; none of its words can break the
// message.
func TestProgramFails(t *testing.T) {
	for name, c := range map[string]struct {
		said, script string
		limit        int64
		why          string
		err          error
	}{
		"none":             {said: "pdftotext version 4.00\nCopyright Glyph & Cog", why: "poppler-utils"},
		"an error":         {script: "cat >/dev/null; echo 'Syntax Warning: odd' >&2; printf 'Syntax Error (12): no \\033[31mtrailer\\n' >&2; exit 1", why: "does not read (no  [31mtrailer)"},
		"no word":          {script: "cat >/dev/null; exit 9", why: "does not read (exit status 9)"},
		"a crash":          {script: "cat >/dev/null; kill -SEGV $$", why: "does not read (signal: segmentation fault"},
		"a password":       {script: "cat >/dev/null; echo 'Command Line Error: Incorrect password' >&2; exit 1", why: "with a password"},
		"no letters":       {script: "cat >/dev/null; printf '\\f - \\f'", why: "without text"},
		"reads none":       {script: "exit 1", why: "does not read (exit status 1)"},
		"too much":         {script: "cat >/dev/null; yes words", limit: 1 << 16, err: input.ErrTooLong},
		"too much for any": {script: "cat >/dev/null; yes words words words", limit: 1 << 40, why: "more than 64 MB of text"},
	} {
		t.Run(name, func(t *testing.T) {
			corpustest.FakePDFToText(t, c.said, c.script)
			if c.limit == 0 {
				c.limit = 1 << 20
			}
			text, err := New(1<<30).Text(t.Context(), []byte("%PDF-1.4\n"+strings.Repeat("x", 1<<18)), c.limit)
			var known input.Unread
			switch {
			case c.err != nil && !errors.Is(err, c.err):
				t.Errorf("%q %v, not %v", text, err, c.err)
			case c.why != "" && (!errors.As(err, &known) || !strings.Contains(string(known), c.why)):
				t.Errorf("%q %v does not say %q", text, err, c.why)
			}
		})
	}
	corpustest.NoPDFToText(t)
	if _, err := New(1<<30).Text(t.Context(), []byte("%PDF-1.4\n"), 1<<20); err == nil || !strings.Contains(err.Error(), "apt-get install poppler-utils") {
		t.Error(err)
	}
}

// The end of the context ends a program that hangs, and what it started.
func TestProgramEndsWithContext(t *testing.T) {
	corpustest.FakePDFToText(t, "", "sleep 600 & cat >/dev/null; wait")
	tool := New(1 << 30)
	if tool.Version() != "99.1" {
		t.Fatal(tool.Version())
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := tool.Text(ctx, []byte("%PDF-1.4\n"), 1<<20); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("it took %v", took)
	}
}

// As many processes run at a time as have room in memory, one at least.
func TestProcessesAtATime(t *testing.T) {
	dir := t.TempDir()
	corpustest.FakePDFToText(t, "", "cat >/dev/null; mkdir "+dir+"/one || exit 1; sleep .05; rmdir "+dir+"/one; echo words")
	tool := New(1)
	errs := make(chan error)
	for range 8 {
		go func() {
			_, err := tool.Text(t.Context(), []byte("%PDF-1.4\n"), 1<<20)
			errs <- err
		}()
	}
	for range 8 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	for memory, want := range map[int64]int{-1: 1, 0: 1, spaceBeside: 1, 3*spaceBeside + 1: 3, 1 << 62: 1 << 10} {
		if got := cap(New(memory).slots); got != want {
			t.Errorf("with %d bytes %d processes, not %d", memory, got, want)
		}
	}
}

// Lines that recur at the edges of pages count once, and no others.
func TestWithoutRepeats(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "",
		"a\n":                      "a\n",
		"head\na\f":                "head\na",
		"head\na\fhead\nb\f":       "head\na\nhead\nb",
		"h 1\na\fh 2\nb\fh 3\nc\f": "h 1\na\n\nb\n\nc",
		"a\nb\nc\nsame\nd\ne\nf\fg\nh\ni\nsame\nk\nl\nm\fn\no\np\nsame\nr\ns\nt\f": "a\nb\nc\nsame\nd\ne\nf\ng\nh\ni\nsame\nk\nl\nm\nn\no\np\nsame\nr\ns\nt",
		"own a\nh\nx\fown b\nh\ny\fown c\nh\nz\f":                                  "own a\nh\nx\nown b\nh\ny\nown c\nh\nz",
		"h\n\n\n\f\f\fh\nb\fh\nc\f1\f":                                             "h\n\n\n\n\n\n\nb\n\nc\n1",
	} {
		if got := withoutRepeats(text); got != want {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
	}
}

// White space may stand before a PDF; one that a text speaks of is none.
func TestIs(t *testing.T) {
	whole := corpustest.PDF([]string{"some words"})
	for _, before := range []string{"", "\r\n", "\n\n  ", "\ufeff"} {
		if !Is([]byte(before + whole)) {
			t.Errorf("behind %q it is no PDF", before)
		}
		corpustest.NeedPDFToText(t)
		if text, err := New(0).Text(t.Context(), []byte(before+whole), 1<<20); err != nil || !strings.Contains(text, "some words") {
			t.Errorf("behind %q: %q, %v", before, text, err)
		}
	}
	for _, other := range []string{"", "%PDF", "a file begins with %PDF-1.4", strings.Repeat(" ", 2000) + whole} {
		if Is([]byte(other)) {
			t.Errorf("%.40q is a PDF", other)
		}
	}
}
