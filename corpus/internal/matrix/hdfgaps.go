package matrix

import (
	"encoding/binary"
	"io"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/corpus/internal/hdf"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// mostGaps is the most numbers that mean missing ones of an array.
const mostGaps = 100

// gaps returns the numbers that netCDF's attributes say mean missing ones, as bytes of the array.
func (h *hdfFile) gaps(name string, number *hdf.Type) (list [][]byte, err error) {
	for _, attribute := range []string{"_FillValue", "missing_value"} {
		a, err := h.heads[name].Attr(attribute)
		if err != nil {
			return nil, err
		}
		if a == nil {
			continue
		}
		from, why := a.Type.Number()
		if why != "" || a.Count > mostGaps {
			continue
		}
		r, _, err := a.Open()
		if err != nil {
			return nil, err
		}
		raw := make([]byte, from.Size)
		for range a.Count {
			if _, err := io.ReadFull(r, raw); err != nil {
				return nil, input.Early(err)
			}
			if gap := asType(number, from, raw); gap != nil {
				list = append(list, gap)
			}
		}
	}
	return list, nil
}

// asType returns the bytes of a number in another type; nil if that has no such number.
func asType(to, from *hdf.Type, raw []byte) []byte {
	out := make([]byte, to.Size)
	switch toFloat, fromFloat := to.Class == hdf.Float, from.Class == hdf.Float; {
	case toFloat && fromFloat && to.Size == from.Size:
		copy(out, raw)
		if to.Order != from.Order {
			slices.Reverse(out)
		}
		return out
	case toFloat || fromFloat:
		var v [1]float64
		kindOf(from).floats(v[:], raw, from.Order)
		if !toFloat {
			return asInteger(to, int64(v[0]), v[0] == math.Trunc(v[0]) && math.Abs(v[0]) < 1<<53)
		}
		switch to.Size {
		case 8:
			to.Order.PutUint64(out, math.Float64bits(v[0]))
		case 4:
			to.Order.PutUint32(out, math.Float32bits(float32(v[0])))
		default:
			return nil
		}
		return out
	}
	v := from.Int(raw)
	return asInteger(to, v, true)
}

// asInteger returns the bytes of an integer of a type; nil if it does not fit or is none.
func asInteger(to *hdf.Type, v int64, is bool) []byte {
	var wide [8]byte
	binary.LittleEndian.PutUint64(wide[:], uint64(v))
	out := wide[:to.Size]
	if rest := v >> (8*to.Size - 1); !is || to.Size < 8 && rest != 0 && rest != -1 && rest != 1 {
		return nil
	}
	if to.Order == binary.BigEndian {
		slices.Reverse(out)
	}
	return out
}

// mark makes the array one of floats, in which NaN stands for some numbers.
func (m *arrayMember) mark(gaps [][]byte, open func() (io.Reader, int64, error)) {
	g := gapReader{gaps: gaps, kind: m.kind, order: m.order}
	if m.kind.isInteger() {
		g.wide = 8
		if m.kind.size() <= 2 {
			g.wide = 4
		}
		m.kind, m.order, m.width = map[int]numKind{4: kindFloat32, 8: kindFloat64}[g.wide], binary.LittleEndian, int64(g.wide)
	}
	g.nan = nanOf(m.kind, m.order)
	m.start = func() (io.Reader, int64, error) {
		again := g
		r, backed, err := open()
		if again.r = r; g.wide > 0 {
			backed = backed / int64(g.kind.size()) * int64(g.wide)
		}
		return &again, backed, err
	}
}

// nanOf returns the bytes of NaN in a kind of floats.
func nanOf(k numKind, o binary.ByteOrder) []byte {
	b := make([]byte, k.size())
	switch k {
	case kindFloat32:
		o.PutUint32(b, math.Float32bits(float32(math.NaN())))
	case kindFloat64:
		o.PutUint64(b, math.Float64bits(math.NaN()))
	default:
		o.PutUint16(b, 0x7fff)
	}
	return b
}

// gapReader puts NaN in place of the numbers that mark missing ones.
type gapReader struct {
	r     io.Reader
	gaps  [][]byte
	kind  numKind
	order binary.ByteOrder
	nan   []byte
	wide  int // bytes of the floats that integers become; 0: the numbers are floats

	left, buf, out []byte
	values         []float64
}

// Read implements [io.Reader].
func (g *gapReader) Read(p []byte) (int, error) {
	if len(g.left) == 0 {
		if g.buf == nil {
			g.buf = make([]byte, 1<<16)
		}
		size := g.kind.size()
		n, err := io.ReadAtLeast(g.r, g.buf, size)
		if err != nil {
			return 0, err
		}
		if rest := n % size; rest > 0 {
			if _, err := io.ReadFull(g.r, g.buf[n:n+size-rest]); err != nil {
				return 0, err
			}
			n += size - rest
		}
		g.left = g.marked(g.buf[:n])
	}
	n := copy(p, g.left)
	g.left = g.left[n:]
	return n, nil
}

// marked returns numbers as floats, with NaN for the missing ones.
func (g *gapReader) marked(part []byte) []byte {
	size := g.kind.size()
	out, width := part, size
	if g.wide > 0 {
		n := len(part) / size
		width = g.wide
		g.values = slices.Grow(g.values[:0], n)[:n]
		g.kind.floats(g.values, part, g.order)
		out = g.out[:0]
		for _, v := range g.values {
			if width == 4 {
				out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(v)))
			} else {
				out = binary.LittleEndian.AppendUint64(out, math.Float64bits(v))
			}
		}
		g.out = out
	}
	for k := 0; k*size < len(part); k++ {
		for _, gap := range g.gaps {
			if string(part[k*size:(k+1)*size]) == string(gap) {
				copy(out[k*width:], g.nan)
				break
			}
		}
	}
	return out
}
