package charset

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
)

// legacy is an encoding of DOS, of old Macs or of ISO for Latin letters, and the letters beyond
// ASCII that are frequent in its languages.
type legacy struct {
	name    string
	e       *charmap.Charmap
	letters string
}

// Letters beyond ASCII of the languages of Western and of Central Europe, with the signs that
// begin questions in Spanish.
const (
	westernLetters = "äöüßÄÖÜìòÌÒðÐþÞýÝšžŠŽÿéèêëÉÈÊàâÀÂáÁãÃåÅæÆçÇíîïÍóôõÓÔÕøØœŒúùûÚñÑ¿¡ªº"
	centralLetters = "ąćęłńóśźżĄĆĘŁŃÓŚŹŻáčďéěíňřšťúůýžÁČĎÉĚÍŇŘŠŤÚŮÝŽöőüűÖŐÜŰäßôľĺŕëçăâîșțşţđ"
)

// legacies are the encodings that are tried where Windows' do not fit.
var legacies = []legacy{
	{"CP850", charmap.CodePage850, westernLetters},
	{"Mac Roman", charmap.Macintosh, westernLetters},
	{"CP852", charmap.CodePage852, centralLetters},
	{"ISO-8859-2", charmap.ISO8859_2, centralLetters},
}

// Shares of the bytes beyond ASCII, in percent: Windows' encodings that fit fewer of them are
// doubted, and another one has to fit more by the lead, and as many as the least.
const (
	doubtedFit = 90
	leastFit   = 95
	leadFit    = 8
)

// doubt is an encoding that fits a text in Latin letters much better than the one that was found,
// of a name and letters; the found one where there is none.
func doubt(data []byte, found string, e encoding.Encoding) (string, encoding.Encoding) {
	windows, is := e.(*charmap.Charmap)
	if !is {
		return found, e
	}
	letters := westernLetters
	switch windows {
	case charmap.Windows1250:
		letters = centralLetters
	case charmap.Windows1252:
	default:
		return found, e
	}
	own := fits(data, windows, letters)
	if own >= doubtedFit {
		return found, e
	}
	best, name := own+leadFit, found
	for _, l := range legacies {
		if fit := fits(data, l.e, l.letters); fit >= max(best, leastFit) {
			best, name, e = fit+1, l.name, l.e
		}
	}
	return name, e
}

// Signs of texts in Latin letters that do not stand inside a word. Signs of
// signsAfter, such as quotes and dashes, may follow a letter. Signs of signsAlone, for money, sums
// and lists, do not.
const (
	signsAfter = "“”„‘‚–—…«»€°§®™ \u00a0"
	signsAlone = "£¥¢¤±×÷·•¶†‡¬©"
)

// fits is the share, in percent, of the bytes beyond ASCII that are in an encoding what a text in
// Latin letters has at their place: one of the letters, in capitals only where no small letter
// stands before, or a sign.
func fits(data []byte, e *charmap.Charmap, letters string) int {
	fit, all := 0, 0
	before := ' '
	for i, c := range data {
		r := rune(c)
		if c >= utf8.RuneSelf {
			r = e.DecodeByte(c)
			all++
			next := ' '
			if i+1 < len(data) {
				next = e.DecodeByte(data[i+1])
			}
			if strings.ContainsRune(letters, r) && letterFits(before, r, next) || signFits(before, r, next) {
				fit++
			}
		}
		before = r
	}
	if all == 0 {
		return 100
	}
	return 100 * fit / all
}

// letterFits reports whether a letter, or a sign that begins a question or ends a number, may stand
// between two characters: alone as a word, but not beside a digit, where signs are.
func letterFits(before, r, next rune) bool {
	switch {
	case strings.ContainsRune("ªº", r):
		return !unicode.IsLetter(next)
	case !unicode.IsLetter(before) && !unicode.IsLetter(next):
		return !unicode.IsDigit(before) && !unicode.IsDigit(next)
	}
	return !unicode.IsUpper(r) || !unicode.IsLower(before)
}

