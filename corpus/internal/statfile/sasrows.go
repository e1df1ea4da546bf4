package statfile

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
)

// What a page holds beside its parts, by bits of its kind. A page of the last kind holds nothing
// that is read here.
const (
	sasHolds     = 0x0f00
	sasRowsAlone = 0x0100
	sasRowsToo   = 0x0200
	sasHasGone   = 0x0080 // some of its rows were deleted
	sasIndex     = 0x8000
)

// hasParts reports whether parts are on the page.
func (p sasPage) hasParts() bool {
	return p.kind&sasIndex == 0 && p.kind&sasHolds != sasRowsAlone
}

// hasRows reports whether rows are on the page that are no parts of it.
func (p sasPage) hasRows() bool {
	return p.kind&sasIndex == 0 && p.kind&(sasRowsAlone|sasRowsToo) != 0
}

// sasRow is where a row lies in the page.
type sasRow struct {
	from, to int
	packed   bool
}

// rewind goes to the first row.
func (s *sasTable) rewind() error {
	s.page, s.found, s.queue = 0, 0, nil
	return nil
}

// next reads a row.
func (s *sasTable) next(row []cell) error {
	for len(s.queue) == 0 {
		if s.found >= s.rows {
			return io.EOF
		}
		if s.page == s.pages {
			return io.ErrUnexpectedEOF
		}
		if err := s.load(s.page); err != nil {
			return err
		}
		s.page++
		if err := s.findRows(); err != nil {
			return err
		}
	}
	at := s.queue[0]
	s.queue = s.queue[1:]
	record := s.buf[at.from:at.to]
	if at.packed {
		var ok bool
		if record, ok = s.unpack(record); !ok {
			return errDamaged
		}
	}
	for k, f := range s.fields {
		b := record[f.at : f.at+f.width]
		if f.words {
			row[k] = cell{word: trimmed(b)}
			continue
		}
		x := s.float(b)
		row[k] = cell{number: x, none: math.IsNaN(x)}
	}
	return nil
}

// findRows finds the rows of the page. The rows that the file counts have the deleted ones among
// them, and there may be room for more.
func (s *sasTable) findRows() error {
	p := s.begins()
	add := func(row sasRow, deleted bool) {
		if s.found < s.rows && !deleted {
			s.queue = append(s.queue, row)
		}
		s.found++
	}
	s.queue = nil
	for k := range p.parts {
		if !p.hasParts() {
			break
		}
		part, err := s.part(p, k)
		if err != nil {
			return err
		}
		row := sasRow{part.at, part.at + part.size, part.packing == sasPacked}
		switch {
		case part.packing == sasPacked && part.kind == 1 && s.packed != 0, part.packing == sasDeleted && part.kind == 1:
			add(row, part.packing == sasDeleted)
		case part.packing == sasPlain && part.kind == 1 && s.packed != 0 && int64(part.size) == s.rowSize && s.mark(s.buf[row.from:row.to]) == 0:
			add(row, false)
		}
	}
	if !p.hasRows() {
		return nil
	}
	n, size := p.blocks, int(s.rowSize)
	from := p.first
	if p.hasParts() {
		n, from = n-p.parts, s.behindParts(p)
	}
	n = int(min(int64(n), s.rows-s.found))
	if n <= 0 {
		return nil
	}
	if n > (len(s.buf)-from)/size {
		return errDamaged
	}
	gone, err := s.deleted(p, from)
	if err != nil {
		return err
	}
	for k := range n {
		at := from + k*size
		add(sasRow{at, at + size, false}, gone != nil && gone[k/8]&(0x80>>(k%8)) != 0)
	}
	return nil
}

// behindParts is where the rows of a page begin that are behind the list of its parts: at a
// multiple of eight bytes, but in files of Stat/Transfer, which may use the bytes up to there.
func (s *sasTable) behindParts(p sasPage) int {
	from := p.first + 3*s.word*p.parts
	if from%8 != 4 || from+4 > len(s.buf) {
		return from
	}
	if fill := string(s.buf[from : from+4]); s.foreign && fill != "\x00\x00\x00\x00" && fill != "    " {
		return from
	}
	return from + 4
}

