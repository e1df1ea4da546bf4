package office

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode/utf16"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/compound"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// word6 says what a document of Word before 1997 is.
const word6 input.Unread = "is a document of Word before 1997 (.doc); make a new one beside it, for instance with libreoffice --headless --convert-to docx FILE"

// The file information block: its mark, flags, and places in its lists of numbers.
const (
	fibMark      = 0xa5ec
	oldFibMark   = 0xa5dc
	fibEncrypted = 0x0100
	fibTable1    = 0x0200
	fibRuns      = 12 // where the pages are that say how characters look
	fibPieces    = 33 // where the table of pieces is
)

// Properties of characters, and their numbers in the short form of a piece.
const (
	sprmDeleted, shortDeleted = 0x0800, 0x41
	sprmHidden, shortHidden   = 0x083c, 0x5c
	sprmHiddenAlways          = 0x0818
)

// span is a range of bytes of the stream WordDocument.
type span struct{ from, to int64 }

// wordPiece is a piece of the text: characters of one or two bytes each.
type wordPiece struct {
	chars  int64 // its characters
	at     int64 // its first byte
	wide   bool
	unseen bool
}

// bytes is the number of bytes of a character.
func (p wordPiece) bytes() int64 {
	if p.wide {
		return 2
	}
	return 1
}

// oldWord returns the text of a document of Word 97 to 2003: the body, then text boxes, footnotes
// and endnotes. Comments, headers and footers, codes of fields, deleted and hidden text are left
// out, but text that its style alone hides.
//
// Source: Microsoft, [MS-DOC] "Word (.doc) Binary File Format".
func oldWord(root *compound.Folder, limit int64) (string, error) {
	doc, err := root.Read("WordDocument")
	if err != nil {
		return "", err
	}
	fib, err := readFIB(doc)
	if err != nil {
		return "", err
	}
	name := "0Table"
	if fib.flags&fibTable1 != 0 {
		name = "1Table"
	}
	table, err := root.Read(name)
	if err != nil {
		return "", err
	}
	pieces, err := wordPieces(fib.part(table, fibPieces), int64(len(doc)))
	if err != nil {
		return "", err
	}
	w := &wordText{doc: doc, pieces: pieces, unseen: unseenSpans(doc, fib.part(table, fibRuns)), limit: limit}
	// The parts follow one another: body, footnotes, headers, macros, comments, endnotes, boxes.
	var starts [8]int64
	for i, n := range fib.chars {
		starts[i+1] = starts[i] + n
	}
	for _, part := range []int{0, 6, 1, 5} {
		if err := w.write(starts[part], starts[part+1]); err != nil {
			return "", err
		}
	}
	return w.out.String(), nil
}

// wordFIB is what the file information block says.
type wordFIB struct {
	flags  uint16
	chars  [7]int64   // characters of the parts of the text
	places [][2]int64 // first byte and length of parts of the stream of tables
}

// readFIB reads the beginning of the stream WordDocument.
func readFIB(doc []byte) (fib wordFIB, err error) {
	r := &fieldReader{rest: doc}
	switch mark := r.u16(); {
	case mark == oldFibMark:
		return fib, word6
	case mark != fibMark:
		return fib, damaged
	}
	r.skip(8)
	fib.flags = uint16(r.u16())
	if fib.flags&fibEncrypted != 0 {
		return fib, encrypted
	}
	r.skip(20)
	r.skip(2 * r.u16())
	numbers := r.u16()
	counts := &fieldReader{rest: r.take(4 * numbers)}
	counts.skip(12)
	for i := range fib.chars {
		fib.chars[i] = int64(int32(counts.u32()))
		if fib.chars[i] < 0 {
			return fib, damaged
		}
	}
	for n := r.u16(); n > 0 && !r.short; n-- {
		fib.places = append(fib.places, [2]int64{int64(r.u32()), int64(r.u32())})
	}
	if r.short || counts.short || len(fib.places) <= fibPieces {
		return fib, damaged
	}
	return fib, nil
}

// part is a part of the stream of tables; nil if it lies outside.
func (f wordFIB) part(table []byte, i int) []byte {
	at, n := f.places[i][0], f.places[i][1]
	if at+n > int64(len(table)) {
		return nil
	}
	return table[at : at+n]
}

