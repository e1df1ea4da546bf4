package text

import (
	"bytes"
	"io"
	"net/textproto"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/plain"
)

// mboxStart begins every message of a mailbox.
const mboxStart = "From "

// readMbox reads a mailbox: messages that each begin with a line "From sender date" after an empty
// line, or with such a line, also one without a date or bare, before a header. The text of a
// message is its Subject and all its parts of plain text, decoded. HTML is counted without its
// tags, unless plain text has the same content. Attachments are not counted. The id is the
// Message-ID (with #2, #3, ... after one that occurs again), else the message's number. The class
// is the header that ReadOptions.LabelHeader names, else none.
func readMbox(in *source) (*counting.Collection, error) {
	rule := &mailRule{file: in.Name, beside: in.opt.Beside, header: textproto.CanonicalMIMEHeaderKey(in.opt.LabelHeader), strip: in.opt.stripped(), auto: charset.Decoder{Auto: true}}
	if in.opt.Encoding != "" {
		var err error
		if rule.auto, err = charset.New(in.opt.Encoding); err != nil {
			return nil, err
		}
	}
	box := &mbox{rule: rule, w: window{r: in.Stream, limit: in.Mem.Limit / lineShare}}
	t, c, err := in.countTexts(box.batches, nil)
	if err != nil {
		return nil, err
	}
	if in.opt.Each != nil {
		return c, nil
	}
	if err := in.hasHeader(c); err != nil {
		return nil, err
	}
	note := "Mail: " + message.Plural(t.Docs, "message", "messages")
	if n := rule.textless.Load(); n > 0 {
		note += ", " + strconv.FormatInt(n, 10) + " without a part of text, of which the Subject alone is counted"
	}
	if n := rule.marked.Load(); n > 0 {
		note += ", " + strconv.FormatInt(n, 10) + " in HTML alone, counted without its tags"
	}
	if n := rule.broken.Load(); n > 0 {
		note += ", " + strconv.FormatInt(n, 10) + " in which base64 or quoted-printable is damaged, counted as far as it can be decoded"
	}
	c.Notes = append(c.Notes, note+".")
	return c, nil
}

// mbox cuts a mailbox into messages.
type mbox struct {
	rule *mailRule
	w    window
}

// batches emits all messages.
func (m *mbox) batches(emit func(counting.Batch) bool) error {
	b := &recordBatch{decode: m.rule.document}
	for first := true; ; first = false {
		raw, line, err := m.next(first)
		if err != nil && err != io.EOF {
			emit(b) // an error in an earlier message comes first
			return err
		}
		if raw != nil {
			b.add(raw, line)
		}
		if err == io.EOF || len(b.data) >= counting.BatchBytes {
			if !emit(b) || err == io.EOF {
				return nil
			}
			b = &recordBatch{decode: m.rule.document}
		}
	}
}

// next returns the next message with its From line, valid until the following call; io.EOF after
// the last.
func (m *mbox) next(first bool) (raw []byte, line int, err error) {
	w := &m.w
	if first {
		if err := m.start(); err != nil {
			return nil, 0, err
		}
	}
	line = w.line + 1
	for from := 0; ; {
		at, err := w.find("\n"+mboxStart, from)
		if err == nil && at >= 0 {
			var last bool
			if last, err = m.separates(at); err == nil && !last {
				from = at + 1
				continue
			}
		}
		switch {
		case err == input.ErrTooLong:
			return nil, line, tooLong(m.rule.file, "line "+strconv.Itoa(line), "the message that begins here ", w.limit)
		case err != nil:
			return nil, line, err
		case at >= 0:
			raw = w.data[:at+1]
		case len(w.data) == 0:
			return nil, line, io.EOF
		default:
			raw = w.data
		}
		w.skip(len(raw))
		return raw, line, nil
	}
}

// mostHeaders is how many lines, and headBytes how many bytes, are looked at for the headers of a
// message without a From line.
const mostHeaders, headBytes = 200, 1 << 20