// signFits reports whether a sign may stand between two characters.
func signFits(before, r, next rune) bool {
	switch {
	case r == '’':
		return true
	case strings.ContainsRune(signsAfter, r):
		return !unicode.IsLetter(before) || !unicode.IsLetter(next)
	case strings.ContainsRune("¹²³¼½¾", r): // m²
		return (before == 'm' || !unicode.IsLetter(before)) && !unicode.IsLetter(next)
	case r == 'µ': // µm
		return !unicode.IsLetter(before) && strings.ContainsRune("mgsl", next)
	}
	return strings.ContainsRune(signsAlone, r) && !unicode.IsLetter(before)
}

// extraNames are encodings that browsers do not know, by names that people use.
var extraNames = map[string]encoding.Encoding{
	"cp437": charmap.CodePage437, "ibm437": charmap.CodePage437,
	"cp850": charmap.CodePage850, "ibm850": charmap.CodePage850,
	"cp852": charmap.CodePage852, "ibm852": charmap.CodePage852,
	"cp858": charmap.CodePage858, "ibm858": charmap.CodePage858, "mac-roman": charmap.Macintosh,
}

// legacyCyrillic is an encoding of Cyrillic of DOS, of ISO or of old Macs; nil for others. Letters
// of DOS are in two parts.
func (r *rows) legacyCyrillic() (string, encoding.Encoding) {
	count := func(from, to int) (n int) {
		for _, k := range r.of[from:to] {
			n += k
		}
		return n
	}
	often := func(frequent string) bool {
		n := 0
		for _, c := range []byte(frequent) {
			n += r.of[c]
		}
		return 100*n >= 36*r.bytes
	}
	switch {
	case 4*(count(0xa0, 0xb0)+count(0xe0, 0xf0)) >= 3*r.bytes && often("\xae\xa5\xa0\xa8\xad\xe2"):
		return "CP866", charmap.CodePage866
	case r.cyrillic(0xd0, "\xde\xd5\xd0\xd8\xdd\xe2"):
		return "ISO-8859-5", charmap.ISO8859_5
	}
	return "", nil
}

// isMacCyrillic reports whether a text is in Mac Cyrillic, whose small letters have the bytes that
// they have in Windows-1251: its capitals and the letter я decide.
func (r *rows) isMacCyrillic() bool {
	mac, windows := 0, 0
	for c := range 32 {
		mac += r.of[0x80+c]
		windows += r.of[0xc0+c]
	}
	return r.of[0xdf] > r.of[0xff] && mac > windows-r.of[0xdf]
}

// greekOrHebrew is Windows-1253 or ISO-8859-7, or Windows-1255, for texts in letters of Greek, a
// twentieth of them with accents, or of Hebrew; nil for others.
func (r *rows) greekOrHebrew() (string, encoding.Encoding) {
	small, accents, hebrew := 0, 0, 0
	for c := 0xdc; c <= 0xfe; c++ {
		small += r.of[c]
		if c >= 0xe0 && c <= 0xfa {
			hebrew += r.of[c]
		}
	}
	for _, c := range []byte("\xdc\xdd\xde\xdf\xfc\xfd\xfe") {
		accents += r.of[c]
	}
	share := func(letters string) (n int) {
		for _, c := range []byte(letters) {
			n += r.of[c]
		}
		return n * 100 / r.bytes
	}
	switch {
	case 5*small >= 4*r.bytes && 20*accents >= r.bytes && share("\xe1\xe5\xe9\xed\xef\xf4") >= 30 && share("\xe1\xef\xf2\xf3") > 0:
		if r.of[0xb6] > r.of[0xa2] { // capital alpha with an accent
			return "ISO-8859-7", charmap.ISO8859_7
		}
		return "Windows-1253", charmap.Windows1253
	case 20*hebrew >= 19*r.bytes && share("\xe9\xe5\xe4\xec\xe0\xf8\xfa\xee") >= 45:
		return "Windows-1255", charmap.Windows1255
	}
	return "", nil
}
