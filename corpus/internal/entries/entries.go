// Package entries reads exports of reference managers, literature databases and chats, whose
// entries are lists of named fields, as rows of a table.
package entries

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// The formats that this package reads.
const (
	// References is RIS, MEDLINE, Web of Science, RefWorks, EndNote and BibTeX.
	References = "references"
	// Chat is WhatsApp's export of a chat.
	Chat = "chat"
)

// TextColumn is the name of the column of the texts.
const TextColumn = "text"

// Formats returns the formats that this package reads.
func Formats() []string { return []string{References, Chat} }

// bib is the extension of BibTeX, which may begin with any text.
const bib = ".bib"

// Format returns the format of a file by its name and its first bytes; "" for another.
func Format(name string, head []byte) string {
	switch {
	case strings.EqualFold(filepath.Ext(input.UnpackedName(name)), bib), dialectOf(head) != nil, beginsBibTeX(head):
		return References
	case beginsChat(head):
		return Chat
	}
	return ""
}

// looked is how many of the first bytes say what a file is.
const looked = 32 << 10

// Rows gives the entries of a file as rows, the first one a header.
type Rows struct {
	in     *input.File
	next   func() ([]string, error) // the next entry, nil for one that is left out; io.EOF at the end
	header []string
	begun  bool
	what   string // what the entries are, such as "references (RIS)"
	say    string // what is said of the texts
	count  int    // entries
	left   int    // entries that are left out
	why    string // why
	other  *outside
}

// Open starts reading a file in UTF-8 of one of the [Formats] at the place where it stands.
func Open(in *input.File, format string) (*Rows, error) {
	head, err := in.Peek(looked)
	if err != nil {
		return nil, err
	}
	r := &Rows{in: in, header: referenceColumns, why: "neither title nor abstract",
		say: "the texts are their titles and abstracts; ‹text-column› names others of the columns " + strings.Join(referenceColumns[2:], ", ")}
	switch dialect := dialectOf(head); {
	case format == Chat:
		c := newChat(in)
		r.next, r.header, r.what, r.why = c.next, chatColumns, "messages of WhatsApp", "no text of a person"
		r.say = "each is a document, without its date and sender; ‹input-format› lines takes lines as they are"
	case dialect != nil:
		t := &tagged{in: in, lines: input.NewLines(in), dialect: dialect, limit: limitOf(in)}
		r.next, r.what, r.other = t.next, dialect.name, &t.other
	case beginsBibTeX(head), strings.EqualFold(filepath.Ext(input.UnpackedName(in.Name)), bib):
		b := &bibTeX{in: in, limit: limitOf(in), line: 1}
		r.next, r.what = b.next, "references (BibTeX)"
	default:
		return nil, in.Fail("", "is no file of references (RIS, MEDLINE, Web of Science, RefWorks, EndNote, BibTeX); give its format with ‹input-format›")
	}
	return r, nil
}

// limitOf is the most bytes of an entry.
func limitOf(in *input.File) int { return int(max(1<<16, in.Mem.Limit/64)) }

// Next returns the next row, valid until the following one; io.EOF at the end.
func (r *Rows) Next() ([]string, error) {
	if !r.begun {
		r.begun = true
		return r.header, nil
	}
	for {
		row, err := r.next()
		switch {
		case err == io.EOF && r.count == 0:
			return nil, r.in.Fail("", "begins as %s do, and none of its entries has a text; if it is none of these, give its format with ‹input-format›, such as lines", r.what)
		case err == io.EOF:
			r.end()
			return nil, err
		case err == input.ErrTooLong:
			return nil, r.in.Fail(fmt.Sprintf("after %s", message.Plural(r.count, "entry", "entries")), "an entry is longer than %s; check how it ends", message.Bytes(int64(limitOf(r.in))))
		case err != nil:
			return nil, r.in.Wrap("", err)
		case row == nil:
			r.left++
		default:
			r.count++
			return row, nil
		}
	}
}

// end says what was read, once.
func (r *Rows) end() {
	if r.what == "" || r.count == 0 {
		return
	}
	r.in.Notef("The file has %d %s: %s.", r.count, r.what, r.say)
	switch {
	case r.left == 1:
		r.in.Notef("A further entry is left out: it has %s.", r.why)
	case r.left > 1:
		r.in.Notef("%d further entries are left out: they have %s.", r.left, r.why)
	}
	if r.other != nil && r.other.count > 0 {
		r.in.Notef("%s outside of the entries and left out (first: line %d, %q).", message.Plural(r.other.count, "line is", "lines are"), r.other.first, message.Clip(r.other.line, 40))
	}
	r.what = ""
}

// join is the fields that are not empty, with a separator between.
func join(separator string, fields ...string) string {
	var some []string
	for _, f := range fields {
		if f = strings.TrimSpace(f); f != "" {
			some = append(some, f)
		}
	}
	return strings.Join(some, separator)
}

// firstLine is the first line of a file that is not empty, without a byte-order mark and blanks
// around it.
func firstLine(head []byte) string {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte(input.ByteOrderMark)), " \t\r\n")
	line, _, _ := bytes.Cut(head, []byte("\n"))
	return strings.TrimSpace(string(line))
}
