package charset

import (
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/transform"
)

// Guess finds the encoding of a text that is not UTF-8, by the bytes beyond ASCII:
//
//   - UTF-8 with some bytes of Windows-1252, if no more bytes are invalid than characters are
//     valid;
//   - Shift-JIS or EUC-JP, if all of it is valid there and a third of what it holds beside ASCII is
//     kana;
//   - where such bytes stand in rows, as letters of a word do in a script that is not Latin:
//     GB18030 or EUC-KR if nearly all rows are pairs, Big5 if nearly all pairs are of common
//     characters, Windows-1251, KOI8-R, CP866, ISO-8859-5 or Mac Cyrillic if six letters that are
//     frequent in Cyrillic are frequent, Windows-1253, ISO-8859-7 or Windows-1255 if letters of
//     Greek or Hebrew are;
//   - Windows-1254 or Windows-1250 if letters of Turkish, Polish, Czech or Hungarian are frequent
//     that would be letters of Icelandic, signs or rare letters in Windows-1252;
//   - CP850, CP852, Mac Roman or ISO-8859-2 if nearly all bytes are letters or signs in their
//     places there, and fewer are in the encodings of Windows;
//   - else Windows-1252, which any bytes are. sure is false if they stand in rows there too, and
//     are a tenth of the text or more.
func Guess(data []byte) (name string, e encoding.Encoding, sure bool) {
	if mixed(data) {
		return "UTF-8 with some bytes of Windows-1252", patched{}, true
	}
	for _, c := range []struct {
		name string
		e    encoding.Encoding
	}{{"Shift-JIS", japanese.ShiftJIS}, {"EUC-JP", japanese.EUCJP}} {
		out, err := c.e.NewDecoder().Bytes(data)
		if err == nil && isJapanese(string(out)) {
			return c.name, c.e, true
		}
	}
	r := rowsOf(data)
	if r.bytes < fewBytes || 2*r.bytes < 5*r.rows {
		name, e := r.latin()
		if r.bytes >= fewBytes {
			name, e = doubt(data, name, e)
		}
		return name, e, true
	}
	switch {
	case r.even >= r.rows-r.rows/50 && 20*r.korean >= 19*r.pairs:
		return "EUC-KR", korean.EUCKR, true
	case r.even >= r.rows-r.rows/50 && 10*r.chinese >= 9*r.pairs:
		return "GB18030", simplifiedchinese.GB18030, true
	case isBig5(data):
		return "Big5", traditionalchinese.Big5, true
	case r.cyrillic(0xe0, "\xee\xe5\xe0\xe8\xed\xf2") && r.isMacCyrillic():
		return "Mac Cyrillic", charmap.MacintoshCyrillic, true
	case r.cyrillic(0xe0, "\xee\xe5\xe0\xe8\xed\xf2"):
		return "Windows-1251", charmap.Windows1251, true
	case r.cyrillic(0xc0, "\xcf\xc5\xc1\xc9\xce\xd4"):
		return "KOI8-R", charmap.KOI8R, true
	}
	for _, other := range []func() (string, encoding.Encoding){r.legacyCyrillic, r.greekOrHebrew} {
		if name, e := other(); e != nil {
			return name, e, true
		}
	}
	return "Windows-1252", charmap.Windows1252, foreignShare*r.bytes < len(data)
}

// foreignShare is the divisor of a text's length from which on bytes in rows are its words.
const foreignShare = 10

// fewBytes is from how many bytes beyond ASCII on their rows say something.
const fewBytes = 8

// rows describes the bytes beyond ASCII of a text, which stand in rows without ASCII between.
type rows struct {
	bytes, rows, even int // even: rows of an even length
	pairs             int // in rows of an even length
	// korean and chinese are the pairs whose first byte is one of hangul or of the 3,755 commonest
	// Chinese characters, or of punctuation in both.
	korean, chinese int
	of              [256]int
}

func rowsOf(data []byte) (r rows) {
	for i := 0; i < len(data); {
		if data[i] < utf8.RuneSelf {
			i++
			continue
		}
		start := i
		for ; i < len(data) && data[i] >= utf8.RuneSelf; i++ {
			r.of[data[i]]++
		}
		r.bytes, r.rows = r.bytes+i-start, r.rows+1
		if (i-start)%2 != 0 {
			continue
		}
		r.even++
		for at := start; at < i; at += 2 {
			r.pairs++
			switch c := data[at]; {
			case c >= 0xa1 && c <= 0xa3, c >= 0xb0 && c <= 0xc8:
				r.korean, r.chinese = r.korean+1, r.chinese+1
			case c <= 0xd7 && c > 0xc8:
				r.chinese++
			}
		}
	}
	return r
}

