package matrix

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/sparse"
)

// numKind is the type of a number in a binary file.
type numKind uint8

const (
	noKind numKind = iota
	kindInt8
	kindUint8
	kindInt16
	kindUint16
	kindInt32
	kindUint32
	kindInt64
	kindUint64
	kindFloat32
	kindFloat64
	kindFloat16
	kindBFloat16
)

var kindSizes = [...]int{noKind: 0, kindInt8: 1, kindUint8: 1, kindInt16: 2, kindUint16: 2, kindInt32: 4,
	kindUint32: 4, kindInt64: 8, kindUint64: 8, kindFloat32: 4, kindFloat64: 8, kindFloat16: 2, kindBFloat16: 2}

// size returns the bytes of one number; 0 for noKind.
func (k numKind) size() int { return kindSizes[k] }

// isInteger reports whether numbers of this kind can be indices.
func (k numKind) isInteger() bool { return k >= kindInt8 && k <= kindUint64 }

// floats converts len(dst) numbers of kind k.
func (k numKind) floats(dst []float64, src []byte, o binary.ByteOrder) {
	switch k {
	case kindInt8:
		for i := range dst {
			dst[i] = float64(int8(src[i]))
		}
	case kindUint8:
		for i := range dst {
			dst[i] = float64(src[i])
		}
	case kindInt16:
		for i := range dst {
			dst[i] = float64(int16(o.Uint16(src[2*i:])))
		}
	case kindUint16:
		for i := range dst {
			dst[i] = float64(o.Uint16(src[2*i:]))
		}
	case kindInt32:
		for i := range dst {
			dst[i] = float64(int32(o.Uint32(src[4*i:])))
		}
	case kindUint32:
		for i := range dst {
			dst[i] = float64(o.Uint32(src[4*i:]))
		}
	case kindInt64:
		for i := range dst {
			dst[i] = float64(int64(o.Uint64(src[8*i:])))
		}
	case kindUint64:
		for i := range dst {
			dst[i] = float64(o.Uint64(src[8*i:]))
		}
	case kindFloat32:
		for i := range dst {
			dst[i] = float64(math.Float32frombits(o.Uint32(src[4*i:])))
		}
	case kindFloat64:
		doubles(dst, src, o)
	case kindFloat16:
		for i := range dst {
			dst[i] = halfToFloat(o.Uint16(src[2*i:]))
		}
	case kindBFloat16: // the upper half of a float32
		for i := range dst {
			dst[i] = float64(math.Float32frombits(uint32(o.Uint16(src[2*i:])) << 16))
		}
	}
}

// doubles converts numbers in double precision.
func doubles(dst []float64, src []byte, o binary.ByteOrder) {
	if o == binary.LittleEndian { // the usual one, without a call for each number
		for i := range dst {
			dst[i] = math.Float64frombits(binary.LittleEndian.Uint64(src[8*i:]))
		}
		return
	}
	for i := range dst {
		dst[i] = math.Float64frombits(o.Uint64(src[8*i:]))
	}
}

// halfToFloat converts an IEEE 754 binary16 number.
func halfToFloat(h uint16) float64 {
	sign, exp, frac := h>>15, int(h>>10&31), float64(h&1023)
	var v float64
	switch exp {
	case 0:
		v = math.Ldexp(frac, -24)
	case 31:
		v = math.Inf(1)
		if frac != 0 {
			v = math.NaN()
		}
	default:
		v = math.Ldexp(1024+frac, exp-25)
	}
	if sign == 1 {
		return -v
	}
	return v
}

// integer converts the number at the start of src; kinds that are not integers give 0.
func (k numKind) integer(src []byte, o binary.ByteOrder) int64 {
	switch k {
	case kindInt8:
		return int64(int8(src[0]))
	case kindUint8:
		return int64(src[0])
	case kindInt16:
		return int64(int16(o.Uint16(src)))
	case kindUint16:
		return int64(o.Uint16(src))
	case kindInt32:
		return int64(int32(o.Uint32(src)))
	case kindUint32:
		return int64(o.Uint32(src))
	case kindInt64, kindUint64:
		return int64(o.Uint64(src))
	}
	return 0
}

