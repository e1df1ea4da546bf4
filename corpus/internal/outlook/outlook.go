// Package outlook reads messages that Outlook saved (.msg) and writes them as mail, with what a
// reader of mail takes: headers, one text and the messages within. Attachments are left out.
//
// Source: Microsoft, [MS-OXMSG] "Outlook Item (.msg) File Format" and [MS-OXPROPS] "Exchange Server
// Protocols Master Property List".
package outlook

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/compound"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/office"
	"github.com/eigenmap/eigenmap/corpus/internal/plain"
)

// damaged says what a file is that cannot be read.
const damaged input.Unread = "is a damaged message of Outlook (.msg); save or copy it again"

// The names of streams and folders in a message.
const (
	propertiesName = "__properties_version1.0"
	valuePrefix    = "__substg1.0_"
	attachPrefix   = "__attach_version1.0_"
	innerName      = valuePrefix + "3701000D" // a message that is attached
)

// Properties of a message, by their numbers.
const (
	propSubject     = 0x0037
	propSubmitted   = 0x0039
	propSentName    = 0x0042
	propSentMail    = 0x0065
	propHeaders     = 0x007d
	propSenderName  = 0x0c1a
	propSenderMail  = 0x0c1f
	propTo          = 0x0e04
	propDelivered   = 0x0e06
	propBody        = 0x1000
	propRTF         = 0x1009
	propHTML        = 0x1013
	propMessageID   = 0x1035
	propHTMLPage    = 0x3fde
	propCodePage    = 0x3ffd
	propSenderSMTP  = 0x5d01
	propSentForSMTP = 0x5d02
)

// Types of properties.
const (
	typeInteger = 0x0003
	typeBytes   = 0x001e // text in the code page of the message
	typeUnicode = 0x001f
	typeTime    = 0x0040
	typeBinary  = 0x0102
)

// mostInner is how deep messages within messages are read.
const mostInner = 16

var little = binary.LittleEndian

// Is reports whether a file is a message of Outlook.
func Is(data []byte) bool {
	if !compound.Is(data) {
		return false
	}
	root, err := compound.Open(bytes.NewReader(data), int64(len(data)))
	return err == nil && root.Has(propertiesName)
}

// Mail returns a message as a program for mail would write it. What its text unpacks to may have
// limit bytes, else the error is input.ErrTooLong; any other error is an input.Unread. Cost O(bytes
// of the file and of the text).
func Mail(data []byte, limit int64) ([]byte, error) {
	root, err := compound.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, damaged
	}
	var out bytes.Buffer
	w := &writer{out: &out, left: limit, mark: boundary(data)}
	switch err = w.message(root, 32, 0); {
	case err == nil:
		return out.Bytes(), nil
	case errors.Is(err, input.ErrTooLong), errors.As(err, new(input.Unread)):
		return nil, err
	}
	return nil, damaged
}

// boundary returns a word that does not occur in data.
func boundary(data []byte) string {
	for i := 0; ; i++ {
		if mark := fmt.Sprintf("part-%d-of-the-message", i); !bytes.Contains(data, []byte(mark)) {
			return mark
		}
	}
}

// writer writes a message of mail.
type writer struct {
	out  *bytes.Buffer
	left int64 // bytes of texts that may still be written
	mark string
}

// item is a message, or a message within one.
type item struct {
	folder *compound.Folder
	fixed  map[uint32][]byte // values of eight bytes, by number and type
	pages  [2]string         // encodings of texts and of HTML; "": not said
}

// open reads the fixed properties of a message, which follow a header of so many bytes.
func open(folder *compound.Folder, header int) (*item, error) {
	data, err := folder.Read(propertiesName)
	if err != nil || len(data) < header {
		return nil, damaged
	}
	m := &item{folder: folder, fixed: make(map[uint32][]byte)}
	for data = data[header:]; len(data) >= 16; data = data[16:] {
		m.fixed[little.Uint32(data)] = data[8:16]
	}
	for i, prop := range []uint32{propCodePage, propHTMLPage} {
		if raw := m.fixed[prop<<16|typeInteger]; raw != nil {
			name := charset.CodePage(int(little.Uint32(raw)))
			if _, err := charset.New(name); err == nil {
				m.pages[i] = name
			}
		}
	}
	return m, nil
}

// value reads a property of variable length; nil if the message has none.
func (m *item) value(prop, kind uint32) ([]byte, error) {
	name := fmt.Sprintf("%s%04X%04X", valuePrefix, prop, kind)
	if !m.folder.Has(name) {
		return nil, nil
	}
	return m.folder.Read(name)
}

// text reads a property that is a text, decoded; "" if the message has none.
func (m *item) text(prop uint32) (string, error) {
	data, err := m.value(prop, typeUnicode)
	if err == nil && data != nil {
		return strings.TrimRight(string(utf16.Decode(compound.Units(data))), "\x00"), nil
	}
	if err == nil {
		data, err = m.value(prop, typeBytes)
	}
	d := charset.Decoder{Auto: true}
	if m.pages[0] != "" {
		d, _ = charset.New(m.pages[0])
	}
	text, _, _ := d.Decode(data)
	return strings.TrimRight(text, "\x00"), err
}

