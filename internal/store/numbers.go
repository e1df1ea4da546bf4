package store

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/sparse"
)

// Encoder writes the parts of a piece one after the other: values in their JSON form, and lists of
// numbers by their bits, without a copy of the whole. The first error stays.
type Encoder struct {
	w   io.Writer
	buf []byte
	err error
}

func (e *Encoder) write(b []byte) {
	if e.err == nil {
		_, e.err = e.w.Write(b)
	}
}

func (e *Encoder) length(n int) { e.write(binary.LittleEndian.AppendUint64(nil, uint64(n))) }

// Value adds a value. It must have a JSON form without loss: [FloatBits] for numbers.
func (e *Encoder) Value(v any) {
	text, err := json.Marshal(v)
	if err != nil {
		e.err = errors.Join(e.err, err)
		return
	}
	e.length(len(text))
	e.write(text)
}

// Floats adds numbers.
func (e *Encoder) Floats(v []float64) { e.FloatParts(len(v), once(v)) }

// FloatParts adds n numbers that come in parts, which are not kept. Their bytes are as by
// [Encoder.Floats].
func (e *Encoder) FloatParts(n int, parts iter.Seq[[]float64]) {
	encode(e, n, parts, func(b []byte, x float64) []byte { return binary.LittleEndian.AppendUint64(b, math.Float64bits(x)) })
}

// Indices adds whole numbers.
func (e *Encoder) Indices(v []int32) {
	encode(e, len(v), once(v), func(b []byte, x int32) []byte { return binary.LittleEndian.AppendUint32(b, uint32(x)) })
}

// once is a list as the only part.
func once[T any](v []T) iter.Seq[[]T] { return func(yield func([]T) bool) { yield(v) } }

// Bytes adds a list of bytes.
func (e *Encoder) Bytes(b []byte) {
	e.length(len(b))
	e.write(b)
}

// Matrix adds the entries of a matrix in double precision: 12 bytes each and 4 per row. No row may
// have 2³¹ entries. Those of rows in single precision are converted one row at a time: there is
// never a copy of all.
func (e *Encoder) Matrix(x sparse.Rows) {
	p := x.Pattern()
	lengths := make([]int32, p.NumRows)
	for i := range lengths {
		lengths[i] = int32(p.RowPtr[i+1] - p.RowPtr[i])
	}
	e.Indices(lengths)
	e.Indices(p.Col)
	e.FloatParts(p.NNZ(), func(yield func([]float64) bool) {
		var buf []float64
		for i := range p.NumRows {
			if buf = x.Values(i, buf); !yield(buf) {
				return
			}
		}
	})
}

// Texts adds texts of any bytes; nil and an empty list differ.
func (e *Encoder) Texts(v []string) {
	given := byte(0)
	if v != nil {
		given = 1
	}
	e.write([]byte{given})
	e.length(len(v))
	e.buf = e.buf[:0]
	for _, s := range v {
		e.buf = append(binary.LittleEndian.AppendUint64(e.buf, uint64(len(s))), s...)
		if len(e.buf) >= 1<<15 {
			e.write(e.buf)
			e.buf = e.buf[:0]
		}
	}
	e.write(e.buf)
}

func encode[T any](e *Encoder, n int, parts iter.Seq[[]T], add func(b []byte, x T) []byte) {
	e.length(n)
	e.buf = e.buf[:0]
	for part := range parts {
		for _, x := range part {
			if e.buf = add(e.buf, x); len(e.buf) >= 1<<15 {
				e.write(e.buf)
				e.buf = e.buf[:0]
			}
		}
	}
	e.write(e.buf)
}

// Decoder reads what an [Encoder] wrote. The first error stays, and what comes after it is not
// read.
type Decoder struct {
	r    *bufio.Reader
	left int64 // bytes that were not read yet
	err  error
}

// Fail says that the parts do not fit the work that reads them.
func (d *Decoder) Fail(format string, args ...any) {
	if d.err == nil {
		d.err = invalid.Errorf(format, args...)
	}
}

// Failed says whether anything so far did not fit.
func (d *Decoder) Failed() bool { return d.err != nil }

