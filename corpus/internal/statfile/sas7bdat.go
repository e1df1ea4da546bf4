package statfile

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// sasTableMagic begins a table of SAS.
const sasTableMagic = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xc2\xea\x81\x60"

// sasTable is a table of SAS (.sas7bdat): a head, then pages of one length. A page holds parts that
// describe the columns, rows as they are, or rows that are compressed, each as a part of its own.
type sasTable struct {
	in    *input.File
	at    io.ReaderAt
	order binary.ByteOrder
	word  int // bytes of a length: 4 or 8
	code  byte
	// foreign says that the release is 9.0000M0, which Stat/Transfer writes.
	foreign bool

	head, pages int64 // bytes of the head, and how many pages follow
	buf         []byte
	scratch     []byte // a row that was compressed

	rowSize, rows, columns int64
	packed                 byte // how rows are compressed: sasRuns, sasRoss or 0

	texts          [][]byte
	names, formats []sasText
	labels         []sasText
	places         []sasPlace
	fields         []xptField

	page  int64 // the next one to be read
	found int64 // rows of the pages that were read, with deleted ones
	queue []sasRow
}

// sasText is where a text lies in one of the parts for texts.
type sasText struct{ part, at, size int }

// sasPlace is where the values of a column lie in a row.
type sasPlace struct {
	at, width int
	words     bool
}

// The compressions of rows, by the last byte of their names SASYZCRL and SASYZCR2.
const (
	sasRuns = 'L'
	sasRoss = '2'
)

// The marks that begin the parts of a page which describe columns, as far as they are read.
const (
	sasRowSize  = 0xf7f7f7f7
	sasColumns  = 0xf6f6f6f6
	sasTexts    = 0xfffffffd
	sasNames    = 0xffffffff
	sasPlaces   = 0xfffffffc
	sasFormats  = 0xfffffbfe
	sasCounts   = 0xfffffc00
	sasSequence = 0xfffffffe
)

// begin reads the head, and what all pages say of the columns.
func (s *sasTable) begin(in *input.File) ([]*variable, error) {
	s.in = in
	at, size, err := in.Random()
	if err != nil {
		return nil, err
	}
	s.at = at
	if err := s.readHead(size); err != nil {
		return nil, err
	}
	for page := range s.pages {
		if err := s.load(page); err != nil {
			return nil, err
		}
		if err := s.describe(); err != nil {
			return nil, err
		}
	}
	return s.variables()
}

// readHead reads how numbers are written, and how long the head and the pages are.
func (s *sasTable) readHead(size int64) error {
	b := make([]byte, 288)
	if _, err := s.at.ReadAt(b, 0); err != nil {
		return input.Early(err)
	}
	s.word, s.order, s.code = 4, binary.BigEndian, b[70]
	if b[32] == '3' {
		s.word = 8
	}
	if b[37] == 1 {
		s.order = binary.LittleEndian
	}
	from := 196
	if b[35] == '3' {
		from += 4
	}
	release := from + 16 + s.word
	s.foreign = string(b[release:release+8]) == "9.0000M0"
	s.head = int64(s.order.Uint32(b[from:]))
	page := int64(s.order.Uint32(b[from+4:]))
	s.pages = s.length(b[from+8:])
	if s.head < int64(len(b)) || page < 256 || s.pages < 0 {
		return errDamaged
	}
	if s.head > size || s.pages > (size-s.head)/page {
		return io.ErrUnexpectedEOF
	}
	if s.pages == 0 {
		return nil
	}
	if err := s.in.Mem.Take(page, 4); err != nil { // with where its rows are
		return err
	}
	s.buf = make([]byte, page)
	return nil
}

// length reads a length or a count; -1 for one that no file has.
func (s *sasTable) length(b []byte) int64 {
	if s.word == 4 {
		return int64(s.order.Uint32(b))
	}
	if n := s.order.Uint64(b); n < 1<<48 {
		return int64(n)
	}
	return -1
}

