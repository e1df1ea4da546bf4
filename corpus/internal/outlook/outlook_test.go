package outlook

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/must"
)

// number is a value of four or eight bytes.
func number(n uint64) string { return string(binary.LittleEndian.AppendUint64(nil, n)) }

// wantMail checks the lines of the mail that a message becomes, but for the lines of its form.
func wantMail(t *testing.T, data []byte, want ...string) {
	t.Helper()
	if !Is(data) {
		t.Error("no message")
	}
	got := string(must.Get(Mail(data, 1<<20))(t))
	got = strings.NewReplacer("MIME-Version: 1.0\r\n", "", "Content-Transfer-Encoding: 8bit\r\n", "", "\r\n", "\n").Replace(got)
	if w := strings.Join(want, "\n") + "\n"; got != w {
		t.Errorf("the mail is\n%s\nnot\n%s", got, w)
	}
}

// A message has its subject, sender, recipients and time, and a plain text before HTML and RTF.
func TestMessage(t *testing.T) {
	wantMail(t, corpustest.Letter(map[uint32]string{
		propSubject: "Fwd: Wörter\r\nX-Evil: y", propSenderName: `Ann "A" Bee`, propSenderMail: "/O=EXCHANGE/CN=ANN", propSenderSMTP: "ann@x.org", propTo: "Bob; Cleo",
		propMessageID: "<1@x>", propSubmitted<<16 | typeTime: number(132223178450000000), propBody: "the body\r\nof it", propHTML<<16 | typeBinary: "<p>no</p>",
	}), "Subject: Fwd: Wörter X-Evil: y", `From: "Ann A Bee" <ann@x.org>`, "To: Bob; Cleo", "Message-Id: <1@x>", "Date: Wed, 01 Jan 2020 02:04:05 +0000",
		"Content-Type: text/plain; charset=utf-8", "", "the body", "of it")
	wantMail(t, corpustest.Letter(map[uint32]string{propSubject<<16 | typeBytes: "\xef\xf0\xee", propCodePage<<16 | typeInteger: number(1251), propSentName: "ann@x.org", propSentMail: "ann@x.org"}),
		"Subject: про", "From: ann@x.org", "Content-Type: text/plain; charset=utf-8", "", "")
}

// The headers with which a message came are kept but for the subject and what says its form.
func TestHeaders(t *testing.T) {
	wantMail(t, corpustest.Letter(map[uint32]string{
		propHeaders: "Received: from a\r\n by b\r\nno header\r\n of that\r\nSubject: =?utf-8?q?old?=\r\n more\r\nFrom: Ann <ann@x.org>\r\nList-Id: <l.x.org>\r\nContent-Type: multipart/mixed;\r\n boundary=z\r\n\r\nnot this: one",
		propSubject: "new", propSenderName: "Other", propBody: "text",
	}), "Received: from a", " by b", "From: Ann <ann@x.org>", "List-Id: <l.x.org>", "Subject: new", "Content-Type: text/plain; charset=utf-8", "", "text")
}

// Without a plain text it is HTML in the encoding that the message says, else RTF.
func TestBodies(t *testing.T) {
	wantMail(t, corpustest.Letter(map[uint32]string{propBody: "\r\n ", propHTML<<16 | typeBinary: "<p>\xe9</p>", propHTMLPage<<16 | typeInteger: number(28591)}),
		"Content-Type: text/html; charset=iso-8859-1", "", "<p>\xe9</p>")
	wantMail(t, corpustest.Letter(map[uint32]string{propHTML<<16 | typeBinary: "<p>x</p>"}), "Content-Type: text/html", "", "<p>x</p>")
	wantMail(t, corpustest.Letter(map[uint32]string{propHTML: "<p>слово</p>"}), "Content-Type: text/html; charset=utf-8", "", "<p>слово</p>")
	plain := []byte(`{\rtf1\ansi rich words\par caf\'e9}`)
	wantMail(t, corpustest.Letter(map[uint32]string{propRTF<<16 | typeBinary: string(wholeAs(plain))}), "Content-Type: text/plain; charset=utf-8", "", "rich words", "café")
	wantMail(t, corpustest.Letter(map[uint32]string{propRTF<<16 | typeBinary: string(packRTF(plain))}), "Content-Type: text/plain; charset=utf-8", "", "rich words", "café")
	wantMail(t, corpustest.Letter(map[uint32]string{propSubject: "s", propRTF<<16 | typeBinary: string(packRTF([]byte(`{\rtf1 }`)))}), "Subject: s", "Content-Type: text/plain; charset=utf-8", "", "")
}