// deleted returns a bit for each of the rows that begin at a byte of the page, the highest bit of a
// byte first; it is set if the row was deleted. It returns nil if none was. The bits are behind the
// rows and the free bytes, whose number is in the head of the page.
func (s *sasTable) deleted(p sasPage, from int) ([]byte, error) {
	if p.kind&sasHasGone == 0 {
		return nil, nil
	}
	rows := p.blocks
	if p.hasParts() {
		rows -= p.parts
	}
	free := int64(s.order.Uint32(s.buf[3*s.word:]))
	at := int64(from) + int64(rows)*s.rowSize + free
	to := at + int64(rows+7)/8
	if to > int64(len(s.buf)) {
		return nil, errDamaged
	}
	return s.buf[at:to], nil
}

// float reads a number, of which the last bytes of its fraction may be cut off. All missing ones,
// from . to .Z, are no numbers.
func (s *sasTable) float(b []byte) float64 {
	var full [8]byte
	if s.order == binary.BigEndian {
		copy(full[:], b)
	} else {
		copy(full[8-len(b):], b)
	}
	return math.Float64frombits(s.order.Uint64(full[:]))
}

// unpack unpacks a row; false for a damaged one.
func (s *sasTable) unpack(b []byte) ([]byte, bool) {
	u := sasUnpacker{in: b, out: s.scratch[:0], size: int(s.rowSize)}
	if s.packed == sasRoss {
		u.ross()
	} else {
		u.runs()
	}
	s.scratch = u.out
	return u.out, !u.failed && len(u.out) == u.size
}

// sasUnpacker unpacks a row of so many bytes.
type sasUnpacker struct {
	in, out []byte
	size    int
	failed  bool
}

// next returns the next byte.
func (u *sasUnpacker) next() int {
	if len(u.in) == 0 {
		u.failed = true
		return 0
	}
	c := u.in[0]
	u.in = u.in[1:]
	return int(c)
}

// copy copies so many bytes.
func (u *sasUnpacker) copy(n int) {
	if n > len(u.in) || n > u.size-len(u.out) {
		u.failed = true
		return
	}
	u.out, u.in = append(u.out, u.in[:n]...), u.in[n:]
}

// fill repeats a byte.
func (u *sasUnpacker) fill(n int, c byte) {
	if n > u.size-len(u.out) {
		u.failed = true
		return
	}
	u.out = append(u.out, bytes.Repeat([]byte{c}, n)...)
}

// again repeats bytes that were written so far before the end.
func (u *sasUnpacker) again(back, n int) {
	if back > len(u.out) || n > u.size-len(u.out) {
		u.failed = true
		return
	}
	for range n {
		u.out = append(u.out, u.out[len(u.out)-back])
	}
}

// runs unpacks SASYZCRL, runs of bytes: half a byte says what follows, the other half and in longer
// ones a second byte how much.
func (u *sasUnpacker) runs() {
	for !u.failed && len(u.in) > 0 && len(u.out) < u.size {
		c := u.next()
		n := c & 15
		switch c >> 4 {
		case 0:
			u.copy(64 + n<<8 + u.next())
		case 1:
			u.copy(64 + 4096 + n<<8 + u.next())
		case 2:
			u.copy(96 + n)
		case 4:
			n = 18 + n<<8 + u.next()
			u.fill(n, byte(u.next()))
		case 5:
			u.fill(17+n<<8+u.next(), '@')
		case 6:
			u.fill(17+n<<8+u.next(), ' ')
		case 7:
			u.fill(17+n<<8+u.next(), 0)
		case 8, 9, 10, 11:
			u.copy(1 + c - 0x80)
		case 12:
			u.fill(3+n, byte(u.next()))
		case 13:
			u.fill(2+n, '@')
		case 14:
			u.fill(2+n, ' ')
		case 15:
			u.fill(2+n, 0)
		default:
			u.failed = true
		}
	}
}

// ross unpacks SASYZCR2, the compression of Ed Ross: each of 16 bits says whether a byte follows,
// or a run or bytes that were there before.
func (u *sasUnpacker) ross() {
	for !u.failed && len(u.in) > 0 && len(u.out) < u.size {
		bits := u.next()<<8 | u.next()
		for k := 15; k >= 0 && !u.failed && len(u.out) < u.size; k-- {
			if bits>>k&1 == 0 {
				u.copy(1)
				continue
			}
			c := u.next()
			n := c & 15
			switch c >> 4 {
			case 0:
				u.fill(3+n, byte(u.next()))
			case 1:
				n += 19 + u.next()<<4
				u.fill(n, byte(u.next()))
			case 2:
				back := 3 + n + u.next()<<4
				u.again(back, 16+u.next())
			default:
				u.again(3+n+u.next()<<4, c>>4)
			}
		}
	}
}
