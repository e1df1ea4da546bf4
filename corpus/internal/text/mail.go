package text

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/plain"
	"github.com/eigenmap/eigenmap/internal/pattern"
	"golang.org/x/text/encoding/htmlindex"
)

// mailDepth is how deep messages and parts may be nested.
const mailDepth = 16

// mailRule decides on the text and the class of a message. The workers share it.
type mailRule struct {
	file   string
	header string // the header that is the class; empty: none
	beside bool   // documents come with their headers of besideHeaders
	strip  []string
	auto   charset.Decoder // for text whose charset is missing or unknown

	// Numbers of messages with neither plain text nor HTML, with HTML only, and with a text that
	// could not be decoded to its end.
	textless, marked, broken atomic.Int64
}

// besideHeaders are the headers by which messages are told apart, beside their texts.
var besideHeaders = []string{"From", "To", "Newsgroups", "List-Id", "Organization", "Date"}

// document reads a message. A message that breaks the standards is read as far as possible, because
// old mailboxes hold many of them.
func (r *mailRule) document(raw []byte, line int) (counting.Document, error) {
	d := counting.Document{Line: line, Repeats: true, Plain: true, Message: true}
	d.Mail = slices.Contains(r.strip, plain.StripAuto)
	from, rest, _ := bytes.Cut(raw, []byte("\n"))
	if !bytes.HasPrefix(from, []byte(mboxStart)) { // the only message of its file
		rest = raw
	}
	msg, err := mail.ReadMessage(bytes.NewReader(rest))
	if err != nil {
		// If the headers cannot be read, the text is everything but the From line.
		d.Text, d.Guessed, d.Damaged = r.auto.Decode(rest)
		whole := len(d.Text)
		d.Text = plain.StripBody(d.Text, r.strip, d.Mail)
		d.Cut = len(d.Text) < whole
		return d, nil
	}
	if id := strings.Trim(strings.TrimSpace(msg.Header.Get("Message-Id")), "<>"); id != "" {
		d.ID, d.HasID = strings.Clone(strings.ToValidUTF8(id, "?")), true
	}
	if r.header != "" {
		d.Label = r.class(msg.Header.Get(r.header))
		d.HasLabel = d.Label != ""
	}
	if r.beside {
		for _, name := range besideHeaders {
			if value := strings.Join(strings.Fields(r.word(msg.Header.Get(name))), " "); value != "" && name != r.header {
				d.Beside = append(d.Beside, counting.Value{Column: name, Text: clipped(value)})
			}
		}
	}
	parts := mailText{rule: r}
	parts.add(msg.Header.Get("Content-Type"), msg.Header.Get("Content-Transfer-Encoding"), msg.Body, 0)
	switch {
	case !parts.plain.any && parts.html.any:
		r.marked.Add(1)
	case !parts.plain.any:
		r.textless.Add(1)
	}
	if parts.broken {
		r.broken.Add(1)
	}
	parts.plain.join(&parts.html)
	d.Guessed, d.Damaged = parts.plain.guessed, parts.plain.damaged
	body := strings.ReplaceAll(parts.plain.text.String(), "\n>From ", "\nFrom ")
	var others []string // the headers are not in the text
	for _, s := range r.strip {
		if s != plain.StripHeaders {
			others = append(others, s)
		}
	}
	whole := len(body)
	body = plain.StripBody(body, others, d.Mail)
	d.Cut = len(body) < whole || len(others) < len(r.strip)
	if len(others) == len(r.strip) {
		body = r.word(msg.Header.Get("Subject")) + "\n" + body
	}
	d.Text = body
	return d, nil
}

// hasHeader refuses a collection in which no message has the header that is to be its class.
func (in *source) hasHeader(c *counting.Collection) error {
	if in.opt.LabelHeader == "" || c.Labels != nil || in.opt.Dates || in.opt.Each != nil || in.opt.Share != nil {
		return nil
	}
	return in.Fail("", "no message has a header %s to take its class from; name another or leave it out", message.Clip(textproto.CanonicalMIMEHeaderKey(in.opt.LabelHeader), 60))
}

// classOf is the class of a message, or of a text with headers; "" if it has no such header.
func (r *mailRule) classOf(raw []byte) string {
	if bytes.HasPrefix(raw, []byte(mboxStart)) {
		_, raw, _ = bytes.Cut(raw, []byte("\n"))
	}
	msg, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return ""
	}
	return r.class(msg.Header.Get(r.header))
}

// class makes a class from a header: the first group of Newsgroups, the name in angle brackets of
// List-Id, else the decoded words.
func (r *mailRule) class(value string) string {
	value = strings.Join(strings.Fields(r.word(value)), " ")
	if r.header == "Newsgroups" {
		value, _, _ = strings.Cut(value, ",")
		return strings.TrimSpace(value)
	}
	if r.header == "List-Id" {
		if at := strings.LastIndexByte(value, '<'); at >= 0 {
			value, _, _ = strings.Cut(value[at+1:], ">")
			return strings.TrimSpace(value)
		}
	}
	return value
}