// Messages within a message follow its text; what else is attached does not.
func TestInner(t *testing.T) {
	data := corpustest.Letter(map[uint32]string{propSubject: "outer", propBody: "part-0-of-the-message"}, map[uint32]string{propSubject: "inner", propBody<<16 | typeBytes: "within"})
	wantMail(t, data, "Subject: outer", `Content-Type: multipart/mixed; boundary="part-0-of-the-message-0"`, "", "--part-0-of-the-message-0", "Content-Type: text/plain; charset=utf-8", "", "part-0-of-the-message",
		"", "--part-0-of-the-message-0", "Content-Type: message/rfc822", "", "Subject: inner", "Content-Type: text/plain; charset=utf-8", "", "within", "", "--part-0-of-the-message-0--")
}

// wholeAs is RTF that is not packed.
func wholeAs(rtf []byte) []byte {
	head := binary.LittleEndian.AppendUint32(nil, uint32(len(rtf)+12))
	head = binary.LittleEndian.AppendUint32(head, uint32(len(rtf)))
	head = binary.LittleEndian.AppendUint32(head, wholeRTF)
	return append(append(head, 0, 0, 0, 0), rtf...)
}

// packRTF packs RTF: a place in the window for what is there already, up to 17 bytes long.
func packRTF(rtf []byte) []byte {
	ring := []byte(rtfStart)
	var body, group []byte
	flags, bit := byte(0), 0
	add := func(flag byte, code ...byte) {
		flags |= flag << bit
		group = append(group, code...)
		if bit++; bit == 8 {
			body, group, flags, bit = append(append(body, flags), group...), nil, 0, 0
		}
	}
	for rest := rtf; len(rest) > 0; {
		n := min(17, len(rest))
		for n > 1 && bytes.LastIndex(ring, rest[:n]) < 0 {
			n--
		}
		if at := bytes.LastIndex(ring, rest[:max(n, 1)]); n > 1 {
			add(1, byte(at>>4), byte(at<<4|(n-2)))
		} else {
			add(0, rest[0])
		}
		ring, rest = append(ring, rest[:max(n, 1)]...), rest[max(n, 1):]
	}
	add(1, byte(len(ring)>>4), byte(len(ring)<<4))
	for bit > 0 {
		add(0)
	}
	head := binary.LittleEndian.AppendUint32(nil, uint32(len(body)+12))
	head = binary.LittleEndian.AppendUint32(head, uint32(len(rtf)))
	head = binary.LittleEndian.AppendUint32(head, packedRTF)
	return append(append(head, 0, 0, 0, 0), body...)
}

// Packed RTF is what it was, up to the limit, and damage is found.
func TestUnpackRTF(t *testing.T) {
	rtf := []byte(`{\rtf1\ansi\deff0 ` + strings.Repeat("words and more words, ", 100) + `}`)
	packed := packRTF(rtf)
	if got := must.Get(unpackRTF(packed, int64(len(rtf))))(t); !bytes.Equal(got, rtf) {
		t.Errorf("%q", got)
	}
	if _, err := unpackRTF(packed, int64(len(rtf))-1); err != input.ErrTooLong {
		t.Errorf("a long one: %v", err)
	}
	for n := range packed {
		if _, err := unpackRTF(packed[:n], 1<<20); err != damaged {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	endless := append(bytes.Clone(packed[:16]), bytes.Repeat([]byte{0xff, 0, 15, 0, 15, 0, 15, 0, 15, 0, 15, 0, 15, 0, 15, 0, 15}, 10000)...)
	if _, err := unpackRTF(endless, 1<<20); err != damaged {
		t.Errorf("a long one that says that it is short: %v", err)
	}
}

// FuzzMail reads arbitrary bytes as a message.
func FuzzMail(f *testing.F) {
	f.Add(corpustest.Letter(map[uint32]string{propSubject: "s", propBody: "text", propHeaders: "From: a\r\n b\r\n"}, map[uint32]string{propBody: "within"}))
	f.Add(corpustest.Letter(map[uint32]string{propRTF<<16 | typeBinary: string(packRTF([]byte(`{\rtf1 words and words}`)))}))
	f.Fuzz(func(t *testing.T, data []byte) {
		const limit = 1 << 20
		before := corpustest.Allocated()
		out, err := Mail(data, limit)
		switch {
		case err != nil && err != input.ErrTooLong && !errors.As(err, new(input.Unread)):
			t.Errorf("%T: %v", err, err)
		case len(out) > 8*(limit+len(data)), corpustest.Allocated()-before > uint64(corpustest.FuzzAllocs+100*len(data)):
			t.Errorf("%d bytes of mail, %d taken for %d", len(out), corpustest.Allocated()-before, len(data))
		}
	})
}