// load reads a page.
func (s *sasTable) load(page int64) error {
	if err := s.in.Ctx.Err(); err != nil {
		return err
	}
	_, err := s.at.ReadAt(s.buf, s.head+page*int64(len(s.buf)))
	if err == io.EOF && page == s.pages-1 { // all of the last page was read
		err = nil
	}
	return input.Early(err)
}

// sasPage is what a page begins with.
type sasPage struct {
	kind          uint16
	blocks, parts int
	first         int // where its list of parts begins
}

// begins reads what the page begins with.
func (s *sasTable) begins() sasPage {
	first := 16
	if s.word == 8 {
		first = 32
	}
	b := s.buf[first:]
	return sasPage{s.order.Uint16(b), int(s.order.Uint16(b[2:])), int(s.order.Uint16(b[4:])), first + 8}
}

// sasPart is a part of a page.
type sasPart struct {
	at, size      int
	packing, kind byte
}

// part returns a part of the page.
func (s *sasTable) part(p sasPage, k int) (part sasPart, err error) {
	size := 3 * s.word
	at := p.first + k*size
	if at+size > len(s.buf) {
		return part, errDamaged
	}
	b := s.buf[at : at+size]
	from, long := s.length(b), s.length(b[s.word:])
	if from < 0 || long < 0 || from+long > int64(len(s.buf)) {
		return part, errDamaged
	}
	return sasPart{int(from), int(long), b[2*s.word], b[2*s.word+1]}, nil
}

// mark returns the mark of a part; 0 for a row.
func (s *sasTable) mark(b []byte) uint32 {
	if len(b) < s.word {
		return 0
	}
	mark := s.order.Uint32(b)
	if s.word == 8 {
		all := s.order.Uint64(b)
		mark = uint32(all)
		if high := uint32(all >> 32); high == sasRowSize || high == sasColumns {
			mark = high
		} else if high != math.MaxUint32 && mark != sasRowSize && mark != sasColumns {
			return 0
		}
	}
	switch mark {
	case sasRowSize, sasColumns, sasTexts, sasNames, sasPlaces, sasFormats, sasCounts, sasSequence:
		return mark
	}
	return 0
}

// How a part of a page is packed. A row that compression would not make shorter is as it is.
const (
	sasPlain   = 0
	sasPacked  = 4
	sasDeleted = 5
)

// describe collects what the page says of the columns.
func (s *sasTable) describe() error {
	p := s.begins()
	if !p.hasParts() {
		return nil
	}
	for k := range p.parts {
		part, err := s.part(p, k)
		if err != nil {
			return err
		}
		if part.size == 0 || part.packing != sasPlain {
			continue
		}
		if err := s.collect(s.buf[part.at : part.at+part.size]); err != nil {
			return err
		}
	}
	return nil
}

// collect reads a part that describes columns.
func (s *sasTable) collect(b []byte) error {
	mark := s.mark(b)
	if mark == 0 {
		return nil
	}
	least := map[uint32]int{sasRowSize: 16 * s.word, sasColumns: 2 * s.word, sasTexts: s.word + 2, sasNames: 2*s.word + 12, sasPlaces: 2*s.word + 12, sasFormats: 3*s.word + 34}
	if len(b) < least[mark] {
		return errDamaged
	}
	if err := s.in.Mem.Take(int64(len(b)), 4); err != nil {
		return err
	}
	switch mark {
	case sasRowSize:
		s.rowSize, s.rows = s.length(b[5*s.word:]), s.length(b[6*s.word:])
		if s.rowSize < 1 || s.rowSize > 1<<28 || s.rows < 0 {
			return errDamaged
		}
	case sasColumns:
		s.columns = s.length(b[s.word:])
	case sasTexts:
		if s.texts == nil {
			if bytes.Contains(b, []byte("SASYZCRL")) {
				s.packed = sasRuns
			} else if bytes.Contains(b, []byte("SASYZCR2")) {
				s.packed = sasRoss
			}
		}
		s.texts = append(s.texts, bytes.Clone(b[s.word:]))
	case sasNames:
		for at := s.word + 8; at+8 <= len(b)-s.word-4; at += 8 {
			s.names = append(s.names, s.text(b[at:]))
		}
	case sasPlaces:
		for at := s.word + 8; at+s.word+8 <= len(b)-s.word-4; at += s.word + 8 {
			from, rest := s.length(b[at:]), b[at+s.word:]
			if from < 0 || from > 1<<28 {
				return errDamaged
			}
			s.places = append(s.places, sasPlace{int(from), int(s.order.Uint32(rest)), rest[6] == 2})
		}
	case sasFormats:
		s.formats = append(s.formats, s.text(b[3*s.word+22:]))
		s.labels = append(s.labels, s.text(b[3*s.word+28:]))
	}
	return nil
}