// cyrillic reports whether three quarters of the bytes are the 32 small letters that begin at
// first, and more than a third are the letters о, е, а, и, н and т, which are nearly half in
// Russian. Some are none of the bytes 0xe0 to 0xfa, which alone Hebrew's letters have.
func (r *rows) cyrillic(first int, frequent string) bool {
	small, often, hebrew := 0, 0, 0
	for _, n := range r.of[first : first+32] {
		small += n
	}
	for _, n := range r.of[0xe0:0xfb] {
		hebrew += n
	}
	for _, c := range []byte(frequent) {
		often += r.of[c]
	}
	return 4*small >= 3*r.bytes && 100*often >= 36*r.bytes && hebrew < r.bytes
}

// latin is the encoding of a text in Latin letters: that of Western Europe, or another one in which
// frequent bytes are common letters that are rare letters in the first.
func (r *rows) latin() (string, encoding.Encoding) {
	count := func(letters string) (n int) {
		for _, c := range []byte(letters) {
			n += r.of[c]
		}
		return n
	}
	often := func(letters string) bool { return count(letters) >= fewBytes && 4*count(letters) >= r.bytes }
	never := func(letters string) bool { return 50*count(letters) <= r.bytes }
	switch {
	case often("\xf0\xfd\xfe\xd0\xdd\xde") && never("\xe1\xed\xf3\xfa\xe6"): // ğ, ı and ş, without á, í, ó, ú and æ
		return "Windows-1254", charmap.Windows1254
	case often("\xb3\xb9\xbf") && count("\xb3") > 0 && count("\xea") > 0 && never("\xe0\xe1\xe4\xe5"), // ł, ą and ż, with ę
		often("\xec\xf8\xe8") && count("\xec") > 0 && count("\xf8") > 0 && count("\xe1\xed") > r.bytes/10 && never("\xe5\xe6\xe0"),     // ě, ř and č, with á and í
		count("\xf5\xfb") >= fewBytes && 15*count("\xf5\xfb") >= r.bytes && count("\xe1\xe9") > r.bytes/4 && never("\xe3\xe0\xe7\xea"): // ő and ű, with á and é
		return "Windows-1250", charmap.Windows1250
	}
	return "Windows-1252", charmap.Windows1252
}

// isBig5 reports whether all bytes beyond ASCII are in pairs of Big5, but for one at the end, 19 of
// 20 of them of common characters or punctuation.
func isBig5(data []byte) bool {
	pairs, common := 0, 0
	for i := 0; i < len(data); i++ {
		c := data[i]
		if c < utf8.RuneSelf {
			continue
		}
		if i++; i == len(data) {
			break
		}
		if t := data[i]; c < 0xa1 || c > 0xf9 || t < 0x40 || t > 0x7e && t < 0xa1 || t == 0xff {
			return false
		}
		if pairs++; c <= 0xc6 {
			common++
		}
	}
	return 20*common >= 19*pairs
}

// mixed reports whether a text holds at least as many characters of UTF-8 beyond ASCII as bytes
// that are none.
func mixed(data []byte) bool {
	valid, invalid := 0, 0
	for len(data) > 0 {
		c, n := utf8.DecodeRune(data)
		switch {
		case c == utf8.RuneError && n == 1:
			invalid++
		case n > 1:
			valid++
		}
		data = data[n:]
	}
	return valid >= invalid
}

// patched is UTF-8 in which bytes that are invalid there are read as Windows-1252.
type patched struct{ encoding.Encoding }

// NewDecoder returns the decoder.
func (patched) NewDecoder() *encoding.Decoder { return &encoding.Decoder{Transformer: patching{}} }

type patching struct{ transform.NopResetter }

// Transform implements transform.Transformer.
func (patching) Transform(dst, src []byte, atEOF bool) (written, read int, err error) {
	for read < len(src) {
		if !atEOF && !utf8.FullRune(src[read:]) {
			return written, read, transform.ErrShortSrc
		}
		c, n := utf8.DecodeRune(src[read:])
		if c == utf8.RuneError && n == 1 {
			c = charmap.Windows1252.DecodeByte(src[read])
		}
		if written+utf8.RuneLen(c) > len(dst) {
			return written, read, transform.ErrShortDst
		}
		written += utf8.EncodeRune(dst[written:], c)
		read += n
	}
	return written, read, nil
}

// isJapanese reports whether a text that was decoded is Japanese: no invalid character but at its
// end, where it may be cut off, and a third of the others beside ASCII are kana of full width.
func isJapanese(text string) bool {
	kana, others := 0, 0
	for i, r := range text {
		switch {
		case r < utf8.RuneSelf:
		case r == utf8.RuneError && i+8 < len(text):
			return false
		case r >= 0xff61 && r <= 0xff9f: // half-width, as every single byte above 0xa0 is in Shift-JIS
			others += 2
		case r >= 0x3041 && r <= 0x30fe:
			kana++
		default:
			others++
		}
	}
	return kana > 0 && 2*kana >= others
}