// fieldReader takes numbers off the front of bytes.
type fieldReader struct {
	rest  []byte
	short bool // the bytes ended early
}

func (r *fieldReader) take(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.short = true
		return nil
	}
	out := r.rest[:n]
	r.rest = r.rest[n:]
	return out
}

func (r *fieldReader) skip(n int) { r.take(n) }

func (r *fieldReader) u8() int {
	if b := r.take(1); b != nil {
		return int(b[0])
	}
	return 0
}

func (r *fieldReader) u16() int {
	if b := r.take(2); b != nil {
		return int(little.Uint16(b))
	}
	return 0
}

func (r *fieldReader) u32() uint32 {
	if b := r.take(4); b != nil {
		return little.Uint32(b)
	}
	return 0
}

// wordPieces reads the table of pieces, which properties of pieces precede, for a stream of so many
// bytes. Pieces do not share bytes.
func wordPieces(clx []byte, size int64) ([]wordPiece, error) {
	r := &fieldReader{rest: clx}
	var hiding []bool // of the lists of properties, those that hide a piece
	for len(r.rest) > 0 && r.rest[0] == 1 {
		r.skip(1)
		hiding = append(hiding, unseen(r.take(r.u16())))
	}
	if r.u8() != 2 {
		return nil, damaged
	}
	plc := r.take(int(min(int64(r.u32()), 1<<31-1)))
	if r.short || len(plc) < 4 {
		return nil, damaged
	}
	n := (len(plc) - 4) / 12
	pieces := make([]wordPiece, n)
	total := int64(0)
	for i := range pieces {
		from, to := int64(little.Uint32(plc[4*i:])), int64(little.Uint32(plc[4*i+4:]))
		raw := plc[4*(n+1)+8*i:]
		at := int64(little.Uint32(raw[2:]) &^ (1 << 31))
		p := wordPiece{chars: to - from, at: at, wide: at&(1<<30) == 0, unseen: unseenPiece(int(little.Uint16(raw[6:])), hiding)}
		if !p.wide {
			p.at = (at &^ (1 << 30)) / 2
		}
		total += p.chars * p.bytes()
		if p.chars < 0 || p.at+p.chars*p.bytes() > size || total > size {
			return nil, damaged
		}
		pieces[i] = p
	}
	return pieces, nil
}

// unseenPiece reports whether the property of a piece, itself or the number of a list of them,
// hides or deletes it.
func unseenPiece(prm int, hiding []bool) bool {
	if prm&1 == 0 {
		kind, on := prm>>1&0x7f, prm>>8
		return (kind == shortDeleted || kind == shortHidden) && on != 0
	}
	return prm>>1 < len(hiding) && hiding[prm>>1]
}

// unseen reports whether a list of properties hides or deletes characters. A property is a number,
// whose upper bits say how long what follows is.
func unseen(list []byte) (is bool) {
	deleted, hidden := false, false
	for r := (&fieldReader{rest: list}); len(r.rest) >= 3; {
		sprm := r.u16()
		size := []int{1, 1, 2, 4, 2, 2, 0, 3}[sprm>>13]
		if size == 0 {
			size = r.u8()
		}
		switch value := r.take(size); {
		case len(value) != 1:
		case sprm == sprmDeleted:
			deleted = value[0]&1 != 0
		case sprm == sprmHidden, sprm == sprmHiddenAlways:
			hidden = value[0]&1 != 0
		}
	}
	return deleted || hidden
}