// start skips empty lines before the first message and refuses a file that is not a mailbox.
func (m *mbox) start() error {
	w := &m.w
	for {
		blank := len(w.data) - len(bytes.TrimLeft(w.data, "\r\n"))
		w.skip(blank)
		if bytes.HasPrefix(w.data, []byte(mboxStart)) || bytes.Count(w.data, []byte("\n")) > mostHeaders || int64(len(w.data)) >= min(headBytes, w.limit) || w.end {
			break
		}
		if err := w.fill(); err != nil {
			return err
		}
	}
	if !bytes.HasPrefix(w.data, []byte(mboxStart)) && !BeginsMessage(w.data) {
		return input.Failf(m.rule.file, "line "+strconv.Itoa(w.line+1), "is not the beginning of a mailbox, which needs a line \"From sender date\"; give a file in the format mbox")
	}
	return nil
}

// separates reports whether the line after the newline at position at begins a message: it has a
// time of day and an empty line before it, or it may begin one by itself and a header follows. An
// unescaped "From there we went on" in a text is not such a line.
func (m *mbox) separates(at int) (bool, error) {
	before := bytes.TrimSuffix(m.w.data[:at], []byte("\r"))
	empty := len(before) == 0 || before[len(before)-1] == '\n'
	const longest = 1000 // most bytes of a From line, and of the line after it
	for len(m.w.data) < at+2*longest && !m.w.end && bytes.Count(m.w.data[at+1:], []byte("\n")) < 2 {
		if err := m.w.fill(); err != nil {
			return false, err
		}
	}
	line, rest, _ := bytes.Cut(m.w.data[at+1:min(len(m.w.data), at+2*longest)], []byte("\n"))
	if empty && isFromLine(line) {
		return true, nil
	}
	next, _, _ := bytes.Cut(rest, []byte("\n"))
	return mayBegin(line, empty) && plain.IsHeader(string(next)), nil
}

// mayBegin reports whether a line "From ..." may begin a message if a header follows: it is bare,
// or names an address or a sender after an empty line, or has a time or an address.
func mayBegin(line []byte, empty bool) bool {
	fields := bytes.Fields(bytes.TrimPrefix(line, []byte(mboxStart)))
	switch {
	case len(fields) == 0, isFromLine(line):
		return true
	case bytes.IndexByte(fields[0], '@') > 0:
		return true
	}
	return empty && len(fields) == 1
}

// isFromLine recognises the line that begins a message by the time in it, such as 13:05.
func isFromLine(line []byte) bool {
	if !bytes.HasPrefix(line, []byte(mboxStart)) {
		return false
	}
	digit := func(i int) bool { return i >= 0 && i < len(line) && '0' <= line[i] && line[i] <= '9' }
	for i, c := range line {
		if c == ':' && digit(i-1) && digit(i+1) && digit(i+2) {
			return true
		}
	}
	return false
}

// usualHeaders are headers that messages have.
var usualHeaders = []string{"From", "To", "Subject", "Date", "Message-Id", "Received", "Return-Path", "Newsgroups"}

// BeginsMessage recognises a message without a line "From sender date", as a program for mail saves
// a single one: its first line is a header, and so are the next ones up to an empty line, two of
// the usual names among them.
func BeginsMessage(head []byte) bool {
	usual := 0
	for k, line := range strings.Split(string(head), "\n") {
		line = strings.TrimSuffix(line, "\r")
		switch {
		case line == "" && k > 0:
			return usual >= 2
		case k > 0 && (line[0] == ' ' || line[0] == '\t'): // of the header above
			continue
		case !plain.IsHeader(line):
			return false
		}
		name, _, _ := strings.Cut(line, ":")
		if slices.Contains(usualHeaders, textproto.CanonicalMIMEHeaderKey(name)) {
			if usual++; usual >= 2 {
				return true
			}
		}
	}
	return usual >= 2
}

// LooksLikeMbox recognises a mailbox by its first two lines.
func LooksLikeMbox(head []byte) bool {
	first, rest, _ := bytes.Cut(head, []byte("\n"))
	second, _, _ := strings.Cut(string(rest), "\n")
	return bytes.HasPrefix(first, []byte(mboxStart)) && mayBegin(first, true) && plain.IsHeader(second)
}
