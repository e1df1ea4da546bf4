// Package biff reads the cells of spreadsheets of Excel 5 to 2003 (.xls): BIFF5 and BIFF8 in a
// compound file.
//
// Sources: Microsoft, [MS-XLS] "Excel Binary File Format"; OpenOffice.org's "Documentation of the
// Microsoft Excel File Format", for BIFF5.
package biff

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strings"
	"unicode/utf16"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/compound"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// Book is a spreadsheet.
type Book struct {
	Sheets   []Sheet // those with cells, in their order
	Formats  []Format
	From1904 bool // days count from 1904

	in     *input.File
	data   []byte
	old    bool // BIFF5
	shared []string
	decode charset.Decoder // of texts of BIFF5
}

// Sheet is a sheet of cells.
type Sheet struct {
	Name   string
	Hidden bool
	at     int
}

// Format is how cells of a style show their numbers: by a number that Excel knows, or a code.
type Format struct {
	ID   int
	Code string // "" for one that Excel knows
}

// Cell is a cell with a value.
type Cell struct {
	Column int     // from 0
	Text   string  // of a text, or true or false
	Number float64 // of a number
	Style  int     // of a number: of its Format; -1 of a text
}

// errDamaged is the error of a file that contradicts itself.
var errDamaged = errors.New("the spreadsheet is not as Excel writes it")

// Records, by their numbers.
const (
	recFormula    = 0x0006
	recEOF        = 0x000a
	recDate1904   = 0x0022
	recFilePass   = 0x002f
	recContinue   = 0x003c
	recCodePage   = 0x0042
	recBoundSheet = 0x0085
	recMulRK      = 0x00bd
	recRString    = 0x00d6
	recXF         = 0x00e0
	recSST        = 0x00fc
	recLabelSST   = 0x00fd
	recNumber     = 0x0203
	recLabel      = 0x0204
	recBoolErr    = 0x0205
	recString     = 0x0207
	recRK         = 0x027e
	recFormat     = 0x041e
	recBOF        = 0x0809
)

var little = binary.LittleEndian

// Open finds the sheets of a spreadsheet in a compound file; nil of another file.
func Open(in *input.File) (*Book, error) {
	head, err := in.Peek(len(compound.Magic))
	if err != nil || !compound.Is(head) {
		return nil, err
	}
	at, size, err := in.Random()
	if err != nil {
		return nil, err
	}
	root, err := compound.Open(at, size)
	switch named := strings.HasSuffix(strings.ToLower(input.UnpackedName(in.Name)), ".xls"); {
	case err == compound.ErrDamaged && named:
		return nil, (&Book{in: in}).fault("", err)
	case err == compound.ErrDamaged:
		return nil, nil // what it is cannot be said
	case err != nil:
		return nil, in.Wrap("", err)
	}
	name := "Workbook"
	switch {
	case root.Has("EncryptedPackage"):
		return nil, in.Fail("", "is a spreadsheet or another document of Microsoft Office with a password; save it without one")
	case root.Has(name):
	case root.Has("Book"):
		name = "Book"
	default:
		return nil, nil
	}
	b := &Book{in: in}
	if err := in.Mem.Take(min(root.Size(name), size), 1); err != nil {
		return nil, in.Wrap("", err)
	}
	if b.data, err = root.Read(name); err != nil {
		return nil, b.fault("", err)
	}
	return b, b.fault("", b.globals())
}

// fault is a sentence about the spreadsheet.
func (b *Book) fault(place string, err error) error {
	switch {
	case errors.Is(err, errDamaged), errors.Is(err, compound.ErrDamaged), errors.Is(err, io.ErrUnexpectedEOF):
		return b.in.Fail(place, "the spreadsheet is damaged or was cut off; copy or download it again, or save it again")
	}
	return b.in.Wrap(place, err)
}

// record returns the record at a byte, and where the next one begins.
func (b *Book) record(at int) (kind int, data []byte, next int, err error) {
	if at < 0 || at+4 > len(b.data) {
		return 0, nil, 0, errDamaged
	}
	kind, size := int(little.Uint16(b.data[at:])), int(little.Uint16(b.data[at+2:]))
	if next = at + 4 + size; next > len(b.data) {
		return 0, nil, 0, errDamaged
	}
	return kind, b.data[at+4 : next], next, nil
}