// text reads where a text lies.
func (s *sasTable) text(b []byte) sasText {
	return sasText{int(s.order.Uint16(b)), int(s.order.Uint16(b[2:])), int(s.order.Uint16(b[4:]))}
}

// textAt returns a text; nil for an empty one.
func (s *sasTable) textAt(list []sasText, k int) ([]byte, error) {
	if k >= len(list) || list[k].size == 0 {
		return nil, nil
	}
	t := list[k]
	if t.part >= len(s.texts) || t.at+t.size > len(s.texts[t.part]) {
		return nil, errDamaged
	}
	return trimmed(s.texts[t.part][t.at : t.at+t.size]), nil
}

// variables puts together what the pages say of the columns.
func (s *sasTable) variables() ([]*variable, error) {
	if int64(len(s.places)) != s.columns || len(s.names) != len(s.places) || len(s.formats) > len(s.places) {
		return nil, errDamaged
	}
	if err := s.in.Mem.Take(s.rowSize, 1); err != nil {
		return nil, err
	}
	s.scratch = make([]byte, 0, s.rowSize)
	var list []*variable
	for k, place := range s.places {
		v := &variable{words: place.words}
		var format []byte
		for _, of := range []struct {
			list []sasText
			to   *[]byte
		}{{s.names, &v.name}, {s.labels, &v.about}, {s.formats, &format}} {
			var err error
			if *of.to, err = s.textAt(of.list, k); err != nil {
				return nil, err
			}
		}
		if place.width < 1 || int64(place.at+place.width) > s.rowSize || !v.words && place.width > 8 {
			return nil, errDamaged
		}
		if !v.words {
			v.shows, v.moment = sasMoment(string(format))
		}
		list, s.fields = append(list, v), append(s.fields, xptField{v, place.at, place.width})
	}
	return list, nil
}

// sasEncodings names the encodings by their numbers in the head.
var sasEncodings = map[byte]string{
	20: "utf-8", 28: "windows-1252", 29: "latin1", 30: "iso-8859-2", 31: "iso-8859-3", 32: "iso-8859-4", 33: "iso-8859-5",
	34: "iso-8859-6", 35: "iso-8859-7", 36: "iso-8859-8", 37: "windows-1254", 38: "iso-8859-10", 39: "windows-874", 40: "iso-8859-15",
	41: "cp437", 42: "cp850", 43: "cp852", 44: "cp857", 45: "cp858", 46: "cp862", 47: "cp864", 48: "cp865", 49: "ibm866",
	50: "cp869", 51: "windows-874", 55: "cp720", 56: "cp737", 57: "cp775", 58: "cp860", 59: "cp863",
	60: "windows-1250", 61: "windows-1251", 62: "windows-1252", 63: "windows-1253", 64: "windows-1254", 65: "windows-1255",
	66: "windows-1256", 67: "windows-1257", 68: "windows-1258", 118: "big5", 119: "euc-tw", 123: "big5", 125: "gbk", 126: "gbk",
	134: "euc-jp", 136: "shift_jis", 138: "shift_jis", 140: "euc-kr", 141: "euc-kr", 205: "gb18030", 227: "iso-8859-14", 242: "iso-8859-13",
}

func (s *sasTable) encoding() string { return sasEncodings[s.code] }
func (s *sasTable) weight() int      { return -1 }
