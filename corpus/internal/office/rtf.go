package office

import (
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
)

// rtfText returns the text of a document in RTF.
func rtfText(data []byte) (string, error) {
	r := &rtf{data: data, page: "windows-1252", fonts: make(map[int]string), now: rtfGroup{skipAfter: 1, font: -1}}
	if err := r.read(); err != nil {
		return "", err
	}
	return titled(strings.TrimSpace(r.title.String()), r.out.String()), nil
}

// rtfGroup is what holds until a group ends.
type rtfGroup struct {
	unseen    bool // the group is no text of the document
	title     bool
	fonts     bool // the table of fonts
	hidden    bool // text that is not shown
	deleted   bool // text that a tracked change deleted
	skipAfter int  // characters that stand for one of \u and are passed over
	font      int
}

// rtf reads RTF. Cost O(length).
type rtf struct {
	data       []byte
	at         int
	out, title strings.Builder
	now        rtfGroup
	stack      []rtfGroup
	page       string         // the encoding of the document
	fonts      map[int]string // encodings of fonts that have one of their own
	bytes      []byte         // not decoded yet
	units      []uint16       // of \u, not decoded yet
	skip       int            // characters to pass over
	star       bool           // \* was just read: an unknown destination is passed over
}

// rtfUnseen are destinations whose content is no text of the document.
var rtfUnseen = set("colortbl stylesheet info pict object objdata fldinst header headerl headerr headerf footer footerl footerr footerf annotation atnid atnauthor atndate atnref atnicn atrfstart atrfend revtbl rsidtbl listtable listoverridetable listtext pntext pntxta pntxtb generator themedata colorschememapping latentstyles datastore xmlnstbl filetbl private bkmkstart bkmkend sn sv shpinst nonshppict ftnsep ftnsepc aftnsep aftnsepc mmathPr wgrffmtfilter formfield datafield docvar userprops template")

// rtfBreaks are control words that end a line or a cell.
var rtfBreaks = set("par line cell row nestcell nestrow sect page column softline softpage footnote")

