package statfile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"math"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/klauspost/compress/zlib"
)

// rewind goes to the first row.
func (s *sav) rewind() error {
	s.read, s.left = 0, 0
	if s.packed < 2 {
		s.r = section(s.at, s.data, s.size)
		return nil
	}
	head := make([]byte, 24)
	if _, err := s.at.ReadAt(head, s.data); err != nil {
		return input.Early(err)
	}
	trailer := int64(s.order.Uint64(head[8:]))
	if trailer < s.data+24 || trailer > s.size {
		return input.Early(io.EOF)
	}
	s.r = bufio.NewReaderSize(&blocks{from: section(s.at, s.data+24, trailer)}, 64<<10)
	return nil
}

// blocks reads what zlib packed in blocks, one after the other.
type blocks struct {
	from *bufio.Reader
	now  io.ReadCloser
}

// Read reads from the block at hand, or the next one.
func (b *blocks) Read(p []byte) (int, error) {
	for {
		if b.now == nil {
			if _, err := b.from.Peek(1); err != nil {
				return 0, err
			}
			var err error
			if b.now, err = zlib.NewReader(b.from); err != nil {
				return 0, errDamaged
			}
		}
		n, err := b.now.Read(p)
		if err == io.EOF {
			b.now.Close()
			b.now, err = nil, nil
			if n == 0 {
				continue
			}
		}
		if err != nil && err != io.ErrUnexpectedEOF {
			err = errDamaged
		}
		return n, err
	}
}

// next reads a row.
func (s *sav) next(row []cell) error {
	if s.record == nil {
		if err := s.in.Mem.Take(int64(len(s.elements)), 8); err != nil {
			return err
		}
		s.record = make([]byte, 8*len(s.elements))
	}
	if s.rows >= 0 && s.read == s.rows || len(s.elements) == 0 {
		return io.EOF
	}
	for k := range s.elements {
		err := s.element(s.record[8*k : 8*k+8])
		if err == io.EOF && k == 0 && s.rows < 0 {
			return io.EOF
		}
		if err != nil {
			return input.Early(err)
		}
	}
	s.read++
	j := 0
	for k := range s.fields {
		if f := &s.fields[k]; !f.out {
			row[j] = s.cell(f, k)
			j++
		}
	}
	return nil
}

// cell is the value of a field of a number in the row.
func (s *sav) cell(f *savField, k int) cell {
	at := s.record[8*f.first:]
	if !f.words {
		x := math.Float64frombits(s.order.Uint64(at))
		return cell{number: x, none: x == s.sysmis || math.IsNaN(x)}
	}
	if f.segments == 1 {
		return cell{word: trimmed(at[:min(f.width, len(at))])}
	}
	word := make([]byte, 0, f.width)
	for i := range f.segments {
		part := s.record[8*s.fields[k+i].first:]
		word = append(word, part[:min(255, f.width-len(word), len(part))]...)
	}
	return cell{word: trimmed(word)}
}

// element reads eight bytes of a row; io.EOF at the end of the rows.
func (s *sav) element(to []byte) error {
	if s.packed == 0 {
		_, err := io.ReadFull(s.r, to)
		return err
	}
	for {
		if s.left == 0 {
			if _, err := io.ReadFull(s.r, s.codes[:]); err != nil {
				return err
			}
			s.left = 8
		}
		code := s.codes[8-s.left]
		s.left--
		switch code {
		case 0:
		case 252:
			return io.EOF
		case 253:
			return input.ReadFull(s.r, to)
		case 254:
			copy(to, "        ")
			return nil
		case 255:
			s.order.PutUint64(to, math.Float64bits(s.sysmis))
			return nil
		default:
			s.order.PutUint64(to, math.Float64bits(float64(code)-s.bias))
			return nil
		}
	}
}

// bits reads numbers and texts. After an error it gives zeros.
type bits struct {
	r     *bufio.Reader
	order binary.ByteOrder
	mem   *input.Budget
	at    int64
	err   error
}

// bytes reads so many bytes, within the budget; nil after an error.
func (d *bits) bytes(n int) []byte {
	if d.err != nil {
		return nil
	}
	if n < 0 {
		d.err = errDamaged
		return nil
	}
	const step = 1 << 16
	if n > step { // grows as the bytes come
		var out bytes.Buffer
		for out.Len() < n {
			more := int64(min(step, n-out.Len()))
			if d.err = d.mem.Take(2*more, 1); d.err != nil {
				return nil
			}
			if _, err := io.CopyN(&out, d.r, more); err != nil {
				d.err = input.Early(err)
				return nil
			}
		}
		d.at += int64(n)
		return out.Bytes()
	}
	if d.err = d.mem.Take(int64(n)+24, 1); d.err != nil {
		return nil
	}
	b := make([]byte, n)
	if d.err = input.ReadFull(d.r, b); d.err != nil {
		return nil
	}
	d.at += int64(n)
	return b
}

// skip passes over so many bytes.
func (d *bits) skip(n int64) {
	if d.err == nil && n < 0 {
		d.err = errDamaged
	}
	if d.err == nil {
		_, err := io.CopyN(io.Discard, d.r, n)
		d.err = input.Early(err)
		d.at += n
	}
}

// number reads an integer of so many bytes, without a sign.
func (d *bits) number(bytes int) uint64 {
	var b [8]byte
	if d.err != nil {
		return 0
	}
	if d.err = input.ReadFull(d.r, b[:bytes]); d.err != nil {
		return 0
	}
	d.at += int64(bytes)
	switch bytes {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(d.order.Uint16(b[:]))
	case 4:
		return uint64(d.order.Uint32(b[:]))
	}
	return d.order.Uint64(b[:])
}

func (d *bits) byte() byte { return byte(d.number(1)) }
func (d *bits) int() int32 { return int32(d.number(4)) }

// count reads a number of things, of which there are most at most.
func (d *bits) count(most int) int {
	n := d.int()
	if d.err == nil && (n < 0 || int(n) > most) {
		d.err = errDamaged
	}
	if d.err != nil {
		return 0
	}
	return int(n)
}

// text reads a length and so many bytes, most at most.
func (d *bits) text(most int) []byte { return d.bytes(d.count(most)) }