// readArray reads count elements of width bytes each and decodes them into a slice; elem is the
// size of a decoded element in bytes.
//
// backed is the number of bytes of the file that hold the array (fewer than count*width if it is
// compressed). The first allocation takes no more elements than that; the slice then doubles only
// as data arrive.
func readArray[T any](r io.Reader, mem *input.Budget, count int64, width int, backed int64, elem int64,
	decode func(dst []T, src []byte) error) ([]T, error) {
	if count == 0 {
		return nil, nil
	}
	if count < 0 || count > math.MaxInt64/16 {
		return nil, io.ErrUnexpectedEOF
	}
	out, err := input.Regrow(mem, []T(nil), elem, int(min(count, max(1024, backed/int64(width)))))
	if err != nil {
		return nil, err
	}
	buf := make([]byte, int64(width)*min(count, max(1, 1<<16/int64(width))))
	for int64(len(out)) < count {
		if len(out) == cap(out) {
			if out, err = input.Regrow(mem, out, elem, int(min(count, 2*int64(cap(out))))); err != nil {
				return nil, err
			}
		}
		n := min(cap(out)-len(out), len(buf)/width)
		part := buf[:n*width]
		if err := input.ReadFull(r, part); err != nil {
			return nil, err
		}
		at := len(out)
		out = out[:at+n]
		if err := decode(out[at:], part); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// readFloats reads count numbers of kind k.
func readFloats(r io.Reader, mem *input.Budget, count int64, k numKind, o binary.ByteOrder, backed int64) ([]float64, error) {
	return readArray(r, mem, count, k.size(), backed, 8, func(dst []float64, src []byte) error {
		k.floats(dst, src, o)
		return nil
	})
}

// readSingles reads count numbers of kind k, rows of cols of them, in single precision. Numbers
// that are not finite stay, for the check of the draft; finite ones out of range are an error of
// the file.
func readSingles(in *input.File, r io.Reader, backed, count int64, k numKind, o binary.ByteOrder, cols int) (*sparse.SingleDense, error) {
	var part []float64
	done := 0
	rounds, lost := k.rounds(), sparse.NewRounding(cols)
	vals, err := readArray(r, in.Mem, count, k.size(), backed, 4, func(dst []float32, src []byte) error {
		part = slices.Grow(part[:0], len(dst))[:len(dst)]
		k.floats(part, src, o)
		if !rounds {
			for p, v := range part {
				dst[p] = float32(v)
			}
			return nil
		}
		for p, v := range part {
			var err error
			if dst[p], err = sparse.Narrowed(v, (done+p)/cols, (done+p)%cols); err != nil && v-v == 0 {
				return err
			}
			lost.Add((done+p)%cols, v)
		}
		done += len(dst)
		return nil
	})
	var at *sparse.PrecisionError
	if errors.As(err, &at) {
		return nil, in.Fail("", "row %d, column %d is %v, outside of the range of single precision; give ‹precision› double, or scale the data", at.Row+1, at.Col+1, at.Value)
	}
	if err != nil {
		return nil, err
	}
	return &sparse.SingleDense{NumRows: int(count) / cols, NumCols: cols, Val: vals, Coarse: lost.Coarse()}, nil
}

// inSingle says whether a dense matrix of the kind is read in single precision.
func (o *Options) inSingle(k numKind) bool { return o.Single || o.AsStored && !k.rounds() }

// rounds says whether the kind has numbers of more digits than single precision.
func (k numKind) rounds() bool {
	switch k {
	case kindInt32, kindUint32, kindInt64, kindUint64, kindFloat64:
		return true
	}
	return false
}

// readIndices reads count integers of kind k. Negative ones and those beyond int32 become -1, which
// the matrix's own checks refuse.
func readIndices[T int | int32](r io.Reader, mem *input.Budget, count int64, k numKind, o binary.ByteOrder, backed int64) ([]T, error) {
	elem := int64(8)
	if _, small := any(T(0)).(int32); small {
		elem = 4
	}
	return readArray(r, mem, count, k.size(), backed, elem, func(dst []T, src []byte) error {
		if o == binary.LittleEndian && k == kindInt32 { // the usual ones, without a call for each
			for i := range dst {
				dst[i] = T(max(-1, int32(binary.LittleEndian.Uint32(src[4*i:]))))
			}
			return nil
		}
		for i := range dst {
			dst[i] = -1
			if v := k.integer(src[i*k.size():], o); v >= 0 && v <= math.MaxInt32 {
				dst[i] = T(v)
			}
		}
		return nil
	})
}