// message writes a message: its headers, its text and the messages in it. Its properties follow a
// header of so many bytes.
func (w *writer) message(folder *compound.Folder, header, depth int) error {
	m, err := open(folder, header)
	if err != nil {
		return err
	}
	if err := w.headers(m); err != nil {
		return err
	}
	kind, page, body, err := m.body(w.left)
	if err != nil {
		return err
	}
	if w.left -= int64(len(body)); w.left < 0 {
		return input.ErrTooLong
	}
	var inner []*compound.Folder
	for _, name := range folder.Names {
		if attached := folder.Folder(name); attached != nil && strings.HasPrefix(strings.ToLower(name), attachPrefix) && depth < mostInner {
			if f := attached.Folder(innerName); f != nil && f.Has(propertiesName) {
				inner = append(inner, f)
			}
		}
	}
	if page != "" {
		page = "; charset=" + page
	}
	text := "Content-Type: text/" + kind + page + "\r\nContent-Transfer-Encoding: 8bit\r\n\r\n" + string(body) + "\r\n"
	if len(inner) == 0 {
		w.out.WriteString(text)
		return nil
	}
	mark := fmt.Sprintf("%s-%d", w.mark, depth)
	w.out.WriteString("Content-Type: multipart/mixed; boundary=\"" + mark + "\"\r\n\r\n--" + mark + "\r\n" + text)
	for _, f := range inner {
		w.out.WriteString("\r\n--" + mark + "\r\nContent-Type: message/rfc822\r\n\r\n")
		if err := w.message(f, 24, depth+1); err != nil {
			return err
		}
	}
	w.out.WriteString("\r\n--" + mark + "--\r\n")
	return nil
}

// replaced are headers of the message as it was sent that its own properties replace, or that say
// how its text was encoded.
var replaced = []string{"subject", "mime-version", "content-type", "content-transfer-encoding", "content-disposition", "content-length"}

// headers writes the headers: those with which the message came, and what the properties say beyond
// them. The subject is always the property, as a draft may have changed.
func (w *writer) headers(m *item) error {
	var err error
	text := func(props ...uint32) string {
		for _, prop := range props {
			var value string
			if value, err = m.text(prop); err != nil {
				return ""
			}
			if value = strings.Join(strings.Fields(value), " "); value != "" {
				return value
			}
		}
		return ""
	}
	list := []struct{ name, value string }{
		{"Subject", text(propSubject)},
		{"From", sender(text(propSentName, propSenderName), text(propSentForSMTP, propSenderSMTP, propSentMail, propSenderMail))},
		{"To", text(propTo)},
		{"Message-Id", text(propMessageID)},
		{"Date", m.date(propSubmitted, propDelivered)},
	}
	sent, failed := m.text(propHeaders)
	if err != nil || failed != nil {
		return damaged
	}
	there := w.sent(sent)
	for _, h := range list {
		if h.value != "" && !slices.Contains(there, strings.ToLower(h.name)) {
			w.out.WriteString(h.name + ": " + h.value + "\r\n")
		}
	}
	w.out.WriteString("MIME-Version: 1.0\r\n")
	return nil
}

// sent writes the headers with which a message came, but for those that are replaced, and returns
// their names.
func (w *writer) sent(headers string) (names []string) {
	kept := false
	for line := range strings.Lines(headers) {
		line = strings.TrimRight(line, "\r\n\x00")
		name, _, _ := strings.Cut(strings.ToLower(line), ":")
		switch {
		case line == "":
			return names
		case line[0] == ' ' || line[0] == '\t': // of the header above
		case !plain.IsHeader(line):
			kept = false
		default:
			if kept = !slices.Contains(replaced, name); kept {
				names = append(names, name)
			}
		}
		if kept {
			w.out.WriteString(line + "\r\n")
		}
	}
	return names
}

// sender is a name with an address. Addresses of Exchange, which begin with /, are none of mail.
func sender(name, address string) string {
	switch {
	case !strings.Contains(address, "@") || strings.HasPrefix(address, "/"), address == name:
		return name
	case name == "":
		return address
	}
	return `"` + strings.NewReplacer(`"`, "", `\`, "").Replace(name) + `" <` + address + ">"
}

// date is the first of some times that the message has, as mail writes it; "" for none.
func (m *item) date(props ...uint32) string {
	const ticks, before1970 = 10_000_000, 11_644_473_600 // a second, and seconds from 1601 on
	for _, prop := range props {
		if raw := m.fixed[prop<<16|typeTime]; raw != nil {
			if seconds := int64(little.Uint64(raw)/ticks) - before1970; seconds > 0 && seconds < 1<<34 {
				return time.Unix(seconds, 0).UTC().Format(time.RFC1123Z)
			}
		}
	}
	return ""
}

// body is the text of a message, plain or in HTML, with the name of its encoding; "" for one that
// is not said. A plain text counts before HTML, and both before RTF.
func (m *item) body(limit int64) (kind, page string, text []byte, err error) {
	body, err := m.text(propBody)
	if err != nil || strings.TrimSpace(body) != "" {
		return "plain", "utf-8", []byte(body), err
	}
	html, err := m.value(propHTML, typeBinary)
	if err != nil || len(bytes.TrimSpace(html)) > 0 {
		return "html", m.pages[1], html, err
	}
	if body, err = m.text(propHTML); err != nil || strings.TrimSpace(body) != "" {
		return "html", "utf-8", []byte(body), err
	}
	packed, err := m.value(propRTF, typeBinary)
	if err != nil || len(packed) == 0 {
		return "plain", "utf-8", nil, err
	}
	rtf, err := unpackRTF(packed, limit)
	if err != nil {
		return "", "", nil, err
	}
	if body, err = office.Text(rtf, limit, plain.HTML); errors.Is(err, office.ErrNoText) {
		return "plain", "utf-8", nil, nil
	}
	return "plain", "utf-8", []byte(body), err
}
