package corpus

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"math"
	"testing"
)

// Types of data elements and classes of arrays, from the format's description.
const (
	miInt8       = 1
	miUint8      = 2
	miUint16     = 4
	miInt32      = 5
	miUint32     = 6
	miMatrix     = 14
	miCompressed = 15
	miUTF8       = 16

	mxCell   = 1
	mxChar   = 4
	mxSparse = 5
	mxDouble = 6
	mxUint64 = 15

	matComplex = 0x800
)

// matNumbers are the types of data elements that hold numbers.
var matNumbers = []uint32{miInt8, miUint8, 3, miUint16, miInt32, miUint32, 7, 9, 12, 13}

// matWriter writes MATLAB level 5 for tests. It follows the format's description and shares no code
// with the reader.
type matWriter struct {
	order    binary.AppendByteOrder
	big      bool
	compress bool
	noSmall  bool
	out      []byte
}

func newMatWriter(big, compress bool) *matWriter {
	w := &matWriter{order: binary.LittleEndian, big: big, compress: compress}
	mark := "IM"
	if big {
		w.order, mark = binary.BigEndian, "MI"
	}
	w.out = fmt.Appendf(nil, "%-124s", "MATLAB 5.0 MAT-file, Platform: TEST")
	w.out = w.order.AppendUint16(w.out, 0x0100)
	w.out = append(w.out, mark...)
	return w
}

// element makes a data element, a small one if it fits.
func (w *matWriter) element(typ uint32, data []byte) []byte {
	if n := len(data); n > 0 && n <= 4 && !w.noSmall {
		b := w.order.AppendUint32(nil, uint32(n)<<16|typ)
		return append(append(b, data...), make([]byte, 4-n)...)
	}
	b := w.order.AppendUint32(nil, typ)
	b = w.order.AppendUint32(b, uint32(len(data)))
	b = append(b, data...)
	return append(b, make([]byte, -len(data)&7)...)
}

// array makes an array element from its parts.
func (w *matWriter) array(class byte, flags uint32, dims []int32, name string, nzmax int, parts ...[]byte) []byte {
	f := w.order.AppendUint32(nil, uint32(class)|flags)
	f = w.order.AppendUint32(f, uint32(nzmax))
	body := w.element(miUint32, f)
	var d []byte
	for _, n := range dims {
		d = w.order.AppendUint32(d, uint32(n))
	}
	body = append(body, w.element(miInt32, d)...)
	body = append(body, w.element(miInt8, []byte(name))...)
	for _, p := range parts {
		body = append(body, p...)
	}
	b := w.order.AppendUint32(nil, miMatrix)
	b = w.order.AppendUint32(b, uint32(len(body)))
	return append(b, body...)
}

// add puts a variable into the file.
func (w *matWriter) add(array []byte) *matWriter {
	if !w.compress {
		w.out = append(w.out, array...)
		return w
	}
	var z bytes.Buffer
	c := zlib.NewWriter(&z)
	c.Write(array)
	c.Close()
	w.out = w.order.AppendUint32(w.out, miCompressed)
	w.out = w.order.AppendUint32(w.out, uint32(z.Len()))
	w.out = append(w.out, z.Bytes()...)
	return w
}

// numbers encodes values as the given type of data element.
func (w *matWriter) numbers(typ uint32, vals ...float64) []byte {
	var b []byte
	for _, v := range vals {
		switch typ {
		case miInt8, miUint8:
			b = append(b, byte(int8(v)))
		case 3, miUint16:
			b = w.order.AppendUint16(b, uint16(int16(v)))
		case miInt32, miUint32:
			b = w.order.AppendUint32(b, uint32(int32(v)))
		case 7:
			b = w.order.AppendUint32(b, math.Float32bits(float32(v)))
		case 9:
			b = w.order.AppendUint64(b, math.Float64bits(v))
		default:
			b = w.order.AppendUint64(b, uint64(int64(v)))
		}
	}
	return w.element(typ, b)
}

// full makes a numeric array of rows, stored as the given type.
func (w *matWriter) full(class byte, typ uint32, name string, rows [][]float64) []byte {
	var vals []float64
	for j := range rows[0] {
		for i := range rows {
			vals = append(vals, rows[i][j])
		}
	}
	return w.array(class, 0, []int32{int32(len(rows)), int32(len(rows[0]))}, name, 0, w.numbers(typ, vals...))
}

// sparse makes a sparse array of rows.
func (w *matWriter) sparse(name string, rows [][]float64) []byte {
	var ir, jc, pr []float64
	for j := range rows[0] {
		jc = append(jc, float64(len(ir)))
		for i := range rows {
			if rows[i][j] != 0 {
				ir, pr = append(ir, float64(i)), append(pr, rows[i][j])
			}
		}
	}
	jc = append(jc, float64(len(ir)))
	return w.array(mxSparse, 0, []int32{int32(len(rows)), int32(len(rows[0]))}, name, len(ir),
		w.numbers(miInt32, ir...), w.numbers(miInt32, jc...), w.numbers(9, pr...))
}

// char makes a char array of one line.
func (w *matWriter) char(name, text string) []byte {
	var b []byte
	for _, r := range text {
		b = w.order.AppendUint16(b, uint16(r))
	}
	return w.array(mxChar, 0, []int32{1, int32(len([]rune(text)))}, name, 0, w.element(miUint16, b))
}

// cell makes a column of texts.
func (w *matWriter) cell(name string, words ...string) []byte {
	var parts [][]byte
	for _, s := range words {
		parts = append(parts, w.char("", s))
	}
	return w.array(mxCell, 0, []int32{int32(len(words)), 1}, name, 0, parts...)
}

// eachMat runs a test over both byte orders, with and without compression.
func eachMat(t *testing.T, test func(t *testing.T, w *matWriter)) {
	for _, big := range []bool{false, true} {
		for _, compress := range []bool{false, true} {
			t.Run(fmt.Sprintf("big=%v,compressed=%v", big, compress), func(t *testing.T) { test(t, newMatWriter(big, compress)) })
		}
	}
}
