// Package charset decodes texts of other encodings than UTF-8, and guesses what an encoding is.
package charset

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Auto reads a text by its byte-order mark if it has one, else as UTF-8 if it is valid, else as the
// encoding that [Guess] finds.
const Auto = "auto"

// Decoder turns the bytes of a text into UTF-8. The zero value is for UTF-8.
type Decoder struct {
	Auto  bool
	Wide  bool // UTF-16: texts hold NUL bytes
	fixed encoding.Encoding
}

// New returns the decoder for "auto" or for a name that browsers know ("utf-8", "latin1", "koi8-r",
// "shift_jis", ...), or of an encoding of DOS ("cp850").
func New(name string) (Decoder, error) {
	if name == Auto {
		return Decoder{Auto: true}, nil
	}
	if e, is := extraNames[strings.ToLower(name)]; is {
		return Decoder{fixed: e}, nil
	}
	e, err := htmlindex.Get(name)
	if err != nil {
		return Decoder{}, invalid.Errorf("encoding %q is unknown; use auto, utf-8, latin1, windows-1252, shift_jis or another name that browsers know", message.Clip(name, 60))
	}
	canonical, _ := htmlindex.Name(e)
	switch canonical {
	case "utf-8":
		return Decoder{}, nil
	case "utf-16le":
		return Decoder{fixed: unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), Wide: true}, nil
	case "utf-16be":
		return Decoder{fixed: unicode.UTF16(unicode.BigEndian, unicode.UseBOM), Wide: true}, nil
	}
	return Decoder{fixed: e}, nil
}

// Decode returns the text. guess names the encoding that the bytes were read as if they are not
// UTF-8 and [Guess] decided; else "". damaged says that some bytes are invalid in the encoding.
// Such bytes separate words.
func (d Decoder) Decode(data []byte) (text, guess string, damaged bool) {
	if d.Auto && input.WideEncoding(data) == "UTF-16" {
		d.fixed = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	}
	switch {
	case d.fixed != nil:
		out, err := d.fixed.NewDecoder().Bytes(data)
		text = string(out)
		return text, "", err != nil || strings.ContainsRune(text, utf8.RuneError)
	case utf8.Valid(data):
		return string(data), "", false
	case d.Auto:
		name, e, _ := Guess(data)
		out, err := e.NewDecoder().Bytes(data)
		return string(out), name, err != nil
	}
	return string(data), "", true
}

// Settle makes UTF-8 of texts of one origin that do not say their encoding. If some are not UTF-8
// and none has UTF-8 beyond ASCII, guess names the encoding that they were read as; else bytes that
// are not UTF-8 are replaced.
func Settle(list []string) (guess string) {
	const sampled = 64 << 10
	var odd []byte
	known := false
	for _, s := range list {
		switch {
		case !utf8.ValidString(s):
			if len(odd) < sampled {
				odd = append(append(odd, s...), '\n')
			}
		case strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }):
			known = true
		}
	}
	if odd == nil {
		return ""
	}
	var e encoding.Encoding
	if !known {
		guess, e, _ = Guess(odd)
	}
	for k, s := range list {
		if utf8.ValidString(s) {
			continue
		}
		if list[k] = strings.ToValidUTF8(s, "\ufffd"); !known {
			list[k], _ = e.NewDecoder().String(s)
		}
	}
	return guess
}

// Reader decodes a text whose encoding has a name.
func Reader(name string, r io.Reader) (io.Reader, error) {
	d, err := New(name)
	if err != nil || d.fixed == nil {
		return r, err
	}
	return transform.NewReader(r, d.fixed.NewDecoder()), nil
}

// Stream makes the content of a file UTF-8: name is the encoding, or "" or "auto" to find it out by
// the first bytes. A note says what was found.
func Stream(in *input.File, name string) error {
	const looked = 32 << 10
	head, err := in.Peek(looked)
	if err != nil {
		return err
	}
	var e encoding.Encoding
	switch wide := wide(head); {
	case name != "" && name != Auto:
		d, err := New(name)
		if err != nil || d.fixed == nil {
			return err
		}
		e = d.fixed
	case input.WideEncoding(head) == "UTF-32":
		return in.Fail("", "%s", input.WideRefusal("UTF-32"))
	case wide != nil:
		e = wide
		in.Notef("The file is UTF-16.")
	case !utf8.Valid(whole(head)) && bytes.IndexByte(head, 0) < 0:
		var guess string
		var sure bool
		if guess, e, sure = Guess(whole(head)); !sure {
			return in.Fail("", "is neither UTF-8 nor another encoding that is recognised; name it with ‹encoding›, such as windows-1256 for Arabic, windows-874 for Thai, or windows-1252")
		}
		in.Notef("The file is not UTF-8 and is read as %s; ‹encoding› names another encoding.", guess)
	default:
		return nil
	}
	in.Stream = bufio.NewReaderSize(transform.NewReader(in.Stream, e.NewDecoder()), 64<<10)
	return nil
}

// whole cuts a character off the end that may be incomplete.
func whole(head []byte) []byte {
	for k := 1; k < utf8.UTFMax && k <= len(head); k++ {
		if c := head[len(head)-k]; utf8.RuneStart(c) {
			if !utf8.FullRune(head[len(head)-k:]) {
				return head[:len(head)-k]
			}
			break
		}
	}
	return head
}

// IsWide reports whether a text is UTF-16, by its byte-order mark or by the zeros of the ASCII
// characters in it.
func IsWide(head []byte) bool { return wide(head) != nil }

// wide recognises UTF-16 by its byte-order mark, or by the zeros of the ASCII characters in it; nil
// for another encoding.
func wide(head []byte) encoding.Encoding {
	if input.WideEncoding(head) == "UTF-16" {
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	}
	var zeros [2]int
	head = head[:min(len(head), 4096)/2*2]
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	switch half := len(head) / 2; {
	case half < 2:
	case zeros[0] == 0 && 10*zeros[1] >= 7*half:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case zeros[1] == 0 && 10*zeros[0] >= 7*half:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	return nil
}