// unseenSpans are the bytes of the stream that are hidden or deleted, ascending and apart. bins
// lists the pages of 512 bytes that say how runs of characters look. Where they contradict
// themselves, the text is taken as seen.
func unseenSpans(doc, bins []byte) (list []span) {
	const page = 512
	n := (len(bins) - 4) / 8
	for i := range max(min(n, len(doc)/page), 0) { // no page is listed twice
		at := int64(little.Uint32(bins[4*(n+1)+4*i:])&(1<<22-1)) * page
		if at+page > int64(len(doc)) {
			continue
		}
		fkp := doc[at : at+page]
		runs := int(fkp[page-1])
		if 5*runs+4 > page-1 {
			continue
		}
		for k := range runs {
			where := 2 * int(fkp[4*(runs+1)+k])
			if where == 0 || where+1+int(fkp[where]) > page || !unseen(fkp[where+1:][:fkp[where]]) {
				continue
			}
			if s := (span{int64(little.Uint32(fkp[4*k:])), int64(little.Uint32(fkp[4*k+4:]))}); s.from < s.to {
				list = append(list, s)
			}
		}
	}
	slices.SortFunc(list, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	apart := list[:0]
	for _, s := range list {
		if k := len(apart) - 1; k >= 0 && s.from <= apart[k].to {
			apart[k].to = max(apart[k].to, s.to)
		} else {
			apart = append(apart, s)
		}
	}
	return apart
}

// wordText collects the text of a document.
type wordText struct {
	doc    []byte
	pieces []wordPiece
	unseen []span
	limit  int64
	out    strings.Builder

	fields []bool // of those that are open: its code is being read
	codes  int    // fields whose code is being read
	units  []uint16
}

// latinUnits are the characters of Windows-1252 from 0x80 on.
var latinUnits = sync.OnceValue(func() (units [128]uint16) {
	latin, _ := charset.New("windows-1252")
	for i := range units {
		text, _, _ := latin.Decode([]byte{byte(0x80 + i)})
		units[i] = uint16([]rune(text)[0])
	}
	return units
})

// write writes the characters from one number up to another.
func (w *wordText) write(from, to int64) error {
	w.fields, w.codes = nil, 0
	start := int64(0)
	for _, p := range w.pieces {
		lo, hi := max(from-start, 0), min(to-start, p.chars)
		start += p.chars
		if lo >= hi || p.unseen {
			continue
		}
		w.piece(p, lo, hi) // two pieces may share a character of two units
		if int64(w.out.Len()+len(w.units)) > w.limit {
			return input.ErrTooLong
		}
	}
	w.flush()
	return nil
}

// piece takes the characters of a piece from one number up to another.
func (w *wordText) piece(p wordPiece, lo, hi int64) {
	latin := latinUnits()
	// The spans that end behind the character at work.
	spans, _ := slices.BinarySearchFunc(w.unseen, p.at+lo*p.bytes(), func(s span, at int64) int { return cmp.Compare(s.to, at+1) })
	for i := lo; i < hi; i++ {
		at := p.at + i*p.bytes()
		for spans < len(w.unseen) && w.unseen[spans].to <= at {
			spans++
		}
		switch c := w.doc[at]; {
		case spans < len(w.unseen) && at >= w.unseen[spans].from:
		case p.wide:
			w.char(little.Uint16(w.doc[at:]))
		case c < 0x80:
			w.char(uint16(c))
		default:
			w.char(latin[c-0x80])
		}
	}
}

// The characters that begin the code of a field, end it and end the field, and others with a
// meaning.
const (
	fieldBegins, fieldShows, fieldEnds = 0x13, 0x14, 0x15
	noBreakHyphen, softHyphen          = 0x1e, 0x1f
)

// char takes a character.
func (w *wordText) char(c uint16) {
	switch c {
	case fieldBegins:
		w.fields = append(w.fields, true)
		w.codes++
		return
	case fieldShows, fieldEnds:
		if n := len(w.fields); n > 0 {
			if w.fields[n-1] {
				w.codes--
			}
			if w.fields[n-1] = false; c == fieldEnds {
				w.fields = w.fields[:n-1]
			}
		}
		return
	}
	switch {
	case w.codes > 0, c == softHyphen:
	case c == noBreakHyphen:
		w.units = append(w.units, '-')
	case c == '\r', c == '\a', c == '\v', c == '\f', c == 0x0e: // paragraph, cell, line, page, column
		w.units = append(w.units, '\n')
	case c >= ' ', c == '\t':
		w.units = append(w.units, c)
	}
	if len(w.units) >= 1<<12 && !utf16.IsSurrogate(rune(c)) {
		w.flush()
	}
}

// flush writes the characters that were taken.
func (w *wordText) flush() {
	w.out.WriteString(string(utf16.Decode(w.units)))
	w.units = w.units[:0]
}
