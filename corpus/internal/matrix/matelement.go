package matrix

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// matReader reads the data elements inside a MATLAB array, one after the other.
type matReader struct {
	r      *bufio.Reader
	zip    *zlibContent // what r reads, if the array is compressed; else nil
	order  binary.ByteOrder
	mem    *input.Budget
	backed int64 // bytes of the file that hold the array
}

// matElement is a data element whose content has not been read: length bytes of data, then padding.
type matElement struct {
	typ    uint32
	length int64
	data   io.Reader
	pad    int
}

// next reads a tag. The caller must read the content, or skip it with finish, before the next call.
func (m *matReader) next() (e matElement, err error) {
	var tag [8]byte
	if err := input.ReadFull(m.r, tag[:]); err != nil {
		return e, err
	}
	e.typ, e.length = m.order.Uint32(tag[:]), int64(m.order.Uint32(tag[4:]))
	if small := e.typ >> 16; small != 0 { // the tag holds up to four bytes of content
		if small > 4 {
			return e, errMat("a small element claims more than 4 bytes")
		}
		e.typ &= 0xffff
		e.length = int64(small)
		e.data = bytes.NewReader(bytes.Clone(tag[4 : 4+small]))
		return e, nil
	}
	e.data = io.LimitReader(m.r, e.length)
	e.pad = int(-e.length & 7)
	return e, nil
}

// finish skips what is left of an element. The last padding of an array may be missing.
func (m *matReader) finish(e matElement) error {
	if _, err := io.Copy(io.Discard, e.data); err != nil {
		return err
	}
	_, err := m.r.Discard(e.pad)
	if err == io.EOF {
		return nil
	}
	return err
}

// bytes reads the whole content of a short element.
func (m *matReader) bytes(e matElement, limit int64) ([]byte, error) {
	if e.length > limit {
		return nil, errMat("an element of the header is too long")
	}
	b := make([]byte, e.length)
	if err := input.ReadFull(e.data, b); err != nil {
		return nil, err
	}
	return b, m.finish(e)
}

// readArrayHeader reads class, dimensions and name of an array.
func (m *matReader) readArrayHeader(v *matVar) error {
	e, err := m.next()
	if err != nil {
		return err
	}
	b, err := m.bytes(e, 8)
	if err != nil {
		return err
	}
	if e.typ != miUint32 || len(b) != 8 {
		return errMat("an array does not begin with its flags")
	}
	flags := m.order.Uint32(b)
	v.class = byte(flags)
	if v.class == 17 { // an opaque object has a header of its own
		v.dims, v.name = []int64{0, 0}, "(object)"
		v.describe(flags)
		return nil
	}
	if e, err = m.next(); err != nil {
		return err
	}
	if b, err = m.bytes(e, 4*64); err != nil {
		return err
	}
	if (e.typ != miInt32 && e.typ != miUint32) || len(b) < 8 || len(b)%4 != 0 {
		return errMat("an array has no dimensions")
	}
	for ; len(b) > 0; b = b[4:] {
		n := int64(int32(m.order.Uint32(b)))
		if n < 0 {
			return errMat("an array has a negative dimension")
		}
		v.dims = append(v.dims, n)
	}
	if e, err = m.next(); err != nil {
		return err
	}
	if b, err = m.bytes(e, 4096); err != nil {
		return err
	}
	v.name = string(b)
	v.describe(flags)
	return nil
}

// floats reads an element of exactly count numbers.
func (m *matReader) floats(count int64) ([]float64, error) {
	e, err := m.next()
	if err != nil {
		return nil, err
	}
	kind := matKinds[e.typ]
	if kind == noKind {
		return nil, errMat("an array of numbers holds something else")
	}
	if e.length%int64(kind.size()) != 0 || e.length/int64(kind.size()) != count {
		return nil, errMat("the length of the data does not match the array's size")
	}
	out, err := readFloats(e.data, m.mem, count, kind, m.order, m.backed)
	if err != nil {
		return nil, err
	}
	return out, m.finish(e)
}

// matIntegers reads an element of any number of integers.
func matIntegers[T int | int32](m *matReader) ([]T, error) {
	e, err := m.next()
	if err != nil {
		return nil, err
	}
	kind := matKinds[e.typ]
	if !kind.isInteger() || e.length%int64(kind.size()) != 0 {
		return nil, errMat("the indices of a sparse array are not integers")
	}
	out, err := readIndices[T](e.data, m.mem, e.length/int64(kind.size()), kind, m.order, m.backed)
	if err != nil {
		return nil, err
	}
	return out, m.finish(e)
}

// text reads the characters of a char array, one line per row of the array.
func (m *matReader) text(v *matVar) ([]string, error) {
	if v.rows == 0 || v.cols == 0 {
		return []string{""}, nil
	}
	e, err := m.next()
	if err != nil {
		return nil, err
	}
	raw, err := readArray(e.data, m.mem, e.length, 1, m.backed, 1, func(dst, src []byte) error {
		copy(dst, src)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := m.mem.Take(int64(len(raw)), 8); err != nil {
		return nil, err
	}
	defer m.mem.Give(int64(len(raw)), 9)
	var units []uint16
	switch e.typ {
	case miInt8, miUint8:
		for _, c := range raw {
			units = append(units, uint16(c))
		}
	case miUint16, miUTF16:
		for ; len(raw) >= 2; raw = raw[2:] {
			units = append(units, m.order.Uint16(raw))
		}
	case miUTF8:
		units = utf16.Encode([]rune(strings.ToValidUTF8(string(raw), string(utf8.RuneError))))
	case miUTF32:
		for ; len(raw) >= 4; raw = raw[4:] {
			units = utf16.AppendRune(units, rune(m.order.Uint32(raw)))
		}
	default:
		return nil, errMat("a text holds something else")
	}
	if err := m.finish(e); err != nil {
		return nil, err
	}
	if v.rows == 1 {
		return []string{string(utf16.Decode(units))}, nil
	}
	if int64(len(units))/v.rows != v.cols || int64(len(units))%v.rows != 0 {
		return nil, errMat("the length of a text does not match its size")
	}
	return charLines(units, int(v.rows), int(v.cols)), nil
}

// charLines are the rows of a char array, whose columns follow one another, without the blanks
// behind them.
func charLines(units []uint16, rows, cols int) []string {
	lines := make([]string, rows)
	line := make([]uint16, cols)
	for i := range lines {
		for j := range line {
			line[j] = units[j*rows+i]
		}
		lines[i] = strings.TrimRight(string(utf16.Decode(line)), " \x00")
	}
	return lines
}