// globals reads what is of the whole spreadsheet.
func (b *Book) globals() error {
	kind, data, at, err := b.record(0)
	if err != nil {
		return err
	}
	if kind != recBOF || len(data) < 4 {
		return errDamaged
	}
	switch version := little.Uint16(data); version {
	case 0x0600:
	case 0x0500:
		b.old = true
	default:
		return b.in.Fail("", "is a spreadsheet of Excel in a version that is not read; make a new one of it, for instance with libreoffice --headless --convert-to xlsx FILE")
	}
	b.decode, _ = charset.New("windows-1252")
	codes := make(map[int]string)
	for kind != recEOF {
		if kind, data, at, err = b.record(at); err != nil {
			return err
		}
		r := &reader{rest: data}
		switch kind {
		case recFilePass:
			return b.in.Fail("", "is a spreadsheet with a password; save it without one")
		case recCodePage:
			if d, err := charset.New(charset.CodePage(int(r.u16()))); err == nil {
				b.decode = d
			}
		case recDate1904:
			b.From1904 = r.u16() == 1
		case recFormat:
			id := int(r.u16())
			codes[id] = b.text(r, b.old)
		case recXF:
			r.u16()
			id := int(r.u16())
			b.Formats = append(b.Formats, Format{id, codes[id]})
		case recBoundSheet:
			s := Sheet{at: int(r.u32()), Hidden: r.u8()&3 != 0}
			if cells := r.u8() == 0; cells {
				s.Name = b.text(r, true)
				b.Sheets = append(b.Sheets, s)
			}
		case recSST:
			r.more = func() []byte {
				kind, data, next, err := b.record(at)
				if err != nil || kind != recContinue {
					return nil
				}
				at = next
				return data
			}
			if err := b.readShared(r); err != nil {
				return err
			}
		}
		if r.short {
			return errDamaged
		}
	}
	if b.Sheets == nil {
		return input.NoDocuments(b.in.Fail("", "the spreadsheet has no sheet with cells"))
	}
	return nil
}

// readShared reads the texts that cells share.
func (b *Book) readShared(r *reader) error {
	r.u32()
	n := int(r.u32())
	for range n {
		text := b.text(r, false)
		if r.short {
			return errDamaged
		}
		if err := b.in.Mem.Take(int64(len(text))+16, 1); err != nil {
			return err
		}
		b.shared = append(b.shared, text)
		if len(b.shared)%4096 == 0 && b.in.Ctx.Err() != nil {
			return b.in.Ctx.Err()
		}
	}
	return nil
}

// reader takes values off a record, and off those that continue it.
type reader struct {
	rest  []byte
	more  func() []byte // the next record that continues this one; nil: none does
	short bool          // the record ended early
}

// next goes on to the record that continues this one, if it is at its end.
func (r *reader) next() bool {
	for len(r.rest) == 0 {
		if r.more == nil {
			return false
		}
		if r.rest = r.more(); r.rest == nil {
			r.more = nil
			return false
		}
	}
	return true
}

// bytes takes n bytes.
func (r *reader) bytes(n int) []byte {
	if n <= len(r.rest) {
		out := r.rest[:n]
		r.rest = r.rest[n:]
		return out
	}
	var out []byte
	for len(out) < n && r.next() {
		k := min(n-len(out), len(r.rest))
		out, r.rest = append(out, r.rest[:k]...), r.rest[k:]
	}
	if len(out) < n {
		r.short = true
		return make([]byte, min(n, 8))
	}
	return out
}

func (r *reader) u8() int     { return int(r.bytes(1)[0]) }
func (r *reader) u16() uint16 { return little.Uint16(r.bytes(2)) }
func (r *reader) u32() uint32 { return little.Uint32(r.bytes(4)) }

// text reads a text and its length, which has one byte or two. In BIFF8 its characters have one or
// two bytes each, which may change where the record is continued, and formats of parts follow.
func (b *Book) text(r *reader, short bool) string {
	n := 0
	if short {
		n = r.u8()
	} else {
		n = int(r.u16())
	}
	if b.old {
		text, _, _ := b.decode.Decode(r.bytes(n))
		return text
	}
	if r.short {
		return ""
	}
	flags := r.u8()
	runs, extra := 0, 0
	if flags&8 != 0 {
		runs = int(r.u16())
	}
	if flags&4 != 0 {
		extra = int(int32(r.u32()))
	}
	text := r.chars(n, flags&1 != 0)
	if extra < 0 {
		r.short = true
		return ""
	}
	r.skip(4 * runs)
	r.skip(extra)
	return text
}

// skip passes over n bytes.
func (r *reader) skip(n int) {
	for n > 0 && r.next() {
		k := min(n, len(r.rest))
		r.rest, n = r.rest[k:], n-k
	}
	r.short = r.short || n > 0
}

// chars reads n characters of one or two bytes. A record that continues them begins with a byte
// that says which.
func (r *reader) chars(n int, wide bool) string {
	var out []uint16
	for len(out) < n {
		if len(r.rest) == 0 {
			if !r.next() {
				r.short = true
				return ""
			}
			wide, r.rest = r.rest[0]&1 != 0, r.rest[1:]
			continue
		}
		if !wide {
			k := min(n-len(out), len(r.rest))
			for _, c := range r.rest[:k] {
				out = append(out, uint16(c))
			}
			r.rest = r.rest[k:]
			continue
		}
		k := min(n-len(out), len(r.rest)/2)
		if k == 0 {
			r.short = true
			return ""
		}
		for i := range k {
			out = append(out, little.Uint16(r.rest[2*i:]))
		}
		r.rest = r.rest[2*k:]
	}
	return string(bytes.ReplaceAll([]byte(string(utf16.Decode(out))), []byte{0}, nil))
}

// number is a number in four bytes: the high ones of a float, or an integer; both may be
// hundredths.
func number(rk uint32) float64 {
	var x float64
	if rk&2 != 0 {
		x = float64(int32(rk) >> 2)
	} else {
		x = math.Float64frombits(uint64(rk&^3) << 32)
	}
	if rk&1 != 0 {
		x /= 100
	}
	return x
}