// rtfSigns are control words for a character.
var rtfSigns = map[string]string{"tab": "\t", "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "bullet": "•", "emspace": " ", "enspace": " ", "qmspace": " "}

// rtfCharsets are the encodings of the numbers that \fcharset gives.
var rtfCharsets = map[int]string{0: "windows-1252", 77: "macintosh", 128: "shift_jis", 129: "euc-kr", 134: "gbk", 136: "big5", 161: "windows-1253", 162: "windows-1254", 163: "windows-1258", 177: "windows-1255", 178: "windows-1256", 186: "windows-1257", 204: "windows-1251", 222: "windows-874", 238: "windows-1250"}

func set(words string) map[string]bool {
	m := make(map[string]bool)
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// mostGroups is the most groups that are open at a time: a damaged file opens more, each of which
// takes memory.
const mostGroups = 10000

// read reads the whole file. A group that is not closed is damage.
func (r *rtf) read() error {
	for r.at < len(r.data) {
		c := r.data[r.at]
		r.at++
		switch c {
		case '{':
			if r.flush(); len(r.stack) == mostGroups {
				return oddRTF
			}
			r.stack = append(r.stack, r.now)
			r.skip, r.star = 0, false
		case '}':
			r.flush()
			if len(r.stack) == 0 {
				return oddRTF
			}
			r.now, r.stack = r.stack[len(r.stack)-1], r.stack[:len(r.stack)-1]
			if r.skip, r.star = 0, false; len(r.stack) == 0 {
				return nil // what follows is no text
			}
		case '\\':
			r.control()
		case '\r', '\n', 0:
		default:
			r.char(c)
		}
	}
	return oddRTF
}

// char takes a byte of text.
func (r *rtf) char(c byte) {
	if r.skip > 0 {
		r.skip--
		return
	}
	if len(r.units) > 0 {
		r.flush()
	}
	r.bytes = append(r.bytes, c)
}

// write writes decoded text where it belongs.
func (r *rtf) write(s string) {
	switch {
	case r.now.title:
		r.title.WriteString(s)
	case !r.now.unseen && !r.now.fonts && !r.now.hidden && !r.now.deleted:
		r.out.WriteString(s)
	}
}

// flush decodes the bytes and units that were read.
func (r *rtf) flush() {
	if len(r.bytes) > 0 {
		page := r.fonts[r.now.font]
		if page == "" {
			page = r.page
		}
		decoder, err := charset.New(page)
		if err != nil {
			decoder, _ = charset.New("windows-1252")
		}
		text, _, _ := decoder.Decode(r.bytes)
		r.write(text)
		r.bytes = r.bytes[:0]
	}
	if len(r.units) > 0 {
		r.write(string(utf16.Decode(r.units)))
		r.units = r.units[:0]
	}
}

// control reads what follows a backslash.
func (r *rtf) control() {
	if r.at >= len(r.data) {
		return
	}
	c := r.data[r.at]
	if c|0x20 < 'a' || c|0x20 > 'z' {
		r.at++
		r.symbol(c)
		return
	}
	start := r.at
	for r.at < len(r.data) && r.data[r.at]|0x20 >= 'a' && r.data[r.at]|0x20 <= 'z' {
		r.at++
	}
	word := string(r.data[start:r.at])
	start = r.at
	for r.at < len(r.data) && (r.data[r.at] >= '0' && r.data[r.at] <= '9' || r.at == start && r.data[r.at] == '-') {
		r.at++
	}
	number, err := strconv.Atoi(string(r.data[start:r.at]))
	if r.at < len(r.data) && r.data[r.at] == ' ' {
		r.at++
	}
	if word != "u" {
		r.flush()
	}
	star := r.star
	r.star = false
	r.word(word, number, err == nil, star)
}

// symbol takes a control symbol.
func (r *rtf) symbol(c byte) {
	switch c {
	case '\'':
		code, err := strconv.ParseUint(string(r.data[r.at:min(r.at+2, len(r.data))]), 16, 8)
		r.at = min(r.at+2, len(r.data))
		if err == nil {
			r.char(byte(code))
		}
	case '*':
		r.star = true
	case '~':
		r.char(' ')
	case '_':
		r.char('-')
	case '\\', '{', '}':
		r.char(c)
	case '\r', '\n':
		r.flush()
		r.write("\n")
	}
}

// word takes a control word.
func (r *rtf) word(word string, number int, numbered, star bool) {
	switch {
	case word == "u" && numbered:
		if len(r.bytes) > 0 {
			r.flush()
		}
		r.units, r.skip = append(r.units, uint16(number)), r.now.skipAfter
	case word == "uc" && numbered:
		r.now.skipAfter = min(max(number, 0), 16)
	case word == "bin" && numbered:
		r.at += min(max(number, 0), len(r.data)-r.at)
	case word == "title":
		r.now.title = r.now.unseen // in the group of info
	case rtfUnseen[word], star && word != "shptxt" && word != "footnote":
		r.now.unseen, r.now.title = true, false
	case word == "shptxt":
		r.now.unseen = false // the text of a box
	case rtfBreaks[word]:
		r.write("\n")
	case rtfSigns[word] != "":
		r.write(rtfSigns[word])
	default:
		r.letters(word, number, !numbered || number != 0)
	}
}

// letters takes a control word on fonts, encodings and what is shown; on says that it turns on.
func (r *rtf) letters(word string, number int, on bool) {
	switch word {
	case "fonttbl":
		r.now.fonts = true
	case "fcharset":
		if r.now.fonts {
			r.fonts[r.now.font] = rtfCharsets[number]
		}
	case "f":
		r.now.font = number
	case "ansicpg":
		r.page = charset.CodePage(number)
	case "mac":
		r.page = "macintosh"
	case "v":
		r.now.hidden = on
	case "deleted":
		r.now.deleted = on
	case "plain":
		r.now.hidden, r.now.font = false, -1
	}
}
