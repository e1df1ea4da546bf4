package text

import (
	"strings"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// encodingAuto reads a text by its byte-order mark if it has one, else as UTF-8 if it is valid,
// else as Windows-1252.
const encodingAuto = "auto"

// decoder turns the bytes of a text into UTF-8.
type decoder struct {
	fixed encoding.Encoding // nil: UTF-8
	auto  bool
	wide  bool // UTF-16: texts hold NUL bytes
}

// newDecoder returns the decoder for "auto" or for a name that browsers know ("utf-8", "latin1",
// "koi8-r", "shift_jis", ...).
func newDecoder(name string) (decoder, error) {
	if name == encodingAuto {
		return decoder{auto: true}, nil
	}
	e, err := htmlindex.Get(name)
	if err != nil {
		return decoder{}, invalid.Errorf("encoding %q is unknown; use auto, utf-8, latin1, windows-1252 or another name that browsers know", message.Clip(name, 60))
	}
	canonical, _ := htmlindex.Name(e)
	if canonical == "utf-8" {
		return decoder{}, nil
	}
	switch canonical {
	case "utf-16le":
		return decoder{fixed: unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), wide: true}, nil
	case "utf-16be":
		return decoder{fixed: unicode.UTF16(unicode.BigEndian, unicode.UseBOM), wide: true}, nil
	}
	return decoder{fixed: e}, nil
}

// decode returns the text. guessed says that the bytes are not UTF-8 and were read as Windows-1252;
// damaged says that some bytes are invalid in the encoding. Such bytes separate words.
func (d decoder) decode(data []byte) (text string, guessed, damaged bool) {
	if d.auto && input.WideEncoding(data) == "UTF-16" {
		d.fixed = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	}
	switch {
	case d.fixed != nil:
		out, err := d.fixed.NewDecoder().Bytes(data)
		text = string(out)
		return text, false, err != nil || strings.ContainsRune(text, utf8.RuneError)
	case utf8.Valid(data):
		return string(data), false, false
	case d.auto:
		out, err := charmap.Windows1252.NewDecoder().Bytes(data)
		return string(out), true, err != nil
	}
	return string(data), false, true
}
