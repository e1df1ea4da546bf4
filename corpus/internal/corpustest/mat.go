package corpustest

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"math"
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

	mxCell   = 1
	mxChar   = 4
	mxSparse = 5
)

// MatNumbers are the types of data elements that hold numbers.
var MatNumbers = []uint32{miInt8, miUint8, 3, miUint16, miInt32, miUint32, 7, 9, 12, 13}

// MatWriter writes MATLAB level 5 for tests. It follows the format's description and shares no code
// with the reader.
type MatWriter struct {
	Order    binary.AppendByteOrder
	big      bool
	compress bool
	Out      []byte // the file so far
}

// NewMatWriter begins a file, in big-endian order if big is true; compress packs each variable.
func NewMatWriter(big, compress bool) *MatWriter {
	w := &MatWriter{Order: binary.LittleEndian, big: big, compress: compress}
	mark := "IM"
	if big {
		w.Order, mark = binary.BigEndian, "MI"
	}
	w.Out = fmt.Appendf(nil, "%-124s", "MATLAB 5.0 MAT-file, Platform: TEST")
	w.Out = w.Order.AppendUint16(w.Out, 0x0100)
	w.Out = append(w.Out, mark...)
	return w
}

// Element makes a data element, a small one if it fits.
func (w *MatWriter) Element(typ uint32, data []byte) []byte {
	if n := len(data); n > 0 && n <= 4 {
		b := w.Order.AppendUint32(nil, uint32(n)<<16|typ)
		return append(append(b, data...), make([]byte, 4-n)...)
	}
	b := w.Order.AppendUint32(nil, typ)
	b = w.Order.AppendUint32(b, uint32(len(data)))
	b = append(b, data...)
	return append(b, make([]byte, -len(data)&7)...)
}

// Array makes an array element from its parts.
func (w *MatWriter) Array(class byte, flags uint32, dims []int32, name string, nzmax int, parts ...[]byte) []byte {
	f := w.Order.AppendUint32(nil, uint32(class)|flags)
	f = w.Order.AppendUint32(f, uint32(nzmax))
	body := w.Element(miUint32, f)
	var d []byte
	for _, n := range dims {
		d = w.Order.AppendUint32(d, uint32(n))
	}
	body = append(body, w.Element(miInt32, d)...)
	body = append(body, w.Element(miInt8, []byte(name))...)
	for _, p := range parts {
		body = append(body, p...)
	}
	b := w.Order.AppendUint32(nil, miMatrix)
	b = w.Order.AppendUint32(b, uint32(len(body)))
	return append(b, body...)
}

// Add puts a variable into the file.
func (w *MatWriter) Add(array []byte) *MatWriter {
	if !w.compress {
		w.Out = append(w.Out, array...)
		return w
	}
	var z bytes.Buffer
	c := zlib.NewWriter(&z)
	c.Write(array)
	c.Close()
	w.Out = w.Order.AppendUint32(w.Out, miCompressed)
	w.Out = w.Order.AppendUint32(w.Out, uint32(z.Len()))
	w.Out = append(w.Out, z.Bytes()...)
	return w
}

// Numbers encodes values as the given type of data element.
func (w *MatWriter) Numbers(typ uint32, vals ...float64) []byte {
	var b []byte
	for _, v := range vals {
		switch typ {
		case miInt8, miUint8:
			b = append(b, byte(int8(v)))
		case 3, miUint16:
			b = w.Order.AppendUint16(b, uint16(int16(v)))
		case miInt32, miUint32:
			b = w.Order.AppendUint32(b, uint32(int32(v)))
		case 7:
			b = w.Order.AppendUint32(b, math.Float32bits(float32(v)))
		case 9:
			b = w.Order.AppendUint64(b, math.Float64bits(v))
		default:
			b = w.Order.AppendUint64(b, uint64(int64(v)))
		}
	}
	return w.Element(typ, b)
}

// Full makes a numeric array of rows, stored as the given type.
func (w *MatWriter) Full(class byte, typ uint32, name string, rows [][]float64) []byte {
	var vals []float64
	for j := range rows[0] {
		for i := range rows {
			vals = append(vals, rows[i][j])
		}
	}
	return w.Array(class, 0, []int32{int32(len(rows)), int32(len(rows[0]))}, name, 0, w.Numbers(typ, vals...))
}

// Sparse makes a sparse array of rows.
func (w *MatWriter) Sparse(name string, rows [][]float64) []byte {
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
	return w.Array(mxSparse, 0, []int32{int32(len(rows)), int32(len(rows[0]))}, name, len(ir),
		w.Numbers(miInt32, ir...), w.Numbers(miInt32, jc...), w.Numbers(9, pr...))
}

// char makes a char array of one line.
func (w *MatWriter) char(name, text string) []byte {
	var b []byte
	for _, r := range text {
		b = w.Order.AppendUint16(b, uint16(r))
	}
	return w.Array(mxChar, 0, []int32{1, int32(len([]rune(text)))}, name, 0, w.Element(miUint16, b))
}

// Cell makes a column of texts.
func (w *MatWriter) Cell(name string, words ...string) []byte {
	var parts [][]byte
	for _, s := range words {
		parts = append(parts, w.char("", s))
	}
	return w.Array(mxCell, 0, []int32{int32(len(words)), 1}, name, 0, parts...)
}