// encodedWord matches a word of a header whose charset is unknown or whose letters cannot be
// decoded.
var encodedWord = pattern.Lazy(`=\?[^?\s]+\?[bBqQ]\?[^?]*\?=`)

// word decodes a header: =?charset?q?...?= and bytes that are not ASCII. Words that cannot be
// decoded are dropped.
func (r *mailRule) word(value string) string {
	w := mime.WordDecoder{CharsetReader: func(charset string, in io.Reader) (io.Reader, error) {
		e, err := htmlindex.Get(charset)
		if err != nil {
			return strings.NewReader(" "), nil
		}
		return e.NewDecoder().Reader(in), nil
	}}
	if text, err := w.DecodeHeader(value); err == nil {
		value = text
	}
	text, _, _ := r.auto.Decode([]byte(encodedWord().ReplaceAllString(value, " ")))
	return text
}

// mailText collects the text of a message.
type mailText struct {
	rule        *mailRule
	plain, html mailPart
	broken      bool // a transfer encoding was broken
}

// mailPart is the text of all parts of one kind.
type mailPart struct {
	text         strings.Builder
	any, damaged bool
	guessed      string // the encoding that a part was read as, because it is not UTF-8
}

func (p *mailPart) join(q *mailPart) {
	p.any, p.guessed, p.damaged = p.any || q.any, cmp.Or(p.guessed, q.guessed), p.damaged || q.damaged
	p.text.WriteString(q.text.String())
}

// add adds a message or a part of one, with the type and encoding from its headers.
func (m *mailText) add(contentType, transfer string, body io.Reader, depth int) {
	kind, params, err := mime.ParseMediaType(contentType)
	if kind == "" || err != nil && !strings.HasPrefix(kind, "text/") {
		kind, params = "text/plain", nil
	}
	switch {
	case kind == "multipart/alternative" && params["boundary"] != "" && depth < mailDepth:
		// The parts have the same content: HTML counts only without plain text.
		one := mailText{rule: m.rule}
		one.addParts(params["boundary"], body, depth)
		m.broken = m.broken || one.broken
		if m.plain.join(&one.plain); !one.plain.any {
			m.html.join(&one.html)
		}
	case strings.HasPrefix(kind, "multipart/") && params["boundary"] != "" && depth < mailDepth:
		m.addParts(params["boundary"], body, depth)
	case kind == "message/rfc822" && depth < mailDepth:
		if inner, err := mail.ReadMessage(decodeTransfer(transfer, body)); err == nil {
			m.add(inner.Header.Get("Content-Type"), inner.Header.Get("Content-Transfer-Encoding"), inner.Body, depth+1)
		}
	case kind == "text/plain", kind == "text/html":
		data, err := io.ReadAll(decodeTransfer(transfer, body)) // as far as it can be decoded
		m.broken = m.broken || err != nil && isEncoded(transfer)
		dec := m.rule.auto
		if name := strings.TrimSpace(params["charset"]); name != "" && !strings.EqualFold(name, "us-ascii") {
			if declared, err := charset.New(name); err == nil {
				dec = declared
			}
		} else if kind == "text/html" {
			dec = plain.HTMLDecoder(data, dec)
		}
		text, guessed, damaged := dec.Decode(data)
		part := &m.plain
		if kind == "text/html" {
			text, part = plain.HTML(text), &m.html
		}
		part.any, part.guessed, part.damaged = true, cmp.Or(part.guessed, guessed), part.damaged || damaged
		part.text.WriteString(text)
		part.text.WriteByte('\n')
	}
}

// addParts adds the parts of a message that are not attachments.
func (m *mailText) addParts(boundary string, body io.Reader, depth int) {
	parts := multipart.NewReader(body, boundary)
	for {
		p, err := parts.NextRawPart()
		if err != nil { // the end, or a part that is cut off
			return
		}
		if attached, _, _ := strings.Cut(p.Header.Get("Content-Disposition"), ";"); strings.EqualFold(strings.TrimSpace(attached), "attachment") {
			continue
		}
		m.add(p.Header.Get("Content-Type"), p.Header.Get("Content-Transfer-Encoding"), p, depth+1)
	}
}

// decodeTransfer undoes the Content-Transfer-Encoding.
func decodeTransfer(encoding string, r io.Reader) io.Reader {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case quotedPrintable:
		return quotedprintable.NewReader(r)
	case base64Encoded:
		return base64.NewDecoder(base64.StdEncoding, r)
	}
	return r
}

// The transfer encodings that can be damaged.
const (
	quotedPrintable = "quoted-printable"
	base64Encoded   = "base64"
)

func isEncoded(encoding string) bool {
	encoding = strings.ToLower(strings.TrimSpace(encoding))
	return encoding == quotedPrintable || encoding == base64Encoded
}