// read fills b.
func (d *Decoder) read(b []byte) bool {
	if d.err == nil && int64(len(b)) > d.left {
		d.Fail("its parts do not fit its length")
	}
	if d.err == nil {
		_, d.err = io.ReadFull(d.r, b)
		d.left -= int64(len(b))
	}
	return d.err == nil
}

func (d *Decoder) length() int64 {
	var b [8]byte
	if !d.read(b[:]) {
		return 0
	}
	n := binary.LittleEndian.Uint64(b[:])
	if n > uint64(d.left) {
		d.Fail("its parts do not fit its length")
		return 0
	}
	return int64(n)
}

// Value reads a value.
func (d *Decoder) Value(v any) {
	text := make([]byte, d.length())
	if d.read(text) {
		d.err = json.Unmarshal(text, v)
	}
}

// Texts reads texts.
func (d *Decoder) Texts() []string {
	var given [1]byte
	d.read(given[:])
	n := d.length()
	if n > d.left/8 {
		d.Fail("its parts do not fit its length")
	}
	if d.err != nil || given[0] == 0 {
		return nil
	}
	v := make([]string, n)
	var buf []byte
	for k := range v {
		length := d.length()
		buf = slices.Grow(buf[:0], int(length))[:length]
		if !d.read(buf) {
			return nil
		}
		v[k] = string(buf)
	}
	return v
}

// AllFloats reads numbers into a new list, which is not longer than the piece.
func (d *Decoder) AllFloats() []float64 { return all(d, 8, d.Floats) }

// AllIndices reads whole numbers into a new list, which is not longer than the piece.
func (d *Decoder) AllIndices() []int32 { return all(d, 4, d.Indices) }

// AllBytes reads bytes into a new list.
func (d *Decoder) AllBytes() []byte {
	b := make([]byte, d.length())
	d.read(b)
	return b
}

// Matrix reads a matrix of so many rows and columns; nil if it does not fit them.
func (d *Decoder) Matrix(rows, cols int) *sparse.CSR {
	lengths, col, val := d.AllIndices(), d.AllIndices(), d.AllFloats()
	if d.err == nil && len(lengths) != rows {
		d.Fail("it has %d rows where %d are right", len(lengths), rows)
	}
	if d.err != nil {
		return nil
	}
	at := make([]int, 1, rows+1)
	for i, n := range lengths {
		at = append(at, at[i]+int(n))
	}
	x, err := sparse.NewCSR(rows, cols, at, col, val)
	if err != nil {
		d.Fail("%w", err)
		return nil
	}
	return x
}

// all reads a list whose length is not known before.
func all[T any](d *Decoder, size int64, read func([]T)) []T {
	head, err := d.r.Peek(8)
	if d.err == nil && err != nil {
		d.err = err
	}
	if d.err != nil {
		return nil
	}
	n := binary.LittleEndian.Uint64(head)
	if n > uint64(d.left/size) {
		d.Fail("its parts do not fit its length")
		return nil
	}
	var v []T // nil for none
	if n > 0 {
		v = make([]T, n)
	}
	read(v)
	return v
}

// Floats reads as many numbers as v has room for.
func (d *Decoder) Floats(v []float64) {
	decode(d, v, 8, func(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) })
}

// Indices reads as many whole numbers as v has room for.
func (d *Decoder) Indices(v []int32) {
	decode(d, v, 4, func(b []byte) int32 { return int32(binary.LittleEndian.Uint32(b)) })
}

func decode[T any](d *Decoder, v []T, size int, of func(b []byte) T) {
	if n := d.length(); d.err == nil && n != int64(len(v)) {
		d.Fail("a list in it has %d numbers where %d are right", n, len(v))
	}
	buf := make([]byte, size*min(len(v), 4096))
	for len(v) > 0 {
		part := v[:min(len(v), 4096)]
		v = v[len(part):]
		if !d.read(buf[:size*len(part)]) {
			return
		}
		for k := range part {
			part[k] = of(buf[size*k:])
		}
	}
}

// skip passes over what was not read.
func (d *Decoder) skip() {
	if d.err == nil {
		var n int64
		n, d.err = io.Copy(io.Discard, io.LimitReader(d.r, d.left))
		d.left -= n
	}
}

// end checks that everything was read.
func (d *Decoder) end() error {
	if d.left > 0 {
		d.Fail("it has %d bytes more than its parts", d.left)
	}
	return d.err
}
